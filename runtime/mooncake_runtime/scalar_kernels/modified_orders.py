"""Modified Bessel functions of real order (DLMF 10.25 to 10.40), by the methods of the others."""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.gamma import gammasgn, sinpi
from mooncake_runtime.scalar_kernels.modified import ive, kve
from mooncake_runtime.scalar_kernels.real_orders import HIGHEST, HUGE, TINY, order_series
from mooncake_runtime.scalar_kernels.temme import near_k


@inner
def _slope(v: float, x: float) -> float:
    """The logarithmic derivative of ``I``: a continued fraction (10.33.1)."""
    h = max(v / x, TINY)
    b, c, d = 2.0 * v / x, h, 0.0
    for _ in range(1000000):
        b += 2.0 / x
        d = 1.0 / (b + d)
        c = b + 1.0 / c
        h *= c * d
        if abs(c * d - 1.0) < 4e-16:
            return h
    return np.nan


@inner
def _steed_k(mu: float, x: float) -> tuple[float, float]:
    """``exp(x)`` times ``K`` of orders ``mu`` and ``mu + 1``, for ``x >= 2`` (Temme, 1975)."""
    b = 2.0 * (1.0 + x)
    d = 1.0 / b
    h = change = d
    q1, q2 = 0.0, 1.0
    a1 = 0.25 - mu * mu
    q = c = a1
    a = -a1
    s = 1.0 + q * change
    for k in range(2, 10000):
        a -= 2.0 * (k - 1)
        c = -a * c / k
        new = (q1 - b * q2) / a
        q1, q2 = q2, new
        q += c * new
        b += 2.0
        d = 1.0 / (b + a * d)
        change = (b * d - 1.0) * change
        h += change
        s += q * change
        if abs(q * change) < 1e-17 * abs(s) and abs(change) < 1e-17 * abs(h):
            break
    value = math.sqrt(0.5 * math.pi / x) / s
    return value, value * (mu + x + 0.5 - a1 * h) / x


@inner
def _far(n: int, v: float, x: float, sign: float) -> float:
    """Derivative ``n`` of the asymptotic series 10.40.1, scaled, or 10.40.2 for the sign 1."""
    front = math.sqrt(0.5 * math.pi if sign > 0.0 else 0.5 / math.pi) / math.sqrt(x)
    for j in range(n):
        front *= -(0.5 + j) / x
    term = total = 1.0
    k = 0
    while abs(term) > 1e-17 * abs(total) and k < 2.0 * x:
        k += 1
        term *= sign * (4.0 * v * v - (2 * k - 1) * (2 * k - 1)) / (8.0 * k * x)
        term *= (k + n - 0.5) / (k - 0.5)  # of the power x**(-k - 1/2)
        total += term
    return front * total


@inner
def is_far(v: float, x: float) -> bool:
    """True if the asymptotic series are accurate to rounding."""
    return bool(x > 25.0 and x > 0.5 * v * v)


@inner
def _quotient(v: float, x: float, steps: int) -> tuple[float, float]:
    """The logarithmic derivative of ``I`` of order ``v - steps``, and ``I`` of ``v`` by that."""
    i = first = TINY
    derivative = _slope(v, x) * i
    for k in range(steps):
        i, derivative = (v - k) / x * i + derivative, i
        derivative = (v - k - 1.0) / x * i + derivative
        if i > HUGE:
            i, derivative, first = i / HUGE, derivative / HUGE, first / HUGE
    return derivative / i, first / i


@inner
def _both(v: float, x: float) -> tuple[float, float]:
    """``exp(-x) * I`` and ``exp(x) * K`` for ``v >= 0`` and ``x > 0``."""
    if is_far(v, x):
        return _far(0, v, x, -1.0), _far(0, v, x, 1.0)
    steps = int(v + 0.5)
    mu = v - steps
    if x < 2.0:
        i = math.exp(-x) * order_series(v, x, 0.25 * x * x)
        k, after = near_k(mu, x)
    else:
        k, after = _steed_k(mu, x)
        slope, quotient = _quotient(v, x, steps)
        i = quotient / x / (slope * k - (mu / x * k - after))  # by the Wronskian
    for n in range(1, steps + 1):
        k, after = after, 2.0 * (mu + n) / x * after + k
    return i, k


