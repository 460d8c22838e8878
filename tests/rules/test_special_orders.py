"""Bessel functions of real order and spherical ones against SciPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from mooncake_runtime import scalar_kernels as rt
from scipy import special

from tests.rules.test_special_values import assert_close, filled, wave

ORDERS = (1e-9, 0.3, 0.5, 0.499999, 2.3, 19.9, 60.25, -0.3, -0.5, -2.7, -10.1)
POINTS = np.concatenate([[1e-9, 1e-3], np.linspace(0.05, 60.0, 97), [199.0, 1000.0]])


@pytest.mark.parametrize("v", ORDERS)
def test_bessel_functions_of_real_order(v: float) -> None:
    orders = np.full_like(POINTS, v)
    oscillating = np.where(np.abs(v) < POINTS, wave(POINTS), 0.0)
    for name, theirs, envelope in (
        ("bessel_j", special.jv, oscillating), ("bessel_y", special.yv, oscillating),
        ("bessel_ie", special.ive, 0.0), ("bessel_ke", special.kve, 0.0),
    ):  # fmt: skip
        want = theirs(v, POINTS)
        known = np.abs(want) < 1e290
        got = filled(getattr(rt, name), orders, POINTS)
        assert_close(got[known], want[known], np.broadcast_to(envelope, known.shape)[known], 1e-12)


def test_bessel_functions_outside_of_their_domain() -> None:
    kernels = (rt.bessel_j, rt.bessel_y, rt.bessel_i, rt.bessel_k)
    functions = (special.jv, special.yv, special.iv, special.kv)
    for kernel, function in zip(kernels, functions, strict=True):
        for v in (0.5, -0.7, 2.0, -3.0, np.nan):
            for x in (-1.0, 0.0, np.nan):
                with np.errstate(all="ignore"):
                    np.testing.assert_allclose(kernel(v, x), function(v, x), rtol=1e-13)


SPHERICAL_POINTS = (0.0, 1e-9, 1e-3, 0.7, 2.5, 4.9, 20.1, 60.0, 149.0, 600.0, np.nan, -1.0, -7.0)


@pytest.mark.parametrize("kind", "jyik")
@pytest.mark.parametrize("n", [0, 1, 2, 7, 25, 60, -1])
@pytest.mark.parametrize("k", [0, 1])
def test_spherical_bessel_functions(kind: str, n: int, k: int) -> None:
    for x in SPHERICAL_POINTS:
        if n < 0 and x == 0.0:
            continue  # SciPy has slopes of nothing
        with np.errstate(all="ignore"):
            want = getattr(special, f"spherical_{kind}n")(n, x, bool(k))
            got = getattr(rt, f"spherical_{kind}")(k, n, x)
        scale = 1e-13 / x if kind in "jy" and x > 1.5 * n > 0 else 1e-14
        np.testing.assert_allclose(got, want, rtol=1e-11, atol=scale if want != 0.0 else 1e-13)


@pytest.mark.parametrize(("kernel", "k"), [(rt.lambertw, 0), (rt.lambertw_below, -1)])
def test_function_of_lambert(kernel: Callable[[complex], complex], k: int) -> None:
    parts = (0.0, 1e-12, -1e-12, 0.05, -0.05, 0.3, -0.3, 2.0, -2.0, 50.0, -50.0)
    for re in (-1e5, -3.0, -1.0, -0.5, -0.36, -0.3, -0.1, -1e-9, 1e-300, 0.1, 1.0, 3.0, 1e300):
        for im in parts:
            z = complex(re, im)
            want = special.lambertw(z, k)
            np.testing.assert_allclose(kernel(z), want, rtol=1e-9, err_msg=str(z))
    assert kernel(-np.exp(-1.0)) == pytest.approx(-1.0, abs=1e-7)


@pytest.mark.parametrize("v", [0.3, 1.5, -1.4, 2.0])
def test_slopes_of_scaled_functions_do_not_cancel(v: float) -> None:
    """The leading terms of the asymptotic series; and both sides of where that is used."""
    for x in (1e6, 1e12):
        lead, rest = -0.5 * x**-1.5, (4.0 * v * v - 1.0) / 8.0 * 1.5 * x**-2.5
        i, k = (lead + rest) / np.sqrt(2.0 * np.pi), (lead - rest) * np.sqrt(0.5 * np.pi)
        assert rt.slope_ie(1, v, x) == pytest.approx(i, rel=1e-10)
        assert rt.slope_ke(1, v, x) == pytest.approx(k, rel=1e-10)
    for n in (1, 2, 3):
        for kernel in (rt.slope_ie, rt.slope_ke):
            assert kernel(n, v, 25.0) == pytest.approx(kernel(n, v, 25.0 + 1e-14), rel=1e-9)


def test_slopes_of_scaled_functions_of_negative_numbers() -> None:
    """Of whole orders they are even or odd, as those of the ops of whole order."""
    assert rt.slope_ie(1, 0.0, 0.0) == 0.0
    assert rt.slope_ie(1, 1.0, 0.0) == 0.5
    for v in (0.0, 1.0, 2.0):
        for n in (0, 1, 2):
            sign = -1.0 if (v + n) % 2 else 1.0
            assert rt.slope_ie(n, v, -0.7) == sign * rt.slope_ie(n, v, 0.7)
    with np.errstate(invalid="ignore"):
        assert np.isnan(rt.slope_ie(1, 0.5, -0.7))
