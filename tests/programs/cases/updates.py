"""Whole arrays updated in place by what was computed elementwise, and what forbids to fuse that."""

from __future__ import annotations

import numpy as np
from kinds import Ints, Mat, Vec


def relaxed(x: Vec, n: int) -> float:
    v = np.zeros_like(x)
    for _ in range(n):
        v += 0.1 * np.sin(x - 0.3 * v)
    return np.sum(v * v)


def momentum(x: Vec, n: int, rate: float) -> float:
    m = np.zeros_like(x)
    p = x.copy()
    for t in range(1, n + 1):
        g = 2.0 * (p - 1.0) * np.exp(-p)
        m = 0.9 * m + 0.1 * g
        p -= rate * m / (1.0 - 0.9**t)
    return np.sum(p)


def damped(x: Vec, v: Vec, n: int) -> float:
    for _ in range(n):
        v -= 0.1 * (x + 0.2 * v)
        x += 0.1 * v
    return np.sum(x * v)


def shifted(x: Vec, n: int, c: float) -> float:
    u = x.copy()
    for _ in range(n):
        u[1:-1] += c * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u**2)


def reversed_onto(x: Vec) -> float:
    u = x * 2.0
    u += 0.5 * u[::-1]
    u[1:] += u[:-1] * x[0]
    return np.sum(u * x)


def kept_increment(x: Vec) -> float:
    u = x * x
    d = 0.5 * u + x
    u += d
    d *= u
    u -= d
    return np.sum(u) + d[0] * u[-1]


def rows_and_columns(m: Mat, x: Vec) -> float:
    w = m * 2.0
    w -= w.mean(axis=0)
    w[0] += 0.5 * w[-1] * w[0]
    w[:, 0] += np.tanh(w[:, -1])
    w *= np.exp(-w)
    w += w.T[0, 0]
    return np.sum(w * w) * x[0]


def counted(x: Vec, k: Ints) -> float:
    c = np.zeros(len(x), dtype=np.int64)
    for j in range(3):
        c += 2 * c + j
    u = x.copy()
    u += c * x
    return np.sum(u) + c.sum()


def in_branch(x: Vec, n: int) -> float:
    u = x.copy()
    for i in range(n):
        if u[0] > i * 0.1:
            u += 0.1 * u * x
        else:
            u[:] = u * x + i
    return np.sum(u * u)


def swapped_buffers(x: Vec, n: int) -> float:
    a = x.copy()
    b = np.empty_like(x)
    for _ in range(n):
        b[:] = 0.5 * a + 0.1
        a += b * x
        a, b = b, a
    return np.sum(a * b)


def argument_onto_argument(x: Vec, y: Vec) -> float:
    x += 0.5 * y
    y -= x * y
    return np.sum(x * y)


def moved(x: Vec) -> float:
    a = np.zeros(len(x))
    a[0] = x[0]
    b = a.copy()
    b += x
    c = b.copy()
    c *= b
    d = c.copy()
    d[0] = b[0]
    return np.sum(d) + np.sum(b)


def boundaries(m: Mat, n: int) -> float:
    u = m.copy()
    for _ in range(n):
        u[1:-1, 1:-1] += 0.1 * (u[2:, 1:-1] - u[1:-1, 1:-1] * u[:-2, 1:-1])
        u[0] = u[1]
        u[-1] = u[-2]
        u[:, 0] = u[:, 1]
        u[:, -1] = u[:, 0]
    return np.sum(u**3)


def rows_by_number(m: Mat, k: int) -> float:
    u = m * 1.0
    for i in range(k):
        u[i % 2] = u[1]
        u[i // 2] = u[i // 2 + 1]
        u[k - 3] = u[i % 3]
    return np.sum(u**2 * m)


def one_row(m: Mat) -> float:
    u = m[:1] * 2.0
    u[0] = u[-1]
    u[-1] = u[0]
    u[0] += u[-1]
    u[len(u) - 1] = u[len(u) - 2]
    return np.sum(u**2)


def parts_of_an_argument(m: Mat) -> float:
    m[0] = m[1]
    m[1] *= 2.0
    m[2, 1:] = m[1, :-1]
    m[1] += m[0]
    return np.sum(m**2)


def spelled_out(m: Mat, x: Vec) -> float:
    c = np.zeros((m.shape[0], m.shape[1]))
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            for k in range(len(x)):
                c[i, j] = c[i, j] + m[i, j] * x[k]
            c[i, j] = x[0] - c[i, j]
            c[i, j] = c[i, j] - np.sin(c[i, j])
    return np.sum(c * c)


def spelled_out_neighbours(x: Vec, n: int) -> float:
    u = x.copy()
    for _ in range(n):
        for i in range(1, len(x)):
            u[i] = 0.3 * u[i - 1] + u[i]
            u[i - 1] = u[i - 1] - u[i] * u[i]
    return np.sum(u * x)


def spelled_out_arguments(x: Vec, y: Vec) -> float:
    for i in range(min(len(x), len(y))):
        x[i] = x[i] + y[i] * y[i]
        y[i] = x[i] * 0.5 + y[i]
    return np.sum(x) * np.sum(y)
