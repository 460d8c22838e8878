"""Bessel functions of whole order (DLMF chapter 10).

Orders 0 and 1: a polynomial up to 5, beyond it amplitudes of sine and cosine (10.17.3). Errors are
relative to the envelope; of ``j0`` and ``j1`` below 5 also to the function itself. The
coefficients are interpolants at Chebyshev points, of our own, as polynomials on [-1, 1].
"""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.polynomial import polynomial

SMALL, LARGE = 1e-300, 1e200  # where Miller's algorithm begins, and where it scales down
# The first positive zeros.
ZERO0, ZERO0_LOW = 2.404825557695773, -1.176691651530894e-16
ZERO1, ZERO1_LOW = 3.8317059702075125, -1.5269184090088067e-16
# With w = x**2 and t = w / 12.5 - 1: j0 / (w - ZERO0**2) and j1 / x / (w - ZERO1**2).
J0 = np.array([
    -4.50857521753263e-15, 2.399602248240359e-13, -1.0840781056083564e-11, 4.105688303721103e-10,
    -1.2795360168830179e-08, 3.211562353433063e-07, -6.3193186183226215e-06,
    9.414473580694953e-05, -0.001013405346985002, 0.0073758943041960226, -0.03277786210789048,
    0.07436630462755323, -0.05728080421634534,
])  # fmt: skip
J1 = np.array([
    -1.6162359403482695e-16, 9.268689637917528e-15, -4.540044272545434e-13,
    1.8773810470060388e-11, -6.44313098846173e-10, 1.799515992541992e-08, -3.991381169521328e-07,
    6.814683895176615e-06, -8.592956232073762e-05, 0.0007552540432951287, -0.004240225993395717,
    0.013090777521810029, -0.01587595431164548,
])  # fmt: skip
# y0 - 2/pi * log(x) * j0, and (y1 - 2/pi * (log(x) * j1 - 1/x)) / x.
Y0 = np.array([
    1.166603953074689e-13, -6.04993694723965e-12, 2.6539975248625817e-10, -9.7209552080454e-09,
    2.9142206889637085e-07, -6.985504374077061e-06, 0.0001299462909208217, -0.0018028096665503853,
    0.01763534538933876, -0.11151682184328655, 0.38851639956570944, -0.47057636552972876,
    -0.4326558222855125, 0.4837248578102995,
])  # fmt: skip
Y1 = np.array([
    4.277907601247645e-15, -2.397782341669183e-13, 1.1448943838049981e-11,
    -4.6013010745475043e-10, 1.528890182573714e-08, -4.1137780795312436e-07,
    8.733098304848775e-06, -0.00014141835794484212, 0.0016688031328635942, -0.013433433740818165,
    0.06634695354779108, -0.16312020358118715, 0.09108650838448444, 0.13974939033568806,
])  # fmt: skip
# P and x * Q of DLMF 10.17.3 at t = 50 / x**2 - 1.
P0 = np.array([
    1.4342144484717644e-12, -2.2353911549120433e-12, -2.8395786688743394e-12,
    3.415311542572873e-12, 8.357591428468487e-12, -1.3637307914439561e-11, 1.2588002430248666e-11,
    -3.5386629228967755e-11, 1.0446084050144922e-10, -2.8517945797296937e-10,
    8.537333898998171e-10, -2.8705436149232575e-09, 1.1058787126508455e-08, -5.08643230838394e-08,
    2.9759005474711905e-07, -2.459963321484891e-06, 3.4917305812543486e-05,
    -0.0013274931272004003, 0.9986347659091991,
])  # fmt: skip
Q0 = np.array([
    -3.2387768388605084e-12, 4.36543607577129e-12, 1.1781243865868362e-11,
    -1.4357398193243695e-11, -2.4654455175269675e-11, 2.976103922942737e-11,
    1.9543132108480927e-11, -1.605647555777533e-11, -4.0331940939432214e-11,
    6.525876729742081e-11, -9.684728180689647e-11, 2.340473361283331e-10, -5.894142390813466e-10,
    1.528284363116186e-09, -4.293806343863448e-09, 1.3296573119800336e-08,
    -4.6398035440396124e-08, 1.8870297801035574e-07, -9.409875176808848e-07, 6.23911316965569e-06,
    -6.338715442546601e-05, 0.0013142139729102479, -0.12361496352611864,
])  # fmt: skip
P1 = np.array([
    -1.51681185261178e-12, 2.368522528186766e-12, 2.9881368885935017e-12, -3.5906738400843476e-12,
    -8.87874317362722e-12, 1.4551592853265442e-11, -1.3682028558855868e-11, 3.845189318443387e-11,
    -1.1357643207946473e-10, 3.117737074105936e-10, -9.395751413733448e-10,
    3.1849577586739448e-09, -1.2403215219140042e-08, 5.7916678422140156e-08,
    -3.4667186514153773e-07, 2.9786211051441743e-06, -4.5782806531265707e-05,
    0.002241463213917191, 1.0022906462560661,
])  # fmt: skip
Q1 = np.array([
    -4.588976369750286e-12, 6.3493919055389215e-12, 1.5067476218644867e-11,
    -1.8540816446840347e-11, -3.128702949474882e-11, 3.9223397372594716e-11,
    1.664509606918154e-11, -6.892050473623559e-12, -6.962061096199472e-11, 1.3104614308463183e-10,
    -2.52937913096539e-10, 6.296749654365266e-10, -1.6641711306549568e-09, 4.704141826870426e-09,
    -1.4664229261320404e-08, 5.1641422798019427e-08, -2.126674090283508e-07,
    1.0798853942089243e-06, -7.369927947805624e-06, 7.898094177943239e-05, -0.0018648496218413126,
    0.3730474331740802,
])  # fmt: skip


