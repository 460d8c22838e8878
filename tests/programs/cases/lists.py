"""Lists: made, changed through every alias, indexed, joined, iterated over."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Matrix = Annotated[NDArray[np.float64], "r c"]


@dataclass
class Body:
    x: float
    v: float = 0.0


@dataclass(frozen=True)
class Layer:
    scale: float
    weights: list


def all_methods(x: float, y: float) -> float:
    xs = [x, y]
    xs.append(x * y)
    xs.extend((x + y, 2.0 * x))
    xs.insert(1, y * y)
    last = xs.pop()
    first = xs.pop(0)
    xs.reverse()
    copied = xs.copy()
    copied.append(last)
    del xs[0]
    return xs[0] * first + copied[-1] * copied[1] + len(xs) * xs[-1] * len(copied)


def chained_targets(x: float, y: float) -> float:
    a = b = []
    a.append(x)
    b.append(x * y)
    a[0] += y
    return a[0] * b[1] * len(a)


def shared_rows(x: float, y: float) -> float:
    grid = [[0.0] * 2] * 3
    grid[0][1] = x
    grid[2][0] = y
    return grid[1][0] * grid[1][1] + grid[0][0]


def separate_rows(x: float, y: float) -> float:
    grid = [[0.0] * 2 for _ in range(3)]
    grid[0][1] = x
    grid[2][0] = y
    return grid[1][0] + grid[0][1] * grid[2][0]


def in_place_or_new(x: float, y: float) -> float:
    a = [x]
    b = a
    a += [y]
    c = a
    a = a + [x * y]  # noqa: RUF005
    return b[1] * len(c) + a[2] * len(a) + sum(b)


def slices(x: float, y: float) -> float:
    xs = [x, y, x * y, x + y]
    ys = xs[1:3]
    ys[0] = 5.0 * x
    xs[::2] = [y, y * y]
    xs[1:2] = [x, x, x]
    return xs[0] * xs[-2] + ys[0] * ys[1] + sum(xs[::-1][:2])


def swapped(x: float, y: float) -> float:
    xs = [x, y, x * y]
    xs[0], xs[2] = xs[2], xs[0]
    a, *rest, b = [*xs, x * x]
    rest.append(a)
    return a * rest[0] + rest[1] * b + rest[-1]


def of_arrays(x: Vector) -> float:
    xs = [np.zeros(2), 2.0 * x]
    xs[0][1] = x[0] * x[1]
    ys = [*xs]
    ys[1][0] = 3.0
    xs[1][1] += x[2]
    total = 0.0
    for v in xs:
        total += np.sum(v * v)
    return total


def element_is_argument(x: Vector, y: Vector) -> float:
    xs = [x, y]
    xs[0][1] = y[0] * y[1]
    for v in xs:
        v *= 2.0
    return x[1] * y[2] + xs[1][0]


def rebound_element(x: Vector) -> float:
    xs = [x, x]
    xs[0] = x * x
    xs[0][0] = 1.0
    return np.sum(xs[0] * xs[1])


def run_time_index(x: float, y: float, k: int) -> float:
    xs = [x, y, x * y]
    total = 0.0
    for i in range(2 * k):
        total += xs[i % 3] * (i + 1) + xs[-1 - i % 2]
    return total


def run_time_write(x: float, y: float, k: int) -> float:
    xs = [0.0] * 3
    for i in range(2 * k):
        xs[i % 3] += x * y**i
        xs[i % 2] = xs[i % 2] * y
    return xs[0] * xs[1] + xs[2]


def run_time_array(x: Vector, y: Vector, k: int) -> float:
    xs = [x * 2.0, y * y, x - y]
    total = 0.0
    for i in range(k):
        v = xs[(i + 1) % 3]
        total += np.sum(v * v) * (i + 1)
    return total


def run_time_tuple(x: float, y: float, k: int) -> float:
    pairs = ((x, y), (y, x * x))
    total = 0.0
    for i in range(k):
        a, b = pairs[i % 2]
        total += a * a * b
    return total


def counted(x: float, y: float, k: int) -> float:
    xs = [0.0] * (k + 1)
    xs[0] = x
    for i in range(k):
        xs[i + 1] = math.sin(xs[i]) * y + xs[-1]
    return sum(xs) * xs[-1] + max(xs) * len(xs)


def grows_by_constant(x: float, y: float) -> float:
    xs = [x]
    for i in range(4):
        xs.append(xs[-1] * y + i)
        if i % 2:
            xs.append(x)
    return xs[3] * xs[-1] + len(xs)


def carried(x: float, y: float, k: int) -> float:
    state = [x, y]
    old = state
    for _ in range(k):
        state = [s + 0.1 * math.sin(t) for s, t in zip(state, state[::-1], strict=True)]
    return state[0] * state[1] + old[0]


def widened(x: float, k: int) -> float:
    counts = [0, 0]
    for i in range(k):
        counts[i % 2] = counts[i % 2] + x * i
    return counts[0] * 2 + counts[1] * x


def chosen(x: float, y: float) -> float:
    if x > y:
        xs = [x, y]
    else:
        xs = [y, x, 1.0][:2]
    xs.append(x * y)
    xs[0] = xs[0] * 2.0
    return xs[0] * xs[1] + xs[2]


def changed_in_arms(x: float, y: float) -> float:
    xs = [x, y, 0.0]
    ys = xs
    if x > y:
        xs[2] = x * y
    else:
        xs[0] = y * y
    return ys[0] + ys[1] * ys[2]


def while_changed(x: float, y: float) -> float:
    xs = [x, y]
    while xs[0] < 3.0:
        xs[0] += xs[1] ** 2 + 0.1
        xs[1] *= 1.1
    return xs[0] * xs[1]


def of_structs(x: float, y: float, k: int) -> float:
    bodies = [Body(x), Body(y, 1.0)]
    first = bodies[0]
    for _ in range(k):
        for i in range(2):
            force = bodies[1 - i].x - bodies[i].x
            bodies[i].v += 0.1 * force
        for body in bodies:
            body.x += 0.1 * body.v
    return first.x * bodies[1].x + sum(b.v for b in bodies)


def in_structs(x: float, y: float) -> float:
    shared = [x, y]
    layers = (Layer(2.0, shared), Layer(x, [y]))
    shared.append(x * y)
    layers[1].weights[0] += x
    total = 0.0
    for layer in layers:
        for w in layer.weights:
            total += layer.scale * w * w
    return total


def _stats(xs: list) -> list:
    xs.append(0.5 * xs[0])
    return [sum(xs) / len(xs), max(xs), xs]


def from_helper(x: float, y: float) -> float:
    values = [x, y, x * y]
    mean, top, same = _stats(values)
    same[0] = 2.0
    return mean * top + values[0] * values[3]


def _path(x: float, n: int, seen: list) -> float:
    if n == 0:
        return x
    seen.append(x)
    return _path(x * x + seen[0], n - 1, seen)


def recursive(x: float, y: float) -> float:
    seen = []
    end = _path(x, 3, seen)
    return end * y + seen[1] * seen[2]


def default_is_shared(x: float, y: float) -> float:
    def remember(value: float, memory: list = []) -> float:  # noqa: B006
        memory.append(value)
        return sum(memory)

    return remember(x) * remember(y) * remember(x * y)


def updated_while_running(x: float, y: float) -> float:
    xs = [x, y, x * y]
    total = 0.0
    for i, v in enumerate(xs):
        xs[-1] += v
        total = total * y + v * (i + 1)
    return total


def mixed_zip(x: Vector, a: float) -> float:
    total = 0.0
    for w, v in zip((a, a * a, 2.0), x, strict=False):
        total += w * v
    for i, (w, v) in enumerate(zip([a, 3.0], x[1:], strict=False), 2):
        total += i * w * v
    for w in reversed([a, a**2]):
        total = total * w + w
    for w, v in zip((a,) * 9, x, strict=False):
        total += v * w
    else:
        total *= a
    return total


def compared(x: float, y: float) -> float:
    xs = [x, 1]
    if xs == [x, 1] and xs != [y, 1] and [1, 2] != (1, 2) and 1 in xs:
        x = x * y
    if not [] and xs and x in [x]:
        y = y * y
    return x + y


def as_arrays(x: Vector, a: float) -> float:
    xs = [a, 2.0 * a]
    m = np.array([xs, [1.0, a]])
    xs[0] = 0.0
    rows = [x, x * a]
    rows.append(rows[0] * rows[1])
    return np.linalg.det(m) + np.sum(np.stack(rows)) * np.mean(xs) + np.dot(xs, [a, a])


def nested_loops(x: float, y: float) -> float:
    g = [[x, y, 1.0], [y, x * x, 2.0]]
    t = [[0.0 for _ in range(2)] for _ in range(3)]
    for i in range(2):
        for j in range(3):
            t[j][i] = g[i][j] * (i + j)
    return sum(sum(row) for row in t) * t[1][1]


def early_exit(x: float, y: float) -> float:
    for v in [x, y, x * y, 2.0]:
        if v > 0.8:
            return v * v * x
    return y


def functions(x: float, y: float) -> float:
    steps = [math.sin, lambda t: t * y, math.exp]
    for i in range(len(steps)):
        x = steps[i](x)
    steps.append(math.cos)
    for step in steps[2:]:
        x = step(x)
    return x


def of_unequal(x: Vector, a: float) -> float:
    blocks = [x, np.outer(x, x), a]
    return np.sum(blocks[0]) * np.sum(blocks[1]) + blocks[2] * len(blocks)


def grows_until(x: float, y: float) -> float:
    xs = [x]
    while len(xs) < 5:
        xs.append(xs[-1] * y)
        if len(xs) == 4:
            break
    return xs[3] + len(xs)


def sliding(x: Vector, k: int) -> float:
    recent, squares = [0.0] * 3, [1.0] * 2
    for i in range(k):
        recent = [*recent[1:], x[i]]
        squares.append(x[i] * squares.pop(0))
    return recent[0] * recent[1] + recent[2] * squares[1] + squares[0]


def matrix_power(x: float, y: float, k: int) -> float:
    g = [[x, 1.0], [y, 0.5]]
    p = [[1.0, 0.0], [0.0, 1.0]]
    for _ in range(k):
        p = [[sum(p[r][m] * g[m][c] for m in range(2)) for c in range(2)] for r in range(2)]
    return p[0][0] + p[1][0] * p[0][1]


def made_in_loop(x: float, y: float) -> float:
    for i in range(30):
        xs = [x * i, y]
        xs.append(y * y)
    return xs[0] * xs[2]


def logged_by_closure(x: float, y: float) -> float:
    log = []

    def step(v: float) -> float:
        log.append(v)
        return v * y

    z = step(step(x))
    return z + log[0] * log[1]


def out_of_range(x: float, y: float, k: int) -> float:
    xs = [x, y]
    try:
        v = xs[k]
    except IndexError:
        v = x * y
    return v * xs[k - 2]


def _table(m, n, x=0.0):
    return [[x for _ in range(n)] for _ in range(m)]


class _Chain:
    def __init__(self, n):
        self.held = _table(n, n)
        self.n = n

    def run(self, a):
        for i in range(self.n):
            self.held[0][i] = a * i
        for t in range(self.n - 1):
            for j in range(self.n):
                s = 0.0
                for i in range(self.n):
                    s += self.held[t][i] * math.sin(a * j + i)
                self.held[t + 1][j] = s * a


def table_in_attribute(a: float, b: float, n: int) -> float:
    chain = _Chain(n)
    chain.run(a)
    chain.held[0][-1] += b
    return sum(chain.held[n - 1]) + sum(chain.held[0]) * chain.held[1][0]


def rows_of_table_by_other_names(a: float, b: float, n: int) -> float:
    t = _table(n, n, a)
    r, u, s = t[0], list(t), t[1:]
    t[0][1] = b
    r[2] = b * b
    s[0][0] = 3.0 * a
    for row in t:
        row[0] = row[0] * b
    u[2][1] = 7.0 * a * b
    picked = t[0] if b > 0 else t[1]
    total = sum(sum(q) for q in t) + u[0][0] + picked[1]
    return total + sum(r) + 2 * sum(t[1]) + 3 * sum(u[2]) + sum(t[2]) * sum(s[1])


def numbers_of_an_array(x: Vector, y: float) -> float:
    """Python's numbers: they are rounded as Python does it."""
    numbers = (x * y).tolist()
    numbers.append(y)
    numbers.sort()
    return sum(n * n * k for k, n in enumerate(numbers)) + round(numbers[0] * 0.0 + 2.675, 2)


