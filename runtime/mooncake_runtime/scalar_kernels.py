"""Scalar functions that numba lacks, and derivatives that need care; ``rt`` in the rules.

All are plain Python that numba compiles.
"""

import math

import numpy as np

from mooncake_runtime.jit import inner


@inner
def sech2(x: float) -> float:
    """``1 - tanh(x)**2`` without cancellation."""
    e = np.exp(-2.0 * abs(x))
    d = 1.0 + e
    return float(4.0 * e / (d * d))


@inner
def dsinc(x: float) -> float:
    """The derivative of ``np.sinc``; a series where the quotient would cancel."""
    t = math.pi * x
    if abs(t) > 1.0:
        return (math.cos(t) - math.sin(t) / t) / x
    term = -t * math.pi
    total = 0.0
    for k in range(1, 12):
        term /= 2 * k * (2 * k + 1)
        total += 2 * k * term
        term *= -t * t
    return total


@inner
def log_base(x: float, base: float) -> float:
    """``math.log(x, base)``."""
    return math.log(x) / math.log(base)


@inner
def clip(x: float, low: float, high: float) -> float:
    """``np.clip``."""
    return float(np.minimum(np.maximum(x, low), high))


@inner
def heaviside(x: float, at_zero: float) -> float:
    """``np.heaviside``."""
    if x == 0.0:
        return at_zero
    return x if x != x else (1.0 if x > 0.0 else 0.0)


@inner
def remainder(x: float, y: float) -> float:
    """``math.remainder``: ``x - n*y`` with the whole ``n`` nearest to ``x/y``, exact."""
    a, b = abs(x), abs(y)
    if not (a < np.inf and b > 0.0):
        return np.nan
    if b == np.inf:
        return x
    m = float(np.fmod(a, b))
    c = b - m
    if m > c:
        m = -c
    elif m == c:
        m = m - 2.0 * np.fmod(0.5 * (a - m), b)
    return math.copysign(1.0, x) * m


@inner
def ulp(x: float) -> float:
    """``math.ulp``."""
    return float(np.spacing(abs(x)) if abs(x) < np.inf else abs(x))


@inner
def isclose(a: float, b: float) -> bool:
    """``math.isclose``."""
    if a == b:
        return True
    if abs(a) == np.inf or abs(b) == np.inf:
        return False
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


# ---- whole numbers ------------------------------------------------------------------------------


@inner
def isqrt(n: int) -> int:
    """``math.isqrt``."""
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    root = int(math.sqrt(n))
    while root * root > n or root > 3037000499:
        root -= 1
    while root < 3037000499 and (root + 1) * (root + 1) <= n:
        root += 1
    return root


@inner
def perm(n: int, k: int) -> int:
    """``math.perm``."""
    if n < 0 or k < 0:
        raise ValueError("perm() arguments must be nonnegative")
    result = 1
    for i in range(k):
        if i >= n:
            return 0
        if result > 9223372036854775807 // (n - i):
            raise OverflowError("perm() does not fit into 64 bits")
        result *= n - i
    return result


@inner
def factorial(n: int) -> int:
    """``math.factorial``."""
    if n < 0:
        raise ValueError("factorial() argument must be nonnegative")
    return perm(n, n)


@inner
def comb(n: int, k: int) -> int:
    """``math.comb``."""
    if n < 0 or k < 0:
        raise ValueError("comb() arguments must be nonnegative")
    result = 1
    for i in range(min(k, n - k) if k <= n else 0):
        factor, below = n - i, i + 1
        common = math.gcd(result, below)  # result * factor is a multiple of below
        result, factor = result // common, factor // (below // common)
        if result > 9223372036854775807 // factor:
            raise OverflowError("comb() does not fit into 64 bits")
        result *= factor
    return result if k <= n else 0


# ---- derivatives of the logarithm of the gamma function ------------------------------------------


@inner
def digamma(x: float) -> float:
    """The derivative of ``math.lgamma``; nan at its poles."""
    if x <= 0.0 and x == np.floor(x):
        return np.nan
    total = 0.0
    if x < 0.0:  # reflection
        total = -math.pi / math.tan(math.pi * (x - np.rint(x)))
        x = 1.0 - x
    while x < 10.0:
        total -= 1.0 / x
        x += 1.0
    z = 1.0 / (x * x)
    tail = 1 / 132 - z * (691 / 32760 - z / 12)
    tail = 1 / 12 - z * (1 / 120 - z * (1 / 252 - z * (1 / 240 - z * tail)))
    return total + math.log(x) - 0.5 / x - z * tail


BERNOULLI = (  # B(2j) / (2j)!
    1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000, 1 / 74724249600,
)  # fmt: skip


@inner
def polygamma(n: int, x: float) -> float:
    """Derivative ``n`` of ``digamma``; nan at its poles. Takes ``|x|`` steps for negative ``x``."""
    if n == 0:
        return digamma(x)
    if x <= 0.0 and x == np.floor(x):
        return np.nan
    # n! times the Hurwitz zeta function at s = n + 1: a sum and the Euler-Maclaurin formula.
    s = n + 1
    total = 0.0
    while x < 12.0 + n:
        total += x ** (-s)
        x += 1.0
    z = 1.0 / (x * x)
    rising = s / x  # s (s+1) ... (s+2j-2) / x**(2j-1)
    tail = 1.0 / (s - 1) * x + 0.5
    for j, bernoulli in enumerate(BERNOULLI):
        tail += bernoulli * rising
        rising *= (s + 2 * j + 1) * (s + 2 * j + 2) * z
    sign = 1.0 if n % 2 == 1 else -1.0
    return sign * math.gamma(s) * (total + tail * x ** (-s))


@inner
def trigamma(x: float) -> float:
    """The derivative of ``digamma``."""
    return polygamma(1, x)
