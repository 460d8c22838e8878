"""Variables that are numbers at first and arrays later, or arrays of other ranks."""

from __future__ import annotations

import functools

import numpy as np
from kinds import Mat, Vec


def series(x: Vec, t: Vec) -> float:
    y = 0
    for k in range(len(x)):
        y = y + x[k] * np.sin(k * t)
    return float(np.sum(y**2))


def cost(m: Mat, n: int) -> float:
    total = 0.0
    for k in range(n):
        total += (m[:2] @ m[:2].T) * (k + 1.0)
    return total[0, 1] + total.sum()


def no_iteration(x: Vec, n: int) -> float:
    total = 1.5
    for _ in range(n - 3):
        total = total * x
    return float(np.sum(total)) * x[0]


def only_in_some(x: Vec) -> float:
    total = 1.0
    for k in range(len(x)):
        if x[k] > 0.0:
            total = total * x
        else:
            total = total + 1.0
    return float(np.sum(total * total))


def and_back(x: Vec) -> float:
    y = 2.0
    for k in range(5):
        if k == 2:
            y = np.sum(y * x)
        elif k < 2:
            y = y + x
        else:
            y = y * x
    return float(np.sum(y))


def seen_while_a_number(x: Vec) -> float:
    y = 2.0
    r = 0.0
    for _ in range(4):
        r += float(np.sum(y)) * (1 + np.size(y))
        y = y + x
    return r


def asked_for(x: Vec) -> float:
    y = 2.0
    r = 0.0
    for _ in range(4):
        if isinstance(y, np.ndarray):
            r += y[0]
        else:
            r += y
        y = y + x
    return r * float(np.sum(y))


def broadcast(x: Vec, m: Mat, n: int) -> float:
    total = x
    for _ in range(n):
        total = total * 0.5 + m[:, :1]
    return float(np.sum(total * total))


def by_condition(x: Vec, a: float, n: int) -> float:
    y = x * a if n > 2 else a
    z = a
    if n > 5:
        z = z + x
    return float(np.sum(y * z))


def summed(xs: list[Vec]) -> float:
    return float(np.sum(sum(xs) ** 2) + np.sum(sum(x * x for x in xs)))


def reduced(xs: list[Vec]) -> float:
    return float(np.sum(functools.reduce(lambda a, b: a + b**2, xs, 0.0) ** 2))


class _Momentum:
    def __init__(self, rate: float) -> None:
        self.m = 0
        self.v = 0
        self.t = 0
        self.rate = rate

    def step(self, w, g):
        self.t += 1
        self.m = 0.9 * self.m + 0.1 * g
        self.v = 0.99 * self.v + 0.01 * g**2
        m, v = self.m / (1 - 0.9**self.t), self.v / (1 - 0.99**self.t)
        return w - self.rate * m / (np.sqrt(v) + 1e-8)


def optimised(x: Vec, rate: float, n: int) -> float:
    by = _Momentum(rate)
    w = x
    for _ in range(n):
        w = by.step(w, 2.0 * w + 1.0)
    return float(np.sum(w))


def in_dict(x: Vec, n: int) -> float:
    found = {"total": 0.0, "count": 0}
    for k in range(n):
        found["total"] += x * k
        found["count"] += 1
    return float(np.sum(found["total"] ** 2)) / found["count"]


def _added_up(x, n):
    total = 0.0
    for k in range(n):
        total = total + x * (k + 1.0)
    return total


def of_helper(x: Vec, n: int) -> float:
    total = _added_up(x, n)
    return float(np.sum(total * total) + np.max(_added_up(x * x, n)))


def gives_array(x: Vec, n: int) -> Vec:
    total = 0
    for k in range(n):
        total += x * (k + 1.0)
    return total


def until_large(x: Vec) -> float:
    s = 0.0
    k = 0
    while np.max(s) < 3.0 and k < 9:
        s = s + x * x
        k += 1
    return float(np.sum(s)) * k


def left_early(x: Vec) -> float:
    a = 0.0
    for k in range(5):
        a = a + x * k
        if np.sum(a) > 2.0:
            return float(np.sum(a**2))
    return float(np.sum(a**3))


def at_times_none(x: Vec) -> float:
    a = None
    s = 0.0
    for k in range(6):
        if k == 2:
            a = None
        elif a is None:
            a = np.append(x, x * (k + 1.0))
        else:
            a = np.append(a, s)
        if a is not None:
            s += float(np.sum(a * a))
    return s


def rows_of_either(x: Vec, a: float, k: int) -> float:
    """A row or a number is stored in a part of an array."""
    m = np.outer(x, x)
    for i in range(len(x)):
        m[i] = x * i if i % 2 else a
    m[:, 0] = a if k > 1 else m[:, 1]
    return np.sum(m * m)


def changed_by_either(x: Vec, a: float, k: int) -> float:
    """A row or a number is added to a part, or multiplies it in place."""
    m = np.outer(x, x)
    m[0] += x if a > 0.2 else 0.0
    for i in range(len(x)):
        m[i] += x * a if i % 2 else a
        m[:, i] /= 2.0 if i % 2 else 2.0 + x * x
    m[1:] *= 2.0 * x if k > 5 else a
    y = x * a
    y -= x * x if k > 1 else 2.0
    return np.sum(m * m) + np.sum(y * y)
