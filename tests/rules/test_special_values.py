"""Kernels of special functions against SciPy: densely, and where floats end."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
import pytest
from mooncake_rules.scalar import OPS, resolve
from mooncake_runtime import inner, jit_enabled
from mooncake_runtime import scalar_kernels as rt
from numpy.typing import NDArray
from scipy import integrate, special

Values = NDArray[np.float64]
Envelope = Callable[[Values], Values]

TINY = np.concatenate([np.geomspace(1e-300, 1e-9, 30), np.geomspace(1e-9, 0.1, 60)])
POSITIVE = np.concatenate([TINY, np.linspace(0.1, 12.0, 241), np.geomspace(12.0, 700.0, 60)])
REAL = np.concatenate([-POSITIVE[::-1], [0.0], POSITIVE])
UNIT = np.concatenate([TINY, np.linspace(0.1, 0.99, 101), 1.0 - np.geomspace(1e-16, 1e-2, 30)])


def wave(x: Values) -> Values:
    """The size of oscillating Bessel functions about ``x``, in whose phase SciPy is less exact."""
    return (1.0 + 0.1 * np.abs(x)) / np.sqrt(1.0 + np.abs(x))


def one(x: Values) -> Values:
    return np.ones_like(x)


def nothing(x: Values) -> Values:
    return np.zeros_like(x)


CASES: Sequence[tuple[str, Values, Envelope]] = [
    *((name, REAL, nothing) for name in (
        "expit", "log_expit", "softplus", "exprel", "entr", "gammasgn", "i0", "i1", "i0e", "i1e")),
    *((name, POSITIVE, nothing) for name in (
        "k0", "k1", "k0e", "k1e", "spence")),
    ("loggamma", POSITIVE, one),
    *((name, REAL, wave) for name in ("j0", "j1")),
    *((name, POSITIVE, wave) for name in ("y0", "y1")),
    ("erfcx", REAL[REAL > -5.0], nothing), ("ndtr", REAL[REAL > -5.0], nothing),
    ("log_ndtr", REAL[REAL < 5.0], nothing), ("exp10", REAL[np.abs(REAL) < 300.0], nothing),
    ("erfinv", np.concatenate([UNIT, -UNIT]), nothing), ("logit", UNIT, nothing),
    ("erfcinv", np.concatenate([UNIT, 1.0 + UNIT]), nothing), ("ndtri", UNIT, nothing),
    ("digamma", REAL[np.abs(REAL - np.rint(REAL)) > 0.02], lambda x: 3.0 * one(x)),
    ("rgamma", np.linspace(-160.3, 160.2, 800), nothing),
]  # fmt: skip


def filled(function: Callable[..., float], *args: Values) -> Values:
    """``function`` of each element."""
    with np.errstate(all="ignore"):
        return np.array([function(*each) for each in zip(*args, strict=True)])


def grid(*axes: Sequence[float]) -> tuple[Values, ...]:
    """All tuples of a product, coordinate by coordinate."""
    return tuple(np.array(list(product(*axes)), float).T)


def assert_close(
    got: Values, want: Values, envelope: Values | float = 0.0, rel: float = 1e-14
) -> None:
    normal = (np.abs(want) > 1e-307) & np.isfinite(want)
    np.testing.assert_array_equal(np.isfinite(got), np.isfinite(want))
    error = np.abs(got[normal] - want[normal]) / np.maximum(np.abs(want), envelope)[normal]
    assert error.max(initial=0.0) < rel, (error.max(), np.argmax(error))


@pytest.mark.parametrize(("name", "points", "envelope"), CASES, ids=[case[0] for case in CASES])
def test_values(name: str, points: Values, envelope: Envelope) -> None:
    with np.errstate(all="ignore"):
        want = getattr(special, name)(points)
    assert_close(filled(getattr(rt, name), points), want, envelope(points))


@pytest.mark.parametrize(("name", "points", "envelope"), CASES, ids=[case[0] for case in CASES])
def test_compiled_and_single_precision(name: str, points: Values, envelope: Envelope) -> None:
    """Compiled code agrees with plain code, and single precision is not computed in."""
    kernel = getattr(rt, name)
    some = points[:: len(points) // 12].astype(np.float32)
    for x in some:
        with np.errstate(all="ignore"):
            value = kernel(x)
        assert value == pytest.approx(kernel(float(x)), rel=1e-15, nan_ok=True)
        assert isinstance(value, float)


ENDS = (0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0, -2.0, 1e308)


@pytest.mark.parametrize(
    "name",
    ["expit", "log_expit", "softplus", "exprel", "entr", "erfcx", "erfinv", "erfcinv", "ndtr",
     "log_ndtr", "ndtri", "logit", "digamma", "rgamma", "gammasgn", "k0", "k1", "exp10"],
)  # fmt: skip
def test_ends(name: str) -> None:
    with np.errstate(all="ignore"):
        for x in ENDS:
            assert getattr(rt, name)(x) == pytest.approx(getattr(special, name)(x), nan_ok=True), x


@pytest.mark.parametrize("n", [-3, 0, 1, 2, 7, 40])
def test_bessel_functions_of_whole_order(n: int) -> None:
    points = np.concatenate([np.linspace(0.05, 60.0, 97), [1e-5, 300.0]])
    orders = np.full_like(points, n)
    for name, envelope in (("jn", wave(points)), ("yn", wave(points)), ("iv", 0.0), ("ive", 0.0),
                           ("kn", 0.0), ("kve", 0.0)):  # fmt: skip
        theirs = {"jn": "jv", "kn": "kv"}.get(name, name)
        want = getattr(special, theirs)(orders if theirs != "yn" else n, points)
        small = np.abs(points) < abs(n)  # there they do not oscillate
        scale = np.where(small, 0.0, envelope)
        assert_close(filled(getattr(rt, name), orders, points), want, scale, 1e-13)


PAIRS = [(x, y) for x in np.geomspace(1e-8, 300.0, 19) for y in np.geomspace(1e-8, 290.0, 17)]
A, B = np.array(PAIRS).T


@pytest.mark.parametrize("name", ["xlogy", "xlog1py", "rel_entr", "huber", "pseudo_huber"])
def test_functions_of_two_numbers(name: str) -> None:
    assert_close(filled(getattr(rt, name), A, B), getattr(special, name)(A, B))


def test_divergence_does_not_cancel() -> None:
    x, y = np.array([1.0, 1.0, 3.0]), np.array([1.0 + 1e-6, 1.0 - 1e-9, 3.0])
    t = (y - x) / x
    assert_close(filled(rt.kl_div, x, y), x * t * t * (0.5 - t / 3.0), rel=1e-11)
    assert_close(filled(rt.kl_div, A, B), special.kl_div(A, B), 0.1 * (A + B))


def test_incomplete_gamma_functions() -> None:
    want = special.gammainc(A, B)
    common = want > 1e-60  # SciPy loses digits beyond
    assert_close(filled(rt.gammainc, A, B)[common], want[common], rel=1e-13)
    want = special.gammaincc(A, B)
    common = want > 1e-60
    assert_close(filled(rt.gammaincc, A, B)[common], want[common], rel=1e-13)


def test_incomplete_gamma_functions_of_huge_numbers() -> None:
    for a in (0.9e8, 1.1e8, 1e12):
        for x in a + np.sqrt(a) * np.array([-1.0, 0.0, 1.0, 3.0]):
            assert rt.gammainc(a, x) == pytest.approx(special.gammainc(a, x), rel=1e-13)
    x = 1e8 + 3e4  # both sides of the switch
    slopes = [rt.gammainc_slope(a, x) for a in (np.nextafter(1e8, 0.0), np.nextafter(1e8, 2e8))]
    assert slopes[0] == pytest.approx(slopes[1], rel=1e-11)


def test_beta_functions() -> None:
    inside = special.beta(A, B) > 1e-100
    assert_close(filled(rt.beta, A, B)[inside], special.beta(A, B)[inside], rel=1e-12)
    assert_close(filled(rt.betaln, A, B), special.betaln(A, B), 1.0, rel=1e-12)
    for a, b in ((-1.5, 3.0), (-3.0, 2.0), (-2.5, 0.5), (-0.5, -0.7)):
        assert rt.beta(a, b) == pytest.approx(special.beta(a, b), rel=1e-13)


def test_incomplete_beta_function() -> None:
    for x in (1e-6, 0.1, 0.5, 0.8, 0.999):
        at = np.full_like(A, x)
        assert_close(filled(rt.betainc, A, B, at), special.betainc(A, B, x), 1e-60, rel=1e-11)


def test_zeta_and_multivariate_gamma() -> None:
    for s in (1.01, 1.5, 2.0, 7.3, 40.0):
        for q in (1e-3, 0.4, 1.0, 5.5, 60.0):
            assert rt.hurwitz(s, q) == pytest.approx(special.zeta(s, q), rel=1e-14)
    for d in (1, 2, 5):
        assert rt.multigammaln(6.3, d) == pytest.approx(special.multigammaln(6.3, d), rel=1e-14)


@pytest.mark.parametrize("x", [-300.0, -25.0, -3.0, -1e-3, 0.0, 0.4, 5.0, 19.0, 40.0])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_derivatives_of_exprel_are_integrals(n: int, x: float) -> None:
    shift = max(x, 0.0)
    found, _ = integrate.quad(lambda t: t**n * math.exp(x * t - shift), 0.0, 1.0, epsrel=1e-12,
                              points=(0.01, 0.99))  # fmt: skip
    assert rt.exprel_derivative(n, x) * math.exp(-shift) == pytest.approx(found, rel=1e-11)


def test_tails_of_the_normal_distribution() -> None:
    """The asymptotic series of Mills' ratio."""
    for x in (-30.0, -300.0, -1e7):
        z = 1.0 / (x * x)
        shift = -1.0 / x * (1.0 - z * (2.0 - z * (10.0 - z * (74.0 - z * 706.0))))
        assert rt.shifted_mills(x) == pytest.approx(shift, rel=2e-11)
        assert rt.inverse_mills(x) == pytest.approx(shift - x, rel=1e-15)
    assert rt.ndtr(-37.0) == pytest.approx(5.725571222524577e-300, rel=1e-13)


