"""The incomplete gamma functions and their derivatives (DLMF chapter 8)."""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.betas import stirling_excess
from mooncake_runtime.scalar_kernels.gamma import digamma
from mooncake_runtime.scalar_kernels.polynomial import log_excess, polynomial

# gammaln(1 + a) / (a * (a - 1)) at t = 2*a - 1: an interpolant of our own.
LGAMMA1P = np.array([
    -3.803618166622364e-12, 1.1586115295157278e-11, -1.5395748006420787e-11,
    5.0258222095609345e-11, -2.0874620693971093e-10, 6.566403819263112e-10,
    -2.016947955623982e-09, 6.430260727636965e-09, -2.0621027431854287e-08, 6.623878077265301e-08,
    -2.1386323384115519e-07, 6.948428064186312e-07, -2.2742474102383936e-06,
    7.511391855641883e-06, -2.5094328668947195e-05, 8.510090373499432e-05, -0.0002945507015196472,
    0.0010498186644547402, -0.003913560937626182, 0.015727850268641094, -0.07297994795715304,
    0.4831289505409809,
])  # fmt: skip


HUGE = 1e8  # beyond it sums are long, but the uniform expansion needs two terms only
UNIFORM = np.array([1 / 2835, 1 / 864, -2 / 135, 1 / 12, -1 / 3])  # c0 of 8.12.11


@inner
def _front(a: float, x: float) -> float:
    """``x**a * exp(-x) / gamma(a + 1)``."""
    if a < 20.0:
        half = math.exp(-0.5 * x)
        return half * (math.pow(x, a) / math.gamma(a + 1.0)) * half
    exponent = -a * log_excess((x - a) / a, x / a) - stirling_excess(a)
    return math.exp(exponent) / math.sqrt(2.0 * math.pi * a)


@inner
def gamma_density(a: float, x: float) -> float:
    """``x**(a - 1) * exp(-x) / gamma(a)``, the derivative of ``gammainc``."""
    a, x = np.float64(a), np.float64(x)
    if x > 0.0:
        return _front(a, x) * (a / x)
    return 1.0 if a == 1.0 else (0.0 if a > 1.0 else np.inf)


@inner
def gammainc(a: float, x: float) -> float:
    """The regularised lower incomplete gamma function; nan unless ``a, x >= 0``."""
    a, x = np.float64(a), np.float64(x)
    if not (a >= 0.0 and x >= 0.0) or (a == 0.0 and x == 0.0):
        return np.nan
    if a == 0.0 or x == np.inf:
        return 1.0 if a < np.inf else np.nan
    if a == np.inf or x == 0.0:
        return 0.0
    if a > HUGE:
        return _normal(a, x, -1.0)
    if x > 1.0 and x > a:
        return 1.0 - a * _front(a, x) * fraction(a, x)
    return min(1.0, _front(a, x) * _series(a, x))


@inner
def gammaincc(a: float, x: float) -> float:
    """``1 - gammainc(a, x)``."""
    a, x = np.float64(a), np.float64(x)
    if not (a >= 0.0 and x >= 0.0) or (a == 0.0 and x == 0.0):
        return np.nan
    if a == 0.0 or x == np.inf:
        return 0.0 if a < np.inf else np.nan
    if a == np.inf or x == 0.0:
        return 1.0
    if a > HUGE:
        return _normal(a, x, 1.0)
    if x > 1.1 and x >= a:
        return a * _front(a, x) * fraction(a, x)
    small = -0.4 / math.log(x) >= a if x <= 0.5 else 1.1 * x >= a
    if x <= 1.1 and small:
        return _complement(a, x)
    return 1.0 - min(1.0, _front(a, x) * _series(a, x))


@inner
def _series(a: float, x: float) -> float:
    """The sum of ``x**n / ((a+1) ... (a+n))`` (8.7.1)."""
    term = total = 1.0
    n = 0
    while term > 1e-17 * total:
        n += 1
        term *= x / (a + n)
        total += term
    return total


