"""Logistic functions, and functions of exponentials and logarithms."""

import math

import numpy as np

from mooncake_runtime.jit import inner


@inner
def expit(x: float) -> float:
    """``1 / (1 + exp(-x))``, accurate on both sides."""
    x = np.float64(x)
    if x >= 0.0:
        return 1.0 / (1.0 + math.exp(-x))
    e = math.exp(x)
    return e / (1.0 + e)


@inner
def logit(p: float) -> float:
    """``log(p / (1 - p))``; nan outside of [0, 1]."""
    p = np.float64(p)
    if 0.25 < p < 0.75:
        return 2.0 * math.atanh(2.0 * p - 1.0)
    if not 0.0 <= p <= 1.0:
        return np.nan
    return float(np.log(p) - np.log1p(-p))


@inner
def log_expit(x: float) -> float:
    """The logarithm of ``expit``."""
    x = np.float64(x)
    return min(x, 0.0) - math.log1p(math.exp(-abs(x))) if x == x else x


@inner
def softplus(x: float) -> float:
    """``log(1 + exp(x))``."""
    x = np.float64(x)
    return max(x, 0.0) + math.log1p(math.exp(-abs(x))) if x == x else x


@inner
def exprel_derivative(n: int, x: float) -> float:
    """Derivative ``n`` of ``(exp(x) - 1) / x``: the integral of ``t**n * exp(x*t)`` over [0, 1].

    A series of positive terms, or the recurrence of integration by parts where that is stable.
    """
    x = np.float64(x)
    n = int(n)
    if abs(x) > 20.0 + n:
        if abs(x) == np.inf:
            return 0.0 if x < 0.0 else x
        value = math.expm1(x) / x if x < 700.0 else math.exp(0.5 * x) / x * math.exp(0.5 * x)
        for k in range(1, n + 1):
            value = (math.exp(x) - k * value) / x
        return value
    if n == 0 and abs(x) > 1e-300:
        return math.expm1(x) / x
    term = total = 1.0 / (n + 1)
    k = 0
    if x < 0.0:  # after Kummer's transformation
        while term > 1e-17 * total:
            k += 1
            term *= -x / (n + 1 + k)
            total += term
        return math.exp(x) * total
    power = 1.0
    while term > 1e-17 * total:
        k += 1
        power *= x / k
        term = power / (n + 1 + k)
        total += term
    return total if x == x else x


@inner
def exprel(x: float) -> float:
    """``(exp(x) - 1) / x``, 1 at 0."""
    return exprel_derivative(0, x)


@inner
def exp10(x: float) -> float:
    """``10**x``."""
    return 10.0 ** np.float64(x)
