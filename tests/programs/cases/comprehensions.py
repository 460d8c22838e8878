"""Comprehensions and generator expressions: unrolled, or filled into arrays by loops."""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Matrix = Annotated[NDArray[np.float64], "r c"]


class Point(NamedTuple):
    x: float
    y: float


def static(x: float, y: float) -> float:
    xs = [x * i for i in range(4) if i != 2]
    ys = [a * b * i for i, a in enumerate(xs) for b in (y, 2.0)]
    return xs[2] * ys[1] + len(ys)


def own_scope(x: float) -> float:
    i = x
    xs = [i * i for i in range(3)]
    ys = [x for x in [x, 2.0 * x]]  # noqa: C416
    return i * xs[2] + ys[1]


def run_time(x: Vector, k: int) -> float:
    xs = [v * v for v in x]
    ys = [math.sin(x[i]) * i for i in range(k)]
    return sum(xs) + max(ys) * xs[1] + len(xs) * ys[-1] + len(ys)


def to_array(x: Vector) -> float:
    n = x.shape[0]
    y = np.array([math.exp(x[i]) * x[n - 1 - i] for i in range(n)])
    return np.sum(y * x) + y[0]


def array_items(x: Matrix) -> float:
    rows = [row * np.sum(row) for row in x]
    total = 0.0
    for row in rows:
        total += row[0] * row[1]
    return total + np.sum(np.stack(rows)[0]) + np.max(rows[1])


def stacked(x: Matrix, y: Vector) -> float:
    a = np.stack([y[:3] * i + x[0, :] for i in range(x.shape[0])], axis=1)
    b = np.array([x[i] @ a for i in range(x.shape[0])])
    c = np.concatenate([2.0 * row for row in x])
    return np.sum(b * b) + np.sum(c * c) + np.sum(np.vstack([1.0 * row for row in x])[1])


def windows(x: Vector) -> float:
    parts = np.stack([x[i : i + 3] for i in range(x.shape[0] - 2)])
    means = [np.mean(x[: i + 2]) for i in range(3)]
    return np.sum(parts[:, 0] * parts[:, 2]) + sum(means) * means[1]


def grid(x: Vector, a: float) -> float:
    m = np.array([[math.exp(-((s - t) ** 2) * a) for t in x] for s in x])
    flat = [s * t for s in x for t in x[1:]]
    return np.sum(m @ x) + flat[3] * len(flat)


def short_by_long(x: Vector, a: float) -> float:
    xs = [v * w for w in (a, a * a) for v in x]
    return sum(xs) * xs[6]


def tuples(x: Vector, k: int) -> float:
    pairs = [(v, v * v) for v in x]
    total = 0.0
    for i, (a, b) in enumerate(pairs):
        total += a * b * i
    points = [Point(x[i], x[i] * i) for i in range(k)]
    return total + points[1].x * points[2].y + np.sum(np.array(pairs)[:, 1])


def short_items(x: Vector) -> float:
    rows = [[v, v * v, 1.0] for v in x]
    a, b, c = rows[2]
    return a * b + c + np.sum(np.array(rows)[:, 1]) + sum([row[0] * row[1] for row in rows])


def sums(x: Vector, a: float) -> float:
    total = sum(v * v for v in x if v > 0.3)
    total += sum((a * v for v in x), a)
    total += sum(v * w for v in x for w in x[:2])
    return total + sum(1 for v in x if v > 0.0) * a + sum([])


def extremes(x: Vector) -> float:
    top = max(v * v for v in x)
    low = min(math.exp(v) for v in x if v < 0.9)
    return top * low + max([v + 1.0 for v in x]) + min(2.0 * v for v in [x[0], x[1]])


def questions(x: Vector) -> float:
    if any(v > 100.0 for v in x) or not all(v > -5.0 for v in x):
        return x[0]
    if all(a < b for a, b in [(x[0], 9.0), (x[1], 9.0)]) and any(v > 0.0 for v in x):
        return x[2] ** 2
    return x[1]


def late_binding(x: float) -> float:
    late = [lambda t: t * k for k in range(3)]  # noqa: B023
    early = [lambda t, k=k: t * k for k in range(3)]
    return late[0](x) + early[1](x * x) + early[0](x)


def nested_function(x: float, y: float) -> float:
    def scaled(t: float) -> float:
        return t * factor

    factor = y
    xs = [scaled(t) for t in (x, x * x)]
    factor = 2.0
    return xs[0] + xs[1] * scaled(x)


def in_loop(x: Vector, k: int) -> float:
    total = 0.0
    y = x.copy()
    for i in range(k):
        y = np.array([0.5 * v + 0.1 * i for v in y])
        total += sum(v * v for v in y)
    return total


def under_condition(x: Vector, a: float) -> float:
    xs = [v * a for v in x] if a > 0.0 else [v / a for v in x]
    if a > 0.2:
        ys = [v * v for v in xs]
    else:
        ys = [v + a for v in xs]
    return sum(ys) * ys[0]


def numbers_replaced(x: Vector) -> float:
    xs = [v * v for v in x]
    same = xs
    for i in range(1, len(xs)):
        xs[i] = xs[i] + same[i - 1]
    other = list(xs)
    other[0] = 0.0
    return same[-1] * xs[0] + other[0] + other[1]


def of_range(x: float, k: int) -> float:
    xs = list(range(k))
    ys = [x**i for i in xs]
    return ys[2] + xs[1] * x + sum(ys)


def table(x: Vector) -> float:
    d = {name: x[i] * x[i] for i, name in enumerate(("a", "b", "c"))}
    e = {k: v * 2.0 for k, v in d.items() if k != "b"}
    return e["a"] * d["b"] + e["c"] + len(e)


def dot_products(x: Matrix, y: Vector) -> float:
    norms = [math.sqrt(np.sum(row * row)) for row in x]
    scaled = [n * v for n, v in zip(norms, y, strict=False)]
    return np.sum(np.asarray(scaled) ** 2)


def flattened(x: Vector, n: int) -> float:
    gs = [[] for _ in range(n)]
    for i, v in enumerate(x):
        gs[i % n].append(v)
    joined = [v for g in gs for v in g]
    return sum(joined) * joined[-1]


def below_the_diagonal(x: Vector) -> float:
    pairs = [x[i] * x[j] for i in range(len(x)) for j in range(i)]
    return sum(pairs) * pairs[0]


def numbered_pairs(x: Vector) -> float:
    ps = [(i, j) for i in range(len(x)) for j in range(i + 1, len(x))]
    return sum(x[i] * x[j] for i, j in ps)


def selected_of_rows(m: Matrix) -> float:
    return sum([v * v for row in m for v in row if v > 0])


def flat_rows(m: Matrix) -> float:
    xs = [v * v for row in m for v in row]
    return sum(xs) * xs[0]
