"""Arguments of other types than annotations say: converted exactly, or refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from mooncake_runtime.lists import numbers_of

from tests.helpers.transpile import Modules, module, switched, transpiled

# Derivative functions as they are emitted, of
#     def f(x, k): return x * k, k * k
#     def step(x, k): x *= k; return x[0]
MODULE = """
from typing import Annotated, NamedTuple

import numpy as np
from mooncake_runtime import entry
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "_"]
Singles = Annotated[NDArray[np.float32], "_"]


class FGrad(NamedTuple):
    x: Vector
    k: float


@entry
def f_fwd(x: Vector, k: float) -> tuple[tuple[Vector, float], tuple[Vector, float]]:
    return (x * k, k * k), (x, k)


@entry
def f_pullback(
    residuals: tuple[Vector, float], y_bar: tuple[Vector, float]
) -> tuple[Vector, float]:
    x, k = residuals
    y0_bar, y1_bar = y_bar
    return y0_bar * k, np.sum(y0_bar * x) + 2.0 * k * y1_bar


@entry
def total_fwd(x: Vector) -> tuple[Vector, tuple[Vector]]:
    return 2.0 * x, (x,)


@entry(stretch=["x.0 =y_bar.0"], grad=["x"])
def total_vjp(x: Vector, y_bar: Vector) -> tuple[Vector, Vector]:
    if x.shape[0] != y_bar.shape[0]:
        raise ValueError("total: the sizes of an axis differ")
    return 2.0 * x, 2.0 * y_bar


@entry
def f_vjp(
    x: Vector, k: float, y_bar: tuple[Vector, float]
) -> tuple[tuple[Vector, float], FGrad]:
    y0_bar, y1_bar = y_bar
    return (x * k, k * k), FGrad(y0_bar * k, np.sum(y0_bar * x) + 2.0 * k * y1_bar)


@entry
def f_jvp(
    x: Vector, k: float, x_dot: Vector, k_dot: float
) -> tuple[tuple[Vector, float], tuple[Vector, float]]:
    return (x * k, k * k), (x_dot * k + x * k_dot, 2.0 * k * k_dot)


@entry
def step_jvp(x: Vector, k: float, x_dot: Vector, k_dot: float) -> tuple[float, float]:
    for i in range(x.shape[0]):
        x_dot[i] = x_dot[i] * k + x[i] * k_dot
        x[i] *= k
    return x[0], x_dot[0]


@entry
def added_grad(x: Vector, y: Vector) -> float:
    x += y
    return x[0]


@entry
def kinds_grad(n: int, flag: bool, z: complex, s: np.float32) -> complex:
    return (z + n if flag else z) * s


@entry
def singles_vjp(x: Singles, y_bar: np.float32) -> tuple[np.float32, Singles]:
    return x[0], x * y_bar


@entry
def singles_fwd(x: Singles) -> tuple[np.float32, Singles]:
    return x[0], x
