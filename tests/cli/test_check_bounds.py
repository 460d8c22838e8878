"""``--check-bounds``: indices that may be out of bounds are tested; the IndexError says which."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients
from mooncake_transpiler.output.inputs import find_inputs
from mooncake_transpiler.run.pipeline import compile_modules

from tests.cli.conftest import Run, tree, write
from tests.helpers.transpile import gradient_body, module

HEAD = """\
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "n m"]
Ints = Annotated[NDArray[np.int64], "k"]


"""

OUTSIDE = f"""\
{HEAD}
# mooncake: modes=reverse,forward,hvp
def pick(x: Vec, i: int) -> float:
    return x[i] * x[i + 1]


def last(x: Vec) -> float:
    return x[-3] * x[0]


def before(x: Vec) -> float:
    return x[len(x) - 3] * x[0]


def gathered(x: Vec, k: Ints) -> float:
    return np.sum(x[k] ** 2)


def placed(x: Vec, k: Ints) -> Vec:
    y = np.zeros(3)
    for i in range(len(k)):
        y[k[i]] += x[i]
    return y


def put(x: Vec, i: int) -> Vec:
    y = x * 2.0
    y[i] = 1.0
    return y


def row(m: Mat, i: int, j: int) -> float:
    return np.sum(m[i] ** 2) + np.sum(m[:, j])


def chosen(x: Vec, i: int) -> float:
    return x[i] if i < len(x) else 2.0 * x[0]


def down(x: Vec, k: int) -> float:
    return x[0] if k == 0 else x[k] * down(x, k - 1)


def later(x: Vec, k: Ints) -> float:
    s = 0.0
    for v in x:
        s += v * v
    if len(k) > 3:
        raise ValueError("many")
    for i in range(len(k)):
        s += x[k[i]]
    return s + x[k[0]]
"""

INSIDE = f"""\
{HEAD}
def summed(x: Vec, y: Vec) -> float:
    z = np.exp(x) * y
    s = 0.0
    for i in range(len(x)):
        s += z[i] * x[i]
    return s


def stencil(x: Vec) -> float:
    s = 0.0
    for i in range(1, len(x) - 1):
        s += x[i - 1] * x[i + 1] - x[i] * x[-1] * x[-3]
    return s


def backwards(x: Vec) -> Vec:
    y = x.copy()
    for i in range(len(x) - 2, -1, -1):
        y[i] += y[i + 1] * x[i]
    return y


def triangle(m: Mat) -> float:
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(min(i, m.shape[1])):
            if j < m.shape[1]:
                s += m[i, j] ** 2
    return s


def pairs(x: Vec) -> float:
    return np.sum(x[1:] * x[:-1])


def guarded(x: Vec, i: int) -> float:
    if i < 0 or i >= len(x):
        raise ValueError("i")
    return x[i] * x[i]


def constant(x: Vec) -> float:
    if len(x) < 3:
        return 0.0
    w = np.zeros(4)
    w[3] = x[2]
    return w[3] * x[-1]
