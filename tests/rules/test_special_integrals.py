"""More kernels of special functions against SciPy, and second derivatives in programs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from mooncake_runtime import scalar_kernels as rt
from scipy import special

from tests.rules.test_special_values import POSITIVE, REAL, TINY, Values, assert_close, filled, grid

POWERS = (-3.0, -0.5, -1e-9, 0.0, 1e-12, 0.4, 1.0, 2.0, 7.0)


def test_box_cox() -> None:
    x, p = grid((0.0, 1e-200, 1e-9, 0.3, 1.0, 1.0 + 1e-9, 2.5, 1e5), POWERS)
    assert_close(filled(rt.boxcox, x, p), special.boxcox(x, p), 1e-8)
    x, p = grid((-1.0, -0.9, -1e-9, 0.0, 1e-9, 2.5, 1e5), POWERS)
    assert_close(filled(rt.boxcox1p, x, p), special.boxcox1p(x, p))
    y, p = grid((-20.0, -1.0, -1e-9, 0.0, 1e-300, 2.0, 60.0), POWERS)
    for name in ("inv_boxcox", "inv_boxcox1p"):
        assert_close(filled(getattr(rt, name), y, p), getattr(special, name)(y, p), rel=1e-13)
    assert np.isnan(filled(rt.boxcox, np.array([-1.0]), np.array([2.0])))


@pytest.mark.parametrize(("name", "points"), [
    ("dawsn", REAL), ("exp1", POSITIVE), ("expi", REAL[REAL < 690.0]),
])  # fmt: skip
def test_exponential_integrals(name: str, points: Values) -> None:
    want = getattr(special, name)(points)
    assert_close(filled(getattr(rt, name), points), want, rel=1e-13)
    for x in (0.0, -0.0, np.inf, -np.inf, np.nan, -1.0):
        np.testing.assert_allclose(getattr(rt, name)(x), getattr(special, name)(x))


def test_exponential_integrals_of_whole_order() -> None:
    n, x = grid((0, 1, 2, 3, 7, 60, 6000), (0.0, 1e-300, 1e-9, 0.3, 1.0, 1.001, 4.0, 50.0, 600.0))
    assert_close(filled(rt.expn, n, x), special.expn(n, x), rel=1e-12)
    assert np.isnan(rt.expn(-1, 1.0))
    assert np.isnan(rt.expn(2, -1.0))


def test_derivatives_of_dawson_s_integral_do_not_cancel() -> None:
    """The asymptotic series, and both sides of where it takes over."""
    assert rt.dawsn_derivative(1, 1e8) == pytest.approx(-0.5e-16, rel=1e-13)
    assert rt.dawsn_derivative(2, -1e8) == pytest.approx(-1e-24, rel=1e-13)
    for n in (0, 1, 2, 3):
        sides = [rt.dawsn_derivative(n, x) for x in (7.0 + 0.25 * n, 7.0 + 0.25 * n + 1e-14)]
        assert sides[0] == pytest.approx(sides[1], rel=1e-10)


@pytest.mark.parametrize(
    ("function", "names", "last"),
    [
        ("sici", ("sine_integral", "cosine_integral"), 700.0),
        ("shichi", ("sinh_integral", "cosh_integral"), 690.0),
        ("fresnel", ("fresnel_sine", "fresnel_cosine"), 30.0),  # SciPy's phase is less exact
    ],
)
def test_functions_with_two_results(function: str, names: tuple[str, str], last: float) -> None:
    points = np.concatenate([POSITIVE[last > POSITIVE], [0.0, np.inf]])
    for name, want in zip(names, getattr(special, function)(points), strict=True):
        kernel = getattr(rt, name)
        assert_close(filled(kernel, points), want, 0.0 if name[0] == "s" else 0.2, rel=1e-13)
        back = filled(kernel, -points[:-1])
        odd = -1.0 if "cos" not in name or name == "fresnel_cosine" else 1.0
        assert_close(back, odd * want[:-1], 0.2, rel=1e-13)


def test_phases_of_large_squares() -> None:
    for x, squared in ((2.0**30 + 0.5, 0.25), (3e7 + 0.25, 0.0625)):  # modulo 4
        for k in range(4):
            want = np.sin(0.5 * np.pi * (squared + k))
            assert rt.square_sine(k, x) == pytest.approx(want, abs=1e-15), (k, x)


def test_elliptic_integrals() -> None:
    m = np.concatenate([REAL[REAL <= 1.0], 1.0 - TINY, [1.5, -np.inf, np.nan]])
    assert_close(filled(rt.ellipk, m), special.ellipk(m), rel=2e-14)
    assert_close(filled(rt.ellipe, m), special.ellipe(m), rel=3e-14)
    p = np.concatenate([POSITIVE, [0.0, -1.0, np.inf]])
    assert_close(filled(rt.ellipkm1, p), special.ellipkm1(p), rel=2e-14)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("kernel", [rt.first_elliptic, rt.second_elliptic])
def test_derivatives_of_elliptic_integrals(kernel: Callable[..., float], n: int) -> None:
    """Hypergeometric functions (DLMF 19.5.1, 19.5.2)."""
    a, b = (0.5, 0.5) if kernel is rt.first_elliptic else (-0.5, 0.5)
    front = 0.5 * np.pi * special.poch(a, n) * special.poch(b, n) / special.factorial(n)
    for p in (1e-3, 0.1, 0.4999, 0.5001, 1.0, 1.4999, 1.5001, 30.0):
        want = (-1) ** n * front * special.hyp2f1(a + n, b + n, n + 1, 1 - p)
        assert kernel(n, p) == pytest.approx(want, rel=1e-10)


def test_owen_s_function() -> None:
    h, a = grid((0.0, 1e-9, 0.1, 1.0, 4.0, 8.9, 9.1, -1.3), (-0.7, 1e-9, 0.5, 1.01, 7.0, 100.0))
    assert_close(filled(rt.owens_t, h, a), special.owens_t(h, a), 1e-22, rel=1e-12)
    for args in ((0.3, np.inf), (np.inf, 0.5), (np.nan, 1.0), (1.0, np.nan), (0.0, np.inf)):
        np.testing.assert_allclose(rt.owens_t(*args), special.owens_t(*args))


Z = (1e-9, 0.3, 1.0, 2.5, 7.9, 20.3, 150.0, 1e6, -0.4, -2.7, -30.2, -2.0, -3.0, 0.0)


def test_rising_factorials() -> None:
    z, m = grid(Z, (0.0, 1.0, 2.0, 12.0, -1.0, 0.3, 1e-9, 2.75, 9.3, -0.4, 40.5))
    with np.errstate(all="ignore"):
        assert_close(filled(rt.poch, z, m), special.poch(z, m), rel=1e-10)


def test_slopes_of_rising_factorials_at_poles() -> None:
    """Between them they are continuous."""
    for n, m in ((1, 2.0), (1, 3.0), (2, 3.0), (1, -1.5), (1, 0.3)):
        for z in (0.0, -1.0, -4.0):
            near = [rt.poch_slope(n, z + e, m) for e in (-1e-7, 1e-7)]
            assert rt.poch_slope(n, z, m) == pytest.approx(0.5 * sum(near), rel=1e-8)


def test_profile_of_voigt() -> None:
    at, widths = (0.0, 1e-9, 0.1, 0.5, 1.3, 6.0, 20.0, 300.0, -1.7), (0.5, 1.0, 0.0)
    x, sigma, gamma = grid(at, widths, (1e-12, 1e-3, 0.3, 2.0, 50.0))
    want = special.voigt_profile(x, sigma, gamma)
    assert_close(filled(rt.voigt_profile, x, sigma, gamma), want, rel=1e-13)
    bell = np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi)
    assert_close(filled(rt.voigt_profile, x, np.ones_like(x), np.zeros_like(x)), bell, rel=1e-12)
