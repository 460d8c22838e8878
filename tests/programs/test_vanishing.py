"""Values that the result does not depend on contribute exactly zero, however infinite they are."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, inf
from types import ModuleType

import numpy as np
import pytest

from tests.helpers.transpile import compiled, gradient_body, importable, module
from tests.programs.catalogue import CASES

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

Floats = tuple[float, ...]
NAN = float("nan")
BLUNT, STEEP = exp(-10.0) / (1 + exp(-10.0)) ** 2, 1 / (1 + exp(-10.0))

E2 = exp(2.0)

# function, argument, gradient
POINTS: tuple[tuple[str, Floats, Floats], ...] = (
    ("pair_energy", (0.0, 1.0, 3.0), (8.03292181069959, -7.75, -0.28292181069958847)),
    ("second_of_a_product", (800.0, 2.0), (E2, 803 * E2)),
    ("corner_of_a_product", (40.0, 0.0), (0.0, 80.0)),
    ("pair_energy_skipped", (0.0, 1.0), (48.0, -48.0)),
    ("exp_of_small", (800.0,), (2.0,)),
    ("exp_of_small", (1.0,), (exp(1.0),)),
    ("early_return", (800.0, 3.0), (3.0, 800.0)),
    ("overflow_caught", (800.0,), (7.0,)),
    ("quotient_caught", (2.0, 0.0), (3.0, 0.0)),
    ("quotient_caught", (0.0, 0.0), (3.0, 0.0)),
    ("hypot_masked", (inf,), (2.0,)),
    ("polynomial_masked", (inf,), (2.0,)),
    ("reciprocal_masked", (0.0, 2.0), (3.0, -0.25)),
    ("sign_masked", (0.0, -2.0), (0.0, -1.0)),
    ("entropy_masked", (0.0, 1.0), (0.0, -1.0)),
    ("sigmoid", (-800.0, 0.0, 800.0), (0.0, 0.25, 0.0)),
    ("silu", (-800.0, 0.0, 800.0), (0.0, 0.5, 1.0)),
    ("growth", (2.0, 3.0, -800.0), (0.0, 0.0, 0.0)),
    ("growth", (2.0, 3.0, 800.0), (1.0, 0.0, 0.0)),
    ("sech", (800.0,), (0.0,)),
    ("sech", (-800.0,), (0.0,)),
    ("sech_squared", (800.0,), (0.0,)),
    ("planck", (800.0, 1.0), (0.0, 0.0)),
    ("planck_expm1", (800.0, 1.0), (0.0, 0.0)),
    ("fermi", (800.0, 0.0, 1.0), (0.0, 0.0, 0.0)),
    ("fermi", (-800.0, 0.0, 1.0), (0.0, 0.0, 0.0)),
    ("fermi", (1.0, 0.0, 0.1), (-10 * BLUNT, 10 * BLUNT, 100 * BLUNT)),
    ("flat_at_zero", (1e-3,), (0.0,)),
    ("flat_at_zero", (1e-320,), (0.0,)),
    ("flat_at_zero", (0.0,), (0.0,)),
    ("flat_branch", (0.0,), (2.0,)),
    ("flat_branch", (-1e-4,), (2.0,)),
    ("boltzmann", (2.0, 1.0, 0.0), (0.0, 0.0, 0.0)),
    ("softmax_of_first", (1000.0, -1000.0, 0.0), (0.0, 0.0, 0.0)),
    ("softmax_of_first", (1e308, -1e308), (0.0, 0.0)),
    ("softmax_by_loops", (-800.0, 800.0), (0.0, 0.0)),
    ("log_sum_exp", (1000.0, 0.0), (1.0, 0.0)),
    ("log_sum_exp", (-1e308, 1e308), (0.0, 1.0)),
    ("softplus", (-800.0, 0.0), (0.0, 0.5)),
    ("softplus_branch", (800.0,), (1.0,)),
    ("cubes", (2.0, -1.0), (12.0, 3.0)),
    ("saturated", (800.0, -800.0), (0.0, 0.0)),
    ("bounded", (1.0, 0.0), (0.0, 0.0)),
    ("without_infinities", (0.0, 2.0), (0.0, -0.25)),
    ("diagonal_filled", (0.0, 1.0), (4.0, -4.0)),
    ("norm", (0.0, 0.0), (1.0, 0.0)),
    ("norm_of_third_order", (0.0, 0.0), (1.0, 0.0)),
    ("norms_of_differences", (1.0, 1.0, 3.0), (-2.0, -2.0, 4.0)),
    ("column_norms", (0.0, 2.0), (0.0, 2.0)),
    ("root_of_square", (0.0, -2.0), (1.0, -1.0)),
    ("root_of_size", (0.0, 1.0), (1.0, 0.5 + 1 / 3)),
    ("root_of_positive_part", (-1.0, 0.0, 4.0), (0.0, 0.0, 0.25)),
    ("root_of_larger_number", (0.0, 0.0), (0.0, 0.0)),
    ("root_of_larger_number", (4.0, -4.0), (0.25, -0.25)),
    ("emptied_tank", (0.5, 2.0), (1.0, 0.0)),
    ("guarded_root", (0.0, 0.0), (1.0, 0.0)),
    ("deviation", (2.0, 2.0), (0.5, 0.5)),
    ("deviation_of_list", (2.0, 2.0), (1.0, 0.0)),
    ("norm_of_any_order", (0.0, 0.0), (1.0, 0.0)),
    ("weighted_root", (0.0, 0.0), (0.0, 0.0)),
    ("root_of_a_product", (0.0, 3.0), (inf, 1.0)),
    ("roots_of_products", (0.0, 2.0, 3.0), (inf, 0.0, 0.0)),
    ("variance_from_nothing", (0.0, 1.0, 2.0), (inf, 0.0, 0.0)),
    ("angles", (1.0, 0.0), (0.0, np.pi / 2)),
    ("angles", (-1.0, 0.0), (0.0, np.pi / 2)),
    ("products_of_all", (0.0, 2.0, 3.0), (15.0, 0.0, 0.0)),
    ("products_of_all", (0.0, 0.0, 3.0), (1.0, 0.0, 0.0)),
    ("log_add_exp", (-inf, -inf), (0.5, 0.5)),
    ("log_add_exp", (inf, 1.0), (1.0, 0.0)),
    ("log_add_exp", (-inf, 1.0), (0.0, 1.0)),
    ("clipped_to_its_range", (0.0, 1.0, 3.0), (0.0, 2.0, 6.0)),
    ("clipped_to_its_range", (2.0, 2.0), (8.0, 0.0)),
    ("clipped_from_above", (2.0, 2.0, 1.0), (9.0, 1.0, 2.0)),
    ("clipped_between", (1.0, 1.0, 3.0), (0.0, 1.0, 0.0)),
    ("clipped_between", (3.0, 2.0, 3.0), (0.0, 1.0, 1.0)),
    ("clipped_between", (0.0, 3.0, 1.0), (0.0, 1.0, 1.0)),
    ("clipped_from_its_least", (0.25, 0.75, -0.5), (0.5, 0.0, -1.0)),
    ("clipped_from_its_least", (2.0, 1.0), (0.0, 0.0)),
    ("clipped_by_crossed_bounds", (1.5, 0.25, 1.0), (0.9, 0.9, 0.9)),
    ("clipped_by_crossed_bounds", (0.5, 0.25, 0.75), (1.25, 0.5, 1.5)),
    ("stored_exponentials", (0.0, 800.0, 0.0), (1.0, 0.0, 1.0)),
    ("reciprocals_with_a_diagonal", (0.0, 1.0), (12.0, -12.0)),
    ("first_of_squares", (800.0, 0.0, 0.0), (0.0, 2.0, 0.0)),
    ("angle_at_the_origin", (0.0, 0.0), (1.0, 0.0)),
    ("angle_at_the_origin", (1e-300, 1e300), (1.0, 0.0)),
)
# Gradients of the same functions where a cotangent of 0 meets what has overflowed.
HUGE = ("cubes", "exp_of_small", "sech", "planck", "softplus", "saturated", "root_of_square")


# Their Hessians are infinite.
STEEPER = ("weighted_root", "angles", "deviation_of_list", "norm_of_any_order")


@pytest.fixture(scope="module")
def text() -> str:
    files = {name: (CASES / name).read_text() for name in ("kinds.py", "vanishing.py")}
    return gradient_body(compiled(files)["vanishing"])


@pytest.fixture(scope="module")
def generated(text: str) -> ModuleType:
    return module(text, "vanishing_grad")


@pytest.fixture(scope="module")
def jitted(text: str) -> ModuleType:
    return module(text, "vanishing_grad_jit", jit=True)


@pytest.fixture(scope="module")
def primal() -> Iterator[ModuleType]:
    with importable(CASES):
        import vanishing

        yield vanishing


def identity(point: Floats) -> list[np.ndarray]:
    return list(np.eye(len(point)))


@pytest.mark.parametrize(("name", "point", "expected"), POINTS)
def test_gradient(
    name: str, point: Floats, expected: Floats, generated: ModuleType, primal: ModuleType
) -> None:
    x = np.array(point)
    with np.errstate(all="ignore"):
        value, gradient = getattr(generated, f"{name}_value_and_grad")(x)
        _, split = getattr(generated, f"{name}_vjp")(x, 1.0)
        _, none = getattr(generated, f"{name}_vjp")(x, 0.0)
        tangents = [getattr(generated, f"{name}_jvp")(x, v)[1] for v in identity(point)]
        second = [getattr(generated, f"{name}_hvp")(x, v) for v in identity(point)]
        np.testing.assert_allclose(value, getattr(primal, name)(x), rtol=1e-14)
    for found in (gradient, split, tangents, *(first for first, _ in second)):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-300)
    np.testing.assert_array_equal(none, np.zeros(len(point)))
    if np.isfinite(expected).all() and name not in STEEPER:
        assert np.isfinite([hv for _, hv in second]).all()


@pytest.mark.parametrize(("name", "point", "expected"), POINTS[::4])
def test_gradient_compiled(name: str, point: Floats, expected: Floats, jitted: ModuleType) -> None:
    x = np.array(point)
    _, gradient = getattr(jitted, f"{name}_value_and_grad")(x)
    tangents = [getattr(jitted, f"{name}_jvp")(x, v)[1] for v in identity(point)]
    np.testing.assert_allclose(gradient, expected, rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(tangents, expected, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("name", HUGE)
def test_zero_cotangent(name: str, generated: ModuleType) -> None:
    for point in (1e3, -1e3, 1e160, -1e200, 1e300):
        x = np.array([point, 2.0])
        with np.errstate(all="ignore"):
            _, gradient = getattr(generated, f"{name}_vjp")(x, 0.0)
        np.testing.assert_array_equal(gradient, np.zeros(2))
