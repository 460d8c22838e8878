"""Output streams of the command, and errors of the system: no internal errors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run, write
from tests.cli.fake import FakeCompiler

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")


def shell(command: str, src: Path) -> subprocess.CompletedProcess[str]:
    line = command.replace("mooncake", f"{sys.executable} -m mooncake_transpiler")
    return subprocess.run(
        ["/bin/sh", "-c", line], cwd=src.parent, capture_output=True, text=True, check=False
    )


@needs_full
@pytest.mark.parametrize("what", ["list src", "explain MK204", "--version", "--help"])
def test_a_full_disk(what: str, src: Path) -> None:
    done = shell(f"mooncake {what} > {FULL}", src)
    assert done.returncode == 2
    assert "error: " in done.stderr
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        "mooncake list src >&-",
        "mooncake src out 2>&-",
        "mooncake src out >&- 2>&-",
        "mooncake --help >&-",
        "mooncake src out --diff | true",
    ],
)
def test_closed_streams(command: str, src: Path) -> None:
    done = shell(command, src)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr


@needs_full
def test_messages_may_go_nowhere(src: Path) -> None:
    assert shell(f"mooncake src out 2> {FULL}", src).returncode == 0
    assert (src.parent / "out/square_grad.py").is_file()


def test_names_that_are_too_long(
    run: Run, src: Path, out: Path, compiler: FakeCompiler, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "a" * 251  # with .py the longest that there is: that of its gradient module is longer
    write(src / f"{name}.py", (src / "square.py").read_text())
    assert run(src, out) == 1
    assert "MK506" in capsys.readouterr().out
    assert (out / "square_grad.py").is_file()
    (src / f"{name}.py").rename(src / f"{name[:-4]}.py")
    assert run(src, out) == 0
    assert run(src, "b" * 300) == 2
    assert run("b" * 300, out) == 2


def test_settings_that_are_nested_too_deeply(
    run: Run, src: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deep = "[" * 5000 + "]" * 5000
    write(src / "pyproject.toml", f"[tool.mooncake-transpile]\nmodes = {deep}\n")
    assert run(src, out) == 2
    assert "nested too deeply" in capsys.readouterr().err


def test_a_crash_is_not_an_empty_tree(
    run: Run,
    src: Path,
    out: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("mooncake_transpiler.run.pipeline.derivatives", broken)
    assert run(src, out) == 70
    err = capsys.readouterr().err
    assert "internal error" in err
    assert "no modules found" not in err
