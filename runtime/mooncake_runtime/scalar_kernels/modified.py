"""Modified Bessel functions of whole order (DLMF 10.25 to 10.41).

Near 0 they are power series, beyond it what is left of them after the factors ``exp(x)`` and
``sqrt(x)``: interpolants at Chebyshev points, of our own, as polynomials on [-1, 1].
"""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.polynomial import polynomial

EULER = 0.5772156649015329
FACTORIALS = np.cumprod([1.0, *range(1, 26)])
HARMONIC = np.cumsum([0.0, *(1.0 / np.arange(1, 26))])
# The coefficients of powers of (x/2)**2: of i0, of i1 / (x/2), and of what their logarithms leave.
I0 = (1.0 / FACTORIALS[:-1] ** 2)[::-1].copy()
I1 = (1.0 / FACTORIALS[:-1] / FACTORIALS[1:])[::-1].copy()
K0 = (HARMONIC[:12] / FACTORIALS[:12] ** 2)[::-1].copy()
K1 = ((HARMONIC[:12] + HARMONIC[1:13]) / FACTORIALS[:12] / FACTORIALS[1:13])[::-1].copy()
# exp(-x) * sqrt(x) * i(x) at t = 16/x - 1.
I0E = np.array([
    -6.067631570603006e-11, -2.0260604287413626e-11, 4.577087631643623e-10,
    1.5279202694981569e-10, -1.618980683624682e-09, -5.715843864202709e-10,
    3.6379546359011143e-09, 1.5200816953924232e-09, -5.95356943826489e-09, -3.505966530879332e-09,
    7.430464650325426e-09, 7.552583062123384e-09, -5.404771567579958e-09, -1.340891754008974e-08,
    -6.747657956107524e-09, 7.554691881248808e-09, 2.1548377974791598e-08, 3.932584334552952e-08,
    8.872219737904054e-08, 2.9735985885673923e-07, 1.4838475658279249e-06, 1.1143033790932038e-05,
    0.0001362160743919305, 0.0033605519836678614, 0.4021765094450081,
])  # fmt: skip
I1E = np.array([
    6.305965197150057e-11, 1.8515118828852956e-11, -4.758818838703853e-10,
    -1.4011625179770627e-10, 1.6848984479705146e-09, 5.295625441161261e-10,
    -3.794670896208339e-09, -1.4387250533041013e-09, 6.242741219786445e-09,
    3.4262341490077958e-09, -7.888351507862078e-09, -7.64239413436356e-09, 5.974437608040264e-09,
    1.4034238782067183e-08, 6.734464815301592e-09, -8.427766093735185e-09, -2.337392820814264e-08,
    -4.312917729178349e-08, -1.0001288294864884e-07, -3.483855761044295e-07,
    -1.8349101326980946e-06, -1.5038547200567216e-05, -0.00021923576383388928,
    -0.009749577193235737, 0.38939845902587233,
])  # fmt: skip
# exp(x) * sqrt(x) * k(x) at t = 4/x - 1.
K0E = np.array([
    -6.910453875670571e-11, 1.0926983537268735e-10, 2.213758097591008e-10, -3.119936129682105e-10,
    -5.541051446065683e-10, 8.133913205464114e-10, 1.7887095838476482e-10, 4.757544705776374e-11,
    -1.9309444875845705e-09, 3.808399859919043e-09, -7.286380907337665e-09,
    1.7047535884249698e-08, -4.133923052104385e-08, 1.02954317593912e-07, -2.6890662472901614e-07,
    7.427801232190096e-07, -2.191177788015528e-06, 7.002245645755651e-06, -2.4735204561466906e-05,
    9.95605474202942e-05, -0.0004797690567662314, 0.0030328918102753206, -0.03107146182488952,
    1.2185953385133905,
])  # fmt: skip
K1E = np.array([
    7.52479548635394e-11, -1.1931668393112158e-10, -2.399376595899464e-10, 3.3867804167808003e-10,
    6.042482293782838e-10, -8.908596710923906e-10, -1.7982138496175016e-10,
    -8.336227195991456e-11, 2.1757782025837176e-09, -4.331939985658629e-09, 8.40938756536177e-09,
    -1.9817577141591116e-08, 4.8461952200091865e-08, -1.2203186351938403e-07,
    3.2298119177151824e-07, -9.067087633371393e-07, 2.730041433569803e-06, -8.961207387750025e-06,
    3.284386555825453e-05, -0.00013959021956272223, 0.0007357241549081501, -0.005566729880074588,
    0.10334973775386523, 1.363151890371342,
])  # fmt: skip


@inner
def i0(x: float) -> float:
    """The modified Bessel function of the first kind, of order 0."""
    x = abs(np.float64(x))
    if x <= 8.0:
        return polynomial(0.25 * x * x, I0)
    half = math.exp(0.5 * x)
    return half * (polynomial(16.0 / x - 1.0, I0E) / math.sqrt(x)) * half