"""
X = np.array([1.0, 2.0, 3.0])
READ = np.arange(3.0)


class Series:
    """An object of another library, with an array inside."""

    def __init__(self, inside: object) -> None:
        self.inside = np.asarray(inside)

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        return self.inside


class Traced:
    """An object that has no array for NumPy."""

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        raise RuntimeError("use detach()")


@pytest.fixture(params=["compiled", "plain"])
def grad(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    with switched(request.param == "compiled"):
        yield module(MODULE, "by_hand_grad", jit=request.param == "compiled")


def same(found: Any, expected: Any) -> bool:
    """True for equal numbers and arrays, of the same dtypes, in the same places."""
    if isinstance(expected, tuple):
        return len(found) == len(expected) and all(map(same, found, expected))
    one, other = np.asarray(found), np.asarray(expected)
    return one.dtype == other.dtype and one.shape == other.shape and bool(np.all(one == other))


def test_numbers(grad: ModuleType) -> None:
    """Whatever holds one number is that; the value is what the program gives for it."""
    expected = (X * 3.0, 9.0)
    numbers = [
        3, 3.0, np.float64(3), np.float32(3), np.int64(3), np.uint64(3), np.int8(3),
        np.array(3.0), np.array(3), np.array(3, np.float32), Series(3.0), Series(np.int64(3)),
    ]  # fmt: skip
    for _ in range(2):
        for k in numbers:
            assert same(grad.f_fwd(X, k)[0], expected), k
    assert same(grad.f_fwd(X, True)[0], (X, 1.0))
    assert same(grad.f_fwd(X, 2**60)[0], (X * 2.0**60, 2.0**120))  # which is a float
    for _ in range(2):
        given = (np.array(2), np.array(True), Series(1j), np.array(2.0, np.float32))
        assert same(grad.kinds_grad(*given), 4.0 + 2j)
        assert same(grad.kinds_grad(np.uint64(2), np.True_, 1, 2), 6.0 + 0j)
    assert np.isnan(grad.f_fwd(X, np.array(np.nan))[0][1])


NO_NUMBER: list[tuple[object, str]] = [
    (2**53 + 1, "got int that is no float64 exactly; pass float(k)"),
    (10**400, "got int that is no float64 exactly; pass float(k)"),
    (np.int64(2**53 + 1), "got int64 scalar that is no float64 exactly; pass float(k)"),
    (np.array(2**53 + 1), "got int64 array of rank 0 that is no float64 exactly; pass float(k)"),
    (np.ones(1), "got float64 array of rank 1; pass k.item()"),
    (np.ones((1, 1)), "got float64 array of rank 2; pass k.item()"),
    (np.array(1j), "got complex128 array of rank 0"),
    (np.array("1"), "got <U1 array of rank 0"),
    (Series("1"), "got Series (<U1 array of rank 0)"),
    (Series(X), "got Series (float64 array of rank 1)"),
    (np.timedelta64(3), "got timedelta64 scalar"),
    (None, "got None"),
    (Traced(), "got Traced (use detach())"),
]


def test_no_numbers(grad: ModuleType) -> None:
    grad.f_fwd(X, 1)  # numbers may be integers from now on, but not all
    for k, told in NO_NUMBER:
        with pytest.raises(TypeError) as caught:
            grad.f_fwd(X, k)
        shown = str(caught.value).replace("[D]", "").replace("[generic]", "")
        assert shown.startswith("f_fwd: parameter 'k' must be a float64 scalar, ")
        assert shown.endswith(told), (k, shown)
    for n in (2**63, np.uint64(2**63), -(2**63) - 1):
        with pytest.raises(TypeError, match=r"'n' must be an int64 .* is no int64 exactly$"):
            grad.kinds_grad(n, True, 1j, 1.0)


def test_single_precision(grad: ModuleType) -> None:
    """Floats are rounded, as NumPy does it with Python's; integers are not."""
    x = np.ones(2, np.float32)
    for _ in range(2):
        tenth = np.float32(0.1)
        assert same(grad.singles_vjp(x, 0.1)[1], x * tenth)
        assert same(grad.singles_vjp(x, np.float64(0.1))[1], x * tenth)
        assert same(grad.singles_vjp(x, 3)[1], x * np.float32(3))
        with pytest.raises(TypeError, match=r"'y_bar' .* exactly; pass np.float32\(y_bar\)"):
            grad.singles_vjp(x, 2**24 + 1)


def test_arrays(grad: ModuleType) -> None:
    """The array inside, another order of bytes, another place in memory: the same numbers."""
    packed = np.zeros(3, np.dtype([("a", "i1"), ("x", "f8")], align=False))
    packed["x"] = X
    assert not packed["x"].flags.aligned
    for x in (Series(X), X.astype(">f8"), Series(X.astype(">f8")), packed["x"]):
        assert same(grad.f_fwd(x, 2.0)[0], (X * 2.0, 4.0))
        assert same(grad.f_vjp(x, 2.0, (X, 1.0))[1], (X * 2.0, 18.0))


NO_ARRAY: list[tuple[object, str]] = [
    (Series([1]), "got Series (int64 array of rank 1); pass np.asarray(x).astype(np.float64)"),
    (X.astype(int), "got int64 array of rank 1; pass x.astype(np.float64)"),
    (X.astype(np.float32), "got float32 array of rank 1; pass x.astype(np.float64)"),
    (X > 1.0, "got bool array of rank 1; pass x.astype(np.float64)"),
    (
        Series([[1.0]]),
        "got Series (float64 array of rank 2); to take these, annotate x as an array of axes 'n m'",
    ),
    ([1.0, 2.0], "got list of length 2; pass np.array(x, dtype=np.float64)"),
    (2.0, "got float"),
    (Traced(), "got Traced (use detach())"),
]  # fmt: skip


def test_no_arrays(grad: ModuleType) -> None:
    """NumPy computes otherwise with other dtypes, so they are not converted."""
    for x, told in NO_ARRAY:
        with pytest.raises(TypeError) as caught:
            grad.f_fwd(x, 2.0)
        begins = "f_fwd: parameter 'x' must be a float64 array of rank 1, "
        assert str(caught.value) == begins + told


def test_what_is_written_is_not_converted(grad: ModuleType) -> None:
    for x in (Series(X), X.astype(">f8")):
        with pytest.raises(TypeError, match="added_grad: parameter 'x' is written to, got a read"):
            grad.added_grad(x, X)
        assert same(grad.added_grad(X.copy(), x), 2.0)  # only read
    both = (Series(X), Series(X))
    with pytest.raises(TypeError, match="one of 'x', 'y' is written to"):
        grad.added_grad(*both)
    assert same(X, np.array([1.0, 2.0, 3.0]))
    assert X.flags.writeable
    with pytest.raises(TypeError, match="step_jvp: parameter 'x_dot' is written to"):
        grad.step_jvp(X.copy(), 2.0, np.ones(3, int), 1.0)


