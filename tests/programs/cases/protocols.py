"""Operators and built-in functions of the program's own classes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from kinds import Vec


@dataclass(frozen=True)
class Vector:
    x: float
    y: float

    def __add__(self, other):
        if isinstance(other, Vector):
            return Vector(self.x + other.x, self.y + other.y)
        return Vector(self.x + other, self.y + other)

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, factor):
        if isinstance(factor, Vector):
            return NotImplemented
        return Vector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __truediv__(self, factor):
        return self * (1.0 / factor)

    def __pow__(self, n):
        return Vector(self.x**n, self.y**n)

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __getitem__(self, k):
        return self.x if k == 0 else self.y

    def __len__(self):
        return 2

    def __iter__(self):
        return iter((self.x, self.y))

    def __lt__(self, other):
        return abs(self) < abs(other)

    def __bool__(self):
        return self.x > 0.0

    def __float__(self):
        return self.x * self.y

    def __contains__(self, v):
        return v in (self.x, self.y)


@dataclass(frozen=True)
class Scaled:
    """It iterates over other numbers than its fields."""

    x: float
    y: float

    def __iter__(self):
        return iter((3.0 * self.x, self.y - 1.0, self.x * self.y))


class Grid:
    def __init__(self, n):
        self.values = np.zeros(n)
        self.writes = 0

    def __getitem__(self, at):
        i, j = at
        return self.values[3 * i + j]

    def __setitem__(self, at, v):
        i, j = at
        self.values[3 * i + j] = v
        self.writes += 1

    def __len__(self):
        return self.writes

    def __iter__(self):
        return iter(self.values)


@dataclass
class Total:
    value: float = 0.0
    count: int = 0

    def __iadd__(self, v):
        self.value += v
        self.count += 1
        return self

    def __call__(self, v):
        self += v
        return self.value


class Celsius:
    def __init__(self, t):
        self.t = t

    def __add__(self, other):
        return Celsius(self.t + other.t)

    def __radd__(self, other):
        return Celsius(self.t + other)

    def __eq__(self, other):
        return self.t == other.t

    def __ge__(self, other):
        return self.t >= other.t


class Warm(Celsius):
    def __radd__(self, other):
        return Warm(self.t * 2.0 + (other.t if isinstance(other, Celsius) else other))


@dataclass(order=False)
class Pair:
    a: float
    b: int


class Bare:
    def __init__(self, v):
        self.v = v


def arithmetic(x: float, y: float) -> float:
    a = Vector(x, y)
    b = -a * 2.0 + 1.0
    c = 0.5 * b + (1.0 + a) - a / 2.0
    return a @ c + abs(c) + (c**2).x


def items_and_length(x: float, y: float) -> float:
    a = Vector(x, y)
    s = a[0] * a[1] + len(a)
    for v in a:
        s += v * v
    p, q = a
    return s * p + q + sum(a) + max(a)


def order_and_truth(x: float, y: float) -> float:
    a, b = Vector(x, y), Vector(y, -x)
    s = 1.0
    if a < b * 2.0:
        s *= x
    if b > a:
        s += 10.0
    if a and not -a:
        s += y
    return s * (x if b else y)


def conversions(x: float, y: float) -> float:
    a = Vector(x, y)
    return float(a) + float(a + a) * (3.0 if x in a else 0.0)


def equality(x: float, y: float) -> float:
    s = 0.0
    if Vector(x, y) == Vector(x, y):
        s += x
    if Vector(x, y) != Vector(y, x):
        s += y * y
    if Pair(x, 1) == Pair(x, 1) and Pair(x, 1) != Pair(x, 2):
        s *= 3.0
    one = Bare(x)
    if one == one and one != Bare(x):
        s += one.v
    return s


def in_place(x: float, n: int) -> float:
    a = Total()
    b = a
    for i in range(n):
        a += x * i
    return a(x) * b.value * b.count


def in_place_falls_back(x: float, y: float) -> float:
    a = Vector(x, y)
    b = a
    a += Vector(y, y)
    a *= x
    return a @ b


def grid(x: Vec) -> float:
    g = Grid(9)
    for i in range(3):
        for j in range(3):
            g[i, j] = x[i] * x[j] * (i + j)
    g[1, 2] += x[0] * g[2, 2]
    s = 0.0
    for v in g:
        s += v * v
    return s + len(g) * g[1, 2]


def subclass_goes_first(x: float, y: float) -> float:
    return (Celsius(x) + Warm(y)).t * (Warm(x) + Celsius(y)).t + (x + Warm(y)).t


def sums_of_instances(x: float, y: float) -> float:
    return sum([Celsius(x), Celsius(y), Celsius(x * y)]).t * sum((Vector(x, y), Vector(y, y))).x


def compared_by_method(x: float, y: float) -> float:
    hot = Celsius(x) >= Celsius(y)
    return x * y if hot and Celsius(x) == Celsius(x) else y


def carried(x: float, n: int) -> float:
    p = Vector(x, 1.0)
    v = Vector(0.0, x)
    for _ in range(n):
        v = v - p * 0.1
        p = p + v * 0.1
    return p @ v


def other_items_than_fields(x: float, y: float) -> float:
    a = Scaled(x, y)
    first, *_ = a
    return max(a) + 2.0 * min(a) + sum(a) * first


@dataclass
class Tally:
    value: float = 0.0

    def __iadd__(self, v):
        self.value += v * v
        return self

    def __add__(self, v):
        return Tally(self.value + v)


def tallies_of_a_list(x: Vec) -> float:
    tallies = [Tally(1.0), Tally(2.0)]
    first = tallies[0]
    for k in range(x.shape[0]):
        tallies[k % 2] += x[k]
    return first.value * tallies[1].value * tallies[0].value


def tallies_of_a_dict(x: float, y: float) -> float:
    tallies = {"x": Tally(x), "y": Tally(y)}
    first = tallies["x"]
    tallies["x"] += y
    tallies["y"] += tallies["x"].value
    return first.value + tallies["y"].value


def tally_that_may_be_none(x: float, keeps: bool) -> float:
    tally: Tally | None = Tally(x) if keeps else None
    if tally is not None:
        tally += x
        return tally.value
    return 2.0 * x


def tally_or_error(x: float) -> float:
    tally: Tally | None = Tally(x) if x > -100.0 else None
    first = tally
    tally += x
    assert first is not None
    return tally.value * first.value


@dataclass
class Journal:
    lines: list[float]
    turns: float = 1.0

    @property
    def entries(self) -> list[float]:
        return self.lines

    @entries.setter
    def entries(self, value: list[float]) -> None:
        self.turns += 1.0
        self.lines = value


def journal_by_property(x: float) -> float:
    journal = Journal([x])
    journal.entries += [x * x]
    return journal.entries[1] * x * journal.turns


class Wells:
    def __init__(self, x: Vec):
        self.x = x
        self.visits = 0.0

    def __getitem__(self, k: int) -> Vec:
        return self.x[k : k + 2]

    def __setitem__(self, k: int, value: Vec) -> None:
        self.visits += 1.0
        self.x[k : k + 2] = 2.0 * value


def wells_in_place(x: Vec) -> float:
    wells = Wells(x.copy())
    wells[1] += 1.5
    return float(np.sum(wells.x * x)) * wells.visits