@inner
def i1(x: float) -> float:
    """The modified Bessel function of the first kind, of order 1."""
    x = np.float64(x)
    a = abs(x)
    if a <= 8.0:
        return 0.5 * x * polynomial(0.25 * x * x, I1)
    half = math.exp(0.5 * a)
    value = half * (polynomial(16.0 / a - 1.0, I1E) / math.sqrt(a)) * half
    return math.copysign(value, x)


@inner
def i0e(x: float) -> float:
    """``exp(-abs(x)) * i0(x)``."""
    x = abs(np.float64(x))
    if x <= 8.0:
        return math.exp(-x) * i0(x)
    return polynomial(16.0 / x - 1.0, I0E) / math.sqrt(x)


@inner
def i1e(x: float) -> float:
    """``exp(-abs(x)) * i1(x)``."""
    x = np.float64(x)
    a = abs(x)
    if a <= 8.0:
        return math.exp(-a) * i1(x)
    return math.copysign(polynomial(16.0 / a - 1.0, I1E) / math.sqrt(a), x)


@inner
def k0(x: float) -> float:
    """The modified Bessel function of the second kind, of order 0; nan below 0."""
    x = np.float64(x)
    if x > 2.0:
        return math.exp(-x) * (polynomial(4.0 / x - 1.0, K0E) / math.sqrt(x))
    if not x > 0.0:
        return np.inf if x == 0.0 else np.nan
    return polynomial(0.25 * x * x, K0) - (math.log(0.5 * x) + EULER) * i0(x)


@inner
def k1(x: float) -> float:
    """The modified Bessel function of the second kind, of order 1; nan below 0."""
    x = np.float64(x)
    if x > 2.0:
        return math.exp(-x) * (polynomial(4.0 / x - 1.0, K1E) / math.sqrt(x))
    if not x > 0.0:
        return np.inf if x == 0.0 else np.nan
    smooth = 0.25 * x * polynomial(0.25 * x * x, K1)
    return 1.0 / x + (math.log(0.5 * x) + EULER) * i1(x) - smooth


@inner
def k0e(x: float) -> float:
    """``exp(x) * k0(x)``."""
    x = np.float64(x)
    if x > 2.0:
        return polynomial(4.0 / x - 1.0, K0E) / math.sqrt(x)
    return math.exp(x) * k0(x)


@inner
def k1e(x: float) -> float:
    """``exp(x) * k1(x)``."""
    x = np.float64(x)
    if x > 2.0:
        return polynomial(4.0 / x - 1.0, K1E) / math.sqrt(x)
    return math.exp(x) * k1(x)


@inner
def ive(n: int, x: float) -> float:
    """``exp(-abs(x)) * iv(n, x)`` for a whole order."""
    x = np.float64(x)
    sign = -1.0 if x < 0.0 and n % 2 == 1 else 1.0
    n, a = abs(int(n)), abs(x)
    if n == 0:
        return i0e(a)
    if n == 1:
        return sign * i1e(a)
    if not a < np.inf:
        return 0.0 if a == np.inf else x
    if a <= 20.0:
        return sign * math.exp(-a) * _power_series(n, a)
    if a > n * n:
        before, value = i0e(a), i1e(a)
        for k in range(1, n):
            before, value = value, before - 2.0 * k / a * value
        return sign * value
    return sign * i0e(a) * _ratio(n, a)


@inner
def _power_series(n: int, x: float) -> float:
    term = total = 1.0
    k = 0
    while term > 1e-17 * total:
        k += 1
        term *= 0.25 * x * x / (k * (n + k))
        total += term
    for k in range(1, n + 1):
        total *= 0.5 * x / k
    return total


@inner
def _ratio(n: int, x: float) -> float:
    """``iv(n, x) / i0(x)`` by Miller's algorithm."""
    start = n + int(math.sqrt(80.0 * max(x, 1.0 * n))) + 20
    after, value, found = 0.0, 1e-300, 0.0
    for k in range(start, 0, -1):
        if k == n:
            found = value
        after, value = value, 2.0 * k / x * value + after
        if value > 1e200:
            after, value, found = 1e-200 * after, 1e-200 * value, 1e-200 * found
    return found / value


@inner
def iv(n: int, x: float) -> float:
    """The modified Bessel function of the first kind, of the whole order ``n``."""
    half = math.exp(0.5 * abs(np.float64(x)))
    return half * ive(n, x) * half


@inner
def kve(n: int, x: float) -> float:
    """``exp(x) * kn(n, x)``."""
    x = np.float64(x)
    n = abs(int(n))
    if n == 0:
        return k0e(x)
    before, value = k0e(x), k1e(x)
    for k in range(1, n):
        before, value = value, before + 2.0 * k / x * value
    return value


@inner
def kn(n: int, x: float) -> float:
    """The modified Bessel function of the second kind, of order ``n``."""
    x = np.float64(x)
    n = abs(int(n))
    if n == 0:
        return k0(x)
    before, value = k0(x), k1(x)
    for k in range(1, n):
        before, value = value, before + 2.0 * k / x * value
    return value
