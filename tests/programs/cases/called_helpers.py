"""Helpers that are long, or called often: they are functions of their own in the gradient module.

Tests transpile this theme with every helper called that can be, however short it is, too.
"""

import math
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Matrix = Annotated[NDArray[np.float64], "r c"]
Singles = Annotated[NDArray[np.float32], "n"]
Complexes = Annotated[NDArray[np.complex128], "n"]

TABLE = np.array([0.3, -0.8, 1.2, 0.5])


class Pair(NamedTuple):
    low: float
    high: float


def _branchy(x: float, y: float) -> float:
    if x > y:
        a = x * x * y + math.exp(-x)
        b = a * (1.0 + y * (0.3 + y * (0.1 + y * 0.05)))
        return b / (1.0 + a * a) + math.sin(x * y)
    c = math.cos(x) * y + 0.5
    return c * c * (1.0 + x * (0.2 + x * (0.4 + x * 0.1))) - math.tanh(y)


def _root(x: float) -> float:
    return math.sqrt(x) + x**1.5


def _series(x: float, n: int) -> float:
    s, term = 0.0, 1.0
    for k in range(n):
        term = term * x / (k + 1.0)
        s += term * math.cos(x * k)
    return s


def _settled(x: float) -> float:
    y = 1.0
    while abs(y * y - x) > 1e-12:
        y = 0.5 * (y + x / y)
    return y


def _nested(x: float) -> float:
    return _branchy(x, _settled(1.0 + x * x)) + _branchy(_series(x, 4), x)


def _ends(x: Vector) -> tuple[float, float]:
    return x[0] * math.exp(x[-1]), x[-1] * x[0] + np.sum(np.sin(x))


def _sorted_pair(a: float, b: float) -> Pair:
    if a < b:
        return Pair(a * a, b * 2.0)
    return Pair(b * 3.0, a * a)


def _smoothed(x: Vector, w: float) -> Vector:
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[i] * w + math.tanh(x[i - 1])
    return out


def _split(x: Vector) -> tuple[Vector, float]:
    mean = np.mean(x)
    return np.tanh(x - mean), float(mean)


def _weighed(x: Vector, grid: Vector, at: float) -> float:
    s = 0.0
    for i in range(len(x)):
        s += x[i] * math.exp(-((at - grid[i]) ** 2))
    return s


def _checked(x: float) -> float:
    if x < -5.0:
        raise ValueError("x is too small")
    return math.log1p(x * x) * x


def _filled(out: Vector, x: float) -> float:
    for i in range(len(out)):
        out[i] = out[i] * x + math.sin(x)
    return out[0]


def _turned(z: complex, w: complex) -> complex:
    return z * z * w + np.exp(w) / z


def _product(a: Matrix, b: Matrix) -> Matrix:
    return np.tanh(a @ b.T) @ b


def _narrow(x: Singles) -> np.float32:
    return np.sum(x * x * np.float32(0.5))


def _looked_up(x: float, k: int) -> float:
    return TABLE[k] * x * x + TABLE[(k + 1) % 4]


def numbers(x: float, y: float) -> float:
    a = _branchy(x, y)
    b = _branchy(y, x)
    return a * b + _branchy(a, b) + _branchy(b, 0.3)


def constants_alone(x: float) -> float:
    return _branchy(0.3, 0.2) * x + _branchy(0.1, 0.6) * x * x


def in_loops(x: Vector, y: float) -> float:
    s = y
    for i in range(len(x)):
        for j in range(2):
            s = s * 0.5 + _branchy(x[i], s) * _branchy(s, x[j])
    return s


def in_while(x: float) -> float:
    s, n = x, 0
    while s < 4.0 and n < 6:
        s += abs(_branchy(s, x)) + 0.1 * _series(s, 3)
        n += 1
    return s + _series(x, n)


def of_helpers(x: float, y: float) -> float:
    return _nested(x) * _nested(y) + _nested(x * y)


def loops_inside(x: float, y: float) -> float:
    return _settled(x * x + y) + _settled(y + 1.0) * _series(x, 5) + _series(y, 2)


def at_a_pole(x: float, y: float) -> float:
    a = _root(abs(x)) * _root(abs(y))
    return a * a + _root(x * x)


def tuples(x: Vector) -> float:
    a, b = _ends(x)
    c, d = _ends(x * x)
    return a * d + b * c


def tuples_in_loops(x: Vector) -> float:
    s = 1.0
    for i in range(3):
        a, b = _ends(x[i:])
        s = s * math.tanh(a) + b
    return s


def structs(x: float, y: float) -> float:
    p = _sorted_pair(x, y)
    q = _sorted_pair(p.high, p.low)
    return p.low * q.high - q.low * p.high


def arrays(x: Vector, w: float) -> float:
    a = _smoothed(x, w)
    b = _smoothed(a, w * w)
    return np.sum(a * b) + a[0]


def arrays_in_loops(x: Vector, w: float) -> float:
    s = 0.0
    for k in range(3):
        a = _smoothed(x, w + k)
        s += np.sum(a * _smoothed(a, s))
    return s


def arrays_carried(x: Vector, w: float) -> float:
    y = x.copy()
    for k in range(3):
        y = _smoothed(y, w * (k + 1.0))
    return np.sum(y * x)


def arrays_written_later(x: Vector, w: float) -> float:
    a = x * w
    s = _weighed(a, x, w)
    a[0] = s
    return s + _weighed(a, a, 0.5) + np.sum(_smoothed(a, s))


def results_written(x: Vector, w: float) -> float:
    a = _smoothed(x, w)
    a[1] = w * a[0]
    b = _smoothed(a, w)
    b *= a
    return np.sum(b * b) + np.sum(a)


def array_and_number(x: Vector) -> float:
    a, mean = _split(x)
    b, other = _split(a * x)
    return np.sum(a * b) * mean + other


def returned(x: Vector, w: float) -> Vector:
    return _smoothed(_smoothed(x, w), 1.0 + w)


def constant_grid(x: Vector, at: float) -> float:
    grid = np.linspace(0.0, 1.0, len(x))
    return _weighed(x, grid, at) * _weighed(x * x, grid, at * at)


def raises(x: float, y: float) -> float:
    return _checked(x) * _checked(y) + _checked(x * y)


def writes(x: Vector, y: float) -> float:
    a = x.copy()
    s = _filled(a, y) * _filled(a, y * y)
    return s + np.sum(a)


def writes_arguments(x: Vector, y: float) -> float:
    return _filled(x, y) * _filled(x, 0.5) + np.sum(x)


def of_complex(z: complex, w: complex) -> float:
    a = _turned(z, w)
    return abs(_turned(a, z)) + a.real


def of_matrices(a: Matrix, b: Matrix) -> float:
    return np.sum(_product(a, b) * _product(b, a))


def overlapping(x: Vector, w: float) -> float:
    return _weighed(x, x, w) + _weighed(x[1:], x[:-1], w)


def looked_up(x: float, k: int) -> float:
    s = x
    for i in range(3):
        s = _looked_up(s, i) * 0.5 + _looked_up(x, k % 4)
    return s


def unused_results(x: Vector) -> float:
    a, _ = _ends(x)
    _, b = _ends(x)
    n = 2 if _series(x[0], 2) > 0.5 else 3
    return a * b * n + _series(x[1], n)


def one_of_two(x: float, y: float) -> float:
    return _branchy(x, y) if x > 0.2 else _branchy(y, x) * _series(y, 3)


def also_public(x: float, y: float) -> float:
    return numbers(x, y) * numbers(y, x) + one_of_two(x, numbers(x, x))
