"""Time steps over grids, in place and between buffers."""

import math

import numpy as np
from kinds import Mat, Other, Vec


def gauss_seidel(u: Other, c: float, k: int) -> float:
    for _ in range(k):
        for i in range(1, len(u) - 1):
            u[i] += c * (u[i - 1] - 2.0 * u[i] + u[i + 1])
    s = 0.0
    for v in u:
        s += v * v
    return s


def cubic_source(u: Other, c: float, k: int) -> float:
    for _ in range(k):
        for i in range(1, len(u) - 1):
            v = u[i]
            u[i] = v + c * (u[i - 1] - 2.0 * v + u[i + 1]) - 0.1 * v * v * v
    s = 0.0
    for v in u:
        s += v * v
    return s


def two_buffers(u0: Other, c: float, k: int) -> float:
    n = len(u0)
    u = u0.copy()
    w = u0.copy()
    for _ in range(k):
        for i in range(1, n - 1):
            w[i] = u[i] + c * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        for i in range(n):
            u[i] = w[i]
    s = 0.0
    for i in range(n):
        s += u[i] * u[i]
    return s


def swapped_buffers(u0: Other, c: float, k: int) -> float:
    n = len(u0)
    u = u0.copy()
    w = u0.copy()
    for _ in range(k):
        for i in range(1, n - 1):
            w[i] = u[i] + c * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u, w = w, u
    s = 0.0
    for i in range(n):
        s += u[i] * u[i]
    return s


def leapfrog(u: Other, v: Other, c: float) -> float:
    n = len(u)
    s = 0.0
    for _ in range(4):
        for i in range(1, n - 1):
            v[i] += c * (u[i - 1] - 2.0 * u[i] + u[i + 1]) - 0.1 * math.sin(u[i])
        for i in range(n):
            u[i] += c * v[i]
        s += u[2] * u[3]
    return s


def red_black(m: Mat, c: float) -> float:
    for t in range(4):
        for i in range(1, m.shape[0] - 1):
            for j in range(1, m.shape[1] - 1):
                if (i + j + t) % 2 == 0:
                    around = m[i - 1, j] + m[i + 1, j] + m[i, j - 1] + m[i, j + 1]
                    m[i, j] = 0.25 * around * c + m[i, j] ** 2
    return m[1, 1] * m[2, 1]


def history(u0: Other, c: float) -> float:
    steps = 5
    n = len(u0)
    u = np.zeros((steps + 1, n))
    for i in range(n):
        u[0, i] = u0[i]
    for t in range(steps):
        for i in range(n):
            u[t + 1, i] = u[t, i] + c * math.sin(u[t, i - 1]) * u[t, (i + 1) % n]
    s = 0.0
    for t in range(steps + 1):
        s += u[t, t] * u[t, -1]
    return s


def history_by_rows(u0: Other, c: float) -> float:
    steps = 3
    u = np.zeros((steps + 1, len(u0)))
    u[0] = u0
    for t in range(steps):
        old, new = u[t], u[t + 1]
        new[:] = old
        for i in range(1, len(old)):
            new[i] += c * old[i - 1] * old[i]
    return u[steps, 2] * u[steps, 1] + u[1, 1]


def until_settled(u: Other, tolerance: float) -> float:
    change = 1.0
    steps = 0
    while change > tolerance and steps < 50:
        change = 0.0
        for i in range(1, len(u) - 1):
            old = u[i]
            u[i] = 0.5 * (u[i - 1] + u[i + 1]) + 0.05 * old * old
            change = max(change, abs(u[i] - old))
        steps += 1
    return u[2] * u[3]


def thomas(a: Vec, b: Vec) -> float:
    n = len(a)
    c = np.empty(n)
    d = np.empty(n)
    c[0] = a[0] / 3.0
    d[0] = b[0] / 3.0
    for i in range(1, n):
        m = 3.0 - a[i] * c[i - 1]
        c[i] = a[i] / m
        d[i] = (b[i] - a[i] * d[i - 1]) / m
    for i in range(n - 2, -1, -1):
        d[i] -= c[i] * d[i + 1]
    s = 0.0
    for i in range(n):
        s += d[i] * d[i]
    return s


def rk4(y: Vec, h: float, k: int) -> float:
    n = len(y)
    k1, k2, k3, k4 = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    w = np.empty(n)
    for _ in range(k):
        _slope(y, k1)
        _stage(y, k1, 0.5 * h, w)
        _slope(w, k2)
        _stage(y, k2, 0.5 * h, w)
        _slope(w, k3)
        _stage(y, k3, h, w)
        _slope(w, k4)
        for i in range(n):
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
    return y[0] * y[1] + y[2]


def _slope(y, out):
    for i in range(len(y)):
        out[i] = math.sin(y[i - 1]) - 0.5 * y[i]


def _stage(y, k, h, out):
    for i in range(len(y)):
        out[i] = y[i] + h * k[i]
