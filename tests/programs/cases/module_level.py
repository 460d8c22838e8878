"""Values at module level: tables, settings, objects and functions that others made."""

import functools
import itertools
import math
import operator
import sys
from collections import namedtuple
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.constants
import scipy.constants as units
from kinds import Vec
from numba import njit

try:
    import numba as _nb  # noqa: F401

    HAS_NUMBA = True
except ImportError:
    HAS_NUMBA = False

if HAS_NUMBA:
    fast = njit
else:

    def fast(f):
        return f


ORDER = 4
if ORDER > 2:
    GAIN = 2.0
else:
    GAIN = 3.0

G_NEWTON = 6.674e-11
MASS = 5.972e24
TINY = sys.float_info.epsilon
LIMITS = np.finfo(np.float64)
ROOT_EPS = np.finfo(float).eps ** 0.5
LARGE = np.iinfo(np.int32).max
LOG_2PI = np.log(2 * np.pi)
SINGLE = np.float32(0.1)
COUNT = np.int64(3)
IS_STIFF = ORDER > 3 and LOG_2PI < 2
KIND = "gauss" + "ian"

A0 = np.array([[1.0, 2.0], [3.0, 4.0]])
B0 = A0 - 1
NOISE = np.diag([0.1, 0.2]) ** 2
INVERSE = np.linalg.inv(A0)
TURNED = np.arange(6.0).reshape(2, 3).T
GRID = np.linspace(0.0, 1.0, 5)
STEP = GRID[1] - GRID[0]
FACTORIALS = np.array([math.factorial(k) for k in range(5)], dtype=float)
NODES, WEIGHTS = np.polynomial.legendre.leggauss(3)
RULES = {n: np.polynomial.legendre.leggauss(n) for n in (2, 3)}
PAIRS = list(itertools.combinations(range(4), 2))
SEED = sum(ord(c) for c in "seed") % 7
LEVELS = np.zeros(3)
LEVELS[1:] = 0.5
LARGER = LEVELS + 1
MANY = np.zeros((2000, 2000))

COEFFS = [1.0 / math.factorial(k) for k in range(4)]
STAGES = [[0.0, 0.0], [0.5, 0.0]]
PICKED = [2, 0, 1]
POINTS = [(0.0, 1.0), (0.5, 2.0), (1.0, 0.5)]
SETTINGS = {"alpha": 0.5, "beta": 2.0, "n": 3}
MORE = dict(SETTINGS, gamma=0.25)
SPECIES = {"H": {"mass": 1.0, "z": 1}, "O": {"mass": 16.0, "z": 2}}
TABLEAU = {"a": np.array([0.5, 0.25]), "b": [0.2, 0.3]}


def _square(x):
    return x * x


def _power_of(k):
    def power(x):
        return x**k

    return power


def _weighted(n):
    w = np.linspace(0.5, 1.0, n)
    return lambda x: np.sum(w * x)


cube = _power_of(3)
weighted = _weighted(4)
fourth = functools.partial(operator.pow, 0.5)
relu = lambda z: np.maximum(z, 0.0)  # noqa: E731
norm = np.linalg.norm
twice = njit(lambda x: x + x)
OPS = {"sin": np.sin, "square": _square, "cube": cube, "id": lambda x: x}
STEPS = [_square, math.sin, cube]


@dataclass
class _Planet:
    mass: float
    radius: float

    def gravity(self, scale):
        return scale * self.mass / self.radius**2


class _Pair(NamedTuple):
    a: float
    b: float


EARTH = _Planet(5.97, radius=6.37)
PAIR = _Pair(1.5, b=2.0)


def _harmonic(n: int) -> float:
    s = 0.0
    for k in range(1, n):
        s += 1.0 / k
    return s


H10 = _harmonic(10)


@fast
def _compiled(x):
    return x * GAIN


def numbers(x: float) -> float:
    y = max(x, TINY, LIMITS.tiny) * G_NEWTON * MASS / 1e14
    if IS_STIFF and KIND == "gaussian" and np.iinfo(np.int64).max > LARGE:
        y += LOG_2PI * x + ROOT_EPS
    return y * x**COUNT + np.finfo(np.float32).eps * x


def single(x: Vec) -> float:
    return float(np.sum(x * SINGLE)) + LIMITS.eps


def arrays(x: Vec) -> float:
    u = x[:2]
    s = float(u @ B0 @ u) + float(np.sum(NOISE @ u)) + float(np.sum(INVERSE @ u))
    s += float(np.sum(np.exp(-x[0] * GRID))) * STEP + float(FACTORIALS @ GRID) * x[1]
    s += float(WEIGHTS @ np.exp(NODES * x[1])) + float(np.sum(LEVELS * LARGER)) * x[0]
    s += float(np.sum(TURNED.ravel() * np.arange(6.0) * x[0])) + MANY[3, 4]
    return s + float(np.sum(TURNED.reshape(6) * np.arange(6.0))) * x[1]


