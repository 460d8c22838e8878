"""Entropies and robust losses: products with logarithms, and what replaces a square."""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.polynomial import log_excess


@inner
def xlogy(x: float, y: float) -> float:
    """``x * log(y)``, 0 for ``x == 0``."""
    x, y = np.float64(x), np.float64(y)
    return 0.0 if x == 0.0 and y == y else x * np.log(y)


@inner
def xlog1py(x: float, y: float) -> float:
    """``x * log(1 + y)``, 0 for ``x == 0``."""
    x, y = np.float64(x), np.float64(y)
    return 0.0 if x == 0.0 and y == y else x * np.log1p(y)


@inner
def entr(x: float) -> float:
    """``-x * log(x)``, 0 at 0 and -inf below."""
    x = np.float64(x)
    if x > 0.0:
        return -x * math.log(x)
    return -np.inf if x < 0.0 else abs(x)


@inner
def log_ratio(x: float, y: float) -> float:
    """``log(x / y)`` of positive numbers, also of close, huge and tiny ones."""
    x, y = np.float64(x), np.float64(y)
    ratio = x / y
    if 0.5 < ratio < 2.0:
        return math.log1p((x - y) / y)
    return math.log(ratio) if 1e-300 < ratio < 1e300 else math.log(x) - math.log(y)


@inner
def rel_entr(x: float, y: float) -> float:
    """``x * log(x / y)``, 0 for ``x == 0 <= y``, inf outside of its domain."""
    x, y = np.float64(x), np.float64(y)
    if x > 0.0 and y > 0.0:
        return x * log_ratio(x, y)
    if x != x or y != y:
        return np.nan
    return 0.0 if x == 0.0 and y >= 0.0 else np.inf


@inner
def kl_div(x: float, y: float) -> float:
    """``x * log(x / y) - x + y``, ``y`` for ``x == 0 <= y``, inf outside of its domain."""
    x, y = np.float64(x), np.float64(y)
    if not (x > 0.0 and y > 0.0):
        return y if x == 0.0 and y >= 0.0 else rel_entr(x, y)
    if abs(x - y) > 0.5 * x:
        return x * log_ratio(x, y) - x + y
    return x * log_excess((y - x) / x, y / x)


@inner
def huber(delta: float, r: float) -> float:
    """``0.5 * r**2`` up to ``abs(r) == delta``, linear beyond; inf for a negative ``delta``."""
    delta, r = np.float64(delta), np.float64(r)
    if delta < 0.0:
        return np.inf
    if abs(r) <= delta:
        return 0.5 * r * r
    return delta * (abs(r) - 0.5 * delta)


@inner
def pseudo_huber(delta: float, r: float) -> float:
    """``delta**2 * (sqrt(1 + (r/delta)**2) - 1)``; inf for a negative ``delta``."""
    delta, r = np.float64(delta), np.float64(r)
    if delta < 0.0:
        return np.inf
    if delta == 0.0 or abs(r) == np.inf:
        return abs(delta * r)
    return abs(r) * float(abs(r) / (1.0 + np.hypot(1.0, r / delta)))
