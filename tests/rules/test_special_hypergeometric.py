"""Hypergeometric functions against SciPy, and the identities that they obey."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime import scalar_kernels as rt
from scipy import special

from tests.rules.test_special_values import assert_close, filled, grid

X = (-300.0, -40.0, -8.0, -0.7, -1e-5, 0.0, 0.5, 6.0, 20.0, 60.0, 300.0)


def test_limit_function() -> None:
    v, x = grid((0.1, 0.5, 1.0, 2.3, 7.0, 60.5, -0.5, -2.7), X)
    assert_close(filled(rt.hyp0f1, v, x), special.hyp0f1(v, x), 1e-3, rel=1e-10)
    assert np.isnan(rt.hyp0f1(-2.0, 1.0))


def test_function_of_kummer() -> None:
    a, b, x = grid((0.1, 1.0, 2.3, -0.5, -1.0, -3.0, 25.0), (0.2, 1.5, 4.0, 12.3, -0.75), X)
    want = special.hyp1f1(a, b, x)
    assert_close(filled(rt.hyp1f1, a, b, x), want, 1e-8, rel=1e-9)
    for a, b in ((-1.0, -2.0), (-2.0, -2.0), (-3.0, -2.0), (1.0, -2.0), (0.5, 0.0), (0.0, -2.0)):
        np.testing.assert_allclose(rt.hyp1f1(a, b, 0.7), special.hyp1f1(a, b, 0.7))


@pytest.mark.parametrize("x", [-1e6, -3.0, -0.4, 0.3, 0.69, 0.71, 0.95, 1.0 - 1e-9])
def test_function_of_gauss(x: float) -> None:
    """By Euler's transformation (15.8.1), which is another sum, and SciPy."""
    a, b, c = grid((0.1, 0.5, 2.3, -0.5, -2.0), (0.25, 1.0, -4.6), (0.2, 1.0, 3.3, 8.0))
    got = filled(rt.hyp2f1, a, b, c, np.full_like(a, x))
    other = (1.0 - x) ** (c - a - b) * filled(rt.hyp2f1, c - a, c - b, c, np.full_like(a, x))
    assert_close(got, other, 1e-3 * np.abs(got).max(), rel=1e-9)
    assert_close(got, special.hyp2f1(a, b, c, x), 1e-3, rel=1e-8)


def test_function_of_gauss_at_the_ends() -> None:
    for args in ((0.0, 1.5, 0.0, 0.7), (0.0, 1.5, -2.0, 0.7), (0.5, 0.2, 3.0, 1.0),
                 (1.0, 2.0, 3.0, 1.0), (1.0, 2.0, 3.0, 1.5), (np.nan, 1.0, 2.0, 0.5),
                 (-2.0, 1.5, 2.5, 3.0), (-1.0, 1.5, -2.0, 0.7), (-2.0, 1.5, -2.0, 0.7),
                 (-3.0, 1.5, -2.0, 0.7), (0.5, 1.5, -2.0, 0.7), (2.5, 1.5, 2.5, 0.7)):  # fmt: skip
        np.testing.assert_allclose(rt.hyp2f1(*args), special.hyp2f1(*args), rtol=1e-13)
