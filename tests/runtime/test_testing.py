"""``check_gradients`` accepts a right module, and says what is wrong with a wrong one."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numpy as np
import pytest
from mooncake_runtime import tangents
from mooncake_runtime.case import Case
from mooncake_runtime.checks.first import check_forward_mode
from mooncake_runtime.tangents import Tree
from mooncake_runtime.testing import check_gradients, check_rule

# y = a * sum(x**2); x is left scaled by 2
RIGHT = """
from typing import Annotated

import numpy as np
from mooncake_runtime import entry
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "_"]


@entry
def loss_fwd(x: Vector, a: float):
    y = 0.0
    for i in range(x.shape[0]):
        y += x[i] * x[i]
        x[i] = 2.0 * x[i]
    return a * y, (x, a, y)


@entry
def loss_pullback(residuals: tuple[Vector, float, float], y_bar: float):
    x, a, y = residuals
    x_bar = np.empty(x.shape[0])
    for i in range(x.shape[0]):
        x[i] = 0.5 * x[i]
        x_bar[i] = 2.0 * a * x[i] * y_bar
    return x_bar, y * y_bar


@entry
def loss_vjp(x: Vector, a: float, y_bar: float):
    y, residuals = loss_fwd(x, a)
    return y, loss_pullback(residuals, y_bar)


@entry
def loss_value_and_grad(x: Vector, a: float):
    return loss_vjp(x, a, 1.0)


@entry
def loss_grad(x: Vector, a: float):
    return loss_vjp(x, a, 1.0)[1]


@entry
def loss_jvp(x: Vector, a: float, x_dot: Vector, a_dot: float):
    if x_dot.shape != x.shape:
        raise ValueError("loss: x_dot must have the shape of x")
    y = 0.0
    y_dot = 0.0
    for i in range(x.shape[0]):
        y += x[i] * x[i]
        y_dot += 2.0 * x[i] * x_dot[i]
        x[i] = 2.0 * x[i]
        x_dot[i] = 2.0 * x_dot[i]
    return a * y, a * y_dot + a_dot * y


@entry
def loss_hvp(x: Vector, a: float, x_dot: Vector, a_dot: float):
    if x_dot.shape != x.shape:
        raise ValueError("loss: x_dot must have the shape of x")
    grad = loss_grad(x, a)
    hx = np.empty(x.shape[0])
    ha = 0.0
    for i in range(x.shape[0]):
        hx[i] = 2.0 * (a * x_dot[i] + a_dot * x[i])
        ha += 2.0 * x[i] * x_dot[i]
    return grad, (hx, ha)
"""


DOUBLED = """
from typing import Annotated

import numpy as np
from mooncake_runtime import entry
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "_"]


@entry
def doubled_vjp(x: Vector, y_bar: float):
    x_bar = np.full(x.shape[0], y_bar)
    x_bar[0] *= 2.0
    return np.sum(x) + x[0], x_bar


@entry
def doubled_jvp(x: Vector, x_dot: Vector):
    if x_dot.shape != x.shape:
        raise ValueError("doubled: x_dot must have the shape of x")
    x[0] *= 2.0
    x_dot[0] *= 2.0
    return np.sum(x), np.sum(x_dot)
