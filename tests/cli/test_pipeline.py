"""The command with the compiler behind it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import ModuleType

import pytest
from mooncake_transpiler.frontend.entities import Source
from mooncake_transpiler.frontend.lower import lower
from mooncake_transpiler.run import pipeline, reading

from tests.cli.conftest import Run, tree, write

HALVES = """\
import numpy as np
from numpy.typing import NDArray
from typing import Annotated, NamedTuple

WEIGHTS = np.array([0.5, 0.25])


class Pair(NamedTuple):
    a: float
    b: float


def weighted(pair: Pair, x: Annotated[NDArray[np.float64], "n"]) -> float:
    return WEIGHTS[0] * pair.a * x[0] + WEIGHTS[1] * pair.b * x[1]
"""


@pytest.fixture
def generated(out: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Modules in OUT can be imported, and run as plain Python."""
    before = set(sys.modules)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.syspath_prepend(out)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in ("square", "square_grad", "pkg"):
            del sys.modules[name]


def load(name: str) -> ModuleType:
    invalidate_caches()
    return import_module(name)


def test_gradients(run: Run, src: Path, out: Path, generated: None) -> None:
    assert run(src, out) == 0
    assert load("square_grad").square_grad(3.0) == 12.0
    value, grad = load("pkg.loss_grad").loss_value_and_grad(2.0, 5.0)
    assert value == 40.0
    assert (grad.x, grad.y) == (60.0, 8.0)
    assert run(src, out, "--check") == 0


def test_classes_and_constants_of_the_source(
    run: Run, src: Path, out: Path, generated: None
) -> None:
    import numpy as np

    write(src / "pkg/halves.py", HALVES)
    assert run(src, out) == 0
    pair = load("pkg.halves").Pair(1.0, 2.0)
    value, grad = load("pkg.halves_grad").weighted_value_and_grad(pair, np.array([3.0, 4.0]))
    assert value == 3.5
    assert tuple(grad.pair) == (1.5, 1.0)
    assert grad.x.tolist() == [0.5, 0.5]


def test_several_processes_write_the_same(run: Run, src: Path, tmp_path: Path) -> None:
    assert run(src, tmp_path / "one") == 0
    assert run(src, tmp_path / "two", "-j", "2") == 0
    assert tree(tmp_path / "one") == tree(tmp_path / "two")


