"""Error functions and the normal distribution (DLMF chapter 7).

The coefficients of ``erfcx`` and ``erfcx_integral`` are interpolants at Chebyshev points, of our
own, as polynomials of t = (x - 3.75) / (x + 3.75) (a map of Shepherd and Laframboise, 1981); those
of the quantiles are of Wichura (1988), algorithm AS 241.
"""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.polynomial import polynomial

# (1 + 2*x) * erfcx(x).
ERFCX = np.array([
    4.2514714447963895e-10, 3.1114333809799254e-10, -5.1739902140113095e-09,
    -3.744210080962018e-09, 3.8675334242222354e-08, 2.3263508708859124e-08,
    -2.5866850716155884e-07, -5.7218230603224086e-08, 1.751637648849062e-06,
    -9.73559896736775e-07, -1.1444146237700524e-05, 2.238423915508223e-05, 5.164909889268241e-05,
    -0.0002901540805408417, 0.0002937136655913448, 0.0017556258528952954, -0.009746579558029276,
    0.028362277418956406, -0.05869339858963677, 0.09230432116037748, -0.10880393014174886,
    0.0822767384901452, 0.0035854154854644293, -0.14024059858554697, 1.2375126308378275,
])  # fmt: skip
# (1 + 2*x)**2 * erfcx_integral(x).
IERFCX = np.array([
    -9.033646230448132e-10, -7.236091208693339e-10, 1.0809736062250406e-08, 9.693691530594704e-09,
    -7.395173500927106e-08, -7.262185794224117e-08, 4.2259877448321524e-07,
    4.0216572777144983e-07, -2.4183743310083257e-06, -1.5783406549248226e-06,
    1.4632807162188978e-05, -2.6832451736024463e-07, -8.825091432721223e-05,
    0.0001015562058458131, 0.0004205574381473576, -0.0014136736870401817, 0.0002058296793539925,
    0.009340898944226449, -0.031590142619364686, 0.05693561870075424, -0.05358460603985266,
    -0.018159122054510347, 0.16480461156267753, -0.32140184280065265, 0.36491703562814715,
    -0.1960998552054064, -0.16300281594714544, 1.3169823033696375,
])  # fmt: skip
CENTRE = np.array([
    2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4,
    4.5921953931549871457e4, 1.3731693765509461125e4, 1.9715909503065514427e3,
    1.3314166789178437745e2, 3.3871328727963666080e0,
])  # fmt: skip
CENTRE_BELOW = np.array([
    5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4,
    2.1213794301586595867e4, 5.3941960214247511077e3, 6.8718700749205790830e2,
    4.2313330701600911252e1, 1.0,
])  # fmt: skip
NEAR = np.array([
    7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
    1.27045825245236838258e0, 3.64784832476320460504e0, 5.76949722146069140550e0,
    4.63033784615654529590e0, 1.42343711074968357734e0,
])  # fmt: skip
NEAR_BELOW = np.array([
    1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
    1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940e0,
    2.05319162663775882187e0, 1.0,
])  # fmt: skip
FAR = np.array([
    2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
    2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e0,
    5.46378491116411436990e0, 6.65790464350110377720e0,
])  # fmt: skip
FAR_BELOW = np.array([
    2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
    7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1,
    5.99832206555887937690e-1, 1.0,
])  # fmt: skip
SQRT_2 = math.sqrt(2.0)
LOG_2 = math.log(2.0)
SQRT_PI = math.sqrt(math.pi)


@inner
def exp_square(x: float, factor: float) -> float:
    """``exp(factor * x**2)``: the square in two parts, so that its rounding does no harm."""
    if abs(x) > 40.0:
        return math.exp(factor * x * x)
    coarse = np.rint(32.0 * x) / 32.0
    return math.exp(factor * coarse * coarse) * math.exp(factor * (x - coarse) * (x + coarse))


@inner
def bell(x: float) -> float:
    """``exp(-x**2 / 2)``."""
    return exp_square(x, -0.5)


