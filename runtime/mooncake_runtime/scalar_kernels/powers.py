"""The transformations of Box and Cox, and their inverses."""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.logistic import exprel_derivative


@inner
def power_mean(n: int, t: float, p: float) -> float:
    """Derivative ``n`` of ``(exp(p*t) - 1) / p`` with respect to ``p``; ``t`` for p = n = 0."""
    t, p = np.float64(t), np.float64(p)
    if t == -np.inf and p > 0.0:
        return math.gamma(n + 1.0) * (-1.0 / p) ** (n + 1)
    if n == 0 and p * t < -0.5:  # where the result does not depend on the digits of t
        return math.expm1(p * t) / p
    if t == 0.0 or (t == -np.inf and p == 0.0):
        return t ** (n + 1)
    return t ** (n + 1) * exprel_derivative(n, p * t)


@inner
def boxcox(x: float, lmbda: float) -> float:
    """``(x**lmbda - 1) / lmbda``, its limit ``log(x)`` for 0; nan below 0."""
    return power_mean(0, float(np.log(np.float64(x))), lmbda)


@inner
def boxcox1p(x: float, lmbda: float) -> float:
    """``boxcox(1 + x, lmbda)``."""
    return power_mean(0, float(np.log1p(np.float64(x))), lmbda)


@inner
def log1p_mean(y: float, lmbda: float) -> float:
    """``log(1 + lmbda*y) / lmbda``, ``y`` for 0."""
    t = lmbda * y
    return y if abs(t) < 1e-300 else float(np.log1p(t) / lmbda)


@inner
def inv_boxcox(y: float, lmbda: float) -> float:
    """The inverse of ``boxcox``; nan where ``1 + lmbda*y`` is negative."""
    return math.exp(log1p_mean(np.float64(y), np.float64(lmbda)))


@inner
def inv_boxcox1p(y: float, lmbda: float) -> float:
    """The inverse of ``boxcox1p``; nan where ``1 + lmbda*y`` is negative."""
    return math.expm1(log1p_mean(np.float64(y), np.float64(lmbda)))
