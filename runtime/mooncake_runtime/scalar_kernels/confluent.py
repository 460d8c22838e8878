"""Confluent hypergeometric functions (DLMF chapters 13 and 16)."""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.double_double import dd_add, dd_div, dd_mul, dd_sum
from mooncake_runtime.scalar_kernels.gamma import gammasgn, rgamma
from mooncake_runtime.scalar_kernels.modified_orders import bessel_ie
from mooncake_runtime.scalar_kernels.real_orders import bessel_j


@inner
def is_pole(x: float) -> bool:
    """True if ``x`` is 0, -1, -2 …: a pole of the gamma function."""
    return bool(x <= 0.0 and x == np.floor(x))


@inner
def scaled_power(b: float, exponent: float, x: float) -> float:
    """``gamma(b) * exp(exponent) * x``."""
    if abs(b) < 100.0 and abs(exponent) < 300.0:
        return math.gamma(b) * (math.exp(exponent) * x)
    return gammasgn(b) * math.exp(math.lgamma(b) + exponent) * x


@inner
def hyp0f1(v: float, x: float) -> float:
    """The confluent hypergeometric limit function, of Bessel functions away from 0 (10.16.9)."""
    v, x = np.float64(v), np.float64(x)
    if is_pole(v) or x != x:
        return np.nan
    if abs(x) <= abs(v) + 4.0 or (0.0 < x < 400.0):
        term = total = 1.0
        k = 0
        while abs(term) > 1e-17 * abs(total) or k < -v:
            term *= x / ((v + k) * (k + 1))
            total += term
            k += 1
        return total
    root = math.sqrt(abs(x))
    exponent = (1.0 - v) * math.log(root)
    if x > 0.0:
        return scaled_power(v, exponent + 2.0 * root, bessel_ie(v - 1.0, 2.0 * root))
    return scaled_power(v, exponent, bessel_j(v - 1.0, 2.0 * root))


@inner
def hyp1f1(a: float, b: float, x: float) -> float:
    """Kummer's function; infinite where ``b`` is 0, -1, -2 …, save where its series ends before."""
    return kummer(a, b, x) if a != 0.0 or not is_pole(np.float64(b)) else np.inf


@inner
def kummer(a: float, b: float, x: float) -> float:
    """``hyp1f1``, 1 for ``a = 0`` whatever ``b`` is: what derivatives need."""
    a, b, x = np.float64(a), np.float64(b), np.float64(x)
    if is_pole(b) and not (is_pole(a) and b <= a):
        return np.inf
    if a == 0.0 or x == 0.0:
        return 1.0
    ends = is_pole(a)
    if abs(x) > 50.0 and not ends:
        value, good = _far(a, b, x)
        if good:
            return value
    if x < 0.0 and not (ends and a > -100.0) and not is_pole(b):
        return math.exp(x) * _series(b - a, b, -x)  # 13.2.39
    return _series(a, b, x)


@inner
def _far(a: float, b: float, x: float) -> tuple[float, bool]:
    """The asymptotic series 13.7.1 and 13.7.2; and whether its terms become small enough."""
    z = abs(x)
    small = a if x > 0.0 else b - a
    if small < 0.5 and abs(small - np.rint(small)) < 1e-6:  # the other solution matters
        return 0.0, False
    first, second = (1.0 - a, b - a) if x > 0.0 else (a, a - b + 1.0)
    term = total = 1.0
    k = 0
    while abs(term) > 1e-17 * abs(total):
        factor = (first + k) * (second + k) / ((k + 1) * z)
        if abs(factor) > 0.9 and k > 2.0 * (abs(first) + abs(second)):
            return 0.0, False
        term *= factor
        total += term
        k += 1
        if abs(term) > 1e3:
            return 0.0, False
    if x > 0.0:
        exponent = x + (a - b) * math.log(z)
        return scaled_power(b, exponent, rgamma(a) * total), True
    return scaled_power(b, -a * math.log(z), rgamma(b - a) * total), True


@inner
def _series(a: float, b: float, x: float) -> float:
    """The power series 13.2.2, in twice the precision if it cancels."""
    term = total = 1.0
    largest = 1.0
    k = 0
    while abs(term) > 1e-17 * abs(total) or k < -a or k < -b:
        if a + k == 0.0:
            break
        term *= (a + k) / (b + k) * (x / (k + 1))
        total += term
        largest = max(largest, abs(term))
        k += 1
        if k > 20000:
            break
    return total if largest < 100.0 * abs(total) or total != total else _precise(a, b, x)


@inner
def _precise(a: float, b: float, x: float) -> float:
    term, total = (1.0, 0.0), (1.0, 0.0)
    k = 0
    while abs(term[0]) > 1e-33 * abs(total[0]) or k < -a or k < -b:
        if a + k == 0.0:
            break
        term = dd_mul(term, dd_mul(dd_sum(a, 1.0 * k), (x, 0.0)))
        term = dd_div(term, dd_mul(dd_sum(b, 1.0 * k), (k + 1.0, 0.0)))
        total = dd_add(total, term)
        k += 1
        if k > 20000:
            break
    return total[0] + total[1]
