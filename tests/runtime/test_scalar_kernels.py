"""Kernels against the standard library and SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mooncake_runtime import scalar_kernels as rt
from scipy import special


def test_digamma() -> None:
    for x in np.concatenate([np.geomspace(1e-6, 1e8, 300), -np.linspace(0.03, 7.51, 200)]):
        assert rt.digamma(x) == pytest.approx(special.digamma(x), rel=2e-14, abs=2e-15)
    assert rt.digamma(0.0) == -math.inf
    assert math.isnan(rt.digamma(-3.0))


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_polygamma(n: int) -> None:
    for x in np.geomspace(1e-3, 1e3, 100):
        assert rt.polygamma(n, x) == pytest.approx(special.polygamma(n, x), rel=2e-14)
    assert rt.polygamma(n, -1.0) == special.polygamma(n, -1.0)


def test_trigamma_of_negative_numbers() -> None:
    for x in (-0.25, -1.5, -6.75):
        reflected = (math.pi / math.sin(math.pi * x)) ** 2 - special.polygamma(1, 1 - x)
        assert rt.trigamma(x) == pytest.approx(reflected, rel=1e-13)


def test_sech2_does_not_cancel() -> None:
    for x in (0.0, 0.3, -2.0, 20.0, -300.0):
        assert rt.sech2(x) == pytest.approx(1.0 / math.cosh(x) ** 2, rel=1e-14)
    assert rt.sech2(1e4) == 0.0


def test_dsinc_near_zero() -> None:
    assert rt.dsinc(0.0) == 0.0
    for x in (1e-9, -1e-4):
        assert rt.dsinc(x) == pytest.approx(-(math.pi**2) * x / 3, rel=1e-7)
    for x in (0.318, 0.3184):  # on both sides of the switch
        t = math.pi * x
        assert rt.dsinc(x) == pytest.approx((math.cos(t) - math.sin(t) / t) / x, rel=1e-14)


@pytest.mark.parametrize("y", [3.0, -1.0, 2.5, math.inf])
def test_remainder(y: float) -> None:
    for x in (0.0, 1.5, -1.5, 2.5, 4.5, 7.5, -7.75, 1e300):
        assert rt.remainder(x, y) == math.remainder(x, y)


def test_comparison_and_spacing() -> None:
    for a, b in ((1.0, 1.0 + 1e-10), (1.0, 1.0 + 1e-8), (math.inf, math.inf), (0.0, 1e-300)):
        assert rt.isclose(a, b) == math.isclose(a, b)
    for x in (0.0, -1.5, 1e300, math.inf):
        assert rt.ulp(x) == math.ulp(x)


def test_whole_numbers() -> None:
    for n in [*range(50), 3037000499**2 - 1, 3037000499**2, 2**63 - 1]:
        assert rt.isqrt(n) == math.isqrt(n)
    for n in range(20):
        assert [rt.comb(n, k) for k in range(23)] == [math.comb(n, k) for k in range(23)]
        assert [rt.perm(n, k) for k in range(8)] == [math.perm(n, k) for k in range(8)]
    assert rt.comb(61, 30) == math.comb(61, 30)
    assert rt.factorial(20) == math.factorial(20)


def test_whole_numbers_that_do_not_fit() -> None:
    with pytest.raises(OverflowError):
        rt.factorial(21)
    with pytest.raises(OverflowError):
        rt.comb(70, 35)
    with pytest.raises(ValueError, match="nonnegative"):
        rt.isqrt(-1)


def test_zeros_are_stronger_than_what_they_are_multiplied_with() -> None:
    for p in (0.0, math.inf, math.nan):
        assert rt.times(0.0, p) == rt.over(0.0, p) == rt.times(-0.0, p) == 0.0
    assert (rt.times(3.0, 0.1), rt.over(1.0, 3.0)) == (3.0 * 0.1, 1.0 / 3.0)
    assert math.isnan(rt.times(math.nan, 0.0))
