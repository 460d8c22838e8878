"""The hypergeometric function of Gauss (DLMF chapter 15)."""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.confluent import is_pole
from mooncake_runtime.scalar_kernels.double_double import dd_add, dd_div, dd_mul, dd_sum
from mooncake_runtime.scalar_kernels.gamma import rgamma


@inner
def hyp2f1(a: float, b: float, c: float, x: float) -> float:
    """``F(a, b; c; x)``; infinite above 1, unless it is a polynomial, and where ``c`` is a pole."""
    a, b, c, x = np.float64(a), np.float64(b), np.float64(c), np.float64(x)
    if a + b + c + x != a + b + c + x:
        return np.nan
    if a == c or b == c:
        return math.pow(1.0 - x, c - a - b) if x <= 1.0 else np.inf
    if a == 0.0 or b == 0.0 or x == 0.0:
        return 1.0
    ends = (is_pole(a) and not (is_pole(c) and a < c)) or (
        is_pole(b) and not (is_pole(c) and b < c)
    )
    if not ends and (is_pole(c) or x > 1.0):
        return np.inf
    if ends and x > -1.0:
        return _series(a, b, c, x)[0]
    if x == 1.0:
        return _at_one(a, b, c)
    if not -np.inf < x <= 1.0:
        return np.nan
    if x >= -0.5:
        return _inside(a, b, c, x, 1.0 - x)
    if ends:
        return _series(a, b, c, x)[0]
    if abs(b) < abs(a):
        a, b = b, a
    return math.pow(1.0 - x, -a) * _inside(a, c - b, c, x / (x - 1.0), 1.0 / (1.0 - x))  # 15.8.1


@inner
def _at_one(a: float, b: float, c: float) -> float:
    """The sum of Gauss (15.4.20)."""
    rest = c - a - b
    if rest <= 0.0:
        return np.inf
    if max(abs(c), abs(rest)) < 100.0:
        return math.gamma(c) * math.gamma(rest) * rgamma(c - a) * rgamma(c - b)
    if min(c, c - a, c - b) <= 0.0:
        return math.gamma(c) * (math.gamma(rest) * rgamma(c - a)) * rgamma(c - b)
    exponent = math.lgamma(c) + math.lgamma(rest) - math.lgamma(c - a) - math.lgamma(c - b)
    return math.exp(exponent)


@inner
def _series(a: float, b: float, c: float, x: float) -> tuple[float, float]:
    """The power series 15.2.1, and its derivative; in twice the precision if it cancels."""
    term = total = largest = 1.0
    slope = 0.0
    k = 0
    while (a + k) * (b + k) != 0.0 and k < 100000:
        term *= (a + k) * (b + k) / ((c + k) * (k + 1))
        slope += (k + 1) * term
        term *= x
        total += term
        k += 1
        largest = max(largest, abs(term))
        small = abs(term) * (k + 1) < 1e-17 * max(abs(total), abs(slope * x))
        if small and k > -a and k > -b and k > -c:
            break
    if largest > 100.0 * abs(total) and largest < 1e290:
        return _precise(a, b, c, x)
    return total, slope


@inner
def _precise(a: float, b: float, c: float, x: float) -> tuple[float, float]:
    term, total, slope = (1.0, 0.0), (1.0, 0.0), (0.0, 0.0)
    k = 0
    while (a + k) * (b + k) != 0.0 and k < 10000:
        n = 1.0 * k
        term = dd_mul(term, dd_mul(dd_sum(a, n), dd_sum(b, n)))
        term = dd_div(term, dd_mul(dd_sum(c, n), (n + 1.0, 0.0)))
        slope = dd_add(slope, dd_mul(term, (n + 1.0, 0.0)))
        term = dd_mul(term, (x, 0.0))
        total = dd_add(total, term)
        k += 1
        small = abs(term[0]) * (n + 2.0) < 1e-32 * max(abs(total[0]), abs(slope[0] * x))
        if small and k > -a and k > -b and k > -c:
            break
    return total[0] + total[1], slope[0] + slope[1]


@inner
def _inside(a: float, b: float, c: float, x: float, d: float) -> float:
    """The function for ``-1/2 <= x < 1``; ``d`` is ``1 - x``."""
    if is_pole(c - a) or is_pole(c - b):
        return math.pow(d, c - a - b) * _series(c - a, c - b, c, x)[0]  # a polynomial (15.8.1)
    if x <= 0.7:
        return _series(a, b, c, x)[0]
    return _continued(a, b, c, d)


@inner
def _continued(a: float, b: float, c: float, d: float) -> float:
    """From ``x = 1/2`` to ``x = 1 - d`` by Taylor series of the solution of 15.10.1.

    Each step halves the distance ``near`` from 1; ``slope`` is multiplied with that.
    """
    near = 0.5
    value, slope = _series(a, b, c, 0.5)
    slope *= near
    while near > d:
        after = max(d, 0.5 * near)
        h = near - after
        x, step = 1.0 - near, h / near
        term, following = value, slope * step
        value, slope = term + following, following
        n = 0
        while abs(following) * (n + 2) > 1e-17 * max(abs(value), abs(slope)) or n < 8:
            middle = n * (1.0 - 2.0 * x) + c - (a + b + 1.0) * x
            new = (n + a) * (n + b) * h * term - (n + 1) * middle * following
            term, following = following, new * step / (x * (n + 1) * (n + 2))
            value += following
            slope += (n + 2) * following
            n += 1
            if n > 1000:
                break
        slope *= after / h
        near = after
    return value
