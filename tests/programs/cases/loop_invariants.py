"""Numbers that loops do not change: computed before them, where nobody can tell."""

from __future__ import annotations

import math

import numpy as np
from kinds import Vec


def heat(x: Vec, alpha: float, dt: float, dx: float, n: int) -> float:
    u = x.copy()
    for _ in range(n):
        w = u.copy()
        for i in range(1, len(u) - 1):
            u[i] = w[i] + alpha * dt / dx**2 * (w[i + 1] - 2 * w[i] + w[i - 1])
    return np.sum(u**2)


def discounted(x: Vec, rate: float, t: float) -> float:
    total = 0.0
    for i in range(len(x)):
        total += x[i] * np.exp(-rate * t) * np.sqrt(rate + t)
    return total


def pairs(x: Vec, eps: float, sigma: float) -> float:
    e = 0.0
    for i in range(len(x)):
        for j in range(i):
            if x[i] != x[j]:
                r = (sigma / 3.0) ** 2 / (x[i] - x[j]) ** 2
                e += 4 * eps / sigma * (r**2 - r)
    return e


def no_iterations(x: Vec, a: float, n: int) -> float:
    zero = 0.0 * a
    s = a
    for _ in range(n - 100):
        s += x[0] * a / zero
    for _ in range(n):
        for _ in range(3, 0):
            s += math.log(zero) * a / zero
        s = s * a + math.sin(a)
    return s


def only_in_some(x: Vec, a: float) -> float:
    b = a - a
    s = 0.0
    for i in range(len(x)):
        if b > 0.0:
            s += math.log(b) / b * x[i]
        else:
            s += np.exp(a) * x[i]
    return s


def raised_before(x: Vec, a: float) -> float:
    b = a * 0.0
    s = 0.0
    try:
        for i in range(len(x)):
            if b == 0.0:
                raise ValueError("no width")
            s += x[i] / b
    except ValueError:
        s = a * x[0]
    return s


def parameters_in_an_array(x: Vec, p: Vec, n: int) -> float:
    u = x.copy()
    for _ in range(n):
        for i in range(len(u)):
            u[i] += p[0] * p[1] / p[-1] * np.sin(u[i])
    return np.sum(u)


def parameters_that_change(x: Vec, p: Vec, n: int) -> float:
    q = p * 1.0
    s = 0.0
    for t in range(n):
        for i in range(len(x)):
            s += x[i] * q[0] / q[1]
        q[0] = np.sin(s) + t
        q[-1] += 0.1
    return s


def until_small(x: float, a: float, b: float) -> float:
    s = x
    while s > 0.01:
        s *= 0.5 * a / (a + b * b)
        s -= 0.1 * a * b
    return s


def of_complex_numbers(x: Vec, a: float, b: float) -> float:
    s = 0.0 + 0.0j
    for i in range(len(x)):
        s += x[i] * complex(a, b) ** 2 / complex(b, a)
    return abs(s)


def counted_down(x: Vec, a: float, b: float) -> float:
    s = 0.0
    for i in range(len(x) - 1, -1, -1):
        s = s * a / b + x[i] * (a - b) ** 3
    return s


def left_early(x: Vec, a: float, b: float) -> float:
    s = 0.0
    for i in range(len(x)):
        if x[i] > 2.0:
            break
        s += x[i] / (a * b)
    return s


def infinite_where_unused(x: Vec, a: float) -> float:
    s = 0.0
    for i in range(len(x)):
        width = a - a
        slope = 1.0 * width * a
        s += x[i] * (a if slope == 0.0 else np.sqrt(slope))
    return s


def known_after(x: Vec, a: float, b: float) -> float:
    rate = 0.0
    s = 0.0
    for i in range(len(x)):
        rate = a * b / (1.0 + a * a)
        s += rate * x[i]
    return s * rate
