"""Pochhammer's symbol and its derivatives (DLMF 5.2(iii))."""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.betas import log_of_quotient
from mooncake_runtime.scalar_kernels.gamma import (
    digamma_increment,
    gammasgn,
    polygamma,
    rgamma,
    rgamma_slope,
)

FEW = 60  # factors of a product


@inner
def poch(z: float, m: float) -> float:
    """``gamma(z + m) / gamma(z)``, a product for whole ``m``."""
    z, m = np.float64(z), np.float64(m)
    if m == np.floor(m) and abs(m) <= FEW:
        product = 1.0
        for k in range(int(abs(m))):
            product *= z + k if m > 0.0 else z - k - 1.0
        return product if m >= 0.0 else 1.0 / product
    w = z + m
    if z >= 8.0 and w >= 8.0:
        return math.exp(-log_of_quotient(m, z)) if z < np.inf else np.inf
    if z <= 0.0 and z == np.floor(z):
        return _of_poles(z, w)
    if w <= 0.0 and w == np.floor(w):
        return np.inf
    if max(abs(z), abs(w)) < 160.0:
        return math.gamma(w) * rgamma(z)
    return gammasgn(z) * gammasgn(w) * math.exp(math.lgamma(w) - math.lgamma(z))


@inner
def _of_poles(z: float, w: float) -> float:
    """``poch`` where the gamma function has a pole at ``z``: 0, unless it has one at ``w``."""
    if w > 0.0 or w != np.floor(w):
        return 0.0
    sign = 1.0 if np.fmod(z - w, 2.0) == 0.0 else -1.0
    return sign * math.exp(math.lgamma(1.0 - z) - math.lgamma(1.0 - w))


@inner
def poch_slope(n: int, z: float, m: float) -> float:
    """Derivative ``n`` of ``poch`` with respect to ``z``."""
    z, m = np.float64(z), np.float64(m)
    n = int(n)
    if n == 0:
        return poch(z, m)
    if m == np.floor(m) and abs(m) <= FEW:
        return math.gamma(n + 1.0) * _product(n, z, int(m))
    if z <= 0.0 and z == np.floor(z):
        return _at_pole(n, z, m)
    slopes = np.zeros(n + 1)
    slopes[0] = poch(z, m)
    for k in range(n):  # the derivative of a logarithm
        weight = 1.0
        for j in range(k + 1):
            gap = digamma_increment(z, m) if j == 0 else polygamma(j, z + m) - polygamma(j, z)
            slopes[k + 1] += weight * gap * slopes[k - j]
            weight *= (k - j) / (j + 1)
    return float(slopes[n])


@inner
def _product(n: int, z: float, m: int) -> float:
    """The Taylor coefficient ``n`` of the product of ``m`` factors, or of its reciprocal."""
    series = np.zeros(n + 1)
    series[0] = 1.0
    for k in range(abs(m)):
        factor = z + k if m > 0 else z - k - 1.0
        for i in range(n, 0, -1):
            series[i] = factor * series[i] + series[i - 1]
        series[0] *= factor
    if m >= 0:
        return float(series[n])
    found = np.zeros(n + 1)
    found[0] = 1.0 / series[0]
    for i in range(1, n + 1):
        total = 0.0
        for j in range(1, i + 1):
            total += series[j] * found[i - j]
        found[i] = -total / series[0]
    return float(found[n])


@inner
def _at_pole(n: int, z: float, m: float) -> float:
    """``poch_slope`` where ``1 / gamma(z)`` is 0; not known for ``n > 1``."""
    return math.gamma(z + m) * rgamma_slope(z) if n == 1 else np.nan


@inner
def poch_mixed(n: int, z: float, m: float) -> float:
    """The derivative of ``poch_slope`` with respect to ``m``: of ``poch * digamma(z + m)``."""
    n = int(n)
    w = np.float64(z) + np.float64(m)
    total, weight = 0.0, 1.0
    for k in range(n + 1):
        total += weight * polygamma(k, w) * poch_slope(n - k, z, m)
        weight *= (n - k) / (k + 1)
    return total
