"""Owen's T function (Owen, 1956)."""

import math

import numpy as np

from mooncake_runtime.jit import inner

NODES, WEIGHTS = np.polynomial.legendre.leggauss(32)
REACH = 9.0  # standard deviations beyond which the normal density is nothing


@inner
def owens_t(h: float, a: float) -> float:
    """The probability of ``X > h`` and ``0 < Y < a*X`` for independent normal ``X`` and ``Y``."""
    h, a = abs(np.float64(h)), np.float64(a)
    if h != h or a != a:
        return np.nan
    slope = abs(a)
    if h == 0.0:
        value = math.atan(slope) / (2.0 * math.pi)
    elif slope <= 1.0:
        value = _integral(h, slope)
    else:
        p = 0.5 * math.erfc(h * math.sqrt(0.5))
        q = 0.5 * math.erfc(slope * h * math.sqrt(0.5))
        value = 0.5 * (p + q) - p * q - _integral(slope * h, 1.0 / slope)
    return math.copysign(value, a)


@inner
def _integral(h: float, a: float) -> float:
    """The integral of ``exp(-h**2 (1 + t**2) / 2) / (1 + t**2) / (2 pi)`` from 0 to ``a <= 1``."""
    if h > 39.0:
        return 0.0
    half = 0.5 * min(a, REACH / h)
    total = 0.0
    for k in range(len(NODES)):
        t = half * (NODES[k] + 1.0)
        total += WEIGHTS[k] * math.exp(-0.5 * h * h * t * t) / (1.0 + t * t)
    return total * half * math.exp(-0.5 * h * h) / (2.0 * math.pi)