def test_increments_of_digamma_do_not_cancel() -> None:
    for a in (0.3, 5.0, 19.5, 1e3, 1e8):
        for b in (1e-12, 1e-5):
            first, second = special.polygamma(1, a), special.polygamma(2, a)
            assert rt.digamma_increment(a, b) == pytest.approx(b * (first + 0.5 * b * second))


def test_parts_of_numbers() -> None:
    for x in (0.0, -0.0, 1.75, -3.25, 1e300, -5e-324, math.inf):
        np.testing.assert_equal(rt.modf_fraction(x), math.modf(x)[0])
        assert (rt.frexp_mantissa(x), rt.frexp_exponent(x)) == math.frexp(x)


def test_names_of_scipy() -> None:
    for name in ("expit", "erf", "gammaln", "psi", "jv", "zeta", "xlogy", "expm1", "sinc"):
        op = resolve(f"scipy.special.{name}")
        assert op in OPS
    assert resolve("scipy.special.hyperu") is None
    assert resolve("scipy.special.trigamma") is None
    assert resolve("math.hypot", 3) == "math.hypot3"


@pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled")
def test_kernels_are_found_by_compiled_code() -> None:
    @inner
    def f(x: float) -> float:
        return rt.expit(x) + rt.jn(2, x)

    assert f(0.5) == rt.expit(0.5) + rt.jn(2, 0.5)


def test_every_topic_has_what_it_lists() -> None:
    for name in dir(rt):
        assert callable(getattr(rt, name)), name
    with pytest.raises(AttributeError):
        _ = rt.nothing
