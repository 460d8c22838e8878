"""Integrals of sines and cosines (DLMF 6.2, 7.2): power series, and continued fractions beyond."""

import math

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.scalar_kernels.exponential_integrals import EULER, expi, expn


@inner
def _quotient_series(n: int, x: float, w: float) -> float:
    """Derivative ``n`` of ``sinh(x)/x``, of ``sin(x)/x`` for ``w = -1``."""
    odd = n % 2
    term = x if odd == 1 else 1.0  # x**(2k - n) / (2k - n)!
    j = odd
    if w < 0.0 and (n + odd) // 2 % 2 == 1:
        term = -term
    total = term / (n + j + 1)
    while abs(term) > 1e-17 * abs(total):
        term *= w * x * x / ((j + 1) * (j + 2))
        j += 2
        total += term / (n + j + 1)
    return total


@inner
def sine_quotient(n: int, x: float) -> float:
    """Derivative ``n`` of ``sin(x) / x``."""
    x = np.float64(x)
    n = int(n)
    if abs(x) <= 1.0 + n:
        return _quotient_series(n, x, -1.0)
    if abs(x) == np.inf:
        return 0.0
    s, c = math.sin(x), math.cos(x)
    value = s / x
    for k in range(1, n + 1):
        s, c = c, -s
        value = (s - k * value) / x
    return value


@inner
def sinh_quotient(n: int, x: float) -> float:
    """Derivative ``n`` of ``sinh(x) / x``."""
    x = np.float64(x)
    n = int(n)
    if abs(x) <= 10.0 + n:
        return _quotient_series(n, x, 1.0)
    half = math.exp(0.5 * abs(x))
    s, c = math.copysign(0.5 * half, x), 0.5 * half  # the other exponential is nothing
    if abs(x) < 40.0:
        s, c = math.sinh(x) / half, math.cosh(x) / half
    value = s / x
    for k in range(1, n + 1):
        s, c = c, s
        value = (s - k * value) / x
    return value * half


@inner
def _integral_series(n: int, x: float, w: float) -> float:
    """The integral of ``sinh(x)/x`` for n = 1, of ``(cosh(x)-1)/x`` for n = 2; ``w`` as above."""
    term = x if n == 1 else 0.5 * w * x * x
    total = term / n
    while abs(term) > 1e-17 * abs(total):
        term *= w * x * x / ((n + 1) * (n + 2))
        n += 2
        total += term / n
    return total


@inner
def _turned(x: float) -> tuple[float, float]:
    """Both parts of the exponential integral ``exp1(i*x)``, by its continued fraction (6.9.1)."""
    s, c = math.sin(x), math.cos(x)
    if x > 1e9:  # 1 / (i*x) + 1 / x**2 is all of it
        return c / x / x - s / x, -c / x - s / x / x
    b = 1.0  # and i*x
    size = 1.0 + x * x
    h, h_i = 1.0 / size, -x / size
    d, d_i = h, h_i
    u, u_i = 0.0, 0.0  # 1 / c
    for k in range(1, 1000):
        b += 2.0
        e, e_i = b - k * k * d, x - k * k * d_i
        size = e * e + e_i * e_i
        d, d_i = e / size, -e_i / size
        e, e_i = b - k * k * u, x - k * k * u_i
        size = e * e + e_i * e_i
        u, u_i = e / size, -e_i / size
        f, f_i = e * d - e_i * d_i, e * d_i + e_i * d
        h, h_i = h * f - h_i * f_i, h * f_i + h_i * f
        if abs(f - 1.0) < 4e-16 and abs(f_i) < 4e-16:
            break
    return h * c + h_i * s, h_i * c - h * s


@inner
def sine_integral(x: float) -> float:
    """The integral of ``sin(t) / t`` from 0."""
    x = np.float64(x)
    if abs(x) <= 4.0:
        return _integral_series(1, x, -1.0)
    if abs(x) == np.inf:
        return math.copysign(0.5 * math.pi, x)
    _, beyond = _turned(abs(x))
    return math.copysign(0.5 * math.pi + beyond, x)


