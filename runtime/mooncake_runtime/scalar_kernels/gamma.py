"""The gamma function and the derivatives of its logarithm (DLMF chapter 5).

The coefficients are interpolants at Chebyshev points, of our own, as polynomials on [-1, 1].
"""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.polynomial import polynomial

# digamma(x) / (x - ROOT) at t = 2*x - 3.
ROOT, ROOT_LOW = 1.4616321449683622, 9.549995429965697e-17
DIGAMMA = np.array([
    2.918622732168261e-11, -8.50550766013261e-11, 8.734528429142953e-11, -2.7580994814377e-10,
    1.2469984616707403e-09, -3.7083753242807277e-09, 1.0527692435026686e-08,
    -3.162911147408454e-08, 9.543298288278275e-08, -2.863161166883193e-07, 8.589060721930695e-07,
    -2.578093954045772e-06, 7.741234508636364e-06, -2.3258242519113285e-05, 6.995018825112794e-05,
    -0.00021074841138175561, 0.0006368880303865817, -0.0019350666648613071, 0.005936795278301761,
    -0.018550615381735008, 0.06013562106019684, -0.2118137106407303, 0.9510558760318328,
])  # fmt: skip
BERNOULLI = np.array([  # B(2j) / (2j)!
    1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000, 1 / 74724249600,
])  # fmt: skip
TAIL = np.array([1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12])  # B(2j)/2j


@inner
def sinpi(x: float) -> float:
    """``sin(pi*x)``, 0 at whole numbers."""
    n = np.rint(x)
    s = math.sin(math.pi * (x - n))
    return s if np.fmod(n, 2.0) == 0.0 else -s


@inner
def gammasgn(x: float) -> float:
    """The sign of the gamma function; nan at its poles, save for the signed zeros."""
    x = np.float64(x)
    if x > 0.0:
        return 1.0
    if x == 0.0:
        return math.copysign(1.0, x)
    below = np.floor(x)
    if below == x or x != x:
        return np.nan
    return 1.0 if np.fmod(below, 2.0) == 0.0 else -1.0


@inner
def loggamma(x: float) -> float:
    """The real logarithm of the gamma function; nan below 0."""
    x = np.float64(x)
    return math.lgamma(x) if x >= 0.0 else np.nan


@inner
def rgamma(x: float) -> float:
    """The reciprocal of the gamma function, 0 at its poles."""
    x = np.float64(x)
    if abs(x) < 1e-18:
        return x
    if x > 180.0 or (x < 0.0 and x == np.floor(x)):
        return 0.0
    if x < -100.0:  # reflection
        return sinpi(x) / math.pi * math.gamma(-x) * -x
    shift = 1.0
    while x > 170.0:
        x -= 1.0
        shift *= x
    return 1.0 / math.gamma(x) / shift


@inner
def rgamma_slope(x: float) -> float:
    """The derivative of ``rgamma``, finite at the poles of the gamma function."""
    x = np.float64(x)
    if x <= 0.0 and x == np.floor(x):
        sign = 1.0 if np.fmod(x, 2.0) == 0.0 else -1.0
        return sign * math.gamma(1.0 - x)
    slope = digamma(x)
    return -slope * rgamma(x) if x < 200.0 else 0.0 * x


@inner
def rgamma_curvature(x: float) -> float:
    """The second derivative of ``rgamma``, finite at the poles of the gamma function."""
    x = np.float64(x)
    if x <= 0.0 and x == np.floor(x):
        return -2.0 * rgamma_slope(x) * digamma(1.0 - x)
    slope = digamma(x)
    return (slope * slope - trigamma(x)) * rgamma(x) if x < 200.0 else 0.0 * x


@inner
def digamma(x: float) -> float:
    """The derivative of ``gammaln``; nan at its poles, infinite at the signed zeros."""
    x = np.float64(x)
    if x == 0.0:
        return -math.copysign(np.inf, x)
    total = 0.0
    if x < 0.0:  # reflection
        if x == np.floor(x):
            return np.nan
        total = -math.pi / math.tan(math.pi * (x - np.rint(x)))
        x = 1.0 - x
    if x < 1.0:
        total -= 1.0 / x
        x += 1.0
    if x <= 2.0:
        return total + ((x - ROOT) - ROOT_LOW) * polynomial(2.0 * x - 3.0, DIGAMMA)
    while x < 10.0:
        total -= 1.0 / x
        x += 1.0
    if x == np.inf:
        return x
    z = 1.0 / (x * x)
    tail = polynomial(z, TAIL[::-1]) * z
    return total + math.log(x) - 0.5 / x - tail


