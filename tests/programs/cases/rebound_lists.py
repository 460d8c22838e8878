"""Variables that hold another list in each iteration, or on each path."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from kinds import Vec


def kept(x: Vec, n: int) -> float:
    ps = list(x)
    for t in range(n):
        ps = [v * 0.9 for v in ps if v > 0.1 * t]
    return sum(ps) * len(ps)


def cells(x: Vec, n: int, steps: int) -> float:
    cells = [[] for _ in range(n)]
    for i in range(len(x)):
        cells[i % n].append(x[i])
    for _s in range(steps):
        new = [[] for _ in range(n)]
        for k, cell in enumerate(cells):
            for v in cell:
                new[(3 * k + len(cell)) % n].append(v * 1.1 + k)
        cells = new
    return sum(sum(c) * (k + 1) for k, c in enumerate(cells))


def refined(a: float, b: float, n: int) -> float:
    xs = [0.0, a, 1.0]
    for _ in range(n):
        ys = []
        for k in range(len(xs) - 1):
            ys.append(xs[k])
            ys.append(0.5 * (xs[k] + xs[k + 1]) + b)
        ys.append(xs[-1])
        xs = ys
    return sum(xs) * len(xs)


def chosen(x: Vec, t: float) -> float:
    if x[0] > t:
        xs = [v * 2 for v in x]
    else:
        xs = [x[0], 3 * x[1]]
    xs.append(t)
    return sum(xs) * xs[-1] + len(xs)


def level(x: Vec, n: int) -> float:
    frontier = [0]
    total = 0.0
    depth = 0
    while frontier and depth < 4:
        following = []
        for k in frontier:
            total += x[k % len(x)] * (depth + 1)
            following.append(2 * k + 1)
            if k > n:
                following.append(2 * k + 2)
        frontier = following
        depth += 1
    return total


def swapped(x: Vec, n: int) -> float:
    old, new = list(x), [0.0 for v in x]
    for _t in range(n):
        for i in range(len(x)):
            new[i] = 0.5 * old[i] + old[i - 1]
        old, new = new, old
    return sum(old) + new[0]


def tailed(x: Vec, n: int) -> float:
    h = []
    for t in range(n):
        h = h + [x[t % len(x)] ** 2]  # noqa: RUF005
        h = h[-3:]
    return sum(h) + h[0]


def held(x: Vec, n: int) -> float:
    best = []
    cur = []
    for v in x:
        cur.append(v)
        if sum(cur) > sum(best):
            best = cur
        elif v < 0:
            cur = []
    return sum(best) + 2 * sum(cur) * len(best)


def copied(x: Vec, n: int) -> float:
    best = []
    cur = []
    for v in x:
        cur.append(v)
        if sum(cur) > sum(best):
            best = list(cur)
        elif v < 0:
            cur = []
    return sum(best) + 2 * sum(cur) * len(best)


@dataclass
class P:
    x: float
    v: float
    alive: bool = True

    def move(self, dt):
        self.x += self.v * dt
        if self.x > 2.0:
            self.alive = False


def choose(x: Vec, t: float) -> float:
    a, b = [], []
    for v in x:
        target = a if v > t else b
        target.append(v * v)
    return sum(a) - 3 * sum(b) * len(a)


def three(x: Vec) -> float:
    lo, mid, hi = [], [], []
    for v in x:
        (lo if v < 0.3 else hi if v > 1.0 else mid).append(v)
    return sum(lo) + 2 * sum(mid) * sum(hi)


def particles(x: Vec, v: Vec, n: int) -> float:
    ps = [P(a, b) for a, b in zip(x, v, strict=False)]
    for _t in range(n):
        for p in ps:
            p.move(0.5)
        ps = [p for p in ps if p.alive]
    return sum(p.x * p.v for p in ps) + len(ps)


def spawned(x: Vec, n: int) -> float:
    ps = [P(a, 1.0) for a in x]
    for _t in range(n):
        new = []
        for p in ps:
            p.move(0.1)
            new.append(p)
            if p.x > 0.5:
                new.append(P(p.x * 0.5, -p.v))
        ps = new
    ps[0].x *= 2.0
    return sum(p.x * p.v for p in ps) + len(ps)


def best_k(x: Vec, k: int) -> float:
    ps = [P(a, a * a) for a in x]
    ps = sorted(ps, key=lambda p: -p.v)[:k]
    return sum(p.x for p in ps)


def population(x: Vec, n: int) -> float:
    pop = [P(a, a * a) for a in x]
    for _g in range(n):
        pop.sort(key=lambda p: p.v)
        half = pop[: len(pop) // 2]
        kids = [P(0.5 * (a.x + half[0].x), a.v * 0.9) for a in half]
        pop = half + kids
    return sum(p.x * p.v for p in pop)


def split_points(w: Vec, n: int) -> float:
    pts = [(v, v * v) for v in w]
    for _t in range(n):
        new = []
        for a, b in pts:
            new.append((a * 0.9, b + a))
            if a > 0.2:
                new.append((a * 0.5, b))
        pts = new
    return sum(a * b for a, b in pts)


def _table(x: float, n: int) -> list[list[float]]:
    return [[x + i + j for j in range(n)] for i in range(n)]


def lengthened_first(x: float, n: int) -> float:
    t = [[x for _ in range(n)] for _ in range(n + 1)]
    t[0].append(x * x)
    return sum(t[0]) * len(t[0]) + len(t[-1])


def lengthened_shared(x: float, n: int) -> float:
    t = _table(x, n + 2)
    t[0] = t[1]
    t[0] += [x * x]
    return sum(t[1]) * t[0][-1] + len(t[1])


def sorted_shared(x: float, n: int) -> float:
    t = _table(-x, n + 2)
    t[0] = t[1]
    t[1][0] = 10.0 * x
    r = t[0]
    r.sort()
    return t[1][0] * 2.0 + t[0][-1]


def kept_first(x: float, n: int) -> float:
    row = [x] * (n + 1)
    keep = row
    t = []
    for _ in range(n + 1):
        t.append(row)
        row = [x]
    t[0][0] = 2.0 * x
    return keep[0] + sum(keep) * len(t)


class Order(NamedTuple):
    amount: float
    due: int


def delivered(x: Vec, k: int) -> float:
    """Filtered before anything is put into it: what it holds shows later."""
    open_ = []
    total = 0.0
    for t, v in enumerate(x):
        total += 2.0 * sum(o.amount for o in open_ if o.due == t)
        open_ = [o for o in open_ if o.due != t]
        open_.append(Order(v * v, t + k % 2 + 1))
    return total + sum(amount for amount, _ in open_)


class Stock:
    def __init__(self) -> None:
        self.pipeline = []
        self.level = 0.0

    def receive(self, t: int) -> None:
        before = self.pipeline
        arrived = [o for o in self.pipeline if o.due == t]
        self.pipeline = [o for o in before if o.due != t]
        before.append(Order(100.0, t))
        for o in arrived:
            self.level += o.amount


class Policy(Stock):
    def __init__(self, wanted: Callable[[float], float]) -> None:
        super().__init__()
        self.wanted = wanted


def received(x: Vec) -> float:
    """In a field of an object in a table."""
    stock = Stock()
    for t, v in enumerate(x):
        stock.receive(t)
        stock.pipeline.append(Order(v * v, t + 2))
    return stock.level + 3.0 * sum(o.amount for o in stock.pipeline)


def ordered(x: Vec, most: float) -> float:
    """In a field of an object that holds a function."""
    stock = Policy(lambda level: most - level)
    for t, v in enumerate(x):
        stock.receive(t)
        stock.level -= v
        stock.pipeline.append(Order(stock.wanted(stock.level), t + 2))
    return stock.level * len(stock.pipeline) + stock.pipeline[-1].amount


def paired(x: Vec, n: int) -> float:
    """Tuples in lists in a list, all lengths of the run's."""
    rows = [[(v * k, i) for i, v in enumerate(x)] for k in range(n)]
    rows[0] = [(w, i + 1) for w, i in rows[n - 1] if i > 0]
    return sum(w * i for row in rows for w, i in row) * len(rows[0])


