"""Lists whose length is only known when the program runs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Matrix = Annotated[NDArray[np.float64], "r c"]


class Event(NamedTuple):
    time: float
    size: float


@dataclass(frozen=True)
class Point:
    x: float
    at: Vector


@dataclass
class Log:
    times: list
    total: float = 0.0

    def add(self, t: float) -> None:
        self.times.append(t)
        self.total += t


def trajectory(x: float, y: float) -> float:
    xs = [x]
    while len(xs) < 6:
        xs.append(xs[-1] * y + 0.3)
    return sum(xs) * xs[2]


def from_nothing(x: float, y: float) -> float:
    ts = []
    t = 0.0
    while t < 2.0:
        ts.append(math.sin(t) * x)
        t += 0.3 * y
    s = 0.0
    for v in ts:
        s += v * v
    return s


def adaptive(x: float, y: float) -> float:
    ts, ys = [0.0], [x]
    t, u, h = 0.0, x, 0.4
    while t < 1.5:
        slope = -y * u + math.sin(t)
        half = u + 0.5 * h * slope
        better = half + 0.5 * h * (-y * half + math.sin(t + 0.5 * h))
        if abs(better - (u + h * slope)) > 0.02:
            h *= 0.5
            continue
        t, u = t + h, better
        h *= 1.3
        ts.append(t)
        ys.append(u)
    area = 0.0
    for k in range(1, len(ts)):
        area += 0.5 * (ts[k] - ts[k - 1]) * (ys[k] + ys[k - 1])
    return area


def events(v: Vector, x: float) -> float:
    found = []
    for i in range(len(v)):
        if v[i] > 0.5:
            found.append(Event(float(i), v[i] * x))
    s = 0.0
    for e in found:
        s += e.time * e.size * e.size
    return s + len(found)


def rejected_steps(v: Vector, x: float) -> float:
    chain = [x]
    state = x
    for i in range(len(v)):
        proposal = state + v[i] - 0.5
        if proposal * proposal < 1.5 * state * state + 0.3:
            state = proposal
        chain.append(state)
    kept = np.array(chain)
    return float(np.mean(kept) + np.sum(kept**2))


def stack_machine(v: Vector, x: float) -> float:
    stack = [x, 1.0]
    for i in range(len(v)):
        if v[i] > 0.8 and len(stack) > 1:
            a = stack.pop()
            b = stack.pop()
            stack.append(a * b + v[i])
        else:
            stack.append(v[i] * x)
    s = 0.0
    while stack:
        s = s * 0.5 + stack.pop()
    return s


def taken_before_put(v: Vector, x: float) -> float:
    stack: list[float] = []
    waiting = []
    for i in range(len(v)):
        if i % 3 == 2:
            b = stack.pop()
            a = stack.pop()
            stack.append(a * b - x)
        elif i % 3 == 1 and i > 4:
            x += waiting.pop(0)[1]
            stack.append(x)
        else:
            stack.append(v[i] * x)
            waiting.append((i, v[i]))
    return sum(stack) + len(waiting) * x


def items_before_put(v: Vector, x: float) -> float:
    last: dict[int, float] = {}
    for i in range(len(v)):
        if i % 3 == 2:
            k, y = last.popitem()
            x += k * y
        else:
            last[i] = v[i] * x
    return x


def rows(v: Vector, x: float) -> float:
    states = [v]
    s = v
    while len(states) < 5:
        s = s * x + 0.1
        states.append(s)
    m = np.stack(states)
    return float(np.sum(m[1:] * m[:-1]))


def last_row(v: Vector, x: float) -> float:
    path = []
    y = v * 1.0
    t = 0.0
    while t < 1.0:
        path.append(np.sin(y) * x)
        y = y + 0.3 * path[-1]
        t += 0.3
    return float(np.dot(path[0], path[-1])) + len(path)


def of_structs(v: Vector, x: float) -> float:
    points = []
    for i in range(len(v)):
        if v[i] < 1.1:
            points.append(Point(v[i] * x, v * v[i]))
    s = 0.0
    for p in points:
        s += p.x * np.sum(p.at)
    return s


def one_branch(x: float, y: float) -> float:
    xs = [x]
    if y > 0.5:
        xs.append(x * y)
        xs.append(y)
    return sum(xs) + xs[-1] * len(xs)


def both_branches(x: float, y: float) -> float:
    xs = []
    if y > 10.0:
        xs.append(x)
    else:
        xs.append(y)
        xs.append(x * y)
    return max(xs) + xs[0]


def replaces(x: float, y: float) -> float:
    xs = [x, y]
    while len(xs) < 5:
        xs.append(x * len(xs))
        xs[0] = xs[0] * 1.5 + xs[-1]
        xs[-2] += y
    return xs[0] * xs[1] + xs[4]


def extends(v: Vector, x: float) -> float:
    xs = []
    for i in range(len(v)):
        xs.extend((v[i], v[i] * x))
        if v[i] > 1.0:
            xs += [x]
    s = 0.0
    for i, value in enumerate(xs):
        s += (i + 1) * value * value
    return s


def cleared(v: Vector, x: float) -> float:
    block, total = [], 0.0
    for i in range(len(v)):
        block.append(v[i] * x)
        if len(block) == 2:
            total += block[0] * block[1]
            block.clear()
    return total + sum(block)


def made_anew(v: Vector, x: float) -> float:
    total = 0.0
    for i in range(len(v)):
        xs = []
        t = v[i] * v[i] + 0.1
        while t < 2.0:
            xs.append(t * x)
            t *= 1.4
        total += sum(xs) * v[i]
    return total


def nested_loops(v: Vector, x: float) -> float:
    pairs = []
    for i in range(len(v)):
        for j in range(i):
            if v[i] > v[j]:
                pairs.append(v[i] * v[j] * x)
    s = 0.0
    for k in range(len(pairs)):
        s += pairs[k] * pairs[-1 - k]
    return s


def alias(x: float, y: float) -> float:
    xs = [x]
    ys = xs
    while len(ys) < 4:
        ys.append(y * xs[-1])
    return xs[3] + ys[1]


def copied(x: float, y: float) -> float:
    xs = [x]
    while len(xs) < 4:
        xs.append(xs[-1] * y)
    ys = list(xs)
    ys.append(x * y)
    ys[0] = 2.0 * y
    zs = xs.copy()
    return ys[0] + ys[4] + xs[0] * len(ys) + len(xs) + zs[3]


def _helper(xs: list, v: float) -> None:
    xs.append(v * v)


def in_helper(x: float, y: float) -> float:
    xs = []
    t = x
    while t < 3.0:
        _helper(xs, t)
        t += y
    return xs[0] + xs[-1] * 0.5


def _squares(v: Vector, x: float) -> list:
    out = []
    for i in range(len(v)):
        if v[i] * x > 0.3:
            out.append(v[i] ** 2)
    return out


def from_helper(v: Vector, x: float) -> float:
    found = _squares(v, x)
    return sum(found) * x if found else x


def in_object(v: Vector, x: float) -> float:
    log = Log([])
    for i in range(len(v)):
        if v[i] < 1.2:
            log.add(v[i] * x)
    return log.total * log.times[0] + sum(log.times)


def slices(v: Vector, x: float) -> float:
    xs = []
    for i in range(len(v)):
        if v[i] > 0.2:
            xs.append(v[i] * x)
    return float(np.sum(np.array(xs[1:]) * np.array(xs[:-1])) + sum(xs[::2]))


def breaks_out(v: Vector, x: float) -> float:
    xs = []
    for i in range(len(v)):
        if i > 3:
            break
        xs.append(v[i] * x)
    return sum(xs) * x


def zipped(v: Vector, x: float) -> float:
    xs, ys = [], []
    for i in range(len(v)):
        if v[i] > 0.4:
            xs.append(v[i])
            ys.append(x * v[i] ** 2)
    return sum(a * b for a, b in zip(xs, ys, strict=True))


def grows_comprehension(v: Vector, x: float) -> float:
    xs = [a * x for a in v]
    xs.append(x)
    while xs[-1] < 5.0:
        xs.append(xs[-1] * 1.7 + 0.1)
    return xs[0] * xs[-1] + len(xs)


def whole_numbers(v: Vector, x: float) -> float:
    chosen = []
    for i in range(len(v)):
        if v[i] > 0.5:
            chosen.append(i)
    s = x
    for i in chosen:
        s += v[i] * x
    return s


def fibonacci(x: float, n: int) -> float:
    xs = [x, 1.0]
    for _ in range(n):
        xs.append(xs[-1] + x * xs[-2])
    return xs[-1]


def caught_index(x: float, y: float) -> float:
    xs = [x]
    while len(xs) < 3:
        xs.append(xs[-1] * y)
    try:
        s = xs[7]
    except IndexError:
        s = xs[1] * 2.0
    return s * xs[2]


def closure_appends(x: float, y: float) -> float:
    xs = []

    def note(v):
        xs.append(v * y)

    t = x
    while t < 3.0:
        note(t)
        t += 0.7
    return xs[0] * xs[-1]


def in_arm(v: Vector, x: float) -> float:
    s = x
    if x > 0.0:
        xs = []
        for i in range(len(v)):
            if v[i] > 0.3:
                xs.append(v[i] * x)
        s = sum(xs) * x
    return s


def unrolled_outer(x: float, y: float) -> float:
    xs = []
    for k in range(3):
        t = x + k
        while t < 4.0:
            xs.append(t * y)
            t += 1.1
    return sum(xs) * xs[1]


def unrolled_condition(v: Vector, x: float) -> float:
    xs = []
    for k in range(4):
        if v[k] > 0.4:
            xs.append(v[k] * x)
    s = 0.0
    for a in xs:
        s += a * a
    return s


def updates_in_place(v: Vector, x: float) -> float:
    xs = []
    for i in range(len(v)):
        if v[i] > 0.0:
            xs.append(v[i])
    for _ in range(3):
        for k in range(len(xs)):
            xs[k] += x * xs[k - 1]
            xs[k] *= 1.1
    return sum(xs)


def matrices(m: Matrix, x: float) -> float:
    ms = [m]
    while len(ms) < 4:
        ms.append(np.sin(ms[-1]) * x)
    s = 0.0
    for a in ms:
        s += np.sum(a * a)
    return float(s + ms[1][0, 1] * ms[2][1, 0])


def element_kept(v: Vector, x: float) -> float:
    path = [v * x]
    first = path[0]
    while len(path) < 20:
        last = path[-1]
        path.append(last * 0.9 + 0.1 * v)
        x = x + last[0] * path[-1][1]
    return float(np.sum(first * path[-1]) * x)


def begun_in_a_loop(x: float) -> float:
    for k in range(3):
        path = [x * k]
    while len(path) < 5:
        path.append(path[-1] * 0.9)
    return sum(path) * x


def functions(v: Vector, x: float) -> float:
    xs, ys = [], []
    for i in range(len(v)):
        if v[i] > -2.0:
            xs.append(v[i] * x)
            ys.append(v[i] + x)
    a = np.mean(xs) + np.sum(np.diff(xs)) * np.dot(xs, ys) + max(ys) - min(xs)
    squares = [q * q for q in xs]
    b = sum(squares) + sum(u * w for u, w in zip(xs, ys, strict=True))
    for k, q in enumerate(reversed(xs)):
        b += k * q
    return float(a + b + xs[len(xs) // 2] * np.linalg.norm(ys))


def early_return(v: Vector, x: float) -> float:
    xs = [x]
    for i in range(len(v)):
        if v[i] < 0.0:
            return xs[-1] * x
        xs.append(v[i] * xs[-1])
    return sum(xs)


def tuples_with_arrays(v: Vector, x: float) -> float:
    hist = []
    y = v * 1.0
    t = 0.0
    while t < 1.0:
        hist.append((t, y, Event(t * x, x)))
        y = y * x + t
        t += 0.21
    s = 0.0
    for t, a, e in hist:
        s += t * np.sum(a) + e.time * e.size
    return float(s)


def grid_of_lists(v: Vector, x: float) -> float:
    total = 0.0
    for i in range(len(v)):
        left, right = [], []
        for j in range(len(v)):
            if v[j] < v[i]:
                left.append(v[j])
            elif v[j] > v[i]:
                right.append(v[j] * x)
        total += sum(left) * v[i] + (max(right) if right else x)
    return total


def bubble(v: Vector, x: float) -> float:
    xs = []
    for i in range(len(v)):
        if v[i] > -5.0:
            xs.append(v[i] * x)
    for _ in range(len(xs)):
        for j in range(len(xs) - 1):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs[0] * 2.0 + xs[-1] * xs[2]


def depth_first(x: float, y: float) -> float:
    todo = [(x, 0.0)]
    total = 0.0
    while todo:
        v, depth = todo.pop()
        total += v * v * (depth + 1.0)
        if depth < 2.0:
            todo.append((v * y, depth + 1.0))
            todo.append((v + y, depth + 1.0))
    return total


def _rk(y: Vector, x: float) -> Vector:
    k = np.sin(y) * x
    return y + 0.1 * k


def helper_steps(v: Vector, x: float) -> float:
    ys = [v]
    ts = [0.0]
    y = v
    while ts[-1] < 0.5:
        y = _rk(y, x)
        ys.append(y)
        ts.append(ts[-1] + 0.1)
    return float(np.sum(ys[-1] * ys[2]) + ts[1] * np.sum(np.array(ys)))


def complex_list(x: float, y: float) -> float:
    zs = [complex(x, y)]
    while len(zs) < 5:
        zs.append(zs[-1] * zs[0] + 0.5)
    return abs(zs[4]) + zs[2].real


def raises_in_loop(v: Vector, x: float) -> float:
    xs = []
    for i in range(len(v)):
        if v[i] > 100.0:
            raise ValueError("too large")
        if v[i] > 0.0:
            xs.append(v[i] * x)
    assert len(xs) > 0
    return sum(xs) * xs[0]


def those_above(x: Vector) -> float:
    above = [v * v for v in x if v > 0.1]
    places = [i for i in range(len(x)) if x[i] > 0.1]
    total = sum(above) + sum(v for v in x if v < 0.0)
    for i in places:
        total += x[i]
    return total * len(above)


def in_order(x: Vector) -> float:
    values = [math.sin(3 * v) for v in x]
    total = 0.0
    for k, v in enumerate(sorted(values)):
        total += v * (k + 1)
    values.sort(reverse=True)
    return total + values[0] * 2


def queue(x: Vector) -> float:
    waiting = []
    for v in x:
        waiting.append(v)
    total = 0.0
    while waiting:
        first = waiting.pop(0)
        total = 0.5 * total + first
        if first > 1.0 and len(waiting) < 2:
            waiting.append(first * 0.5)
    return total


def inserted(x: Vector) -> float:
    values = list(x)
    values.insert(0, 2.0 * values[1])
    del values[1]
    values.reverse()
    values.insert(-1, values[0] ** 2)
    values.insert(100, values[1] ** 2)
    tail = [1.5 * x[0]]
    more = values + tail
    more.extend([v * 2 for v in x])
    more += values
    popped = more.pop(len(x) - 2)
    total = popped * more[-1]
    for k, v in enumerate(more[1:]):
        total += v * (k + 1)
    return total


def _roots(a, b, c):
    disc = b * b - 4 * a * c
    if disc < 0:
        return []
    if disc == 0:
        return [-b / (2 * a)]
    s = math.sqrt(disc)
    return [(-b - s) / (2 * a), (-b + s) / (2 * a)]


def none_one_or_two(a: float, b: float, n: int) -> float:
    total = 0.0
    for k in range(n):
        for r in _roots(a, b + k, 0.7 * b):
            total += r * r
        total += len(_roots(a, k, b))
    found = _roots(a, 5.0, b)
    if found:
        total += found[0] * found[-1]
    return total


def one_of_two(a: float, b: float, n: int) -> float:
    xs = [a * k for k in range(n)]
    ys = xs if n > 2 else []
    zs = [a] if b > 100 else [a, b, a * b]
    zs.append(b * b)
    zs[0] = 3.0 * zs[1]
    return sum(ys) + sum(z * z for z in zs) + len(zs) + sum(xs) * zs[-1]


def _above(a, n):
    found = []
    for k in range(n):
        if a * k > 0.5:
            found.append(a * k)
    if len(found) < 2:
        return []
    return found


def the_longer(a: float, b: float, n: int) -> list[float]:
    one, other = _above(a, n), _above(b, n)
    return one if len(one) > len(other) else other


def _parts(v, n):
    if n == 0:
        return []
    if n == 1:
        return [v]
    return [v[i:] * (i + 1) for i in range(n)]


def parts_of_any_number(a: float, b: float, n: int) -> float:
    v = np.array([a, b, a * b, a + b])
    total = 0.0
    for k in range(n):
        for p in _parts(v, k):
            total += np.sum(p**2) * p[0]
    return total


def one_pair_or_many(a: float, b: float, n: int) -> float:
    pairs = [(a, b)] if n < 2 else [(b, a * k) for k in range(n)]
    if n > 1:
        pairs.append((a * a, b * b))
    total = 0.0
    for x, y in pairs:
        total += x * y * y
    return total


def in_a_dict(a: float, b: float, n: int) -> float:
    held = {"xs": [a]}
    if n > 2:
        held["xs"] = [a * k for k in range(n)]
    both = ([a, b], 1) if n > 1 else ([b], 2)
    return sum(held["xs"]) + sum(both[0]) * both[1]


def last_one_behind_a_flag(xs: Vector, c: float) -> float:
    """The list is empty where the loop begins; a flag tells that it no longer is."""
    kept = []
    is_open = False
    for x in xs:
        if is_open:
            c += x * kept[-1]
        kept.append(x * c)
        is_open = True
    return c


def first_one_caught(xs: Vector, c: float) -> float:
    """The index is out of range in the first iteration only."""
    kept: list[float] = []
    for x in xs:
        try:
            c += x * kept[0]
        except IndexError:
            c *= 2.0
        kept.append(c * x)
    return c


@dataclass
class Trade:
    entry: float
    left: float = 0.0


@dataclass
class Book:
    cash: float
    trades: list[Trade] = field(default_factory=list)

    def enter(self, price: float) -> None:
        self.trades.append(Trade(price))

    def leave(self, price: float) -> None:
        trade = self.trades[-1]
        trade.left = price
        self.cash += trade.left - trade.entry * price


def trades_of_a_book(prices: Vector, cash: float) -> float:
    book = Book(cash)
    position = 0
    for k, price in enumerate(prices):
        if position:
            book.leave(price)
        book.enter(price * book.cash)
        position = k + 1
    return book.cash + sum(trade.left * trade.entry for trade in book.trades)


def never_filled(xs: Vector, c: float) -> float:
    """Nothing is ever added: the last item would be an IndexError, which no test lets through."""
    kept: list[float] = []
    for x in xs:
        if x > 1e9:
            c += kept[-1]
        c += x * x
    return c


def repeated_array(x: Vector, n: int) -> float:
    """One array so many times, and put together."""
    all_of_them = np.stack([np.outer(x, x)] * n)
    many = [x * 2.0] * n
    total = 0.0
    for k, row in enumerate(many):
        total += k * np.sum(row * all_of_them[k, 0])
    return total


def repeated_numbers(a: float, b: float, n: int) -> float:
    """Several items, over and over."""
    xs = [a, a * b] * n
    xs[0] = b
    return sum(x * k for k, x in enumerate(xs))


def repeated_pairs(a: float, b: float, n: int) -> float:
    pairs = [(a, b)] * n
    pairs[0] = (b, a * a)
    return sum(x * y * y for x, y in pairs)


def repeated_list(a: float, b: float, n: int) -> float:
    """One list: what is written to an item of it is in all."""
    rows = [[a, b]] * n
    rows[0][1] = a * b
    return rows[1][1] * rows[n - 1][0]


def slower_when_it_turns(x: Vector, a: float) -> float:
    seen: list[float] = []
    s = a
    for k in range(len(x)):
        s = s * 0.9 + x[k]
        seen.append(s)
        if k > 1 and seen[-1] > seen[-2]:
            s *= 0.5 * seen[-3]
    return s * seen[-1]
