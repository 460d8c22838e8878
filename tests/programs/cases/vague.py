"""Annotations as people write them: without ranks, half of them, or wrong."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from helpers import (
    applied,
    doubled_or_scaled,
    gradient_step,
    mixed,
    normalised,
    power,
    squared_number,
    weighted,
)
from kinds import Vec
from numpy.typing import NDArray


def indexed(x: NDArray[np.float64]) -> float:
    s = 0.0
    for i in range(len(x)):
        s += x[i] ** 2
    return s


def bare(x: np.ndarray, k: int) -> float:
    return x[k] * x[0]


def unpacked_shape(a: np.ndarray) -> np.ndarray:
    n, m = a.shape
    out = np.zeros(n)
    for i in range(n):
        for j in range(m):
            out[i] += a[i, j] ** 2
    return out


def rows(a: NDArray[np.floating]) -> float:
    s = 0.0
    for k, row in enumerate(a):
        for v in row:
            s += v**2 * (k + 1)
    return s


def along_an_axis(a: np.ndarray, w: np.ndarray) -> np.ndarray:
    assert w.ndim == 1
    return (a * a).sum(axis=0) + np.sum(a, axis=1)[0] * w


def part_of_part(a: np.ndarray) -> float:
    first = a[0]
    return first[1] * a[1][0]


def by_calls(x: np.ndarray, a: np.ndarray) -> np.ndarray:
    return _scaled(x, 2.0) + np.linalg.solve(a[:5, :5] + 4.0 * np.eye(5), x)


def _scaled(v: NDArray[np.float64], by: float = 2.0) -> np.ndarray:
    return v * v[0] * by


def mixed_result(x: np.ndarray) -> tuple[np.ndarray, float]:
    return x * x[0], float(x[1])


def vague_helpers(x: Vec, y: float) -> float:
    v = gradient_step(doubled_or_scaled(x, x), x) + normalised(x * x)
    return float(np.sum(v)) + doubled_or_scaled(y) + mixed(y, x)


def with_callables(x: Vec, y: float) -> float:
    return applied(np.sin, y) + float(np.sum(applied(lambda t: t * t, x)))


def number_helper_of_arrays(x: Vec, y: float) -> float:
    return float(np.sum(squared_number(x))) + squared_number(y)


def misfits(x: Vec, y: float) -> float:
    return weighted(x) + weighted(x, 2.0 * x, 3) + power([y, x[0]], 1.5)


def area_of_polygon(vertices: NDArray[np.float64]) -> float:
    """Rows are unpacked in the loop: two axes."""
    area = 0.0
    for (x1, y1), (x2, y2) in zip(vertices, np.roll(vertices, -1, axis=0), strict=True):
        area += x1 * y2 - x2 * y1
    return area * area


def dot_of_rows(w: NDArray[np.float64], c: NDArray[np.float64], i: int) -> float:
    """Operands of @ have an axis."""
    return math.tanh(w[i] @ c[i])


def inverse_of_a_sum(r: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Matrices are added to a matrix that is inverted."""
    return np.trace(np.linalg.inv(r + b.T @ b))


def columns_that_add_up(links: NDArray[np.float64], d: float) -> float:
    """An array that is divided by its own sums keeps its axes."""
    shares = links / links.sum(axis=0)
    return np.sum(shares[:, 0] * d) + np.sum(shares**2)


class Rates:
    """Coefficients by rows: its methods know that there are two axes."""

    def __init__(self, table, scale):
        self.table = np.array(table)
        self.scale = scale

    def at(self, t):
        a = self.table
        return self.scale * (a[:, 0] + a[:, 1] * t)


def rates_of_object(table: NDArray[np.float64], t: float) -> float:
    return float(np.sum(Rates(table, 2.0).at(t) ** 2))


