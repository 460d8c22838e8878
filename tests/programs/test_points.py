"""Derivatives at points where differences have nothing to say, and over unusual memory."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, nan
from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import compiled, gradient_body, importable, module
from tests.programs.catalogue import CASES

Floats = tuple[float, ...]

# function, arguments, gradient
POINTS: tuple[tuple[str, Floats, Floats], ...] = (
    ("absolute", (0.0,), (0.0,)),
    ("absolute", (-0.0,), (0.0,)),
    ("absolute", (-2.0,), (-3.0,)),
    ("first_maximum", (1.0, 1.0), (1.0, 0.0)),
    ("first_maximum", (1.0, 2.0), (0.0, 1.0)),
    ("first_minimum", (1.0, 1.0), (1.0, 0.0)),
    ("first_minimum", (2.0, 1.0), (0.0, 1.0)),
    ("even_maximum", (1.0, 1.0), (0.5, 0.5)),
    ("even_maximum", (1.0, -1.0), (1.0, 0.0)),
    ("even_minimum", (1.0, 1.0), (0.5, 0.5)),
    ("infinite_powers", (0.5,), (0.0,)),
    ("infinite_powers", (0.0,), (0.0,)),
    ("clip", (-1.0,), (0.0,)),
    ("clip", (2.0,), (0.0,)),
    ("clip", (0.5,), (1.0,)),
    ("clip", (-3.0,), (0.0,)),
    ("root_times", (0.0, 0.0), (0.0, 0.0)),
    ("root_times", (0.0, 1.0), (inf, 0.0)),
    ("root_times", (4.0, 3.0), (0.75, 2.0)),
    ("root_masked", (0.0,), (0.0,)),
    ("root_masked", (-1.0,), (0.0,)),
    ("root_masked", (4.0,), (0.25,)),
    ("log_masked", (0.0, 2.0), (0.0, 1.0)),
    ("log_masked", (-1.0, 2.0), (0.0, 1.0)),
    ("log_masked", (2.0, nan), (0.5, 0.0)),
    ("quotient_masked", (3.0, 0.0), (1.0, 0.0)),
    ("power", (0.0, 2.0), (0.0, 0.0)),
    ("power", (0.0, 1.0), (1.0, 0.0)),
    ("power", (2.0, 0.0), (0.0, np.log(2.0))),
    ("power", (-2.0, 3.0), (12.0, nan)),
    ("zeroth_power", (0.0,), (0.0,)),
    ("zeroth_power", (3.0,), (0.0,)),
    ("int_power", (0.0, 0), (0.0,)),
    ("int_power", (0.0, 1), (1.0,)),
    ("int_power", (0.0, 3), (0.0,)),
    ("int_power", (-2.0, 2), (-4.0,)),
    ("copied_sign", (2.0, -0.0), (-1.0, 0.0)),
    ("copied_sign", (-2.0, 3.0), (-1.0, 0.0)),
    ("copied_sign", (0.0, -1.0), (0.0, 0.0)),
    ("distance", (0.0, 0.0), (1.0, 1.0)),
    ("distance", (3.0, 4.0), (0.6, 0.8)),
)


@pytest.fixture(scope="module", params=["plain", "jitted"])
def generated(request: pytest.FixtureRequest) -> ModuleType:
    files = {name: (CASES / name).read_text() for name in ("kinds.py", "points.py")}
    text = gradient_body(compiled(files)["points"])
    return module(text, "points_grad", jit=request.param == "jitted")


def numbers(gradient: object) -> Sequence[float]:
    return gradient if isinstance(gradient, tuple) else (gradient,)


@pytest.mark.parametrize(("name", "args", "expected"), POINTS)
def test_convention(name: str, args: Floats, expected: Floats, generated: ModuleType) -> None:
    _, gradient = getattr(generated, f"{name}_value_and_grad")(*args)
    np.testing.assert_allclose(numbers(gradient), expected, rtol=1e-14)
    _, split = getattr(generated, f"{name}_vjp")(*args, 1.0)
    np.testing.assert_allclose(numbers(split), expected, rtol=1e-14)


@pytest.mark.parametrize("n", [2, 20])
@pytest.mark.wide("jitted")
def test_singular_matrices(generated: ModuleType, n: int) -> None:
    """The value is that of NumPy; the gradient is nan, or 0 where nothing depends on it."""
    m = np.ones((n, n))
    value, gradient = generated.log_det_value_and_grad(m)
    assert value == np.linalg.slogdet(m)[1]
    assert np.isnan(gradient).all()
    assert np.isnan(generated.log_det_jvp(m, m)[1])
    assert np.isnan(generated.log_det_hvp(m, m)).all()
    _, none = generated.log_det_vjp(m, 0.0)
    np.testing.assert_array_equal(none, np.zeros((n, n)))
    for name in ("log_det_of_regular", "log_det_of_regular_complex"):
        value, gradient = getattr(generated, f"{name}_value_and_grad")(m)
        expected = np.zeros((n, n))
        expected[0, :2] = 1.0
        assert value == 1.0
        np.testing.assert_array_equal(gradient, expected)
        assert getattr(generated, f"{name}_jvp")(m, m)[1] == 2.0
        second = (
            *getattr(generated, f"{name}_hvp")(m, m),
            *getattr(generated, f"{name}_grad_vjp")(m, m),
        )
        for found in second:  # m is the direction, and has equal items
            np.testing.assert_array_equal(found, expected)


def test_empty_arrays(generated: ModuleType) -> None:
    x, y, m = np.zeros(0), np.zeros(0), np.zeros((0, 3))
    value, (x_bar, y_bar) = generated.inner_value_and_grad(x, y)
    assert (value, x_bar.shape, y_bar.shape) == (0.0, (0,), (0,))
    value, m_bar = generated.total_of_rows_value_and_grad(m)
    assert (value, m_bar.shape) == (1.0, (0, 3))
    result, bar = generated.squares_vjp(x, y)
    assert result.shape == bar.shape == (0,)


def test_arrays_of_one_element(generated: ModuleType) -> None:
    with importable(CASES):
        import points

        x = np.array([0.7])
        check_gradients(points.inner, generated, (x, 2.0 * x))
        check_gradients(points.adds_into, generated, (x, 2.0 * x))
        check_gradients(points.squares, generated, (x,))


def test_layouts(generated: ModuleType) -> None:
    x = np.linspace(0.1, 1.2, 4)
    with importable(CASES):
        import points

        check_gradients(points.inner, generated, (x, x**2), layouts=True)
        check_gradients(points.adds_into, generated, (x, x**2), layouts=True)


def test_the_same_array_twice(generated: ModuleType) -> None:
    """Only read: as if distinct. Written: each slot holds the derivative of the memory."""
    x = np.array([0.5, -1.5, 2.0])
    _, (x_bar, y_bar) = generated.inner_value_and_grad(x, x)
    np.testing.assert_array_equal((x_bar, y_bar), (x, x))
    before = x.copy()
    _, (x_bar, y_bar) = generated.adds_into_value_and_grad(x, x)
    np.testing.assert_array_equal(x, before)
    v, w = x[0], x[-1]
    expected = (2.0 * (v + v * v) * (1.0 + 2.0 * v), 0.0, 1.0 + 2.0 * w)
    np.testing.assert_allclose(x_bar, expected, rtol=1e-14)
    np.testing.assert_allclose(y_bar, expected, rtol=1e-14)
    _, (x_bar, y_bar) = generated.adds_into_vjp(x, x, 1.0)
    np.testing.assert_array_equal(x, before)
    np.testing.assert_allclose((x_bar, y_bar), (expected, expected), rtol=1e-14)


def test_overlapping_arguments(generated: ModuleType) -> None:
    """``y`` starts one element after ``x``: what is written to one is read from the other."""
    memory = np.array([0.5, -0.4, 0.3, 0.9])
    before = memory.copy()

    def total(memory: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        with importable(CASES):
            import points

            copy = memory.copy()
            return float(points.adds_into(copy[:-1], copy[1:]))

    expected = np.zeros(4)
    for i in range(4):
        h = 1e-6
        step = h * (np.arange(4) == i)
        expected[i] = (total(memory + step) - total(memory - step)) / (2 * h)
    _, (x_bar, y_bar) = generated.adds_into_value_and_grad(memory[:-1], memory[1:])
    np.testing.assert_array_equal(memory, before)
    np.testing.assert_allclose(x_bar, expected[:-1], rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(y_bar, expected[1:], rtol=1e-8, atol=1e-9)
