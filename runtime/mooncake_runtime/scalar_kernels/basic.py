"""Functions of NumPy and ``math`` that numba lacks, and derivatives that need care."""

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
    clipped: float = np.minimum(np.maximum(x, low), high)
    return clipped


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


@inner
def hypot3(x: float, y: float, z: float) -> float:
    """``math.hypot`` of three numbers."""
    return float(np.hypot(np.hypot(x, y), z))


@inner
def modf_fraction(x: float) -> float:
    """The first result of ``math.modf``; the second one is ``np.trunc``."""
    x = np.float64(x)
    return math.copysign(0.0 if abs(x) == np.inf else x - np.trunc(x), x)


@inner
def frexp_mantissa(x: float) -> float:
    """The first result of ``math.frexp``."""
    return math.frexp(x)[0]


@inner
def frexp_exponent(x: float) -> int:
    """The second result of ``math.frexp``."""
    return math.frexp(x)[1]


@inner
def frexp_scale(x: float) -> float:
    """The derivative of ``frexp_mantissa``."""
    return math.ldexp(1.0, -math.frexp(x)[1])


@inner
def times(a: float, b: float) -> float:
    """``a * b``, or 0 where ``a`` is 0, whatever ``b`` is."""
    return 0.0 if a == 0.0 else a * b


@inner
def over(a: float, b: float) -> float:
    """``a / b``, or 0 where ``a`` is 0, whatever ``b`` is."""
    return 0.0 if a == 0.0 else a / b


@inner
def stop_gradient(x: float) -> float:
    """``x``, which is constant to those who differentiate this."""
    return x


@inner
def ruled(x: float) -> float:
    """``x``, whose derivative is stated by a rule elsewhere."""
    return x
