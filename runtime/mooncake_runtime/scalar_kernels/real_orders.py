"""Bessel functions of real order (DLMF chapter 10).

A power series near 0, Hankel's expansion (10.17) far away; between them Steed's method: the
logarithmic derivatives of one solution by a real, of another one by a complex continued fraction,
and the Wronskian (Barnett, Feng, Steed and Goldfarb, 1974; near 0 with the series of Temme).
"""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.bessel import jn, yn
from mooncake_runtime.scalar_kernels.gamma import gammasgn, sinpi
from mooncake_runtime.scalar_kernels.temme import near_y

TINY, HUGE = 1e-150, 1e150
HIGHEST = 1e5  # order: recurrences and fractions are as long


@inner
def cospi(x: float) -> float:
    """``cos(pi*x)``, 0 between whole numbers."""
    return sinpi(0.5 - np.fmod(np.abs(x), 2.0))


@inner
def power_over_gamma(v: float, x: float) -> float:
    """``(x/2)**v / gamma(v + 1)``."""
    if abs(v) < 100.0:
        return math.pow(0.5 * x, v) / math.gamma(v + 1.0)
    size = math.exp(v * math.log(0.5 * x) - math.lgamma(v + 1.0))
    return size * gammasgn(v + 1.0)


@inner
def order_series(v: float, x: float, w: float) -> float:
    """The power series 10.2.2, or 10.25.2, with ``w`` for plus or minus ``x**2 / 4``."""
    term = total = 1.0
    k = 0
    while abs(term) > 1e-17 * abs(total):
        k += 1
        term *= w / (k * (v + k))
        total += term
    return power_over_gamma(v, x) * total


@inner
def _slope(v: float, x: float) -> tuple[float, float]:
    """The logarithmic derivative of ``J``, and the sign of ``J`` (10.10.1)."""
    sign = 1.0
    h = max(v / x, TINY)
    b, c, d = 2.0 * v / x, h, 0.0
    for _ in range(1000000):
        b += 2.0 / x
        d = b - d
        if abs(d) < TINY:
            d = TINY
        c = b - 1.0 / c
        if abs(c) < TINY:
            c = TINY
        d = 1.0 / d
        h *= c * d
        if d < 0.0:
            sign = -sign
        if abs(c * d - 1.0) < 4e-16:
            return h, sign
    return np.nan, sign


@inner
def _complex_slope(mu: float, x: float) -> complex:
    """The logarithmic derivative of ``J + i*Y`` for ``x >= 2``."""
    h = complex(0.0, 0.0)
    a = 0.25 - mu * mu
    if a != 0.0:
        b = complex(2.0 * x, 2.0)
        c, d = complex(1e300, 0.0), 1.0 / b
        h = a * d
        for k in range(2, 10000):
            a = (k - 0.5) * (k - 0.5) - mu * mu
            b += complex(0.0, 2.0)
            d = 1.0 / (b + a * d)
            c = b + a / c
            h *= c * d
            if abs(c * d - 1.0) < 4e-16:
                break
    return complex(-0.5 / x, 1.0) + complex(0.0, 1.0 / x) * h


@inner
def _far(v: float, x: float) -> tuple[float, float]:
    """Hankel's expansion 10.17.3, for ``x`` above 25 and ``v**2 / 2``."""
    p, q, term, k = 1.0, 0.0, 1.0, 0
    while abs(term) > 1e-17 and k < 2.0 * x:
        k += 1
        term *= (4.0 * v * v - (2 * k - 1) * (2 * k - 1)) / (8.0 * k * x)
        signed = -term if k % 4 >= 2 else term
        if k % 2 == 0:
            p += signed
        else:
            q += signed
    s, c = math.sin(x), math.cos(x)
    sv, cv = sinpi(0.5 * v + 0.25), cospi(0.5 * v + 0.25)
    cosine, sine = c * cv + s * sv, s * cv - c * sv  # of x - pi * (v/2 + 1/4)
    scale = math.sqrt(2.0 / math.pi) / math.sqrt(x)
    return scale * (p * cosine - q * sine), scale * (p * sine + q * cosine)


@inner
def _steed(v: float, x: float, steps: int) -> tuple[float, float, float]:
    """``J`` of order ``v``, and ``Y`` of the orders ``v - steps`` and one more."""
    slope, sign = _slope(v, x)
    j = first = sign * TINY
    derivative = slope * j
    for k in range(steps):
        j, derivative = (v - k) / x * j + derivative, j
        derivative = (v - k - 1.0) / x * j - derivative
        if abs(j) > HUGE:
            j, derivative, first = j / HUGE, derivative / HUGE, first / HUGE
    turned = _complex_slope(v - steps, x)
    p, q = turned.real, turned.imag
    ratio = (p - derivative / j) / q
    square = 2.0 / (math.pi * x) / ((p - derivative / j) * ratio + q)
    found = math.copysign(math.sqrt(square), j)
    y = ratio * found
    return found * (first / j), y, (v - steps) / x * y - (p * y + q * found)


@inner
def _both(v: float, x: float) -> tuple[float, float]:
    """The Bessel functions of first and second kind, for ``v >= 0`` and ``x > 0``."""
    if x > 25.0 and x > 0.5 * v * v:
        return _far(v, x)
    steps = int(v + 0.5) if x < 2.0 else max(0, int(v - x + 1.5))
    if x < 2.0:
        j = order_series(v, x, -0.25 * x * x)
        y, after = near_y(v - steps, x)
    else:
        j, y, after = _steed(v, x, steps)
    for k in range(steps - 1, -1, -1):
        y, after = after, 2.0 * (v - k) / x * after - y
        if abs(after) == np.inf:
            return j, y if k == 0 else after
    return j, y


@inner
def bessel_j(v: float, x: float) -> float:
    """The Bessel function of the first kind, of real order to 1e5; nan for ``x < 0``."""
    v, x = np.float64(v), np.float64(x)
    if v == np.floor(v) and abs(v) <= HIGHEST:
        return jn(int(v), x)
    if not (0.0 <= x < np.inf and abs(v) <= HIGHEST):
        return np.nan
    if x == 0.0:
        return 0.0 if v > 0.0 else gammasgn(v + 1.0) * np.inf
    if x * x <= 4.0 * abs(v + 1.0) and (v > -1.0 or x < 1.0):
        return order_series(v, x, -0.25 * x * x)
    j, y = _both(abs(v), x)
    return j if v > 0.0 else cospi(v) * j + sinpi(v) * y


@inner
def bessel_y(v: float, x: float) -> float:
    """The Bessel function of the second kind, of real order; nan for ``x < 0``."""
    v, x = np.float64(v), np.float64(x)
    if v == np.floor(v) and abs(v) <= HIGHEST:
        return yn(int(v), x)
    if not (0.0 <= x < np.inf and abs(v) <= HIGHEST):
        return np.nan
    if x == 0.0:
        return -np.inf if v >= -0.5 or cospi(v) > 0.0 else np.inf
    j, y = _both(abs(v), x)
    if v > 0.0:
        return y
    cosine = cospi(v)  # 0 at the orders where y may be infinite and nothing remains of it
    return (cosine * y if cosine != 0.0 else 0.0) - sinpi(v) * j
