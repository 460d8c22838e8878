"""The dilogarithm."""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.polynomial import polynomial

# spence(1 + u) / -u at t = 2*u: an interpolant at Chebyshev points, of our own.
SPENCE = np.array([
    -2.2039356220366022e-10, 4.4513979483915824e-10, 4.754555293222241e-10,
    -8.365969024146411e-10, -2.3458533920064897e-09, 4.598525468795842e-09,
    -3.090532640354942e-09, 7.732498663981535e-09, -2.4922253504495736e-08, 5.49719307377638e-08,
    -1.1843830095479673e-07, 2.701394974071265e-07, -6.231054460210578e-07,
    1.4450160423722336e-06, -3.390763831610521e-06, 8.070671430460835e-06,
    -1.9531263523484897e-05, 4.8225322574110015e-05, -0.00012207031104564493,
    0.0003188775497828706, -0.0008680555556434655, 0.0025000000000569684, -0.007812499999997531,
    0.02777777777777675, -0.12500000000000003, 1.0,
])  # fmt: skip


@inner
def spence(x: float) -> float:
    """The integral of ``log(t) / (1 - t)`` from 1 to ``x`` (DLMF 25.12); nan below 0."""
    x = np.float64(x)
    if not 0.0 <= x < np.inf:
        return -np.inf if x == np.inf else np.nan
    inverted = x > 1.5
    z = 1.0 / x if inverted else x
    value: float = 0.0
    if z > 0.5:
        value = (1.0 - z) * polynomial(2.0 * z - 2.0, SPENCE)
    else:
        value = math.pi**2 / 6.0
        if z > 0.0:
            value -= math.log(z) * math.log1p(-z) + z * polynomial(-2.0 * z, SPENCE)
    return -value - 0.5 * math.log(x) ** 2 if inverted else value


@inner
def log_quotient(n: int, x: float) -> float:
    """Derivative ``n`` of ``log(x) / (1 - x)``, which is the derivative of ``spence``.

    Leibniz' rule for its product with ``1 - x``; near 1 a power series.
    """
    x = np.float64(x)
    n = int(n)
    if abs(x - 1.0) < 0.25:
        term, k = -1.0, 0  # of (1 - x)**k, without the denominator k + n + 1
        for m in range(1, n + 1):
            term *= -m
        total = term / (n + 1)
        while abs(term) > 1e-17 * abs(total):
            k += 1
            term *= (1.0 - x) * (k + n) / k
            total += term / (k + n + 1)
        return total
    value, power = float(np.log(x) / (1.0 - x)), 1.0 / x
    for k in range(1, n + 1):
        value = (k * value + power) / (1.0 - x)
        power *= -k / x
    return value