def test_cotangents(grad: ModuleType) -> None:
    """None is no cotangent, a list a tuple, and integers are exact."""
    y, residuals = grad.f_fwd(X, 2.0)
    only_number = (np.zeros(3), 4.0)
    only_array = (READ * 2.0, 8.0)
    for bars in [(np.zeros(3), 1), [None, 1.0], (None, np.array(1))]:
        assert same(grad.f_vjp(X, 2.0, bars), (y, only_number))
    for bars in [(READ, None), [READ, 0], [READ.astype(int), 0.0], (Series(READ), False)]:
        assert same(grad.f_vjp(X, 2.0, bars), (y, only_array))
        assert same(grad.f_pullback(residuals, bars), only_array)
    assert same(grad.f_vjp(X, 2, None), (y, (np.zeros(3), 0.0)))
    assert type(grad.f_vjp(X, 2, None)[1]).__name__ == "FGrad"
    assert same(grad.f_pullback(residuals, (READ.astype(np.float32), None)), only_array)


def test_no_cotangents(grad: ModuleType) -> None:
    _, residuals = grad.f_fwd(X, 2.0)
    known = "None is zero where the shape is known: here pass np.zeros of that shape"
    for call, told in [
        (lambda: grad.f_pullback(residuals, (None, 1.0)), f"'y_bar[0]' .* got None; {known}"),
        (lambda: grad.f_pullback(residuals, None), f"'y_bar[0]' .* {known}"),
        (lambda: grad.f_pullback(None, (READ, 1.0)), "'residuals' must be a tuple of length 2"),
        (lambda: grad.f_pullback(residuals, [READ]), "'y_bar' must be a tuple of length 2, got l"),
        (lambda: grad.f_vjp(None, 2.0, (READ, 1.0)), "'x' must be a float64 array of rank 1, got"),
        (lambda: grad.f_vjp(X, None, (READ, 1.0)), "'k' must be a float64 scalar, got None"),
        (lambda: grad.f_vjp(X, 2.0, ([1.0], 1.0)), "'y_bar[0]' .* got list of length 1; pass np."),
        (lambda: grad.f_vjp(X, 2.0, (READ * 1j, 1.0)), "'y_bar[0]' .* got complex128 array of r"),
        (lambda: grad.f_vjp(X, 2.0, (np.full(3, 2**53 + 1), 1.0)), "'y_bar[0]' .* got int64 arr"),
        (lambda: grad.f_vjp(X, 2.0, (READ, 2**53 + 1)), "'y_bar[1]' .* no float64 exactly"),
        (lambda: grad.singles_vjp(READ, 1.0), "'x' must be a float32 array of rank 1"),
    ]:
        raised(call, told)


def raised(call: Callable[[], object], told: str) -> None:
    pattern = told.replace("[", r"\[").replace("]", r"\]")
    with pytest.raises(TypeError, match=pattern):
        call()


def test_tangents(grad: ModuleType) -> None:
    y = (X * 2.0, 4.0)
    for _ in range(2):
        assert same(grad.f_jvp(X, 2.0, None, 1), (y, (X, 4.0)))
        assert same(grad.f_jvp(Series(X), 2, READ.astype(int), None), (y, (READ * 2.0, 0.0)))
        assert same(grad.f_jvp(X, np.array(2.0), None, None), (y, (np.zeros(3), 0.0)))
        assert same(grad.step_jvp(X.copy(), 2.0, None, 1.0), (2.0, 1.0))
    raised(lambda: grad.step_jvp(X, None, X, 1.0), "'k' must be a float64 scalar, got None")


def test_conversion_and_stretching(grad: ModuleType) -> None:
    one = np.array([1.0])
    y, x_bar = grad.total_vjp(Series(one), READ.astype(int))
    assert same(y, np.full(3, 2.0))
    assert same(x_bar, np.array([6.0]))


def test_lists_of_numbers() -> None:
    """Items are converted as numbers are."""
    nan = float("nan")
    many = [1, 2.5, True, np.float32(0.5), np.array(3), nan, 2**60]
    assert numbers_of("p[{}]", many, "float64").tolist()[:5] == [1.0, 2.5, 1.0, 0.5, 3.0]
    assert same(numbers_of("p[{}]", [0.1], "float32"), np.array([0.1], np.float32))
    assert same(numbers_of("p[{}]", [np.int8(3), True], "int64"), np.array([3, 1]))
    for items, dtype in [
        ([1.0, 2**53 + 1], "float64"),
        ([1, np.int64(2**53 + 1)], "float64"),
        ([1.0, np.int64(2**53 + 1)], "float64"),
        ([1.0, np.array(2**53 + 1)], "float64"),
        ([1, np.uint64(2**63)], "int64"),
        ([1, 2**63], "int64"),
        ([1.0, 2**24 + 1], "float32"),
    ]:
        raised(lambda: numbers_of("p[{}].x", items, dtype), f"p[1].x: .* no {dtype} exactly")  # noqa: B023


