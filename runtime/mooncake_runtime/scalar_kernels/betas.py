"""The beta function, its logarithm and its incomplete integral (DLMF 5.12, 8.17)."""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.polynomial import log_excess, polynomial

HALF_LOG_2PI = 0.9189385332046728
# What Stirling's formula for gammaln lacks, times x, at t = 16/x - 1: an interpolant of our own.
STIRLING8 = np.array([
    -5.871705220481084e-16, -1.2725674211515717e-14, 1.2766406426383087e-13,
    1.3749148664692228e-12, -3.0337717102363946e-11, -2.023205923478259e-10,
    1.1591329342334679e-08, 4.774179183149795e-08, -1.0778560317896521e-05,
    -2.1653159611709165e-05, 0.08332249471375425,
])  # fmt: skip


@inner
def stirling_excess(a: float) -> float:
    """``gammaln(a) - (a - 1/2) * log(a) + a - log(2*pi) / 2`` for positive ``a``."""
    if a >= 8.0:
        return polynomial(16.0 / a - 1.0, STIRLING8) / a
    return math.lgamma(a) - (a - 0.5) * math.log(a) + a - HALF_LOG_2PI


@inner
def beta(a: float, b: float) -> float:
    """The beta function, infinite at its poles."""
    if a != a or b != b:
        return np.nan
    a, b = min(np.float64(a), np.float64(b)), max(np.float64(a), np.float64(b))
    if b == np.inf and a > 0.0:
        return 0.0
    if a <= 0.0 and a == np.floor(a):
        if b != np.floor(b) or a + b > 0.0 or b <= 0.0:
            return np.inf
        sign = 1.0 if np.fmod(b, 2.0) == 0.0 else -1.0
        return sign * beta_of_regular(b, 1.0 - a - b)
    return beta_of_regular(a, b)


@inner
def beta_of_regular(a: float, b: float) -> float:
    """``beta`` where neither argument is a pole of the gamma function."""
    a, b = min(a, b), max(a, b)
    if max(abs(a), abs(b)) < 1e-30:
        return 1.0 / a + 1.0 / b
    if a > -80.0 and b < 160.0 and abs(a + b) < 160.0:
        below = 0.0 if a + b <= 0.0 and a + b == np.floor(a + b) else 1.0 / math.gamma(a + b)
        return math.gamma(a) * below * math.gamma(b)
    if a >= 8.0:
        exponent = log_of_large(a, b)
        return math.sqrt(2.0 * math.pi / a) * math.sqrt(1.0 + a / b) * math.exp(exponent)
    if a > -80.0 and b > 160.0:
        return math.gamma(a) * math.exp(log_of_quotient(a, b))
    sign = gamma_sign(a) * gamma_sign(b) * gamma_sign(a + b)
    return sign * math.exp(math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b))


@inner
def log_of_large(a: float, b: float) -> float:
    """``betaln`` of ``8 <= a <= b`` without the term ``log(2*pi * (1/a + 1/b)) / 2``."""
    small = stirling_excess(a) + stirling_excess(b) - stirling_excess(a + b)
    return small - a * math.log1p(b / a) - b * math.log1p(a / b)


@inner
def log_of_quotient(a: float, b: float) -> float:
    """``log(gamma(b) / gamma(a + b))`` for large ``b`` and ``a + b``."""
    small = stirling_excess(b) - stirling_excess(a + b)
    return small + a - a * math.log(b) - (a + b - 0.5) * math.log1p(a / b)


@inner
def gamma_sign(x: float) -> float:
    return 1.0 if x > 0.0 or np.fmod(np.floor(x), 2.0) == 0.0 else -1.0


@inner
def betaln(a: float, b: float) -> float:
    """The logarithm of the absolute value of ``beta``."""
    if a != a or b != b:
        return np.nan
    a, b = min(np.float64(a), np.float64(b)), max(np.float64(a), np.float64(b))
    if b == np.inf and a > 0.0:
        return -np.inf
    if a >= 8.0 and b >= 160.0:
        return log_of_large(a, b) + 0.5 * math.log(2.0 * math.pi / a) + 0.5 * math.log1p(a / b)
    if a > -80.0 and b > 160.0 and a != np.floor(min(a, 0.0)):
        return math.lgamma(a) + log_of_quotient(a, b)
    value = abs(beta(a, b))
    if 1e-300 < value < np.inf:
        return math.log(value)
    if a <= 0.0:
        return math.log(value) if value != 0.0 else -np.inf
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


@inner
def beta_density(a: float, b: float, x: float) -> float:
    """``x**(a - 1) * (1 - x)**(b - 1) / beta(a, b)``, the derivative of ``betainc``."""
    a, b, x = np.float64(a), np.float64(b), np.float64(x)
    if x == 0.0 or x == 1.0:
        power = a - 1.0 if x == 0.0 else b - 1.0
        edge = 0.0 if power > 0.0 else np.inf
        return edge if power != 0.0 else max(a, b)
    return _front(a, b, x, 1.0 - x) / (x * (1.0 - x))


@inner
def _front(a: float, b: float, x: float, y: float) -> float:
    """``x**a * y**b / beta(a, b)`` for ``x + y == 1``."""
    if min(a, b) < 8.0:
        log_y = math.log1p(-x) if x < 0.5 else math.log(y)
        log_x = math.log1p(-y) if y < 0.5 else math.log(x)
        return math.exp(a * log_x + b * log_y - betaln(a, b))
    u = x * b - y * a
    small = stirling_excess(a) + stirling_excess(b) - stirling_excess(a + b)
    exponent = -a * log_excess(u / a, x * ((a + b) / a)) - small
    exponent -= b * log_excess(-u / b, y * ((a + b) / b))
    return math.sqrt(a / (2.0 * math.pi) * (b / (a + b))) * math.exp(exponent)


@inner
def betainc(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function for positive ``a`` and ``b``."""
    return _incomplete(np.float64(a), np.float64(b), np.float64(x), 1.0 - np.float64(x))


@inner
def betaincc(a: float, b: float, x: float) -> float:
    """``1 - betainc(a, b, x)``."""
    return _incomplete(np.float64(b), np.float64(a), 1.0 - np.float64(x), np.float64(x))


@inner
def _incomplete(a: float, b: float, x: float, y: float) -> float:
    if not (a > 0.0 and b > 0.0 and 0.0 <= x <= 1.0):
        return np.nan
    if x == 0.0 or y == 0.0:
        return 1.0 if y == 0.0 else 0.0
    front = _front(a, b, x, y)
    if (a + b + 2.0) * x > a + 1.0:
        complement = front * _fraction(b, a, y) / b
        if complement < 0.9 or y < 1e-3:
            return 1.0 - complement
    return front * _fraction(a, b, x) / a


@inner
def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction DLMF 8.17.22, by the modified Lentz method."""
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / d if d != 0.0 else 1e300
    h = d
    for m in range(1, 100000):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        d = 1.0 / (1.0 + even * d)
        c = 1.0 + even / c
        h *= d * c
        d = 1.0 / (1.0 + odd * d)
        c = 1.0 + odd / c
        h *= d * c
        if abs(d * c - 1.0) < 1e-16:
            break
    return h
