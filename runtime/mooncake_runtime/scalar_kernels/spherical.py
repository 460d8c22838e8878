"""Spherical Bessel functions and their derivatives of all orders (DLMF 10.47 to 10.56)."""

import math

import numpy as np

from mooncake_runtime.jit import inner


@inner
def _series(n: int, x: float, w: float) -> float:
    """The power series 10.53.1, or 10.53.3, with ``w`` for plus or minus ``x**2 / 2``."""
    term = total = 1.0
    k = 0
    while abs(term) > 1e-17 * abs(total):
        k += 1
        term *= w / (k * (2 * n + 2 * k + 1))
        total += term
    for k in range(1, n + 1):
        total *= x / (2 * k + 1)
    return total


@inner
def _downwards(n: int, x: float, sign: float) -> tuple[float, float]:
    """The functions of order ``n`` and 0, or 1 for the sign -1, up to a factor (Miller)."""
    size = max(x, 1.0 * n)
    after, value, found = 0.0, 1e-300, 0.0
    for k in range(n + int(math.sqrt(80.0 * size)) + 20, 0, -1):
        if k == n:
            found = value
        after, value = value, (2 * k + 1) / x * value + sign * after
        if abs(value) > 1e200:
            after, value, found = 1e-200 * after, 1e-200 * value, 1e-200 * found
    return found, value if sign > 0.0 or abs(value) > abs(after) else after


@inner
def _first(n: int, x: float) -> float:
    """``j`` for ``x >= 0``."""
    if x * x <= 4.0 * n + 6.0:
        return _series(n, x, -0.5 * x * x)
    if not x < np.inf:
        return 0.0 if x == np.inf else x
    zeroth = math.sin(x) / x
    first = (zeroth - math.cos(x)) / x
    if x < n:
        found, base = _downwards(n, x, -1.0)
        return found / base * (zeroth if abs(zeroth) > abs(first) else first)
    before, value = first, zeroth
    for k in range(n):
        before, value = value, (2 * k + 1) / x * value - before if k > 0 else first
    return value


@inner
def _second(n: int, x: float) -> float:
    """``y`` for ``x >= 0``."""
    if x == 0.0 or x == np.inf:
        return -np.inf if x == 0.0 else 0.0
    before, value = math.sin(x) / x, -math.cos(x) / x
    for k in range(n):
        before, value = value, (2 * k + 1) / x * value - before
        if abs(value) == np.inf:
            break
    return value


@inner
def _modified_first(n: int, x: float) -> float:
    """``i`` for ``x >= 0``."""
    if x <= 20.0 or not x < np.inf:
        return _series(n, x, 0.5 * x * x) if x <= 20.0 else x
    zeroth = 0.5 / x  # times exp(x): the other exponential is nothing
    half = math.exp(0.5 * x)
    if x < n * n:
        found, base = _downwards(n, x, 1.0)
        return half * (found / base * zeroth) * half
    before, value = zeroth, zeroth
    for k in range(n):
        before, value = value, before - (2 * k + 1) / x * value
    return half * value * half


@inner
def _modified_second(n: int, x: float) -> float:
    """``k``, for negative ``x`` too."""
    if x == np.inf or x == -np.inf:
        return 0.0 if x > 0.0 else x
    half = math.exp(-0.5 * x)
    value = 0.5 * math.pi / x
    before = value
    for k in range(n):
        if abs(value) == np.inf:
            break
        before, value = value, before + (2 * k + 1) / x * value
    return half * value * half


@inner
def _spherical(kind: int, n: int, x: float) -> float:
    """The function of that kind; nan for negative orders."""
    if n < 0:
        return np.nan
    if kind == 3:
        return _modified_second(n, x)
    a = abs(x)
    value: float = np.nan
    if kind == 0:
        value = _first(n, a)
    elif kind == 1:
        value = _second(n, a)
    else:
        value = _modified_first(n, a)
    odd = n % 2 == 1 if kind != 1 else n % 2 == 0
    return -value if odd and x < 0.0 else value


@inner
def _derivative(kind: int, k: int, n: int, x: float) -> float:
    """Derivative ``k`` as a sum of functions of the orders ``n - k`` to ``n + k`` (10.51)."""
    x = np.float64(x)
    k, n = int(k), int(n)
    if k == 0 or n < 0:
        return _spherical(kind, n, x)
    lowest = max(0, n - k)
    weights = np.zeros(n + k + 1 - lowest)
    weights[n - lowest] = 1.0
    lower = -1.0 if kind == 3 else 1.0
    upper = 1.0 if kind == 2 else -1.0
    for _ in range(k):
        new = np.zeros_like(weights)
        for i in range(len(weights)):
            m = i + lowest
            if weights[i] != 0.0:
                if m > 0:
                    new[i - 1] += lower * weights[i] * m / (2 * m + 1)
                new[i + 1] += upper * weights[i] * (m + 1) / (2 * m + 1)
        weights = new
    total = 0.0
    for i in range(len(weights)):
        if weights[i] != 0.0:
            total += weights[i] * _spherical(kind, i + lowest, x)
    return total


@inner
def spherical_j(k: int, n: int, x: float) -> float:
    """Derivative ``k`` of the spherical Bessel function of the first kind of order ``n``."""
    return _derivative(0, k, n, x)


@inner
def spherical_y(k: int, n: int, x: float) -> float:
    """Derivative ``k`` of the spherical Bessel function of the second kind of order ``n``."""
    return _derivative(1, k, n, x)


@inner
def spherical_i(k: int, n: int, x: float) -> float:
    """Derivative ``k`` of the modified function of the first kind of order ``n``."""
    return _derivative(2, k, n, x)


@inner
def spherical_k(k: int, n: int, x: float) -> float:
    """Derivative ``k`` of the modified function of the second kind of order ``n``."""
    return _derivative(3, k, n, x)