@inner
def erfcx(x: float) -> float:
    """``exp(x**2) * erfc(x)``."""
    x = np.float64(x)
    if x < 0.0:
        return exp_square(x, 1.0) * math.erfc(x)
    if x > 1e8:
        return 1.0 / (SQRT_PI * x)
    return polynomial((x - 3.75) / (x + 3.75), ERFCX) / (1.0 + 2.0 * x)


@inner
def erfcx_integral(x: float) -> float:
    """``1/sqrt(pi) - x * erfcx(x)``, half of minus the derivative of ``erfcx``."""
    x = np.float64(x)
    if x < 0.0:
        return 1.0 / SQRT_PI - x * erfcx(x)
    if x > 1e8:
        return 0.5 / SQRT_PI / x / x
    below = 1.0 + 2.0 * x
    return polynomial((x - 3.75) / (x + 3.75), IERFCX) / below / below


@inner
def normal_tail(log_p: float) -> float:
    """Minus the quantile of the normal distribution at ``exp(log_p)``, which is below 0.075."""
    r = math.sqrt(-log_p)
    if r > 27.3:
        return np.inf
    if r <= 5.0:
        return polynomial(r - 1.6, NEAR) / polynomial(r - 1.6, NEAR_BELOW)
    return polynomial(r - 5.0, FAR) / polynomial(r - 5.0, FAR_BELOW)


@inner
def normal_centre(q: float) -> float:
    """The quantile of the normal distribution at ``0.5 + q``, where ``abs(q) <= 0.425``."""
    r = 0.180625 - q * q
    return q * polynomial(r, CENTRE) / polynomial(r, CENTRE_BELOW)


@inner
def ndtri(p: float) -> float:
    """The quantile of the normal distribution; nan outside of [0, 1]."""
    p = np.float64(p)
    if abs(p - 0.5) <= 0.425:
        return normal_centre(p - 0.5)
    if not 0.0 <= p <= 1.0:
        return np.nan
    return -normal_tail(math.log(p)) if p < 0.5 else normal_tail(math.log1p(-p))


@inner
def erfinv(x: float) -> float:
    """The inverse of ``erf``; nan outside of [-1, 1]."""
    x = np.float64(x)
    if abs(x) <= 0.85:
        return normal_centre(0.5 * x) / SQRT_2
    if not abs(x) <= 1.0:
        return np.nan
    return math.copysign(normal_tail(math.log(0.5 * (1.0 - abs(x)))) / SQRT_2, x)


@inner
def erfcinv(y: float) -> float:
    """The inverse of ``erfc``; nan outside of [0, 2]."""
    y = np.float64(y)
    if abs(1.0 - y) <= 0.85:
        return normal_centre(0.5 * (1.0 - y)) / SQRT_2
    if not 0.0 <= y <= 2.0:
        return np.nan
    if y < 1.0:
        return normal_tail(math.log(y) - LOG_2) / SQRT_2
    return -normal_tail(math.log(0.5 * (2.0 - y))) / SQRT_2


@inner
def ndtr(x: float) -> float:
    """The distribution function of the normal distribution."""
    x = np.float64(x)
    if x > -1.0:
        return 0.5 * math.erfc(-x / SQRT_2)
    return 0.5 * bell(x) * erfcx(-x / SQRT_2)


@inner
def log_ndtr(x: float) -> float:
    """The logarithm of ``ndtr``."""
    x = np.float64(x)
    if x > -1.0:
        return math.log1p(-ndtr(-x))
    return -0.5 * x * x + math.log(0.5 * erfcx(-x / SQRT_2))


@inner
def inverse_mills(x: float) -> float:
    """The derivative of ``log_ndtr``."""
    x = np.float64(x)
    if x > 0.0:
        return bell(x) / (SQRT_2 * SQRT_PI * ndtr(x))
    return math.sqrt(2.0 / math.pi) / erfcx(-x / SQRT_2)


@inner
def shifted_mills(x: float) -> float:
    """``x + inverse_mills(x)``, which is small for large negative ``x``."""
    x = np.float64(x)
    if x > 0.0:
        return x + inverse_mills(x)
    z = -x / SQRT_2
    return SQRT_2 * erfcx_integral(z) / erfcx(z)
