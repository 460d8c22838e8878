"""Near 0: Bessel functions of the second kind of orders up to 1/2 (Temme, 1975 and 1976).

The coefficients are interpolants at Chebyshev points, of our own, as polynomials on [-1, 1].
"""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.polynomial import polynomial

# Half the difference, divided by mu, and half the sum of 1/gamma(1 - mu) and 1/gamma(1 + mu), at
# t = 8*mu**2 - 1.
ODD = np.array([
    6.986528479787368e-17, -2.3553910276470993e-15, -4.3406040581421555e-12, 5.884767601062041e-10,
    5.555664237316256e-08, -1.3883243452475953e-05, 0.0006173624820439556, 0.006526923331866358,
    -0.5713200422589904,
])  # fmt: skip
EVEN = np.array([
    3.0497648911489867e-16, -9.563946921694524e-14, -5.448218478582303e-12, 3.877120633148362e-09,
    -2.650007863514378e-07, -1.989179309204759e-05, 0.002544119279202914, -0.07683792442311572,
    0.9205983333878486,
])  # fmt: skip


@inner
def temme(mu: float, x: float) -> tuple[float, float, float]:
    """The first terms ``f, p, q`` of the series, for ``abs(mu) <= 1/2``."""
    t = 8.0 * mu * mu - 1.0
    odd, even = polynomial(t, ODD), polynomial(t, EVEN)
    d = -math.log(0.5 * x)
    e = mu * d
    angle = math.pi * mu
    front = angle / math.sin(angle) if abs(angle) > 1e-9 else 1.0
    quotient = math.sinh(e) / e if abs(e) > 1e-9 else 1.0
    f = front * (odd * math.cosh(e) + even * d * quotient)
    power = math.exp(e)
    return f, 0.5 * power / (even - mu * odd), 0.5 / power / (even + mu * odd)


@inner
def near_y(mu: float, x: float) -> tuple[float, float]:
    """The Bessel functions of the second kind of orders ``mu`` and ``mu + 1``, for ``x < 2``."""
    f, p, q = temme(mu, x)
    f, p, q = 2.0 / math.pi * f, 2.0 / math.pi * p, 2.0 / math.pi * q
    half = 0.5 * math.pi * mu
    ratio = math.sin(half) / half if abs(half) > 1e-9 else 1.0
    r = math.pi * half * ratio * ratio
    total, next_total, c, k = f + r * q, p, 1.0, 0
    change = next_change = 1.0
    while abs(change) > 1e-17 * abs(total) or abs(next_change) > 1e-17 * abs(next_total):
        k += 1
        f = (k * f + p + q) / (k * k - mu * mu)
        c *= -0.25 * x * x / k
        p /= k - mu
        q /= k + mu
        change = c * (f + r * q)
        next_change = c * p - k * change
        total += change
        next_total += next_change
    return -total, -next_total * 2.0 / x


@inner
def near_k(mu: float, x: float) -> tuple[float, float]:
    """``exp(x)`` times the modified functions of the second kind likewise."""
    f, p, q = temme(mu, x)
    total, next_total, c, k = f, p, 1.0, 0
    change = next_change = 1.0
    while abs(change) > 1e-17 * abs(total) or abs(next_change) > 1e-17 * abs(next_total):
        k += 1
        f = (k * f + p + q) / (k * k - mu * mu)
        c *= 0.25 * x * x / k
        p /= k - mu
        q /= k + mu
        change = c * f
        next_change = c * (p - k * f)
        total += change
        next_total += next_change
    scale = math.exp(x)
    return scale * total, scale * next_total * 2.0 / x
