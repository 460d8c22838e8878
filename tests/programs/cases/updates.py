"""Whole arrays updated in place by what was computed elementwise, and what forbids to fuse that."""

from __future__ import annotations

import numpy as np
from kinds import Ints, Mat, Square, Vec


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


# ---- arrays that the iterations of a loop hand on ------------------------------------------------


def leapfrog(x: Vec, a: float, n: int) -> float:
    before, now = x.copy(), 0.5 * x
    for _ in range(n):
        after = np.zeros(len(x))
        after[1:-1] = 2 * now[1:-1] - before[1:-1] + a * np.sin(now[2:] - now[:-2])
        after[0] = now[1]
        before, now = now, after
    return np.sum(now * before)


def leapfrog_in_two(x: Vec, a: float, n: int) -> float:
    before, now = x.copy(), 0.5 * x
    for _ in range(n):
        before[1:-1] = 2 * now[1:-1] - before[2:] + a * np.sin(now[2:] - now[:-2])
        before, now = now, before
    return np.sum(now * now) + before[0]


def leapfrog_of_one(x: Vec, a: float, n: int) -> float:
    before = now = x.copy()
    for _ in range(n):
        before[1:-1] = 2 * now[1:-1] - before[2:] + a * np.sin(now[2:] - now[:-2])
        before, now = now, before
    return np.sum(now * now) + before[0]


def leapfrog_of_arguments(x: Vec, y: Vec, n: int) -> float:
    before, now = x, y
    for _ in range(n):
        after = np.ones(min(len(x), len(y)))
        after[1:] = np.sin(now[1 : len(after)]) * before[: len(after) - 1]
        before, now = now, after
    return np.sum(now) * before[0]


def new_or_old(x: Vec, n: int) -> float:
    u = x.copy()
    for t in range(n):
        w = np.zeros(len(x)) if t % 2 == 0 else u
        w[1:] = np.sin(u[:-1]) + 0.5 * u[1:]
        u = w
    return np.sum(u * u)


def swapped_halfway(x: Vec, n: int) -> float:
    u, w = x.copy(), np.zeros(len(x))
    for t in range(n):
        for i in range(1, len(u)):
            w[i] = 0.5 * u[i - 1] * u[i]
        if t != 1:
            u, w = w, u
        u[:-1] += 0.3 * w[1:]
    return np.sum(u * w)


def _itself(x: Vec) -> Vec:
    return x


def handed_through(x: Vec, n: int) -> float:
    u = x.copy()
    for _ in range(n):
        w = _itself(u)
        w[1:] = np.sin(u[:-1]) + 0.5 * w[1:]
        u = w
    return np.sum(u * u)


def heat(m: Mat, n: int) -> float:
    u = m * 1.0
    for _ in range(n):
        new = np.zeros_like(u)
        new[1:-1, 1:-1] = u[1:-1, 1:-1] ** 2 + 0.1 * (u[2:, 1:-1] + u[1:-1, :-2])
        new[0, :] = u[-1, :]
        u = new
    return np.sum(u)


def products_in_arms(m: Square, x: float, n: int) -> float:
    w, s = x * m[0], 0.0
    for t in range(n):
        if t % 2 == 0:
            s += np.sum(m @ w)
        else:
            s += np.sum(np.sin(m @ w)) * np.sum(m @ w)
        w *= 0.7 * w
        s += np.sum(m @ w) - w @ (m @ w)
        w[0] += 0.1
        s += np.sum(np.cos(m @ w))
    return s


def ever_shorter(x: Vec) -> float:
    u = np.sin(x)
    s = 0.0
    while len(u) > 1:
        w = np.zeros(len(u) - 1)
        w[:] = u[1:] * u[:-1]
        u = w
        s += u[0]
    return s


def one_of_three(x: Vec, y: Vec, n: int) -> float:
    a, b, c = np.zeros(3), np.ones(3), np.zeros(3)
    for k in range(n):
        for i in range(min(3, len(x), len(y))):
            w = a if k == 0 else (b if k == 1 else c)
            w[i] += x[i] * y[i] * (k + 1) + b[i] * 0.5
    return np.sum(a * b) + np.sum(c)