PROGRAM = """
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
AnyVec = np.ndarray[tuple[int], np.dtype[np.float64]]


class Out(NamedTuple):
    a: Vec
    b: float


@dataclass
class State:
    x: Vec
    k: float


def named(x: Vec, *, k: float) -> Out:
    return Out(x * k, k * k)


def advanced(p: State, k: float) -> State:
    return State(p.x * k, p.k * k)


# mooncake: modes=reverse,forward,hvp
def energy(p: tuple[Vec, float], k: float) -> float:
    return np.sum(p[0] * p[0]) * p[1] * k


# mooncake: wrt=x
def wide(x: AnyVec, y: AnyVec) -> AnyVec:
    return x * y


def scaled(x: Vec, out: Vec, k: float) -> None:
    out[:] = out + x * k


# mooncake: modes=forward
def moved(q: Vec, q_dot: Vec, h: float) -> Vec:
    return q + h * q_dot
"""


@pytest.fixture(scope="module")
def emitted() -> Modules:
    return transpiled(PROGRAM)


def test_objects_and_keywords(emitted: Modules) -> None:
    """Each part of an object, too, and of its tangents."""
    primal, grad = emitted
    y, bars = grad.named_vjp(X, (None, 1.0), k=2)
    assert same((y, bars), ((X * 2.0, 4.0), (np.zeros(3), 4.0)))
    assert same(grad.named_vjp(X, primal.Out(READ, None), k=2.0)[1], (READ * 2.0, 8.0))
    state = primal.State(Series(X), 3)
    _, bars = grad.advanced_vjp(state, 2, primal.State(READ, None))
    assert same((bars.p.x, bars.p.k, bars.k), (READ * 2.0, 0.0, 8.0))
    raised(
        lambda: grad.advanced_vjp(state, 2, primal.State(None, 1.0)),
        "advanced_vjp: parameter 'y_bar.x' must be .* got None; None is zero where",
    )
    _, dot = grad.advanced_jvp(state, 2, primal.State(None, 1), None)
    assert same((dot.x, dot.k), (np.zeros(3), 2.0))


def test_directions(emitted: Modules) -> None:
    _, grad = emitted
    found, product = grad.energy_hvp((X, 2), 3, None, 1)
    assert same(found, grad.energy_grad((X, 2.0), 3.0))
    assert same(product, ((X * 4.0, 14.0), 0.0))
    _, product = grad.energy_hvp((X, 2), 3, [None, 1.0], None)
    assert same(product, ((X * 6.0, 0.0), 14.0))


def test_one_row_for_many(emitted: Modules) -> None:
    """An argument is stretched after it was converted, and where the cotangent has no shape."""
    _, grad = emitted
    one = Series([2.0])
    assert same(grad.wide_vjp(one, X, READ.astype(int)), (X * 2.0, np.array([8.0])))
    assert same(grad.wide_vjp(one, X, None), (X * 2.0, np.zeros(1)))


def test_written_results_without_cotangents(emitted: Modules) -> None:
    _, grad = emitted
    out = READ.copy()
    y, bars = grad.scaled_vjp(Series(X), out, 2, None)
    assert same(y, READ + X * 2.0)
    assert same((*bars,), (np.zeros(3), np.zeros(3), 0.0))
    assert same(out, READ)  # as it was


def test_arguments_that_overlap_need_tangents_that_do(
    emitted: Modules,
) -> None:
    _, grad = emitted
    both = X.copy()
    raised(
        lambda: grad.scaled_jvp(both, both, 2.0, None, None, 1.0),
        "scaled_jvp: parameter 'x_dot' is None, but arguments share memory",
    )
    _, dot = grad.scaled_jvp(X, both, 2.0, None, None, 1)
    assert same(dot, X)
    _, dot = grad.energy_jvp((X, 2.0), 3.0, (X, None), None)  # a direction may be the argument
    assert dot == 2.0 * 14.0 * 6.0


def test_names_like_those_of_tangents(emitted: Modules) -> None:
    """``q_dot`` is a parameter of the program: nothing but what is declared will do."""
    _, grad = emitted
    y, dot = grad.moved_jvp(X, READ, 2, None, None, 1)
    assert same((y, dot), (X + 2.0 * READ, READ))
    raised(lambda: grad.moved_jvp(X, None, 2.0, None, None, 1.0), "'q_dot' must be a float64 arr")