@inner
def digamma_increment(a: float, b: float) -> float:
    """``digamma(a + b) - digamma(a)``, also where these are close to each other."""
    a, b = np.float64(a), np.float64(b)
    if not (a > 0.0 and abs(b) < 0.5 * a):
        return digamma(a + b) - digamma(a)
    total = 0.0
    while a < 20.0:
        total += b / (a * (a + b))
        a += 1.0
    u, v = 1.0 / a, 1.0 / (a + b)
    first = b * u * v * (u + v)  # u**2 - v**2
    total += math.log1p(b * u) + 0.5 * b * u * v
    power, difference = 1.0, first
    for c in TAIL:
        total += c * difference
        power *= v * v
        difference = u * u * difference + power * first
    return total


@inner
def trigamma(x: float) -> float:
    """The derivative of ``digamma``."""
    x = np.float64(x)
    if x <= 0.0:
        if x == np.floor(x):
            return np.inf
        s = math.pi / math.sin(math.pi * (x - np.rint(x)))
        return s * s - trigamma_of_positive(1.0 - x)
    return trigamma_of_positive(x)


@inner
def trigamma_of_positive(x: float) -> float:
    total = 0.0
    while x < 12.0:
        total += 1.0 / (x * x)
        x += 1.0
    if x == np.inf:
        return 0.0
    z = 1.0 / (x * x)
    power = z / x
    total += 1.0 / x + 0.5 * z
    for j in range(7):
        total += 2 * (j + 1) * TAIL[j] * power
        power *= z
    return total


@inner
def hurwitz(s: float, q: float) -> float:
    """The Hurwitz zeta function for ``s > 1``: a sum, and the Euler-Maclaurin formula for the rest.

    nan for ``s < 1`` and, unless ``s`` is whole, for ``q < 0`` (DLMF 25.11.5).
    """
    s, q = np.float64(s), np.float64(q)
    if not s > 1.0 or q != q:
        return np.inf if s == 1.0 else np.nan
    if q <= 0.0:
        if q == np.floor(q):
            return np.inf
        if s != np.floor(s):
            return np.nan
    total = 0.0
    while q < 12.0 + 1.5 * s:
        term = q ** (-s)
        total += term
        if q > 1.0 and term * q < 1e-18 * total:
            return total
        q += 1.0
    if q == np.inf:
        return 0.0
    z = 1.0 / (q * q)
    rising = s / q  # s (s+1) ... (s+2j-2) / q**(2j-1)
    tail = q / (s - 1.0) + 0.5
    for j in range(len(BERNOULLI)):
        tail += BERNOULLI[j] * rising
        rising *= (s + 2 * j + 1) * (s + 2 * j + 2) * z
    return total + tail * q ** (-s)


@inner
def polygamma(n: int, x: float) -> float:
    """Derivative ``n`` of ``digamma``; infinite at its poles (DLMF 5.15.1, 5.15.6)."""
    if n == 0:
        return digamma(x)
    x = np.float64(x)
    n = int(n)
    sign = 1.0 if n % 2 == 1 else -1.0
    scale = math.gamma(n + 1.0)
    if x > 0.0:
        return sign * scale * hurwitz(n + 1.0, x)
    if x == np.floor(x):
        return sign * np.inf
    return -cotangent_derivative(n, x) - scale * hurwitz(n + 1.0, 1.0 - x)  # reflection


@inner
def cotangent_derivative(n: int, x: float) -> float:
    """Derivative ``n`` of ``pi / tan(pi*x)``: a polynomial of the cotangent."""
    cot = 1.0 / math.tan(math.pi * (x - np.rint(x)))
    coefficients = np.zeros(n + 2)
    coefficients[1] = 1.0
    for _ in range(n):  # p -> -(1 + cot**2) * p'
        for k in range(n + 1):
            coefficients[k] = -(k + 1) * coefficients[k + 1]
        coefficients[n + 1] = 0.0
        for k in range(n + 1, 1, -1):
            coefficients[k] += coefficients[k - 2]
    total = 0.0
    for k in range(n + 1, -1, -1):
        total = total * cot + coefficients[k]
    return float(total * math.pi ** (n + 1))


@inner
def multigamma_sum(n: int, a: float, d: int) -> float:
    """``polygamma(n, a) + polygamma(n, a - 1/2) + ...``, ``d`` terms; of ``gammaln`` for -1."""
    total = 0.0
    for j in range(int(d)):
        x = np.float64(a) - 0.5 * j
        total += polygamma(n, x) if n >= 0 else math.lgamma(x)
    return total


@inner
def multigammaln(a: float, d: int) -> float:
    """The logarithm of the multivariate gamma function; nan unless ``a > (d - 1) / 2``."""
    if not 2.0 * a > d - 1:
        return np.nan
    return multigamma_sum(-1, a, d) + 0.25 * d * (d - 1) * math.log(math.pi)
