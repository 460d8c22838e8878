"""Roots and fixed points by SciPy's solvers, whose derivatives are those of the roots."""

import math

import numpy as np
from kinds import Vec
from scipy import optimize
from scipy.optimize import brentq, fixed_point, newton


def cube_root(a: float) -> float:
    return brentq(lambda x: x * x * x - a, 0.0, 3.0)


def _balance(x: float, a: float, b: float) -> float:
    return np.exp(x) * a - b - x


def two_parameters(a: float, b: float) -> float:
    return brentq(_balance, 0.0, 5.0, args=(a * a + 1.0, b + 9.0)) ** 2


def one_argument(a: float) -> float:
    return brentq(lambda x, c: x * x - c, 0.0, 3.0, args=a, xtol=1e-12, maxiter=50)


def halves(a: float) -> float:
    return optimize.bisect(lambda x: math.cos(x) - a * x, 0.0, 3.0)


def kepler(m: float, e: float) -> float:
    def equation(anomaly: float) -> float:
        return anomaly - 0.3 * e * math.sin(anomaly) - m

    def slope(anomaly: float) -> float:
        return 1.0 - 0.3 * e * math.cos(anomaly)

    return math.cos(newton(equation, m, fprime=slope))


def halley(a: float) -> float:
    return newton(lambda x: x**3 - a, 1.0, lambda x: 3 * x**2, fprime2=lambda x: 6 * x)


def secant(a: float) -> float:
    return newton(lambda x: x * x - a, 1.0, tol=1e-10) + newton(lambda x: x - a, 0.5, x1=a)


def cosine(a: float) -> float:
    return fixed_point(lambda x: math.cos(a * x), 0.7)


def iterated(a: float) -> float:
    return fixed_point(
        lambda x, c: math.cos(0.5 * c * x), 0.7, args=(a,), method="iteration", xtol=1e-13
    )


def roots_in_loop(x: Vec) -> float:
    total = 0.0
    for i in range(len(x)):
        total += brentq(lambda z: z + z**3 - x[i] * x[0], -5.0, 10.0) * x[i]  # noqa: B023
    return total


def root_of_a_sum(x: Vec, level: float) -> float:
    """The multiplier that makes shares add up to one, as in entropies and equilibria."""
    shift = brentq(lambda s: np.sum(1.0 / (1.0 + np.exp(x - s))) - 0.5 * len(x), -50.0, 50.0)
    return level * shift + np.sum(np.tanh(x - shift))