@inner
def bessel_ie(v: float, x: float) -> float:
    """``exp(-abs(x)) * bessel_i(v, x)``."""
    v, x = np.float64(v), np.float64(x)
    if v == np.floor(v) and abs(v) <= HIGHEST:
        return ive(int(v), x)
    if not (0.0 <= x < np.inf and abs(v) <= HIGHEST):
        return np.nan if x != np.inf else 0.0
    if x == 0.0:
        return 0.0 if v > 0.0 else gammasgn(v + 1.0) * np.inf
    if x * x <= 4.0 * abs(v + 1.0) and (v > -1.0 or x < 1.0):
        return math.exp(-x) * order_series(v, x, 0.25 * x * x)
    i, k = _both(abs(v), x)
    return i if v > 0.0 else i - 2.0 / math.pi * sinpi(v) * k * math.exp(-2.0 * x)


@inner
def bessel_i(v: float, x: float) -> float:
    """The modified Bessel function of the first kind, of real order; nan for ``x < 0`` then."""
    half = math.exp(0.5 * abs(np.float64(x)))
    return half * bessel_ie(v, x) * half


@inner
def bessel_ke(v: float, x: float) -> float:
    """``exp(x) * bessel_k(v, x)``."""
    v, x = abs(np.float64(v)), np.float64(x)
    if v == np.floor(v) and v <= HIGHEST:
        return kve(int(v), x)
    if not (0.0 < x < np.inf and v <= HIGHEST):
        return np.inf if x == 0.0 else (0.0 if x == np.inf and v <= HIGHEST else np.nan)
    return _both(v, x)[1]


@inner
def bessel_k(v: float, x: float) -> float:
    """The modified Bessel function of the second kind, of real order; nan for ``x < 0``."""
    half = math.exp(-0.5 * np.float64(x))
    return half * bessel_ke(v, x) * half


@inner
def _scaled_slope(n: int, v: float, x: float, sign: float) -> float:
    """Derivative ``n`` of the scaled function of the first, or for the sign 1 second, kind.

    Far away a series, which does not cancel; else a sum over orders, by 10.29.1.
    """
    v, x = np.float64(v), np.float64(x)
    n = int(n)
    if is_far(v, x) and x < np.inf:
        return _far(n, v, x, sign)
    weights = np.zeros(2 * n + 3)  # of the orders v - n - 1 to v + n + 1
    weights[n + 1] = 1.0
    for _ in range(n):
        before = weights.copy()
        for i in range(1, 2 * n + 2):
            weights[i] = sign * (before[i] - 0.5 * (before[i - 1] + before[i + 1]))
    total = 0.0
    for i in range(1, 2 * n + 2):
        if weights[i] != 0.0:
            order = v + (i - n - 1)
            total += weights[i] * (bessel_ie(order, x) if sign < 0.0 else bessel_ke(order, x))
    return total


@inner
def slope_ie(n: int, v: float, x: float) -> float:
    """Derivative ``n`` of ``bessel_ie``; the mean of both sides where it has a kink."""
    v = np.float64(v)
    value = _scaled_slope(n, v, abs(x), -1.0)
    if x > 0.0 or v != np.floor(v):
        return value if x >= 0.0 else np.nan
    odd = np.fmod(v + n, 2.0) != 0.0
    if odd:
        return 0.0 if x == 0.0 else -value
    return value


@inner
def slope_ke(n: int, v: float, x: float) -> float:
    """Derivative ``n`` of ``bessel_ke``."""
    return _scaled_slope(n, v, x, 1.0)