@inner
def fraction(a: float, x: float) -> float:
    """The continued fraction ``1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - ...))`` (8.9.2)."""
    b = x + 1.0 - a
    c, d = 1e300, 1.0 / b
    h = d
    for i in range(1, 10000000):
        above = -i * (i - a)
        b += 2.0
        d = 1.0 / (above * d + b)
        c = b + above / c
        h *= d * c
        if abs(d * c - 1.0) < 1e-16:
            break
    return h


@inner
def _complement(a: float, x: float) -> float:
    """``gammaincc`` where it is small though ``x`` is: a series without the leading 1."""
    if a < 1.0:
        log_gamma = a * (a - 1.0) * polynomial(2.0 * a - 1.0, LGAMMA1P)
    else:
        log_gamma = math.lgamma(a + 1.0)
    exponent = a * math.log(x) - log_gamma
    term, total = 1.0, 0.0
    for n in range(1, 40):
        term *= -x / n
        total += term / (a + n)
    return -math.expm1(exponent) - math.exp(exponent) * a * total


@inner
def _deviation(a: float, x: float) -> float:
    """The variable eta of 8.12.1; beyond 0.1 only its size matters."""
    t = (x - a) / a
    if abs(t) > 0.1:
        return math.copysign(1.0, t)
    return math.copysign(math.sqrt(2.0 * log_excess(t, x / a)), t)


@inner
def _normal(a: float, x: float, sign: float) -> float:
    """``gammaincc``, or ``gammainc`` for the sign -1, of huge ``a`` (8.12.3, 8.12.4)."""
    eta = _deviation(a, x)
    rest = math.exp(-0.5 * a * eta * eta) / math.sqrt(2.0 * math.pi * a) * polynomial(eta, UNIFORM)
    return 0.5 * math.erfc(sign * eta * math.sqrt(0.5 * a)) + sign * rest


@inner
def _normal_slope(a: float, x: float) -> float:
    """The derivative of ``gammainc`` with respect to huge ``a``, from that of 8.12.4."""
    eta = _deviation(a, x)
    if abs(eta) == 1.0:
        return 0.0
    log_ratio = math.log1p((x - a) / a)
    quotient = log_ratio / eta if eta != 0.0 else 1.0
    bell = math.exp(-0.5 * a * eta * eta) / math.sqrt(2.0 * math.pi * a)
    return -bell * (quotient + polynomial(eta, UNIFORM) * log_ratio + 1.0 / (12.0 * a))


@inner
def gammainc_slope(a: float, x: float) -> float:
    """The derivative of ``gammainc`` with respect to ``a``: its series, or fraction, term by term.

    The sums are those of ``gammainc`` with a logarithmic derivative carried along.
    """
    a, x = np.float64(a), np.float64(x)
    if not (a > 0.0 and x >= 0.0 and a < np.inf):
        return np.nan
    if x == 0.0 or x == np.inf:
        return 0.0
    if a > HUGE:
        return _normal_slope(a, x)
    if x > 1.0 and x > a:
        value, slope = _fraction_slope(a, x)
        return -a * _front(a, x) * (value * (math.log(x) - digamma(a)) + slope)
    slope = math.log(x) - digamma(a + 1.0)
    term, total, n = 1.0, slope, 0
    while term > 1e-18:
        n += 1
        term *= x / (a + n)
        slope -= 1.0 / (a + n)
        total += term * slope
    return _front(a, x) * total


@inner
def _fraction_slope(a: float, x: float) -> tuple[float, float]:
    """``fraction`` and its derivative with respect to ``a``."""
    b = x + 1.0 - a
    c, d = 1e300, 1.0 / b
    c_dot, d_dot = 0.0, d * d
    h, log_dot = d, d
    for i in range(1, 10000000):
        above = -i * (i - a)
        b += 2.0
        below = above * d + b
        below_dot = i * d + above * d_dot - 1.0
        c_dot = -1.0 + i / c - above * c_dot / (c * c)
        c = b + above / c
        d = 1.0 / below
        d_dot = -below_dot * d * d
        h *= d * c
        change = d_dot / d + c_dot / c
        log_dot += change
        if abs(d * c - 1.0) + abs(change) < 1e-16:
            break
    return h, h * log_dot
