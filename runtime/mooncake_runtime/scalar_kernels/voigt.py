"""The Voigt profile: the real part of a function that is analytic in ``x + i*gamma``.

That is ``w(z) / (sigma * sqrt(2*pi))`` with the function ``w`` of Faddeeva (DLMF 7.2.3) and
``z = (x + i*gamma) / (sigma * sqrt(2))``: the trapezoidal rule for its integral (7.7.2) with the
residues of the poles between (Matta and Reichel, 1971); the nodes are kept away from ``z``.
"""

import math

import numpy as np

from mooncake_runtime.jit import inner

STEP = math.sqrt(math.pi / 12.0)
LAST = 13  # node


@inner
def _faddeeva(k: int, x: float, y: float) -> complex:
    """Derivative ``k`` of ``w(x + i*y)`` for ``y >= 0``."""
    z = complex(x, y)
    place = x / STEP - np.floor(x / STEP)
    shift = 0.0 if 0.25 <= place <= 0.75 else 0.5
    total = complex(0.0, 0.0)
    for n in range(-LAST, LAST + 1):
        t = (n + shift) * STEP
        pole = 1.0 / (z - t)
        term = math.exp(-t * t) * pole
        for j in range(k):
            term = -(j + 1.0) * term * pole
        total += term
    total = complex(0.0, STEP / math.pi) * total
    if y < math.pi / STEP and abs(x) < 30.0:
        total += _residues(k, z, 1.0 if shift == 0.0 else -1.0)
    return total


@inner
def _residues(k: int, z: complex, sign: float) -> complex:
    """Derivative ``k`` of ``2 exp(-z**2) / (1 - sign * exp(-2*pi*i*z / STEP))``.

    With s for ``1 / (1 - ...)``, ``s' = c (s - s**2)``; derivatives are polynomials of z and s.
    """
    c = complex(0.0, 2.0 * math.pi / STEP)
    s = 1.0 / (1.0 - sign * np.exp(-c * z))
    powers = np.zeros(k + 2, np.complex128)  # of s in the derivative of s
    powers[1] = 1.0
    bell = 2.0 * np.exp(-z * z)
    slopes = np.zeros(k + 1, np.complex128)  # of the bell
    slopes[0] = bell
    for j in range(k):
        slopes[j + 1] = -2.0 * z * slopes[j]
        if j > 0:
            slopes[j + 1] -= 2.0 * j * slopes[j - 1]
    total = complex(0.0, 0.0)
    weight = 1.0
    for j in range(k + 1):
        value = complex(0.0, 0.0)
        for power in range(j + 1, 0, -1):
            value = (value + powers[power]) * s
        total += weight * slopes[k - j] * value
        weight *= (k - j) / (j + 1)
        for power in range(j + 2, 0, -1):
            if power <= k + 1:
                powers[power] = c * (power * powers[power] - (power - 1) * powers[power - 1])
    return complex(total)


@inner
def _profile(k: int, x: float, sigma: float, gamma: float) -> complex:
    """Derivative ``k`` with respect to ``x`` of that analytic function; nan for negative widths."""
    x, sigma, gamma = np.float64(x), np.float64(sigma), np.float64(gamma)
    k = int(k)
    if not (sigma >= 0.0 and gamma >= 0.0):
        return complex(np.nan, np.nan)
    if sigma == 0.0:
        pole = 1.0 / complex(x, gamma)
        value = complex(0.0, 1.0 / math.pi) * pole
        for j in range(k):
            value = -(j + 1.0) * value * pole
        return complex(value)
    scale = math.sqrt(0.5) / sigma
    value = _faddeeva(k, x * scale, gamma * scale)
    return complex(value * (scale ** (k + 1) / math.sqrt(math.pi)))


@inner
def voigt_real(k: int, x: float, sigma: float, gamma: float) -> float:
    """Derivative ``k`` of the Voigt profile with respect to ``x``."""
    return _profile(k, x, sigma, gamma).real


@inner
def voigt_imag(k: int, x: float, sigma: float, gamma: float) -> float:
    """The imaginary part that belongs to ``voigt_real``."""
    return _profile(k, x, sigma, gamma).imag


@inner
def voigt_profile(x: float, sigma: float, gamma: float) -> float:
    """The density of the sum of a normal and a Cauchy variable."""
    return _profile(0, x, sigma, gamma).real
