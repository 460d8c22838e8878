"""Derivatives by differences, and the errors of the values that these are made from."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mooncake_runtime.differences import noise_of, richardson
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import transpiled


@pytest.mark.parametrize("size", [1e-13, 1e-10, 1e-8])
def test_noise_is_measured(size: float) -> None:
    """Rounding to multiples of ``size`` has errors up to half of it."""
    (found,) = noise_of(lambda t: np.array([round(math.exp(2.71828 * t + 0.3) / size) * size]))
    assert 0.05 * size < found < size


def test_smooth_functions_have_next_to_none() -> None:
    assert noise_of(lambda t: np.array([math.exp(3.0 * t)])) < 1e-15


def test_noise_bounds_the_error() -> None:
    def tail(t: float) -> np.ndarray:
        """A probability of 3e-7, of which ten digits are cancelled."""
        return np.array([1.0 + math.erf((t - 5.0) / math.sqrt(2.0))])

    exact = math.sqrt(2.0 / math.pi) * math.exp(-12.5)
    value, error = richardson(tail, noise=float(noise_of(tail)[0]))
    assert abs(value - exact) <= 4 * error


TAIL = """
import math

def f(x: float) -> float:
    return 1.0 + math.erf(x / math.sqrt(2.0))
"""


def test_cancelled_digits_are_no_wrong_gradient() -> None:
    primal, generated = transpiled(TAIL)
    for x in np.linspace(-5.2, -4.2, 11):
        check_gradients(primal.f, generated, (float(x),))
    _, wrong = transpiled(TAIL.replace("math.sqrt(2.0)", "1.41421"))
    with pytest.raises(AssertionError):
        check_gradients(primal.f, wrong, (-4.7,))
