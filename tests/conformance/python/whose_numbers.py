"""Python's numbers and NumPy's, which are taken out of lists, dicts and objects again."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]


class Box:
    def __init__(self, v):
        self.v = v


class Scale:
    def __init__(self, k):
        self.k = k

    def __rmul__(self, x):
        return self.k * round(x, 2) if isinstance(x, float) else self.k * (x**-1)

    def __radd__(self, x):
        return self.k + isinstance(x, int)

    def __gt__(self, x):
        return self.k + x


class Left(Scale):
    __array_ufunc__ = None

    def __rmul__(self, x):
        return self.k * x


class Before(Left):
    __array_ufunc__ = np.exp
    __array_priority__ = 10


class Row:
    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, at):
        return self.items[at]

    def __rmul__(self, x):
        return Row(*(item * x + 1.0 for item in self.items))


class LeftRow(Row):
    __array_ufunc__ = None


class Point(NamedTuple):
    x: float
    y: float

    def __rmul__(self, k):
        return Point(k * self.x, k)


def list_of_pythons(x: float, n: int) -> float:
    xs = []
    for k in range(n + 1):
        xs.append(2.675 + k * 1.005)
    return x * round(xs[0], 2) + round(max(xs), 2) + round(sum(xs), 2)


def list_of_numpys(x: Vec) -> float:
    xs = [v > 0.0 for v in x]
    return x[0] * (xs[0] + xs[1]) + sum(xs) + sum(xs[1:], xs[0])


# refused: MK250
def list_of_both(x: Vec) -> float:
    xs = [2.675]
    for v in x:
        xs.append(v)
    return x[0] * round(xs[0], 2)


# refused: MK250
def list_of_both_bools(x: Vec, n: int) -> float:
    xs = [v > 0.0 for v in x]
    xs[0] = n > -100
    xs[1] = n < 100
    return x[0] * (xs[0] + xs[1])


# refused: MK250
def list_gets_numpy_later(x: Vec) -> float:
    xs = [1.115] * len(x)
    total = 0.0
    for k, v in enumerate(x):
        total += round(xs[k - 1], 2) * v
        xs[k] = v
    return total


# refused: MK250
def dict_of_both(x: Vec) -> float:
    d = {}
    for k, v in enumerate(x):
        d[k] = v
    d[77] = 2.675
    return x[0] * round(d[77], 2)


def dict_of_pythons(x: float, n: int) -> float:
    d = {}
    for k in range(n + 1):
        d[k] = d.get(k - 1, 0.0) + 1.115
    return x * round(d[0], 2) + round(sum(d.values()), 2)


# refused: MK250
def objects_of_both(x: Vec) -> float:
    boxes = [Box(v) for v in x]
    boxes[0].v = 2.675
    return x[0] * round(boxes[0].v, 2)


# refused: MK250
def lists_in_lists_of_both(x: Vec, n: int) -> float:
    rows = [[2.675] * len(x) for _ in range(n + 1)]
    rows[0][1] = x[0]
    return x[0] * round(rows[0][0], 2)


def list_of_the_caller(xs: list[float], flags: list[bool]) -> float:
    xs2 = [2.675 * v / v for v in xs]
    return round(xs2[0], 2) * xs[0] + (flags[0] + flags[0]) * xs[1]


def list_of_the_callers_integers(x: float, counts: list[int]) -> float:
    return x * sum((k * k + 1) ** -1 for k in counts)


def list_is_sensitive_nowhere(x: Vec, n: int) -> float:
    seen = [False] * len(x)
    for k, v in enumerate(x):
        seen[k] = v > 0.0
    return sum(seen) * x[0] + any(seen) + (not seen[0]) + seen.count(True) * n


def number_of_numpy_before_instance(x: Vec) -> float:
    two = np.full(2, 2.675)[0]
    return x[0] * (two * Scale(x[1])) + (np.arange(3)[2] * Scale(x[0])) + (x[0] < Scale(x[1]))


def integer_of_numpy_before_instance(x: float) -> float:
    return x * (np.arange(3)[1] + Scale(x)) + (3 + Scale(x)) + sum([Scale(x)], np.arange(2)[0])


# refused: MK254
def array_before_instance(x: Vec) -> float:
    return np.sum(x * Scale(2.0))


def array_is_left_to_instance(x: Vec) -> float:
    return np.sum(x * Left(2.0)) + x[0] * Left(x[1])


# refused: MK254
def another_ufunc(x: Vec) -> float:
    return np.sum(x * Before(2.0))


# refused: MK254
def number_takes_sequence_apart(x: Vec) -> float:
    return (x[0] * Row(1.0, 2.0))[0]


def number_leaves_sequence(x: Vec, y: float) -> float:
    return (x[0] * LeftRow(1.0, x[1]))[1] + (y * Row(y, 2.0))[0] + (float(x[0]) * Row(1.0))[0]


# refused: MK254
def number_takes_named_tuple_apart(x: Vec) -> float:
    return sum(x[0] * Point(1.0, 2.0))


# refused: MK347
def number_of_numpy_equals_tuple(x: Vec) -> float:
    return x[0] * sum(x[0] == (1.0, 2.0))


# refused: MK250
def bools_of_numpy_among_integers(x: Vec) -> float:
    xs = [0]
    for v in x:
        xs.append(v > -100.0)
    return x[0] * (xs[1] + xs[2])


# refused: MK250
def bools_of_numpy_in_integer_fields(x: Vec) -> float:
    boxes = [Box(k) for k in range(len(x))]
    boxes[0].v = x[0] > -100.0
    boxes[1].v = x[0] > -100.0
    return x[0] * (boxes[0].v + boxes[1].v)


def bools_are_counted(x: Vec, n: int) -> float:
    counts, d = [0] * (n + 2), {}
    for k, v in enumerate(x):
        counts[k % 2] += v > 0.0
        d[k % 2] = d.get(k % 2, 0) + (v > 0.0)
    return x[0] * sum(counts) + counts[0] - counts[1] + d[0] + d[1] * x[1]


# refused: MK250
def narrow_integers_in_lists(x: float, n: int) -> float:
    xs = [1]
    for k in range(n + 2):
        xs.append(np.array([200, 100], np.uint8)[k % 2])
    return x * (xs[1] + 100)


# refused: MK250
def narrow_integers_in_fields(x: float, n: int) -> float:
    boxes = [Box(k) for k in range(n + 2)]
    boxes[0].v = np.array([200, 100], np.uint8)[0]
    return x * (boxes[0].v + 100)
