"""Arrays and lists that become arguments: their length is tested when the program runs."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from kinds import Mat, Vec


@dataclass
class Plane:
    a: float
    b: float
    c: float
    d: float

    def height(self, x, y):
        return (self.d - self.a * x - self.b * y) / self.c


class Four(NamedTuple):
    a: float
    b: float
    c: float
    d: float


class Vector:
    def __init__(self, x, y, z, w):
        self.x, self.y, self.z, self.w = x, y, z, w

    def __iter__(self):
        return iter((self.x, self.y, self.z, self.w))

    def along(self, x, y, z, w):
        return self.x * x + self.y * y + self.z * z + self.w * w


def _mixed(a, b, c, d):
    return a * b - c * d * d


def of_function(x: Vec) -> float:
    return _mixed(*x[:4])


def with_others(x: Vec) -> float:
    return _mixed(2.0, *x[:3]) + _mixed(*x[:3], d=x[0]) + _mixed(*(x * 2.0)[:3], 1.0)


def of_classes(x: Vec) -> float:
    plane, four, vector = Plane(*x[:4]), Four(*x[:4]), Vector(*np.tanh(x[:4]))
    p, *_, s = vector
    return plane.height(p, s) * four.b + vector.along(*x[:4])


def of_lambda(x: Vec) -> float:
    square = lambda a, b, c, d: a * b - c + d  # noqa: E731
    return square(*x[:4]) * square(*[v * v for v in x[:4]])


def of_rows(m: Mat) -> float:
    def parts(a, b, c):
        return a * b + c[0]

    return np.sum(parts(*m[:3])) * np.sum(parts(*m[2::-1]))


def too_few(x: Vec) -> float:
    try:
        return _mixed(*x[:2])
    except TypeError:
        return x[0] * x[1]


def too_many(x: Vec) -> float:
    try:
        return _mixed(1.0, *x)
    except TypeError:
        return x[0] * x[1]


def _weighted(a, b=2.0, *others, scale=1.5):
    total = a * b
    for k, other in enumerate(others):
        total += scale * other * (k + 1)
    return total


def with_defaults(x: Vec) -> float:
    few, many = [v for v in x if v < x[0]], [v for v in x if v <= x[0]]
    return _weighted(x[0], *few[:1]) * _weighted(*many) + _weighted(*few, x[1], *many, scale=x[2])


def largest_of_spread(x: Vec) -> float:
    few = [v * v for v in x if v < x[0]]
    return max(x[0], *few) * min(*few, x[1])