"""

X = np.arange(1.0, 4.0)
M = np.arange(1.0, 7.0).reshape(2, 3)
# Function and arguments; the index; axis, array and size; the statement.
CASES = [
    ("pick", (X, 3), 3, (0, "x", 3), "return x[i] * x[i + 1]"),
    ("pick", (X, 2), 3, (0, "x", 3), "return x[i] * x[i + 1]"),
    ("pick", (X, -4), -4, (0, "x", 3), ""),
    ("last", (X[:2],), -3, (0, "x", 2), "return x[-3] * x[0]"),
    ("before", (X[:0],), -3, (0, "x", 0), ""),
    ("gathered", (X, np.array([0, 3])), 3, (0, "x", 3), "return np.sum(x[k] ** 2)"),
    ("gathered", (X, np.array([-4])), -4, (0, "x", 3), ""),
    ("placed", (X, np.array([0, 1, 5])), 5, (0, "y", 3), "y[k[i]] += x[i]"),
    ("placed", (X[:1], np.array([0, 1])), 1, (0, "x", 1), "y[k[i]] += x[i]"),
    ("put", (X, 7), 7, (0, "y", 3), "y[i] = 1.0"),
    ("row", (M, 2, 0), 2, (0, "m", 2), "return np.sum(m[i] ** 2)"),
    ("row", (M, 0, -4), -4, (1, "m", 3), "return np.sum(m[i] ** 2)"),
    ("chosen", (X, -4), -4, (0, "x", 3), ""),
    ("down", (X, 3), 3, (0, "x", 3), "return x[0] if k == 0"),
    ("later", (X, np.array([1, 9])), 9, (0, "x", 3), "s += x[k[i]]"),
    ("later", (X, np.array([], int)), 0, (0, "k", 0), "return s + x[k[0]]"),
]  # fmt: skip
RIGHT = [
    ("pick", (X, 1)), ("pick", (X, -3)), ("last", (X,)), ("before", (X[:2],)), ("row", (M, -2, 2)),
    ("gathered", (X, np.array([0, 2, -1, 0]))), ("placed", (X, np.array([2, -1, 0]))),
    ("put", (X, -1)), ("chosen", (X, 8)), ("chosen", (X, 2)), ("down", (X, 2)),
    ("later", (X, np.array([1, 0]))),
]  # fmt: skip


def text(source: str, folder: Path, *, check_bounds: bool = True) -> str:
    """The text of the gradient module."""
    write(folder / "program.py", source)
    inputs = find_inputs(folder, check_bounds=check_bounds)
    results, diagnostics = compile_modules(["program"], inputs, 1, lambda *_: None)
    assert not diagnostics
    return gradient_body(results["program"])


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "compiled"])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("bounds")
    return module(text(OUTSIDE, folder), "program_grad", jit=request.param)


@pytest.mark.parametrize(("name", "args", "index", "where", "at"), CASES)
def test_what_is_outside(
    name: str, args: tuple[object, ...], index: int, where: tuple[int, str, int], at: str,
    made: ModuleType,
) -> None:  # fmt: skip
    axis, array, size = where
    says = f"index {index} is out of bounds for axis {axis} of {array} with size {size}, at "
    suffixes = ["vjp"] if name in ("placed", "put") else ["value_and_grad", "jvp"]
    calls = {"vjp": (np.ones(3),), "jvp": (np.ones_like(args[0]),)}
    for suffix in suffixes:
        function = getattr(made, f"{name}_{suffix}", None)
        if function is None:
            continue
        with pytest.raises(IndexError) as caught:
            function(*args, *calls.get(suffix, ()))
        assert str(caught.value).startswith(f"{says}program.py: {at}")
        assert type(caught.value) is IndexError


@pytest.mark.parametrize(("name", "args"), RIGHT)
def test_what_is_inside(name: str, args: tuple[object, ...], made: ModuleType) -> None:
    """Negative indices mean what they mean in Python."""
    check_gradients(getattr(module(OUTSIDE, "program"), name), made, list(args))


def test_second_derivatives(made: ModuleType) -> None:
    _, along = made.pick_hvp(X, 1, np.ones(3))
    assert along.tolist() == [0.0, 1.0, 1.0]
    with pytest.raises(IndexError, match="index 3 is out of bounds"):
        made.pick_hvp(X, 2, np.ones(3))


def test_what_is_certain_is_not_tested(tmp_path: Path) -> None:
    checked = text(INSIDE, tmp_path)
    assert "Formatted" not in checked
    assert checked == text(INSIDE, tmp_path, check_bounds=False)


@pytest.mark.parametrize(
    ("loop", "element"),
    [
        ("range(n)", "x[i + 1]"),
        ("range(1, n)", "x[i - 2 * n]"),
        ("range(n + 1)", "x[i]"),
        ("range(n)", "y[i]"),
        ("range(k, n)", "x[i]"),
        ("range(0, n, k)", "x[i]"),
        ("range(n - 1, -1, -1)", "x[i + 1]"),
        ("range(n - 2)", "x[1:-1][i + 1]"),
        ("range(n)", "x[::2][i]"),
        ("range(n)", "x[k:][i]"),
        ("range(2)", "x[i]"),
        ("range(k)", "x[i]"),
        ("range(n)", "x[i * i]"),
        ("range(n)", "x[k] if i > k else x[0]"),
        ("range(n)", "x[-2]"),
    ],
)
def test_what_is_not_certain_is_tested(loop: str, element: str, tmp_path: Path) -> None:
    source = (
        f"{HEAD}def f(x: Vec, y: Annotated[NDArray[np.float64], 'm'], k: int) -> float:\n"
        "    n = len(x)\n"
        f"    s = 0.0\n    for i in {loop}:\n        s += {element}\n    return s\n"
    )
    assert "Formatted" in text(source, tmp_path)


def test_it_is_an_option(run: Run, tmp_path: Path) -> None:
    src, out = tmp_path / "src", tmp_path / "out"
    write(src / "program.py", OUTSIDE)
    assert run(src, out) == 0
    plain = tree(out)
    assert "Formatted" not in plain["program_grad.py"]
    assert run(src, out, "--check-bounds", "--check") == 3
    assert run(src, out, "--check-bounds") == 0
    assert "Formatted" in tree(out)["program_grad.py"]
    assert run(src, out, "--check-bounds", "--check") == 0
    write(src / "pyproject.toml", "[tool.mooncake-transpile]\ncheck-bounds = true\n")
    assert run(src, out, "--check") == 0
    (src / "pyproject.toml").unlink()
    assert run(src, out) == 0
    assert tree(out) == plain


def test_gradient_modules_with_tests_are_sources(tmp_path: Path) -> None:
    write(tmp_path / "program.py", OUTSIDE)
    source = (
        f"{HEAD}from program_grad import pick_grad\n\n\n"
        "def slope(x: Vec, i: int) -> float:\n    return np.sum(pick_grad(x, i) ** 2)\n\n\n"
        "def caught(x: Vec, i: int) -> float:\n    try:\n        return pick_grad(x, i)[0] * x[1]\n"
        "    except IndexError:\n        return x[0] ** 3\n"
    )
    write(tmp_path / "caller.py", source)
    inputs = find_inputs(tmp_path, check_bounds=True)
    results, diagnostics = compile_modules(["caller"], inputs, 1, lambda *_: None)
    assert not diagnostics
    made = module(gradient_body(results["caller"]), "caller_grad")
    assert made.slope_value_and_grad(X, 1)[1].tolist() == [0.0, 4.0, 6.0]
    with pytest.raises(IndexError, match=re.escape("index 3 is out of bounds for axis 0 of x")):
        made.slope_value_and_grad(X, 2)
    assert made.caught_value_and_grad(X, 9)[0] == 1.0
