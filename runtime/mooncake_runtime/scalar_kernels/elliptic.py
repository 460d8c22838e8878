"""Complete elliptic integrals (DLMF 19.2(ii), 19.4) of the parameter ``m``, with p = 1 - m.

Derivatives of all orders: hypergeometric series near ``m = 0``, elsewhere the recurrences that
follow from their differential equations.
"""

import math

import numpy as np

from mooncake_runtime.jit import inner


@inner
def _means(p: float) -> tuple[float, float]:
    """The integrals of first and second kind for ``p > 0``, by the AGM (19.8.1, 19.8.6)."""
    scale = 1.0
    a, b = 1.0, math.sqrt(p)
    if p > 1.0:  # a is the larger one
        scale, a, b = b, 1.0, 1.0 / b
    c = a * a - b * b
    total, power = 0.5 * c, 1.0
    while a - b > 1e-9 * a:
        half = 0.5 * (a - b)
        a, b = 0.5 * (a + b), math.sqrt(a * b)
        total += power * half * half
        power *= 2.0
    first = math.pi / (a + b)
    return first / scale, first * (1.0 - total) * scale


@inner
def _series(n: int, a: float, m: float) -> float:
    """Derivative ``n`` of ``pi/2 * F(a, 1/2; 1; m)``."""
    term = 0.5 * math.pi
    for k in range(n):
        term *= (a + k) * (0.5 + k) / (k + 1)
    total = term
    k = n
    while abs(term) > 1e-17 * abs(total):
        term *= (a + k) * (0.5 + k) / ((k + 1) * (k + 1 - n)) * m
        total += term
        k += 1
    return total


@inner
def _derivative(n: int, second: bool, p: float) -> float:
    """Derivative ``n`` with respect to ``p`` of the integral of first or second kind."""
    p = np.float64(p)
    n = int(n)
    if not 0.0 < p < np.inf:
        return _end(n, second, p)
    m = 1.0 - p
    a = -0.5 if second else 0.5
    sign = -1.0 if n % 2 == 1 else 1.0
    if abs(m) < 0.5 and n > 0:
        return sign * _series(n, a, m)
    k, e = _means(p)
    before = e if second else k
    if n == 0:
        return before
    value = (e - k) / (2.0 * m) if second else (e - p * k) / (2.0 * m * p)
    for j in range(n - 1):
        below = (a + j) * (0.5 + j) * before - (1 + j - (a + 1.5 + 2 * j) * m) * value
        before, value = value, below / (m * p)
    return sign * value


@inner
def _end(n: int, second: bool, p: float) -> float:
    """``_derivative`` where ``m`` is 1 or infinite; nan beyond."""
    if not p >= 0.0:
        return np.nan
    if p == 0.0:
        if n == 0:
            return 1.0 if second else np.inf
        return np.inf if second == (n % 2 == 1) else -np.inf
    return np.inf if n == 0 and second else 0.0


@inner
def ellipkm1(p: float) -> float:
    """``ellipk(1 - p)``, also for small ``p``."""
    return _derivative(0, False, p)


@inner
def ellipk(m: float) -> float:
    """The complete elliptic integral of the first kind; nan above 1."""
    return _derivative(0, False, 1.0 - np.float64(m))


@inner
def ellipe(m: float) -> float:
    """The complete elliptic integral of the second kind; nan above 1."""
    return _derivative(0, True, 1.0 - np.float64(m))


@inner
def first_elliptic(n: int, p: float) -> float:
    """Derivative ``n`` of ``ellipk(1 - p)``."""
    return _derivative(n, False, p)


@inner
def second_elliptic(n: int, p: float) -> float:
    """Derivative ``n`` of ``ellipe(1 - p)``."""
    return _derivative(n, True, p)