def means_of_object(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Both have rows, which only the method shows."""
    return Rates(x, 0.5).at(0.3) * Rates(y, 1.5).at(0.2)


def moved_rows(x: NDArray[np.float64], d: float) -> float:
    """A name that is bound again stands for no parameter."""
    x = np.exp(x) + d
    return float(np.sum(x[:, 0] * x[:, 1]))


def _of_sequence(xs: Sequence[float], by: float = 2.0) -> float:
    s = 0
    for v in xs:
        s += v * v * by
    return s


def _doubled_list(xs: list[float]) -> list[float]:
    return [v * 2 for v in xs]


def sequences(x: Vec, y: float) -> float:
    """Helpers that ask for a sequence or list are given arrays, tuples and lists."""
    s = _of_sequence(x) + _of_sequence([x[0], y]) + _of_sequence((x[1], y), 3.0)
    return s + sum(_doubled_list(x)) * sum(_doubled_list((y, x[0]))) + _doubled_list([y])[0]


def resampled(x: np.ndarray, score: np.ndarray, seed: int) -> float:
    rng = np.random.default_rng(seed)
    at = rng.integers(0, len(x), size=len(x))
    drawn = x[at]
    order = np.argsort(score, kind="stable")
    return np.cumsum(drawn[order])[-1] * drawn[0]


def bounds_are_lengths(x: np.ndarray, a: float) -> float:
    padded = np.convolve(x, np.ones(4)) * a
    return np.sum(padded[: len(x)] ** 2) + padded[x.shape[0]] * padded[: x.size].max()


def quadratic_form(weights: np.ndarray, mu: np.ndarray, cov: np.ndarray) -> float:
    if weights.shape[0] != mu.shape[0]:
        raise ValueError("sizes differ")
    return float(np.dot(weights, mu) / np.sqrt(weights.T @ np.exp(cov) @ weights))


def with_intercept(X: np.ndarray) -> np.ndarray:
    return np.column_stack([np.ones(len(X)), X])


def design_matrix(X: np.ndarray, y: np.ndarray) -> float:
    A = with_intercept(X)
    beta = np.zeros(A.shape[1])
    return np.sum((A @ beta - y) ** 2 * np.sum(A, axis=1))


def _squares(xs: Iterable[float]) -> float:
    return sum(x * x for x in xs)


class _Marks:
    def __init__(self, marks: Iterable[Sequence[float]]) -> None:
        self.marks = list(marks)

    def total(self) -> float:
        return sum(x * k for x, k in self.marks)


def iterables(x: np.ndarray) -> float:
    """Arguments that are annotated as iterables may be any."""
    shown = {"a": x[0], "b": x[1] * 2.0}
    total = _squares(v * 3.0 for v in x) + _squares(map(math.sin, x)) + _squares(shown.values())
    total += (
        _squares(x) + _squares((x[0], x[2])) + _squares(list(x)) + x[1] * _squares(range(len(x)))
    )
    return total + _Marks((v, k + 1) for k, v in enumerate(x)).total()


def picked_by_places(x: np.ndarray, y: np.ndarray, cut: float) -> float:
    """Items at indices that are found have as many axes as the array."""
    places = np.where(x > cut)[0]
    (same,) = np.where(x > cut)
    best = np.argsort(y)[::-1][:2]
    middle = [k for k in range(1, len(x) - 1) if x[k] > x[k - 1]]
    total = sum(v * cut for v in y[best]) + sum(v * v for v in y[middle])
    for k, v, w in zip(places, y[places], x[same], strict=True):
        total += (k + 1.0) * v * w
    return total


def picked_by_a_list(prices: np.ndarray, at: list[int]) -> float:
    return sum((a - b) ** 2 for a, b in zip(prices[at][1:], prices[at], strict=False))


def more_than_is_looked_at(x: float, steps: int = 3, **overrides: float) -> float:
    for _ in range(steps):
        x = x * np.cos(x)
    return x


def more_arguments(t: float, y: Vec, *args) -> Vec:
    return -t * y * more_than_is_looked_at(t, gain=2.0)
