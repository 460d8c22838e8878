"""Integrals by ``scipy.integrate.quad``, differentiated under the integral and by their limits."""

import math

import numpy as np
from kinds import Vec
from scipy import integrate
from scipy.integrate import quad


def _decay(x: float, a: float, b: float) -> float:
    return a * math.exp(-b * x)


def bell(a: float) -> float:
    return quad(lambda x: np.exp(-a * x * x), 0.0, 2.0)[0]


def by_limits(a: float, b: float) -> float:
    y, _ = quad(lambda x: math.sin(a * x) * x, -a, b * b)
    return y * y


def whole_line(a: float) -> float:
    return integrate.quad(lambda x: math.exp(-(a * a + 0.5) * x * x), -np.inf, np.inf)[0]


def tail(a: float, b: float) -> float:
    return quad(_decay, a, np.inf, args=(a, b * b + 0.5))[0]


def integrals_in_loop(x: Vec) -> float:
    total = 0.0
    for i in range(len(x)):
        total += quad(lambda t: x[i] * math.cos(t * x[0]), 0, x[i], epsabs=1e-12)[0]  # noqa: B023
    return total