@inner
def rotated(x: float, order: int) -> tuple[float, float]:
    """Bessel functions ``(j, y)`` of order 0 or 1 for ``x > 5``."""
    s, c = math.sin(x), math.cos(x)
    t = 50.0 / x / x - 1.0
    scale = 1.0 / math.sqrt(math.pi) / math.sqrt(x)
    if order == 0:
        p, q = polynomial(t, P0), polynomial(t, Q0) / x
        return scale * (p * (s + c) - q * (s - c)), scale * (p * (s - c) + q * (s + c))
    p, q = polynomial(t, P1), polynomial(t, Q1) / x
    return scale * (p * (s - c) + q * (s + c)), scale * (q * (s - c) - p * (s + c))


@inner
def j0(x: float) -> float:
    """The Bessel function of the first kind, of order 0."""
    x = abs(np.float64(x))
    if x > 5.0:
        return rotated(x, 0)[0]
    return ((x - ZERO0) - ZERO0_LOW) * (x + ZERO0) * polynomial(x * x / 12.5 - 1.0, J0)


@inner
def j1(x: float) -> float:
    """The Bessel function of the first kind, of order 1."""
    x = np.float64(x)
    a = abs(x)
    if a > 5.0:
        return math.copysign(1.0, x) * rotated(a, 1)[0]
    return x * ((a - ZERO1) - ZERO1_LOW) * (a + ZERO1) * polynomial(x * x / 12.5 - 1.0, J1)


@inner
def y0(x: float) -> float:
    """The Bessel function of the second kind, of order 0; nan below 0."""
    x = np.float64(x)
    if x > 5.0:
        return rotated(x, 0)[1]
    if not x > 0.0:
        return -np.inf if x == 0.0 else np.nan
    return 2.0 / math.pi * math.log(x) * j0(x) + polynomial(x * x / 12.5 - 1.0, Y0)


@inner
def y1(x: float) -> float:
    """The Bessel function of the second kind, of order 1; nan below 0."""
    x = np.float64(x)
    if x > 5.0:
        return rotated(x, 1)[1]
    if not x > 0.0:
        return -np.inf if x == 0.0 else np.nan
    smooth = x * polynomial(x * x / 12.5 - 1.0, Y1)
    return 2.0 / math.pi * (math.log(x) * j1(x) - 1.0 / x) + smooth


@inner
def jn(n: int, x: float) -> float:
    """The Bessel function of the first kind, of order ``n``."""
    x = np.float64(x)
    sign = -1.0 if n % 2 == 1 and (n < 0) != (x < 0.0) else 1.0
    n, a = abs(int(n)), abs(x)
    if n == 0:
        return j0(a)
    if n == 1:
        return sign * j1(a)
    if not a < np.inf:
        return np.nan
    if a * a <= 4.0 * (n + 1):
        return sign * _power_series(n, a, -0.25 * a * a)
    if a <= n:
        return sign * _downwards(n, a)
    before, value = j0(a), j1(a)
    for k in range(1, n):
        before, value = value, 2.0 * k / a * value - before
    return sign * value


@inner
def _power_series(n: int, x: float, w: float) -> float:
    """``(x/2)**n / n!`` times the sum of ``w**k / (k! (n+1) ... (n+k))``."""
    term = total = 1.0
    k = 0
    while abs(term) > 1e-17 * abs(total):
        k += 1
        term *= w / (k * (n + k))
        total += term
    front = 1.0
    for k in range(1, n + 1):
        front *= 0.5 * x / k
    return front * total


@inner
def _downwards(n: int, x: float) -> float:
    """``jn`` for ``x <= n`` by Miller's algorithm: ``j0 + 2*j2 + 2*j4 + ...`` is 1."""
    start = 2 * ((n + int(math.sqrt(80.0 * n)) + 20) // 2)
    after, value, total, found = 0.0, SMALL, 0.0, 0.0
    for k in range(start, 0, -1):
        if k % 2 == 0:
            total += 2.0 * value
        if k == n:
            found = value
        after, value = value, 2.0 * k / x * value - after
        if abs(value) > LARGE:
            after, value, total, found = after / LARGE, value / LARGE, total / LARGE, found / LARGE
    return found / (total + value)


@inner
def yn(n: int, x: float) -> float:
    """The Bessel function of the second kind, of order ``n``; nan for ``x < 0``."""
    x = np.float64(x)
    sign = -1.0 if n < 0 and n % 2 == 1 else 1.0
    n = abs(int(n))
    if n == 0:
        return y0(x)
    before, value = y0(x), y1(x)
    for k in range(1, n):
        if abs(value) == np.inf:
            break
        before, value = value, 2.0 * k / x * value - before
    return sign * value
