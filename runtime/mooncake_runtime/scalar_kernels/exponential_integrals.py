"""Dawson's integral and exponential integrals (DLMF chapters 6 to 8).

The coefficients are interpolants at Chebyshev points, of our own, as polynomials on [-1, 1].
"""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.gamma import digamma
from mooncake_runtime.scalar_kernels.incomplete import fraction
from mooncake_runtime.scalar_kernels.polynomial import polynomial

EULER = 0.5772156649015329
EXPI_ROOT, EXPI_ROOT_LOW = 0.37250741078136663, 1.3140183414386028e-17
# dawsn(x) / x at t = x**2 / 4.5 - 1, and x * dawsn(x) with t from -1 at x = 7 to 1 at x = 3.
DAWSON = np.array([
    2.009919913658476e-11, -1.1154374602420818e-10, 4.694682090997492e-10, -2.350455531811878e-09,
    1.1585414250354117e-08, -5.313314181781086e-08, 2.3144443858566764e-07, -9.58976181880847e-07,
    3.7629631318222217e-06, -1.3937350068292178e-05, 4.856409770592128e-05,
    -0.00015859078735414473, 0.0004832749518603893, -0.0013675541266169441, 0.003573681438050378,
    -0.008569361394909119, 0.018718721149281914, -0.03693758274888355, 0.0652224941755122,
    -0.10197430148668132, 0.13964623329197556, -0.1659876871542871, 0.17095923645919792,
    -0.1552781319447835, 0.1310556263889567,
])  # fmt: skip
DAWSON3 = np.array([
    -7.0516127381196506e-09, 5.263993435789333e-09, 5.0745131197170994e-08,
    -5.0377736399511723e-08, -1.4453454158468312e-07, 2.01058743575523e-07, 1.583543344470161e-07,
    -4.0365010907817957e-07, 1.4251347153894167e-07, 2.6840407563272134e-07,
    -6.163453409771778e-07, 6.93106352556847e-07, 2.9220279420920306e-07, -2.208374991189439e-06,
    2.2282160107149318e-06, 2.7033962552492957e-06, -8.080683240521047e-06, -7.021758850217791e-08,
    2.0027385451072217e-05, -4.826661577652087e-06, -5.258576119726687e-05,
    -2.4611743454915752e-05, 0.00011008759128393256, 0.0003798093879752568, 0.001547702753371355,
    0.014421625020072411, 0.5184207018337491,
])  # fmt: skip


@inner
def dawsn(x: float) -> float:
    """Dawson's integral, ``exp(-x**2)`` times the integral of ``exp(t**2)`` from 0 to ``x``."""
    x = np.float64(x)
    if abs(x) <= 3.0:
        return x * polynomial(x * x / 4.5 - 1.0, DAWSON)
    if abs(x) <= 7.0:
        return polynomial((441.0 / (x * x) - 29.0) / 20.0, DAWSON3) / x
    return _far_dawson(0, x)


@inner
def _far_dawson(n: int, x: float) -> float:
    """Derivative ``n`` of the asymptotic series (7.12.1)."""
    term = 0.5 / x
    for k in range(1, n + 1):
        term *= -k / x
    total, m, ratio = term, 1.0, 0.5
    while abs(term) > 1e-17 * abs(total) and ratio < 1.0:
        ratio = (m + n) * (m + n + 1.0) / (2.0 * (m + 1.0) * x * x)
        term *= ratio
        total += term
        m += 2.0
    return total


@inner
def dawsn_derivative(n: int, x: float) -> float:
    """Derivative ``n`` of ``dawsn``, by the recurrence of its differential equation."""
    x = np.float64(x)
    n = int(n)
    if abs(x) > 7.0 + 0.25 * n:
        return _far_dawson(n, x)
    before, value = 0.5, dawsn(x)
    for k in range(n):
        before, value = value, -2.0 * (x * value + k * before) + (1.0 if k == 0 else 0.0)
    return value


@inner
def exp1(x: float) -> float:
    """The exponential integral of ``exp(-t) / t`` from ``x``; nan below 0."""
    return expn(1, x)


@inner
def expn(n: int, x: float) -> float:
    """The integral of ``exp(-x*t) / t**n`` from 1; nan for negative ``n`` or ``x``."""
    return exp_integral(n, x) if n >= 0 else np.nan


@inner
def exp_integral(n: int, x: float) -> float:
    """``expn``, for negative ``n`` too, by the recurrence 8.19.12."""
    x = np.float64(x)
    n = int(n)
    if not x > 0.0:
        return np.nan if x != 0.0 else (np.inf if n < 2 else 1.0 / (n - 1))
    e = math.exp(-x)
    if n <= 0:
        value = e / x
        for k in range(1, 1 - n):
            value = (e + k * value) / x
        return value
    if x > 1.0:
        return e * fraction(1.0 - n, x) if x < 750.0 else 0.0
    return _near_exp_integral(n, x)


@inner
def _near_exp_integral(n: int, x: float) -> float:
    """The power series 8.19.8."""
    total, term, power = 0.0, 1.0, 1.0
    for k in range(n + 40):
        if k == n - 1:
            total += term * (digamma(1.0 * n) - math.log(x))
        else:
            power = term / (k - n + 1)
            total -= power
        term *= -x / (k + 1)
        if abs(term) < 1e-20 * abs(total) and k >= n:
            break
        if term == 0.0:
            break
    return total


@inner
def expi(x: float) -> float:
    """The exponential integral of ``exp(t) / t`` up to ``x``, its principal value above 0."""
    x = np.float64(x)
    if x < 0.0:
        return -expn(1, -x)
    if x > 40.0:
        return _far_expi(x)
    if not x > 0.0:
        return -np.inf if x == 0.0 else x
    if 0.1 < x < 1.0:
        return _expi_around_its_root(x)
    term = total = x
    k = 1
    while term > 1e-17 * total:
        term *= x / (k + 1)
        k += 1
        total += term / k
    return EULER + math.log(x) + total


@inner
def _expi_around_its_root(x: float) -> float:
    """The difference of the power series (6.6.1) here and there."""
    d = (x - EXPI_ROOT) - EXPI_ROOT_LOW
    factor, quotient, power, total = 1.0, 1.0, 1.0, 0.0  # (x**k - root**k) / (x - root)
    for k in range(1, 21):
        factor /= k
        total += factor / k * quotient
        power *= EXPI_ROOT
        quotient = x * quotient + power
    return math.log1p(d / EXPI_ROOT) + d * total


@inner
def _far_expi(x: float) -> float:
    """The asymptotic series 6.12.2."""
    if x == np.inf:
        return x
    term = total = 1.0
    k = 0
    while term > 1e-17 * total and k < 40:
        k += 1
        term *= k / x
        total += term
    half = math.exp(0.5 * x)
    return half * (total / x) * half