def rows_of_an_array(x: Vector, y: float) -> float:
    rows = np.outer(x, x).tolist()
    rows[0][1] = y
    rows.append([y, y * y])
    return sum(sum(row) * len(row) for row in rows) * y


def made_of_an_iterable(x: Vector, y: float) -> float:
    squares = np.fromiter((v * v * y for v in x), dtype=float)
    first = np.fromiter(map(math.sin, x), np.float64, count=2)
    return squares @ squares + first @ first


def list_or_exception(xs: list[float], n: int) -> float:
    """A list that is one of two, or neither of them."""
    if len(xs) == n + 1:
        ys = xs
    elif len(xs) <= n + 8:
        ys = [0, *xs]
    else:
        raise ValueError("too many")
    total = 0.0
    for k, y in enumerate(ys):
        total += k * y * y
    return total


def _for_periods(xs, n):
    if isinstance(xs, list):
        if len(xs) == n + 1:
            return xs
        elif len(xs) <= n + 8:
            return [0, *xs]
        else:
            raise ValueError("too many")
    return [0] + [xs] * n


def lists_or_exceptions(xs: list[float], rate: float, n: int) -> float:
    ys, rates = _for_periods(xs, n), _for_periods(rate, n)
    return sum(y * y * r for y, r in zip(ys, rates, strict=False))
