"""Library functions at special points: zeros, ties, infinities, missing values."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Modules, Refusal, compiled, gradient_body, transpiled
from tests.rules.library_programs import HEADER

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

V = 'Annotated[NDArray[np.float64], "_"]'
M = 'Annotated[NDArray[np.float64], "_ _"]'


def module(expression: str, **params: str) -> Modules:
    """A module with ``f(x, ...) -> float``, and its gradient module."""
    given = ", ".join(f"{name}: {kind}" for name, kind in (params or {"x": V}).items())
    return transpiled(f"{HEADER}\n\ndef f({given}) -> float:\n    return {expression}\n")


def gradient(expression: str, x: Sequence[object]) -> object:
    """The gradient of ``expression``, of a vector or matrix ``x``."""
    array = np.array(x, float)
    _, generated = module(expression, x=V if array.ndim == 1 else M)
    return np.asarray(generated.f_grad(array))


@pytest.mark.parametrize(
    ("expression", "x", "expected"),
    [
        ("np.prod(x)", [2.0, 0.0, 3.0], [0.0, 6.0, 0.0]),
        ("np.prod(x)", [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
        ("np.sum(np.cumprod(x))", [2.0, 0.0, 3.0], [1.0, 8.0, 0.0]),
        ("np.std(x)", [2.0, 2.0, 2.0], [0.0, 0.0, 0.0]),
        ("np.sum(np.std(x, axis=0))", [[1.0, 2.0], [1.0, 4.0]], [[0.0, -0.5], [0.0, 0.5]]),
        ("np.max(x)", [1.0, 3.0, 3.0], [0.0, 1.0, 0.0]),
        ("np.min(x)", [1.0, 3.0, 1.0], [1.0, 0.0, 0.0]),
        ("max(x)", [3.0, 3.0, 1.0], [1.0, 0.0, 0.0]),
        ("np.ptp(x)", [2.0, 2.0, 2.0], [0.0, 0.0, 0.0]),
        ("np.sum(np.max(x, axis=0))", [[1.0, 2.0], [1.0, 4.0]], [[1.0, 0.0], [0.0, 1.0]]),
        ("np.max(np.abs(x))", [-2.0, 2.0, 1.0], [-1.0, 0.0, 0.0]),
        ("np.sort(x)[0]", [2.0, 1.0, 1.0], [0.0, 1.0, 0.0]),
        ("np.median(x)", [5.0, 1.0, 3.0, 4.0], [0.0, 0.0, 0.5, 0.5]),
        ("np.sum(np.clip(x, 0.0, 1.0))", [0.0, 0.5, 1.0, 2.0], [0.0, 1.0, 0.0, 0.0]),
        ("np.sum(np.clip(x, 0.0, None))", [-1.0, 0.0, 0.5], [0.0, 0.0, 1.0]),
        ("np.nansum(x)", [1.0, np.nan, 2.0], [1.0, 0.0, 1.0]),
        ("np.nanmean(x)", [1.0, np.nan, 2.0], [0.5, 0.0, 0.5]),
        ("np.nanmax(x)", [1.0, np.nan, 2.0], [0.0, 0.0, 1.0]),
        ("np.nanmedian(x)", [3.0, np.nan, 2.0], [0.5, 0.0, 0.5]),
        ("np.sum(np.nanquantile(x, [0.0, 1.0]))", [3.0, np.nan, 2.0], [1.0, 0.0, 1.0]),
        ("np.nanvar(x)", [1.0, np.nan, 3.0], [-1.0, 0.0, 1.0]),
        ("scipy.special.logsumexp(x)", [1e4, 1e4], [0.5, 0.5]),
        ("scipy.special.logsumexp(x)", [-np.inf, 1.0], [0.0, 1.0]),
        ("scipy.special.logsumexp(x)", [-np.inf, -np.inf], [0.0, 0.0]),
        (
            "np.sum(scipy.special.logsumexp(x, axis=1))",
            [[-np.inf, -np.inf], [0.0, 0.0]],
            [[0.0, 0.0], [0.5, 0.5]],
        ),
        ("scipy.special.log_softmax(x)[0]", [1e4, 1e4], [0.5, -0.5]),
        ("scipy.special.softmax(x)[0]", [1e4, 1e4, -np.inf], [0.25, -0.25, 0.0]),
        ("np.interp(x[0], [0.0, 1.0, 3.0], [0.0, 2.0, 3.0])", [1.0], [0.5]),
        ("np.interp(0.5, x[:2], x[2:])", [-np.inf, 1.0, 2.0, 3.0], [0.0, 0.0, 0.0, 1.0]),
        ("np.fmin(x[0], x[1] * x[2])", [1.0, np.nan, 3.0], [1.0, 0.0, 0.0]),
        ("np.sum(np.unique(x))", [1.0, 2.0, 1.0], [1.0, 1.0, 0.0]),
    ],
)
def test_conventions(expression: str, x: list[object], expected: list[object]) -> None:
    np.testing.assert_allclose(gradient(expression, x), expected, rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize(
    "expression",
    ["np.max(x)", "np.argmax(x) * 1.0", "np.min(x)", "np.argmin(x) * 1.0", "np.nanmax(x)",
     "np.nanargmin(x) * 1.0", "np.median(x)", "np.quantile(x, 0.3)", "np.sum(x)",
     "np.sum(np.clip(x, 0.0, None))", "np.sum(np.clip(x, 0.0, 2.0))", "np.sort(x)[0]",
     "np.sort(x)[-1]", "np.interp(x[1], x[2:], x[2:])", "scipy.special.logsumexp(x)",
     "np.std(x)", "np.count_nonzero(x) * 1.0", "np.ptp(x)"],
)  # fmt: skip
@pytest.mark.parametrize("values", [[2.0, np.nan, 1.0, 3.0], [1.0, np.inf, 0.0, 2.0]], ids=str)
def test_values_of_nan_and_infinity(expression: str, values: list[float]) -> None:
    x = np.array(values)
    primal, generated = module(f"{expression} + 0.0 * x[0]")
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(generated.f_fwd(x)[0], primal.f(x), rtol=1e-14)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("np.max(x)", "zero-size"),
        ("np.argmin(x) * x[0]", "empty sequence"),
        ("np.quantile(x, 0.5)", "empty"),
        ("np.average(x, weights=0.0 * x)", "normalized"),
        ("np.sum(np.gradient(x))", "too few"),
        ("np.partition(x, 0)[0]", "kth"),
        ("np.argpartition(x, -1)[-1] * x[0]", "kth"),
        ("np.sum(np.convolve(x, x))", "cannot be empty"),
    ],
)
def test_what_is_empty_raises(expression: str, message: str) -> None:
    primal, generated = module(expression)
    x = np.zeros(0)
    with pytest.raises((ValueError, IndexError, ZeroDivisionError)):
        primal.f(x)
    with pytest.raises((ValueError, IndexError, ZeroDivisionError), match=message):
        generated.f_fwd(x)


@pytest.mark.parametrize("expression", ["max(x", "argmin(x", "ptp(x", "percentile(x, 30"])
def test_an_empty_axis_raises_though_there_are_no_lanes(expression: str) -> None:
    primal, generated = module(f"np.sum(np.{expression}, axis=1)) * 1.0", x=M)
    x = np.zeros((0, 0))
    with pytest.raises((ValueError, IndexError)):
        primal.f(x)
    with pytest.raises((ValueError, IndexError)):
        generated.f_fwd(x)
    assert generated.f_fwd(np.zeros((0, 3)))[0] == primal.f(np.zeros((0, 3))) == 0.0


@pytest.mark.parametrize("q", [-0.1, 1.1])
def test_quantiles_beyond_the_ends_raise(q: float) -> None:
    _, generated = module("np.quantile(x, q)", x=V, q="float")
    with pytest.raises(ValueError, match=r"range \[0, 1\]"):
        generated.f_fwd(np.arange(3.0), q)


def test_sorting_in_place() -> None:
    primal, generated = transpiled(
        f"{HEADER}\n\ndef f(x: {M}) -> float:\n"
        "    y = x * 2.0\n    y.sort(axis=0)\n    return y[0, 0] * y[1, 1]\n"
    )
    check_gradients(primal.f, generated, (np.array([[3.0, 1.0], [2.0, 5.0]]),))


@pytest.mark.parametrize(
    "expression",
    ["np.sum(x, keepdims=flag)[0]", "np.sum(x, out=x)", "np.max(z)",
     "np.quantile(x, 0.5, method='best')", "np.sum(np.sort(z))", "np.unique(x, axis=0)[0]",
     "np.sum(np.convolve(x, x, 'most'))", "np.sum(np.round(x, n))", "np.sum(x, dtype='text')"],
)  # fmt: skip
def test_what_is_refused(expression: str) -> None:
    params = f"x: {V}, z: {V.replace('float64', 'complex128')}, n: int, flag: bool"
    source = f"{HEADER}\n\ndef f({params}) -> float:\n    return {expression}\n"
    with pytest.raises(Refusal):
        gradient_body(compiled({"program.py": source})["program"])


def steady(function: Callable[..., float], x: np.ndarray) -> None:
    """The gradient does not change with a shift of the argument that the value does not see."""
    near, far = function(x), function(x + 1e6)
    np.testing.assert_allclose(near, far, rtol=1e-6, atol=1e-9)


def test_the_variance_of_large_numbers() -> None:
    _, generated = module("np.var(x)")
    steady(generated.f_grad, np.array([0.25, 1.5, -3.0, 2.75]))


SECOND = {"np.var(x)": 2 * (np.eye(3) - 1 / 3) / 3, "np.prod(x)": [[0, 5, 3], [5, 0, 2], [3, 2, 0]]}


@pytest.mark.parametrize("expression", SECOND)
def test_detached_means_leave_second_derivatives_right(expression: str) -> None:
    """The differences of gradients: what is detached must not matter for these either."""
    _, generated = module(expression)
    x = np.array([2.0, 3.0, 5.0])
    step = 1e-4
    rows = [(generated.f_grad(x + step * e) - generated.f_grad(x - step * e)) / (2 * step)
            for e in np.eye(3)]  # fmt: skip
    np.testing.assert_allclose(rows, SECOND[expression], atol=1e-8)
