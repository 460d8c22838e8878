"""Tuples of a length that the run tells, and results that are lists of lists and of arrays."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np
from kinds import Mat, Vec
from numpy.typing import NDArray


@dataclass(frozen=True)
class Polynomial:
    coefficients: tuple[float, ...]

    def __call__(self, x: float) -> float:
        total = 0.0
        for c in reversed(self.coefficients):
            total = total * x + c
        return total


# ---- parameters ---------------------------------------------------------------------------------


def sum_of_squares(xs: tuple[float, ...]) -> float:
    return sum(x * x for x in xs)


def parts_of_it(xs: tuple[float, ...], k: int) -> float:
    tail = xs[1:]
    return tail[k % len(tail)] * len(xs) + max(xs) * tail[-1]


def pairs(points: tuple[tuple[float, float], ...]) -> float:
    area = 0.0
    for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True):
        area += x0 * y1 - x1 * y0
    return 0.5 * area


def arrays_in_it(layers: tuple[NDArray[np.float64], ...], x: Vec) -> float:
    y = x
    for w in layers:
        y = np.tanh(y + w)
    return y.sum()


def blocks(x: Vec, sizes: tuple[int, ...]) -> float:
    total, start = 0.0, 0
    for n in sizes:
        total += x[start : start + n].sum() ** 2
        start += n
    return total


def may_be_none(xs: tuple[float, ...] | None, y: float) -> float:
    if xs is None:
        return y
    return sum(xs) ** 2 * y


def with_a_default(x: float, coefficients: tuple[float, ...] = (1.0, -2.0, 0.5)) -> float:
    total = 0.0
    for c in coefficients:
        total = total * x + c
    return total


def in_an_object(p: Polynomial, x: float) -> float:
    return p(x) * p(-x)


def as_arrays(xs: tuple[float, ...]) -> float:
    a = np.array(xs)
    return float(a @ np.asarray(xs)) + np.sum(xs) * np.mean(xs)


def is_a_tuple(xs: tuple[float, ...]) -> float:
    if isinstance(xs, list):
        return 0.0
    if isinstance(xs, (tuple, float)) and type(xs) is tuple:
        return sum(xs) * xs.count(1.0) + xs[0]
    return 1.0


def copies_of_it(xs: tuple[float, ...], n: int) -> float:
    grown = xs
    for i in range(n):
        grown = (*grown, xs[0] * i)
    copies = [copy.copy(xs), copy.deepcopy(xs), copy.copy(grown), copy.deepcopy(grown)]
    if all(isinstance(one, tuple) for one in copies) and copies[0] is xs:
        return sum(copies[1]) * sum(copies[3]) + copies[2][-1]
    return 0.0


def rows_of_it(rows: tuple[tuple[float, ...], ...]) -> float:
    total = 1.0
    for row in rows:
        if isinstance(row, tuple):
            total *= sum(row)
    return total


# ---- made inside --------------------------------------------------------------------------------


def from_a_list(xs: list[float]) -> float:
    t = tuple(xs)
    xs[0] = 3.0
    return sum(t) * t[0] + xs[0]


def from_a_generator(xs: list[float]) -> float:
    t = tuple(x * x for x in xs if x > 0.0)
    return sum(t) * len(t)


def equal_or_not(xs: list[float]) -> float:
    t = tuple(xs)
    if t == xs or t == (1.0, 2.0):
        return 1.0
    if t == tuple(xs) and list(t) == xs and t != tuple(xs[1:]):
        return t[-1] * t[0]
    return 2.0


def growing(x: float, n: int) -> float:
    t = ()
    for i in range(n):
        t = (*t, x * i)
    return sum(t) * len(t)


def growing_in_place(x: float, n: int) -> float:
    t = (1.0,)
    for i in range(n):
        t += (x * t[i],)
    return t[0] + t[-1]


def turned(x: float, n: int) -> float:
    t = tuple(x * i for i in range(n + 2))
    u = t
    for _ in range(n):
        u = (*u[1:], u[0] * x)
    return sum(a * b for a, b in zip(t, u, strict=True))


def longer_in_a_branch(x: float, y: float) -> float:
    t = (x, y)
    if x > 0.0:
        t = (x, y, x * y)
    return sum(t) * len(t)


def repeated(x: float, n: int) -> float:
    t = (x, 2.0) * n + (1.0, x)
    return sum(v * i for i, v in enumerate(reversed(t * 2)))


def in_a_list(xs: list[float], n: int) -> float:
    rows = []
    for i in range(n + 2):
        rows.append(tuple(x * i for x in xs))
    if isinstance(rows[0], list):
        return 0.0
    return rows[0][1] + rows[1][0] * rows[-1][-1]


def _squares(xs: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(x * x for x in xs)


def through_helpers(xs: list[float], a: float) -> float:
    return sum(_squares((a, 2.0 * a))) * sum(_squares(tuple(xs)))


# ---- results ------------------------------------------------------------------------------------


def tuple_given(xs: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(x * x for x in xs)


def tuple_not_declared(xs: tuple[float, ...]):
    return tuple(x + 1.0 for x in xs), sum(xs)


def tuple_of_tuples(xs: list[float], n: int) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(x * i for x in xs) for i in range(n))


def pairs_given(x: float, n: int) -> list[list[float]]:
    return [[x, x * i] for i in range(n)]


def times_and_rows(x: float, n: int) -> list[tuple[float, list[float]]]:
    return [(i * 0.5, [x * x, x * i, 1]) for i in range(n)]


def matrix_given(m: Mat) -> list[list[float]]:
    return [[float(v * v) for v in row] for row in m]


def arrays_given(x: float, n: int) -> list[np.ndarray]:
    return [np.ones(i + 1) * x for i in range(n)]


def path_given(x: Vec, n: int) -> tuple[np.ndarray, list[NDArray[np.float64]]]:
    path, y = [x.copy()], x * 2.0
    for _ in range(n):
        y = np.sin(y) + x
        path.append(y.copy())
    return y, path
