"""Values carried by loops: accumulators, recurrences, ints that become floats."""

import math

import numpy as np
from kinds import Vec


def last_value(x: Vec) -> float:
    t = x[0]
    for v in x:
        t = v
    return t


def last_two(x: Vec, a: float) -> float:
    t, u = a, a
    for v in x:
        t, u = v, t
    return t * u


def int_accumulator(x: Vec) -> float:
    n = 0
    s = 0.0
    for i in range(len(x)):
        n += i
        if i % 2:
            n *= 2
        s += n * x[i] * x[i]
    return s / n


def float_from_int(x: Vec) -> float:
    s = 0
    for v in x:
        s += v * v
    return s


def float_from_int_zero_trip(x: Vec, k: int) -> float:
    s = 1
    for i in range(k - 100):
        s *= x[i]
    return s * x[0]


def product(x: Vec) -> float:
    p = 1.0
    for v in x:
        p *= v
    return p


def largest(x: Vec) -> float:
    best = x[0]
    for v in x:
        if v > best:
            best = v
    return best * best


def argmax(x: Vec, y: Vec) -> float:
    at = 0
    for i in range(1, len(x)):
        if x[i] > x[at]:
            at = i
    return y[at] * x[at]


def running_max(x: Vec) -> float:
    best = -np.inf
    for v in x:
        best = max(best, v)
    return best * best


def fibonacci(x: float, k: int) -> float:
    a, b = 0.0, x
    for _ in range(k + 5):
        a, b = b, a + math.sin(b)
    return a * b


def recurrence_three(x: float, y: float, z: float) -> float:
    for i in range(4):
        x, y, z = y * 0.9, z + 0.1 * x, x * y * (i + 1)
    return x + y * z


def horner(x: float, c: Vec) -> float:
    r = 0.0
    for i in range(len(c) - 1, -1, -1):
        r = r * x + c[i]
    return r


def carry_through_branches(x: Vec) -> float:
    s = 0.2
    t = 1.0
    for i in range(len(x)):
        if i % 3 == 0:
            s = s + t * x[i]
        elif i % 3 == 1:
            t = s * x[i]
        else:
            s, t = t, s
    return s * t


def unused_carry(x: Vec) -> float:
    s = 0.0
    t = 0.0
    for v in x:
        s += v * v
        t = s * v  # noqa: F841 - nobody reads it
    return s


def bisection(a: float, lo: float, hi: float) -> float:
    for _ in range(8):
        mid = 0.5 * (lo + hi)
        if mid * mid > a:
            hi = mid
        else:
            lo = mid
    return lo * hi


def written_in_inner_loops(us: Vec, zs: Vec) -> float:
    """In both loops written, and bound to new arrays in the inner one, which may not run."""
    x = np.zeros(3)
    for u in us:
        x[0] += u
        for z in zs:
            if z < 0.9:
                x[1:] = x[:1] * z
            x = x + np.ones(3) * (z - x[0])
    return np.sum(x * np.arange(3.0))


class _Filter:
    def __init__(self, n: int) -> None:
        self.x = np.zeros((n, 1))
        self.spread = np.eye(n)

    def predict(self, u: float) -> None:
        self.x[0, 0] += u
        self.spread = self.spread * 1.1

    def update(self, zs: Vec) -> None:
        for k, z in enumerate(zs):
            if z > 0.5:
                self.x[1:, 0] = self.x[:1, 0] * z
            gain = self.spread[:, :1] / (self.spread[0, 0] + k + 1.0)
            self.x = self.x + gain * (z - self.x[0, 0])
            self.spread = self.spread - gain @ self.spread[:1]


def filtered(us: Vec, zs: Vec) -> float:
    state = _Filter(3)
    for u in us:
        state.predict(u)
        state.update(zs)
    return np.sum(state.x) + np.sum(state.spread**2)