def lists(x: float, i: int) -> float:
    s = 0.0
    for c in COEFFS:
        s = s * x + c
    for j in range(2):
        for k in range(2):
            s += STAGES[j][k] * x
    for place, weight in POINTS:
        s += weight * np.sin(place * x)
    return s + COEFFS[PICKED[i % 3]] * x * len(COEFFS)


def dicts(x: Vec) -> float:
    s = 0.0
    for k in range(SETTINGS["n"]):
        s += SETTINGS["alpha"] * x[0] ** MORE["beta"] + k * MORE.get("gamma", 1.0)
    for name in SPECIES:
        s += SPECIES[name]["mass"] * x[1] ** SPECIES[name]["z"]
    return s + float(TABLEAU["a"] @ x[:2]) + TABLEAU["b"][1] * x[0]


def functions(x: Vec) -> float:
    s = cube(x[0]) + weighted(x[1] * np.ones(4)) + fourth(x[0]) + float(np.sum(relu(x - 0.5)))
    s += float(norm(x)) + twice(x[0]) + OPS["sin"](x[0]) + OPS["square"](x[1]) + OPS["cube"](x[0])
    for step in STEPS:
        s += step(x[1])
    return s + OPS["id"](x[0]) + _compiled(x[1])


def chosen_function(x: float, i: int) -> float:
    return STEPS[i % 3](x)


def objects(x: float) -> float:
    return EARTH.gravity(x) + PAIR.a * PAIR.b * x + H10 * x


Potential = namedtuple("Potential", "depth width cutoff")
Weighted = namedtuple("Weighted", ["value", "weight"], defaults=(2.0,))
Placed = NamedTuple("Placed", [("at", float), ("mass", float)])  # noqa: UP014
ARGON = Potential(1, 0.5, cutoff=3)


class Span(namedtuple("Span", "low high")):
    @property
    def middle(self):
        return (self.low + self.high) / 2

    def scaled(self, by):
        return Span(self.low * by, self.high * by)


def _between(r, of):
    return 4 * of.depth * ((of.width / r) ** 4 - (of.width / r) ** 2) if r < of.cutoff else 0.0


def classes_made_by_calls(x: float, y: float) -> float:
    one = Weighted(x)
    other = one._replace(weight=y * y)
    placed = Placed(x, mass=2.0)
    at, mass = placed
    for _ in range(2):
        placed = Placed(placed.at * y, placed.mass + at)
    total = one.value * one.weight + other.weight * mass + placed.at * placed.mass
    return total + _between(2.0 * x, ARGON) + Span(x, y).scaled(y).middle


class _Imports:
    def __init__(self, x):
        from math import sin

        self.x = sin(x)

    def grown(self):
        import math as m

        return m.exp(self.x)


def imports_inside(x: float, y: float) -> float:
    import math
    from functools import reduce
    from math import cos, pi
    from math import sin as s

    import numpy.linalg as la
    import scipy.special

    try:
        from numpy import tanh
    except ImportError:
        tanh = None
    if x > y:
        from math import atan as bent
    else:
        from math import asinh as bent
    length = la.norm(np.array([x, 2.0])) + scipy.special.erf(y)
    return (
        math.exp(s(x)) * cos(y) + length * tanh(x) + bent(x) * reduce(lambda a, b: a * b, [x, pi])
    )


def imports_in_methods(x: float) -> float:
    return _Imports(x).grown()


def units_of_scipy(x: float, t: float) -> float:
    vt = units.k * (t + 300.0) / scipy.constants.e
    return np.exp(x / (300 * vt)) * units.zero_Celsius / units.kibi


def default_worked_out(
    x: float, upper: float = 4 * np.pi**2, lower: float = -ORDER / 3, count: int = ORDER * 3
) -> float:
    return x * upper + lower * x**2 * count


PRIMES = [p for p in range(2, 20) if all(p % q for q in range(2, p))]
HAS_SMALL = any(p < 3 for p in PRIMES)


def of_tested_items(x: float, a: float) -> float:
    s = sum(x / p for p in PRIMES)
    return s * a if HAS_SMALL else s


def quadrature_rules(a: float, b: float) -> float:
    x, w = RULES[2]
    y, v = np.polynomial.legendre.leggauss(4)
    z, u = np.polynomial.hermite.hermgauss(2)
    mid, half = 0.5 * (a + b), 0.5 * (b - a)
    fine = half * np.sum(v * np.cos(mid + half * y)) + np.sum(u * np.exp(a * z))
    return float(fine - half * np.sum(w * np.cos(mid + half * x)))


def pairs_of_four(a: float) -> float:
    powers = [a**k for k in range(4)]
    return sum(powers[i] * powers[j] for i, j in PAIRS) * SEED