def callers(xs: list[float], n: int) -> float:
    """A list of the caller's at first."""
    for i in range(n):
        if i % 2:
            xs = [x * x for x in xs if x < 1]
    return sum(xs) + len(xs)


def callers_or_longer(xs: list[float], n: int) -> float:
    for k in range(n):
        xs = xs[1:] if k % 2 else [*xs, 1.5]
    return sum(xs) * len(xs)


def callers_rows(rows: list[list[float]], n: int) -> float:
    if n > 2:
        rows = [r[1:] for r in rows]
    own = [[2 * x for x in r] for r in rows] if n % 2 else rows
    return sum(sum(r) * (k + len(r)) for k, r in enumerate(own))


def _times(a: list[list[float]], b: list[list[float]]) -> list[list[float]]:
    return [
        [sum(x * y for x, y in zip(row, c, strict=True)) for c in zip(*b, strict=True)] for row in a
    ]


def matrix_power(a: list[list[float]], n: int) -> float:
    r = [[float(i == j) for j in range(len(a))] for i in range(len(a))]
    while n:
        if n & 1:
            r = _times(r, a)
        a = _times(a, a)
        n >>= 1
    return sum(r[i][i] for i in range(len(r)))


def _trimmed(rows: list[list[float]], n: int) -> list[list[float]]:
    if n > 2:
        return [r[:-1] for r in rows]
    return rows


def given_back(rows: list[list[float]], n: int) -> float:
    """A helper that returns a new list on one path, its parameter on another."""
    own = _trimmed(rows, n)
    return sum(sum(r) * (k + len(r)) for k, r in enumerate(own))


def cut(rows: list[list[float]]) -> float:
    """Lists of lengths that differ, in a list of a known length."""
    own = [r[: k + 1] for k, r in enumerate(rows)]
    twice = [[2 * x for x in r] for r in own]
    return sum(sum(r) * len(r) for r in twice)


def chunks(xs: list[float], n: int) -> float:
    parts = [xs[i : i + n] for i in range(0, len(xs) + 1, n - 1)]
    return sum(sum(c) * len(c) for c in parts)


def differences(xs: list[float]) -> float:
    """The caller's list as an item of another one."""
    table = [xs]
    while len(table[-1]) > 1:
        last = table[-1]
        table.append([b - a for a, b in pairwise(last)])
    return sum(r[0] * r[-1] for r in table)


def some_rows(rows: list[list[float]]) -> float:
    """The caller's rows beside other lists."""
    seen = []
    for k, r in enumerate(rows):
        if k % 2:
            seen.append(r)
        else:
            seen.append([2 * x for x in r])
    return sum(sum(r) * (k + 1) for k, r in enumerate(seen))