@inner
def cosine_integral(x: float) -> float:
    """Minus the integral of ``cos(t) / t`` from ``abs(x)`` on."""
    x = abs(np.float64(x))
    if x == 0.0 or x == np.inf:
        return -np.inf if x == 0.0 else 0.0
    if x <= 4.0:
        return EULER + math.log(x) + _integral_series(2, x, -1.0)
    beyond, _ = _turned(x)
    return -beyond


@inner
def sinh_integral(x: float) -> float:
    """The integral of ``sinh(t) / t`` from 0."""
    x = np.float64(x)
    if abs(x) <= 10.0:
        return _integral_series(1, x, 1.0)
    a = abs(x)
    return math.copysign(0.5 * (expi(a) + expn(1, a)), x)


@inner
def cosh_integral(x: float) -> float:
    """Euler's constant, ``log(abs(x))`` and the integral of ``(cosh(t) - 1) / t`` from 0."""
    x = abs(np.float64(x))
    if x == 0.0:
        return -np.inf
    if x <= 10.0:
        return EULER + math.log(x) + _integral_series(2, x, 1.0)
    return 0.5 * (expi(x) - expn(1, x))


@inner
def square_sine(k: int, x: float) -> float:
    """``sin(pi/2 * (x**2 + k))``, however large ``x`` is."""
    x = np.float64(x)
    if abs(x) > 1e100:
        x = 0.0 * x  # a square that is a multiple of 4
    split = 134217729.0 * x
    high = split - (split - x)
    low = x - high
    square = x * x
    rest = ((high * high - square) + 2.0 * high * low) + low * low  # its rounding error
    r = np.fmod(square, 4.0)
    n = np.rint(r)
    angle = 0.5 * math.pi * ((r - n) + rest)
    turns = (int(n) + int(k)) % 4 if n == n else 0
    value = math.sin(angle) if turns % 2 == 0 else math.cos(angle)
    return value if turns < 2 else -value


@inner
def _fresnel(x: float) -> complex:
    """``1 - C(x) - i*S(x)``, rotated by -1/8, for ``x > 0``: a continued fraction (7.9.3)."""
    b = complex(1.0, -math.pi * x * x)
    c, d = complex(1e300, 0.0), 1.0 / b
    h = d
    for k in range(1, 1000):
        b += 4.0
        a = -2.0 * k * (2.0 * k - 1.0)
        d = 1.0 / (a * d + b)
        c = b + a / c
        h *= c * d
        if abs(c * d - 1.0) < 4e-16:
            break
    return complex(x, -x) * h * complex(square_sine(1, x), square_sine(0, x))


@inner
def _fresnel_series(n: int, x: float) -> float:
    """The integral of ``sin(pi/2 * t**2)`` for n = 3, of the cosine for n = 1 (7.6.4, 7.6.6)."""
    u = 0.5 * math.pi * x * x
    term = x if n == 1 else u * x
    total = term / n
    j = n // 2  # of the factorial
    while abs(term) > 1e-17 * abs(total):
        term *= -u * u / ((j + 1) * (j + 2))
        j += 2
        n += 4
        total += term / n
    return total


@inner
def _fresnel_integral(n: int, x: float) -> float:
    """The integral from 0 of the sine for n = 3, of the cosine for n = 1."""
    a = abs(x)
    if a <= 1.6:
        return _fresnel_series(n, x)
    if not a < 1e100:
        return math.copysign(0.5, x) if x == x else x
    h = _fresnel(a)
    return math.copysign(0.5 - 0.5 * (h.real + (n - 2) * h.imag), x)


@inner
def fresnel_sine(x: float) -> float:
    """The integral of ``sin(pi/2 * t**2)`` from 0."""
    return _fresnel_integral(3, np.float64(x))


@inner
def fresnel_cosine(x: float) -> float:
    """The integral of ``cos(pi/2 * t**2)`` from 0."""
    return _fresnel_integral(1, np.float64(x))
