"""Lists that are parameters and results of public functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Matrix = Annotated[NDArray[np.float64], "r c"]


class Point(NamedTuple):
    x: float
    y: float


@dataclass(frozen=True)
class Cell:
    size: float
    label: str
    count: int
    at: Point


@dataclass
class Body:
    pos: float
    mass: float

    def momentum(self, v: float) -> float:
        return self.mass * v + self.pos


@dataclass
class Rod:
    nodes: Vector
    stiffness: float


@dataclass
class Log:
    times: list[float]
    total: float

    def add(self, t: float) -> None:
        self.times.append(t)
        self.total += t


class Layers(NamedTuple):
    weights: list[Matrix]
    scales: list[float]


# ---- numbers ------------------------------------------------------------------------------------


def squares(xs: list[float]) -> float:
    total = 0.0
    for x in xs:
        total += x * x
    return total


def indexed(xs: list[float], a: float) -> float:
    total = xs[-1] * a
    for i in range(len(xs)):
        total += xs[i] * math.sin(xs[len(xs) - 1 - i])
    return total


def paired(xs: list[float], ys: list[float]) -> float:
    total = 0.0
    for k, (x, y) in enumerate(zip(xs, ys, strict=True)):
        total += (k + 1) * x * y
    return total


def summed(xs: list[float], a: float) -> float:
    return sum(xs) * a + max(xs) * min(xs)


def as_array(xs: list[float], a: float) -> float:
    x = np.array(xs)
    return float(np.sum(np.exp(a * x)))


def sliced(xs: list[float]) -> float:
    return sum(xs[1:]) * xs[0] + sum(xs[:-1]) + sum(xs[::-1][:1])


def comprehended(xs: list[float], a: float) -> float:
    return sum([a * x * x for x in xs]) + sum(math.cos(x) for x in xs)


def weighted(xs: list[float], ks: list[int]) -> float:
    total = 0.0
    for x, k in zip(xs, ks, strict=True):
        total += k * x**k
    return total


def reversed_horner(xs: Sequence[float], t: float) -> float:
    value = 0.0
    for c in reversed(xs):
        value = value * t + c
    return value


def copied(xs: list[float], a: float) -> float:
    ys = list(xs)
    ys[0] = a * ys[0]
    ys.append(a)
    return sum(ys) + xs[0] * len(ys) + len(xs)


def helped(xs: list[float], a: float) -> float:
    return _norm(xs) * a + _norm([a, a * a])


def _norm(xs: list[float]) -> float:
    return math.sqrt(sum([x * x for x in xs]))


def optional(x: float, ws: list[float] | None) -> float:
    if ws is None:
        return x
    return sum([w * x for w in ws])


def not_given(x: float, ws: list[float] | None = None) -> float:
    if ws is None:
        return x * x
    return sum([w * x for w in ws])


# ---- changes ------------------------------------------------------------------------------------


def writes(xs: list[float], a: float) -> float:
    for i in range(len(xs)):
        xs[i] = a * xs[i] ** 2
    return sum(xs)


def appends(xs: list[float], a: float) -> float:
    for i in range(3):
        xs.append(xs[i] * a)
    return xs[-1] + xs[0]


def appends_if(xs: list[float], a: float) -> float:
    if a > 0.0:
        xs.append(a * a)
    xs[0] *= 2.0
    return sum(xs)


def pops(xs: list[float], a: float) -> float:
    last = xs.pop()
    xs[0] += last * a
    return xs[0] * last


def cleared(xs: list[float], a: float) -> float:
    total = sum(xs) * a
    xs.clear()
    xs.append(total)
    return total


def smoothed(xs: list[float], a: float) -> float:
    for _ in range(2):
        for i in range(1, len(xs) - 1):
            xs[i] = xs[i] + a * (xs[i - 1] - 2.0 * xs[i] + xs[i + 1])
    return xs[1] ** 2


def logs(log: Log, a: float) -> float:
    log.add(a)
    log.add(a * log.times[0])
    return log.total * log.times[-1]


def replaces_field(log: Log, a: float) -> float:
    log.times = [a * t for t in log.times]
    return sum(log.times)


def through_helper(xs: list[float], a: float) -> float:
    _scale(xs, a)
    _scale(xs, a)
    return xs[0] * xs[1]


def _scale(xs: list[float], a: float) -> None:
    for i in range(len(xs)):
        xs[i] *= a


def points_grow(ps: list[Point], a: float) -> float:
    ps.append(Point(a, ps[0].x))
    total = 0.0
    for p in ps:
        total += p.x * p.y
    return total


# ---- structs ------------------------------------------------------------------------------------


def polygon(ps: list[Point]) -> float:
    area = 0.0
    for k in range(len(ps)):
        p, q = ps[k], ps[(k + 1) % len(ps)]
        area += p.x * q.y - q.x * p.y
    return 0.5 * area


def frozen(cells: list[Cell], a: float) -> float:
    total = 0.0
    for cell in cells:
        total += cell.size**cell.count * a + cell.at.x * cell.at.y
    return total


def mutable(bodies: list[Body], v: float) -> float:
    total = 0.0
    for body in bodies:
        total += body.momentum(v) * body.pos
    return total + bodies[0].mass


def gravity(bodies: list[Body], eps: float) -> float:
    energy = 0.0
    for i in range(len(bodies)):
        for j in range(i + 1, len(bodies)):
            d = bodies[i].pos - bodies[j].pos
            energy -= bodies[i].mass * bodies[j].mass / math.sqrt(d * d + eps * eps + 0.1)
    return energy


def heaviest(bodies: list[Body], v: float) -> float:
    best = bodies[0]
    for body in bodies:
        if body.mass > best.mass:
            best = body
    return best.pos * v * best.mass


def tuples(pairs: list[tuple[float, float]], a: float) -> float:
    total = 0.0
    for x, w in pairs:
        total += w * math.sin(a * x)
    return total


def nested_tuples(items: list[tuple[int, tuple[float, Point]]]) -> float:
    total = 0.0
    for k, (x, p) in items:
        total += k * x * p.x - p.y
    return total


# ---- arrays -------------------------------------------------------------------------------------


def ragged(xs: list[Vector]) -> float:
    total = 0.0
    for k, x in enumerate(xs):
        total += (k + 1.0) * float(np.sum(np.sin(x) * x))
    return total


def ragged_loops(xs: list[Vector], a: float) -> float:
    total = 0.0
    for i in range(len(xs)):
        for j in range(xs[i].shape[0]):
            total += xs[i][j] * math.exp(-a * xs[i][0])
    return total


def matrices(ms: list[Matrix], x: Vector) -> float:
    y = 0.0
    for m in ms:
        y += float(np.sum(np.tanh(m @ x[: m.shape[1]])))
    return y


def layers(net: list[tuple[Matrix, Vector]], a: float) -> float:
    total = 0.0
    for w, b in net:
        total += float(np.sum(np.tanh(a * w.T @ b[: w.shape[0]])))
    return total


def rods(rods: list[Rod], a: float) -> float:
    energy = 0.0
    for rod in rods:
        for k in range(rod.nodes.shape[0] - 1):
            energy += rod.stiffness * (rod.nodes[k + 1] - rod.nodes[k] - a) ** 2
    return energy


def stacked(xs: list[Vector], a: float) -> float:
    x = np.stack(xs)
    return float(np.sum(np.sin(a * x), axis=0)[1])


def mapped(xs: list[Vector], a: float) -> float:
    ys = [a * np.tanh(x) for x in xs]
    return float(np.sum(ys[0] * ys[-1]))


def first_is_given_twice(xs: list[Vector], x: Vector) -> float:
    return float(np.sum(xs[0] * x))


def beside_written(xs: list[Vector], y: Vector) -> float:
    for x in xs:
        y += x * x
    return float(np.sum(y * y))


def stored(layers: Layers, x: Vector) -> float:
    total = 0.0
    for w, s in zip(layers.weights, layers.scales, strict=True):
        total += s * float(np.sum(w @ x[:3]))
    return total


def complex_numbers(zs: list[complex], a: float) -> float:
    total = 0.0
    for z in zs:
        total += abs(z) ** 2 * a + z.real
    return total


def chosen(xs: list[float], ys: list[float], a: float) -> float:
    zs = xs if a > 0.5 else ys
    return zs[0] * zs[1] * a


# ---- results ------------------------------------------------------------------------------------


def scaled(xs: list[float], a: float) -> list[float]:
    return [a * x for x in xs]


def same_again(xs: list[float], a: float) -> list[float]:
    return xs


def trajectory(x: float, rate: float) -> list[float]:
    found = [x]
    while len(found) < 5:
        found.append(found[-1] * rate + 0.1)
    return found


def display(x: float, y: float) -> list[float]:
    return [x * y, x + y, 2 * y]


def with_value(xs: list[float], a: float) -> tuple[float, list[float]]:
    return sum(xs) * a, [x * a for x in xs[1:]]


def moved(ps: list[Point], a: float) -> list[Point]:
    return [Point(p.x + a * p.y, p.y * a) for p in ps]


def pairs(xs: list[float], a: float) -> list[tuple[float, float]]:
    return [(x, a * x * x) for x in xs]


def bodies(x: float, v: float) -> list[Body]:
    return [Body(x, v), Body(x * v, 2.0)]


def rows(x: Matrix, a: float) -> list[Vector]:
    return [a * row for row in x]


def of_two_shapes(x: Vector, a: float) -> list[Vector]:
    return [a * x, x[1:] * x[:-1]]


def arrays_as_given(xs: list[Vector], a: float) -> list[Vector]:
    return xs


def changed_and_given(xs: list[float], a: float) -> list[float]:
    xs[0] = a * xs[1]
    xs.append(a)
    return xs


def split_state(log: Log, a: float) -> Log:
    return Log([a * t for t in log.times], log.total * a)


def table(t: list[list[float]], near: list[list[int]], x: Vector) -> float:
    total = 0.0
    for i, row in enumerate(t):
        total += sum(row) * len(row) + t[i][0] * row[-1] + t[-1][1]
        for j, v in enumerate(row):
            total += v * v * (j + 1)
        for a, b in zip(row[1:], row, strict=False):
            total += a * b
    for i in range(len(near)):
        for j in near[i]:
            total += x[i] * x[j] ** 2
    return total


def rows_as_arrays(t: list[list[float]], near: list[list[int]], x: Vector) -> float:
    s = 0.0
    for row in t:
        v = np.array(row)
        s += np.sum(v**3) + np.max(v) * (v @ v) + max(row) * min(row)
    sums = [sum(row) for row in t]
    first = [row[0] for row in t]
    longest = max(len(row) for row in t)
    return s + np.array(t[:1])[0, 1] * sums[0] * first[-1] + longest * sums[1] + sum(x[near[0]])


def rows_apart(t: list[list[float]]) -> float:
    total = 0.0
    for row in t:
        if len(row) == 3:
            a, b, c = row
            total += a * b * c
    best = t[0] if t[0][0] > t[1][0] else t[1]
    own = list(best)
    own.append(2.0)
    own[0] *= 3.0
    return total + sum(best) + sum(own) * t[0][0]


def rows_with_weights(t: list[tuple[list[float], float]]) -> float:
    return sum(sum(row) * w * w for row, w in t)


def one_table(t: list[list[float]]) -> list[list[float]]:
    return t


def product_table(x: Vector, n: int) -> list[list[float]]:
    return [[x[i] * x[j] * i for j in range(n)] for i in range(n)]


def three_rows(t: list[list[float]], a: float) -> list[list[float]]:
    return [[a, t[0][0]], [a * t[1][1]], [row[0] for row in t]]


def _best(sizes: list[int], xs: list[float], room: int, n: int) -> float:
    if n == 0:
        return 0.0
    without = _best(sizes, xs, room, n - 1)
    if sizes[n - 1] > room:
        return without
    return max(without, xs[n - 1] ** 2 + _best(sizes, xs, room - sizes[n - 1], n - 1))


def recursive(xs: list[float]) -> float:
    sizes = [k % 3 + 1 for k in range(len(xs))]
    return _best(sizes, xs, 4, len(xs)) + sum(xs)


def matched(xs: list[float], y: float) -> float:
    match xs:
        case []:
            return y
        case [a]:
            return a * a
        case [first, *rest] if first > 100.0:
            return len(rest) * y
        case [first, *rest, last]:
            return first * sum(rest) + last * y
    return 0.0


def in_order(a: Matrix) -> tuple[np.ndarray, list[int], list[float]]:
    """Lists among several results, one of which is an array whose rank is not said."""
    n = a.shape[0]
    places = sorted(range(n), key=lambda k: a[k, 0])
    return np.tanh(a), places, [a[k, 0] * a[k, 0] for k in places]


def lists_of_a_tuple(a: Matrix, b: Vector) -> float:
    squashed, places, squares = in_order(a)
    total = 0.0
    for k in range(3):
        total += b[places[k]] * squares[k] * squashed[places[k], 1]
    return total