def test_an_unchanged_tree_needs_no_compiler(run: Run, src: Path, out: Path) -> None:
    assert run(src, out) == 0
    program = (
        "import sys; from mooncake_transpiler.cli import run\n"
        f"assert run([{str(src)!r}, {str(out)!r}, '--check']) == 0\n"
        "assert not {'libcst', 'numba', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


COMPOSITION = b"""\
# mooncake: modes=forward-over-reverse
def f(x: float) -> float:
    return x


def f_grad(x: float) -> float:
    return x
"""


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"def f(x: float) -> float:\n    return x +\n", "MK003"),
        (b"# \xff\ndef f(x: float) -> float:\n    return x\n", "MK002"),
        (b"def f(x: float) -> float:\n    return nothing(x)\n", "MK210"),
        (
            b"def f(x: float) -> float:\n    return x\n\n\ndef f_value_and(x: float) -> float: ...",
            "MK240",
        ),
        (COMPOSITION, "MK240"),
        (b"# mooncake: modes=hvp\ndef f(x: float) -> complex:\n    return 1j * x\n", "MK412"),
        (b"def f(x: float) -> float:\n    return " + b"(" * 300 + b"x" + b")" * 300, "MK004"),
        (b"def f(x: float) -> float:\n    return " + b"+".join([b"x"] * 3000), "MK004"),
    ],
)
def test_errors_are_reported_and_stop_nothing_else(
    content: bytes, code: str, run: Run, src: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (src / "bad.py").write_bytes(content)
    assert run(src, out) == 1
    captured = capsys.readouterr()
    assert code in captured.out
    assert "Traceback" not in captured.out + captured.err
    written = set(tree(out))
    assert not {"bad.py", "bad_grad.py"} & written
    assert {"square_grad.py", "pkg/loss_grad.py"} <= written


def test_errors_in_a_callee_leave_the_caller_alone(run: Run, src: Path, out: Path) -> None:
    run(src, out)
    before = tree(out)
    write(src / "pkg/helper.py", "def cube(x):\n    return unknown(x)\n")
    assert run(src, out) == 1
    assert tree(out)["pkg/loss_grad.py"] == before["pkg/loss_grad.py"]


def test_only_one_function(run: Run, src: Path, out: Path) -> None:
    assert run(src, out, "--only", "square:scale") == 0
    text = tree(out)["square_grad.py"]
    assert "def scale_grad" in text
    assert "def square_grad" not in text


def test_settings_choose_parameters(run: Run, src: Path, out: Path) -> None:
    head = "[tool.mooncake-transpile.functions.{}]\nwrt = [{}]\n"
    write(src / "pyproject.toml", head.format('"pkg.loss:loss"', '"y"'))
    assert run(src, out) == 0
    assert "with respect to `y`" in tree(out)["pkg/loss_grad.py"]
    write(src / "pyproject.toml", head.format('"pkg.loss:loss"', '"z"'))
    assert run(src, out) == 2
    write(src / "pyproject.toml", head.format('"pkg.loss:lost"', '"y"'))
    assert run(src, out) == 2


def test_list(run: Run, src: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(src / "more.py", "def count(n: int) -> int:\n    return n\n\n\ndef _p(x: float): ...\n")
    assert run("list", src) == 0
    verdicts = {line.split()[0]: line.split()[1] for line in capsys.readouterr().out.splitlines()}
    assert verdicts == {
        "more:count": "skipped",
        "more:_p": "helper",
        "pkg.helper:cube": "helper",
        "pkg.loss:loss": "emitted",
        "square:scale": "emitted",
        "square:square": "emitted",
    }


def test_list_says_what_is_vague(run: Run, src: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """import numpy as np
def loss(x: float) -> float: return float(np.sum(part(np.ones(3), x))) * other(x)
def part(x: np.ndarray, y: float) -> np.ndarray: return x * y
def other(x: float) -> "Unknown": return x
def blend(x: np.ndarray, out: np.ndarray) -> None: out[0] = x[1]
def vague(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float: return np.sum(a @ b @ c)
def _private(a): return vague(a, a, a)
"""
    write(src / "more.py", text)
    assert run("list", src / "more.py") == 0
    assert [line.split(maxsplit=2)[1:] for line in capsys.readouterr().out.splitlines()] == [
        ["emitted", "with respect to x"],
        ["emitted", "with respect to x, y"],
        ["helper", "its result is of no type that is known"],
        ["emitted", "with respect to x, out"],
        ["helper", "others call it, and annotations don't tell types: a, b, c"],
        ["helper", "its name is private"],
    ]


def test_suggested_signatures(run: Run, src: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Signatures for public functions that lack annotations."""
    text = """import numpy as np

def area(r, h=2.0): return 3.0 * r * r * h
def third(x, *, k=2): return x[k] ** 2
def trace(a):
    n, m = a.shape
    return a[0, 0] + a[n - 1, m - 1]
def chosen(x, k): return x[k]
def half(x: float, y): return x * y, x
def impossible(f, x): return f(x).y
def blended(a, u, n):
    for _ in range(n): u = a * u
    return u[0, 0] * a[1, 0]
def weighted(x: np.ndarray, w) -> np.ndarray: return x * w
def user(x: float) -> float: return weighted(np.ones(2), np.ones(2))[0] * x
def _private(x): return x
"""
    write(src / "more.py", text)
    assert run("list", "--suggest", src / "more.py") == 0
    assert capsys.readouterr().out.replace("# more\n", "") == (
        "def area(r: float, h: float = 2.0) -> float:\n"
        'def third(x: Annotated[NDArray[np.float64], "_"], *, k: int = 2) -> float:\n'
        'def trace(a: Annotated[NDArray[np.float64], "_ _"]) -> float:\n'
        'def chosen(x: Annotated[NDArray[np.float64], "_"], k: int) -> float:\n'
        "def half(x: float, y: float) -> tuple[float, float]:\n"
        'def blended(a: Annotated[NDArray[np.float64], "_ _"], '
        'u: Annotated[NDArray[np.float64], "_ _"], n: int) -> float:\n'
        'def weighted(x: Annotated[NDArray[np.float64], "_"], '
        'w: float) -> Annotated[NDArray[np.float64], "_"]:\n'
    )


def test_print_ir(run: Run, src: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(src, out, "--print-ir", "after=inline", "--only", "square:square") == 0
    text = capsys.readouterr().out
    assert text.startswith("# after inline\nfunc square:square(x: float64)")
    assert "call" not in text
    assert run(src, out, "--print-ir", "after=scalar-replacement", "--only", "square:square") == 0
    text = capsys.readouterr().out
    assert text.count("# after scalar-replacement\nfunc square:square_grad(") == 1
    assert run(src, out, "--print-ir", "after=all") == 0
    assert run(src, out, "--print-ir", "after=nothing") == 2
    assert not out.exists()


SHOWN_ELEMENT = """import cupy as cp
from jaxtyping import Float64


def f(x: Float64[cp.ndarray, "n"]) -> Float64[cp.ndarray, ""]:
    y = x * 2.0
    t = y[0]
    y[0] = 5.0
    return cp.sum(y) * t
"""


def test_print_ir_of_what_is_refused(
    run: Run, tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its early stages, and the code that refuses it, once."""
    file = tmp_path / "shown.py"
    file.write_text(SHOWN_ELEMENT)
    assert run(file, out, "--print-ir", "after=all") == 1
    shown = capsys.readouterr()
    assert "# after inline" in shown.out
    assert (shown.out + shown.err).count("MK6") == 1


@pytest.mark.parametrize("debug", [False, True])
def test_internal_errors_are_one_line(
    debug: bool,
    run: Run,
    src: Path,
    out: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(pipeline, "derivatives", fail)
    assert run(src, out, "--only", "square:square", *(["--debug"] if debug else [])) == 70
    err = capsys.readouterr().err
    assert "square:square (square.py:5): KeyError" in err
    assert ("Traceback" in err) is debug


def test_internal_errors_while_reading_name_the_function(
    run: Run,
    src: Path,
    out: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(source: Source, *options: object) -> None:
        decl = source.functions()[-1]
        raise KeyError(decl.name)

    monkeypatch.setattr(reading, "lower", fail)
    assert run(src, out) == 70
    assert "internal error in square:square: KeyError" in capsys.readouterr().err
    assert not out.exists()


def test_nesting_that_is_too_deep_is_an_error_in_the_source(
    run: Run, src: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["def f(x: float) -> float:", "    if x < 0.0:", "        y = x"]
    for k in range(150):
        lines += [f"    elif x < {k + 1}.0:", f"        y = x * {k}.0"]
    lines += ["    else:", "        y = x * x", "    return y * y"]
    write(src / "deep.py", "\n".join(lines) + "\n")
    code = run(src, out)
    captured = capsys.readouterr()
    assert "Traceback" not in captured.out + captured.err
    assert code == 0 or (code == 1 and "MK190" in captured.out)


def test_modules_that_are_up_to_date_are_not_lowered_again(
    run: Run, src: Path, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    helper = "def half(x: float) -> float:\n    return {} * x\n"
    write(src / "halves.py", helper.format(0.5))
    for name in ("one", "two"):
        text = "from halves import half\n\n\ndef {0}(x: float) -> float:\n    return half(x) + x\n"
        write(src / f"{name}.py", text.format(name))
    assert run(src, out) == 0

    lowered: list[set[str]] = []

    def spy(source: Source, *options: object) -> object:
        program, found = lower(source, *options)  # type: ignore[arg-type]
        lowered.append({name.partition(":")[0] for name in program.funcs})
        return program, found

    monkeypatch.setattr(reading, "lower", spy)
    write(src / "one.py", (src / "one.py").read_text().replace("+ x", "- x"))
    assert run(src, out) == 0
    write(src / "halves.py", helper.format(0.25))
    assert run(src, out) == 0
    assert lowered == [{"halves", "one"}, {"halves", "one", "two"}]
    assert run(src, tmp_path / "anew") == 0
    assert tree(out) == tree(tmp_path / "anew")


SCALED = "SCALE = {}\n\n\ndef scaled(x: float) -> float:\n    return SCALE * x\n"
BEARING = {
    "an attribute": "import scale\n\nscale.SCALE = 3.0\n",
    "an attribute of another name": "import scale as s\n\n\ndef g() -> None:\n    s.SCALE = 3.0\n",
    "a name that is imported": "from scale import TABLE\n\nTABLE[0] = 3.0\n",
    "a method": "from scale import *\n\nTABLE.sort()\n",
    "a rule": "import scale\nfrom mooncake_runtime import overlay\n\n\n"
    "@overlay(scale.scaled)\ndef _scaled(x: float) -> float:\n    return 3.0 * x\n",
}


@pytest.mark.parametrize("text", BEARING.values(), ids=BEARING)
def test_what_bears_on_a_module_from_elsewhere(
    text: str, run: Run, src: Path, out: Path, tmp_path: Path
) -> None:
    """A module is compiled again when one that it does not import begins to change it."""
    write(src / "scale.py", f"TABLE = [2.0, 1.0]\n{SCALED.format(2.0)}")
    write(src / "other.py", "import scale\n\nvalue = scale.scaled(1.0)\n")
    assert run(src, out) == 0
    before = (out / "scale_grad.py").read_text()
    write(src / "other.py", "import scale\n\nvalue = scale.scaled(2.0)\n")
    assert run(src, out) == 0
    assert (out / "scale_grad.py").read_text() == before
    write(src / "other.py", text)
    code = run(src, out)
    assert code == run(src, tmp_path / "anew")
    if code == 0:
        assert tree(out) == tree(tmp_path / "anew")
        assert (out / "scale_grad.py").read_text() != before
