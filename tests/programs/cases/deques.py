"""``deque`` and ``SimpleNamespace``, which are lowered from their text."""

import collections
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "q"]


def last_values(x: Vec, n: int) -> float:
    last = deque(maxlen=3)
    total = 0.0
    for i in range(2 * n):
        last.append(x[i % len(x)] * i)
        total += sum(last) / len(last) + last[-1] * last[0]
    return total


def last_values_of_any_number(x: Vec, n: int) -> float:
    last: deque[float] = deque(maxlen=n)
    for i in range(2 * n + 1):
        last.append(x[i % len(x)] * i)
    other = last.copy()
    other.append(100.0)
    return sum(last) * sum(other) + len(other)


def lags_from_the_left(x: Vec, n: int) -> float:
    weights = [0.5, 0.3, 0.2]
    lags = deque([0.0] * 3, maxlen=3)
    total = 0.0
    for i in range(n + 3):
        y = sum(a * b for a, b in zip(weights, lags, strict=True)) + x[i % len(x)]
        lags.appendleft(y)
        total += y * y
    return total + np.mean(lags) + np.array(lags)[1] + list(lags)[2]


def queue(x: Vec) -> float:
    total = 0.0
    waiting = collections.deque([x[0], x[1]])
    while waiting:
        v = waiting.popleft()
        total += v * v
        if abs(v) < 3.0 and total < 30.0:
            waiting.append(v * 2.0 + 1.0)
            waiting.appendleft(v * 3.0)
    return total


def deque_of_unknown_length(x: Vec) -> float:
    e = deque(x)
    e.rotate(1)
    e.extend([2.0, 3.0])
    total = 0.0
    for k, v in enumerate(e):
        total = total * 1.1 + v * k
    for u, v in zip(e, deque([1.0, 2.0]), strict=False):
        total += u * v
    e[0] = e[1] * 3.0
    e.reverse()
    try:
        total += e[100]
    except IndexError:
        total *= 2.0
    return total + max(e) + e.pop() + (e.maxlen or 3)


def deque_that_is_empty(x: float) -> float:
    d = deque([x])
    d.pop()
    if d == deque():
        x *= 2.0
    try:
        d.popleft()
    except IndexError:
        return x * x
    return x


@dataclass
class _Mean:
    size: int
    last: deque = field(default_factory=deque)

    def push(self, v):
        self.last.append(v)
        if len(self.last) > self.size:
            self.last.popleft()
        return sum(self.last) / len(self.last)


def deque_in_field(x: Vec, n: int) -> float:
    mean = _Mean(2)
    total = 0.0
    for i in range(n + 2):
        total = total * 1.1 + mean.push(x[i % len(x)] * (i + 1)) ** 2
    return total


def deque_of_arrays(x: Vec, n: int) -> float:
    q = deque([x, 2.0 * x], maxlen=2)
    for _ in range(n):
        q.append(np.sin(q[0]) * q[1])
    return float(np.sum(q[0] + q[-1]))


def deque_of_tuples(x: float) -> float:
    q = deque([(x, 0)])
    total = 0.0
    while len(q) > 0:
        v, depth = q.popleft()
        total += v * v
        if depth < 3:
            q.append((v * 1.1, depth + 1))
            q.append((v * 0.9, depth + 1))
    return total


def namespace(x: float, n: int) -> float:
    p = SimpleNamespace(a=x, b=2.0)
    for _ in range(n):
        p.a = p.a * p.b
        p.b += x
    p.c = p.a
    return p.a * p.b + p.c


def _mean(xs: Iterable[float]) -> float:
    count, total = 0, 0.0
    for x in xs:
        count += 1
        total += x
    return total / count


def _spread(xs: Sequence[float]) -> float:
    middle = sum(xs) / len(xs)
    return sum((x - middle) ** 2 for x in xs) + xs[0] * xs[-1]


class _Squares:
    def __init__(self, xs: list[float]) -> None:
        self.xs = xs

    def __iter__(self):
        for x in self.xs:
            yield x * x


def window_for_a_helper(xs: list[float]) -> float:
    """Objects that are iterable where a helper takes iterables or sequences."""
    window: deque[float] = deque(maxlen=3)
    total = _mean(_Squares(xs))
    for x in xs:
        window.append(x)
        total += _mean(window) ** 2 + _spread(window)
    return total