"""


def loss(x: np.ndarray, a: float) -> float:
    y = float(np.sum(x * x)) if x.dtype.kind == "f" else np.sum(x * x)
    x *= 2.0
    return a * y


def load(text: str, folder: Path) -> ModuleType:
    path = folder / "loss_module_grad.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("loss_module_grad", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("x", [np.array([0.5, -2.0, 3.0]), np.zeros(0)], ids=["three", "empty"])
def test_right_module(x: np.ndarray, tmp_path: Path) -> None:
    module = load(RIGHT, tmp_path)
    check_gradients(loss, module, (x, 1.5), wrt=("x", "a"), plain=True)
    assert module.loss_grad(np.ones(2), 1.0)[1] == 2.0


def doubled(x: np.ndarray) -> float:
    x[0] *= 2.0
    return float(np.sum(x))


def test_what_is_written_may_be_what_was_there(tmp_path: Path) -> None:
    """Forward mode writes to a tangent, and nothing to see changes."""
    check_gradients(doubled, load(DOUBLED, tmp_path), (np.array([0.0, 1.0]),), wrt=("x",))


def test_complex_steps_and_layouts(tmp_path: Path) -> None:
    args = (np.array([0.5, -2.0]), 1.5)
    check_gradients(loss, load(RIGHT, tmp_path), args, analytic=True, layouts=True, rtol=1e-13)


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("return x_bar, y * y_bar", "return x_bar, 1.01 * y * y_bar", "by differences"),
        ("x_bar[i] = 2.0 * a", "x_bar[i] = 2.00001 * a", "by differences"),
        ("x[i] = 0.5 * x[i]", "x[i] = 0.5 * x[i] + 1e-9", "did not restore"),
        ("return a * y, (x, a, y)", "return a * y + 1e-6, (x, a, y)", "the value of the forward"),
        ("y_dot += 2.0", "y_dot += 2.0000001", "jvp"),
        ("x_dot[i] = 2.0 *", "x_dot[i] = 2.01 *", "jvp leaves the tangents"),
        ("ha += 2.0", "ha += 2.001", "hvp"),
        ("return loss_vjp(x, a, 1.0)[1]", "return loss_vjp(x, a, 2.0)[1]", "grad"),
        ("return x_bar, y * y_bar", "return x_bar, None", "expected .'x', 'a'"),
        ("return x_bar, y * y_bar", "return (x_bar,)", "one slot per parameter"),
        ("x[i] = 2.0 * x[i]\n    return a * y, (x", "x[i] = 3.0 * x[i]\n    return a * y, (x",
         "leaves in the arguments"),
    ],
)  # fmt: skip
def test_wrong_module(
    right: str, wrong: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert right in RIGHT
    module = load(RIGHT.replace(right, wrong), tmp_path)
    with pytest.raises(AssertionError, match=message):
        check_gradients(loss, module, (np.array([0.5, -2.0, 3.0]), 1.5), wrt=("x", "a"))


def stated(fwd: Callable[..., Tree], pullback: Callable[..., Tree]) -> ModuleType:
    """A module with the two functions for the primal ``f``."""
    module = ModuleType("stated")
    module.f_fwd, module.f_pullback = fwd, pullback
    return module


@dataclass
class Spring:
    rest: np.ndarray
    k: float
    name: str
    other: Spring | None = None


class SpringBar(NamedTuple):
    rest: Tree
    k: Tree
    name: None
    other: Tree


@pytest.mark.parametrize("error", [0.0, 1e-5])
def test_structs(error: float) -> None:
    def f(p: Spring, x: np.ndarray) -> float:
        p.k = 2.0 * p.k
        return p.k * float(np.sum((x - p.rest) ** 2)) * p.other.k

    def fwd(p: Spring, x: np.ndarray) -> Tree:
        return f(p, x), (p, x)

    def pullback(residuals: Tree, y_bar: float) -> Tree:
        p, x = residuals
        p.k = 0.5 * p.k
        square = float(np.sum((x - p.rest) ** 2))
        x_bar = 4.0 * p.k * (x - p.rest) * p.other.k * y_bar
        other = SpringBar(None, 2.0 * p.k * square * y_bar, None, None)
        bar = SpringBar(-x_bar, (2.0 + error) * square * p.other.k * y_bar, None, other)
        return bar, x_bar

    args = Spring(np.ones(2), 0.5, "a", Spring(np.ones(1), 2.0, "b")), np.array([0.5, 3.0])
    if error == 0.0:
        check_gradients(f, stated(fwd, pullback), args, wrt=("p", "x"))
    else:
        with pytest.raises(AssertionError, match="by differences"):
            check_gradients(f, stated(fwd, pullback), args)


def test_numbers_of_other_sizes() -> None:
    """Each number is moved by a part of its own size: a large one beside it does not matter."""

    def f(sizes: list[float], factor: float) -> float:
        return factor * math.log(sizes[0]) * sizes[1]

    def pullback(residuals: Tree, y_bar: float) -> Tree:
        (small, large), factor = residuals
        sizes = [factor * large / small * y_bar, factor * math.log(small) * y_bar]
        return sizes, math.log(small) * large * y_bar

    check_gradients(f, stated(lambda *args: (f(*args), args), pullback), ([1e-6, 5e6], 0.5))


M = np.array([0.5, -1.5, 2.0, 0.75])


@pytest.mark.parametrize("args", [(M, M), (M[1:], M[:3]), (M[::-1], M), (M[::2], M[1::2])])
def test_arguments_that_overlap(args: tuple[np.ndarray, np.ndarray]) -> None:
    """Overlapping arguments that are only read have a part each; else each slot has the whole."""

    def f(x: np.ndarray, y: np.ndarray) -> float:
        return float(np.sum(x * np.sin(y)))

    def right(residuals: Tree, y_bar: float) -> Tree:
        x, y = residuals
        return np.sin(y) * y_bar, x * np.cos(y) * y_bar

    def whole(residuals: Tree, y_bar: float) -> Tree:
        return tangents.increment(tangents.zero_tangent(args), right(residuals, y_bar))

    def wrong(residuals: Tree, y_bar: float) -> Tree:
        return tuple(np.copy(slot) for slot in whole(residuals, y_bar))

    def fwd(x: np.ndarray, y: np.ndarray) -> Tree:
        return f(x, y), (x, y)

    check_gradients(f, stated(fwd, right), args)
    check_gradients(f, stated(fwd, whole), args)
    if np.shares_memory(*args):
        with pytest.raises(AssertionError, match="by differences"):
            check_gradients(f, stated(fwd, wrong), args)


def test_a_result_that_is_returned_twice() -> None:
    """It has two cotangents."""

    def f(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        y = np.sin(x)
        return y, y

    def pullback(x: np.ndarray, y_bar: Tree) -> Tree:
        return (np.cos(x) * (y_bar[0] + y_bar[1]),)

    check_gradients(f, stated(lambda x: (f(x), x), pullback), (M,))


@dataclass
class Filled:
    scale: float
    values: np.ndarray | None = None


def fill(o: Filled) -> float:
    """Puts an array where there was none."""
    o.values = np.ones(2) * o.scale
    return o.scale


def test_an_array_where_there_was_none() -> None:
    case = Case.of(fill, ModuleType("none"), (Filled(2.0),), declared=("o",))
    assert case.mutates
    with pytest.raises(AssertionError, match="an array was made"):
        case.same(np.ones(2), None, "an array was made")


def test_check_rule() -> None:
    check_rule(np.hypot, (lambda x, y: x / np.hypot(x, y), lambda x, y: y / np.hypot(x, y)), (3, 4))
    with pytest.raises(AssertionError, match=r"hypot\(3, 4\): the partial with .* argument 1"):
        check_rule(np.hypot, (lambda x, y: x / np.hypot(x, y), None), (3, 4))


def repeated(a: float, count: int) -> float:
    total = 0.0
    for _ in range(count):
        total += 0.1 * a
    return total


def of_repeated(excess: float) -> ModuleType:
    """Derivatives of ``repeated`` by a product, whose tangent is off by ``excess``, relatively."""

    def jvp(a: float, count: int, a_dot: float) -> tuple[float, float]:
        return repeated(a, count), repeated(a_dot, count) * (1 + excess)

    made = ModuleType("repeated_grad")
    made.__dict__["repeated_fwd"] = lambda a, count: (repeated(a, count), count)
    made.__dict__["repeated_pullback"] = lambda count, y_bar: (0.1 * count * y_bar, None)
    made.__dict__["repeated_jvp"] = jvp
    return made


def test_limits_follow_from_the_number_of_terms() -> None:
    """A long sum is off by more than a short one may be."""
    check_forward_mode(Case.of(repeated, of_repeated(0.0), (0.7, 3), declared=("a",)))
    long = Case.of(repeated, of_repeated(0.0), (0.7, 100_000), seed=3, declared=("a",))
    check_forward_mode(long)
    assert long.figures[-1].error > 1e-12
    assert 1e-11 < long.figures[-1].limit < 3e-11
    for count, excess in ((3, 2e-12), (100_000, 5e-11)):
        case = Case.of(repeated, of_repeated(excess), (0.7, count), declared=("a",))
        with pytest.raises(AssertionError, match="<y_bar, jvp"):
            check_forward_mode(case)
