"""Whatever stands in a module: a diagnostic or derivatives, never a traceback."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.bad_input import ACCEPTED, REFUSED, body
from tests.cli.conftest import Run, tree, write

GOOD = "def f(x: float) -> float:\n    return x * x\n"


def write_exactly(file: Path, text: str) -> None:
    """Line ends as they are; surrogates stand for bytes that are not UTF-8."""
    file.write_bytes(text.encode("utf-8", "surrogateescape"))


@pytest.fixture
def src(tmp_path: Path) -> Path:
    """A folder with a module that is fine."""
    return write(tmp_path / "src/m.py", GOOD).parent


@pytest.mark.parametrize("name", REFUSED)
def test_refused(
    name: str, run: Run, src: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, code = REFUSED[name]
    write(src / "other.py", GOOD)
    write_exactly(src / "new.py", text)
    assert run(src, out) == 1
    assert set(tree(out)) == {
        "m.py", "m_grad.py", "other.py", "other_grad.py", ".mooncake-transpile",
    }  # fmt: skip
    before = tree(out)
    write_exactly(src / "m.py", text)
    capsys.readouterr()
    assert run(src, out, "--output-format", "json") == 1
    captured = capsys.readouterr()
    assert {row["code"] for row in json.loads(captured.out)} == {code}
    assert "Traceback" not in captured.err
    assert tree(out) == before


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str, run: Run, src: Path, out: Path) -> None:
    write_exactly(src / "m.py", ACCEPTED[name])
    assert run(src, out) == 0
    text = tree(out).get("m_grad.py")
    assert (text is None) is not bool(ACCEPTED[name].strip())
    if text is not None:
        exec(compile(text, "m_grad.py", "exec", dont_inherit=True), {"__name__": "m_grad"})


def test_long_functions(run: Run, src: Path, out: Path) -> None:
    lines = [line for k in range(1500) for line in (f"y{k} = x * {k}.5", f"x = y{k} + x")]
    write(src / "m.py", body(*lines, "return x"))
    assert run(src, out) == 0


def test_modules_that_import_each_other(run: Run, src: Path, out: Path) -> None:
    write(src / "a.py", "import b\n\n\ndef f(x: float) -> float:\n    return b.g(x)\n")
    write(src / "b.py", "from a import f\n\n\ndef g(x: float) -> float:\n    return 2.0 * x\n")
    assert run(src, out) == 0
    write(src / "a.py", "from b import g as f\n")
    write(src / "b.py", "from a import f as g\n\n\ndef h(x: float) -> float:\n    return g(x)\n")
    assert run(src, out) == 1


def test_modules_named_like_others(run: Run, src: Path, out: Path) -> None:
    for name in ("math", "numpy", "numba", "typing", "mooncake_runtime"):
        write(src / f"{name}.py", GOOD)
    assert run(src, out) == 0
    assert len(tree(out)) == 13


TABLE = "import numpy as np\n\nW = np.array([1.0])\n\n\ndef f(x: float) -> float:\n    return W[0]"


@pytest.mark.parametrize("path", ["my-model.py", "class.py", "2d.py", "a.b.py", "a b/c.py"])
def test_modules_that_cannot_be_imported(
    path: str, run: Run, src: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(src / path, GOOD)
    assert run(src, out) == 0
    write(src / path, TABLE + " * x\n")
    assert run(src, out) == 1
    assert "MK006" in capsys.readouterr().out


def test_two_files_for_one_module(
    run: Run, src: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(src / "n/__init__.py", GOOD)
    run(src, out)
    before = tree(out)
    write(src / "n.py", GOOD)
    assert run(src, out) == 1
    assert "MK005" in capsys.readouterr().out
    assert tree(out) == before


def test_files_that_cannot_be_read(
    run: Run,
    src: Path,
    out: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    read_bytes = Path.read_bytes

    def read(file: Path) -> bytes:
        if file == src / "secret.py":
            raise PermissionError(13, "Permission denied", str(file))
        return read_bytes(file)

    write(src / "secret.py", GOOD)
    monkeypatch.setattr(Path, "read_bytes", read)
    assert run(src, out) == 1
    assert "MK001" in capsys.readouterr().out
    assert set(tree(out)) == {"m.py", "m_grad.py", ".mooncake-transpile"}


def test_folders_that_cannot_be_read(
    run: Run, src: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert run(src, out) == 2


@pytest.mark.parametrize("name", [b"\xff.py", b"a\nb.py"])
def test_names_that_cannot_be_written_down(name: bytes, run: Run, src: Path, out: Path) -> None:
    Path(os.fsdecode(bytes(src) + b"/" + name)).write_text(GOOD)
    assert run(src, out) == 2


@pytest.mark.parametrize("taken", ["m.py", "m_grad.py", ".mooncake-transpile"])
def test_folders_in_the_way(
    taken: str, run: Run, src: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (out / taken).mkdir(parents=True)
    assert run(src, out, "--diff") == 1
    assert run(src, out) == 1
    assert run(src, out, "--force") == 1
    assert "MK506" in capsys.readouterr().out
    assert (out / taken).is_dir()


def test_out_below_a_file(
    run: Run, src: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "file", "")
    assert run(src, tmp_path / "file/out") == 1
    assert "MK506" in capsys.readouterr().out


def test_links(run: Run, src: Path, out: Path, tmp_path: Path) -> None:
    (src / "again").symlink_to(src)
    (src / "broken.py").symlink_to("nowhere")
    write(tmp_path / "text", GOOD)
    (src / "linked.py").symlink_to(tmp_path / "text")
    (tmp_path / "real").mkdir()
    out.symlink_to(tmp_path / "real")
    assert run(src, out) == 0
    assert {"m_grad.py", "linked_grad.py"} <= set(tree(tmp_path / "real"))
    assert run(src, out, "--check") == 0
