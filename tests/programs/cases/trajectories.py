"""Arrays filled step by step from their own earlier elements, and later writes that come back."""

from __future__ import annotations

import numpy as np
from kinds import Cube, Mat, Square, Vec


def logistic(x: float, a: float, n: int) -> float:
    h = np.zeros(n + 2)
    h[0] = x
    for t in range(1, n + 2):
        h[t] = a * h[t - 1] * (1.0 - h[t - 1])
    return np.sum(h * h)


def backward_in_time(x: Vec, a: float) -> float:
    v = np.zeros(len(x) + 1)
    for t in range(len(x) - 1, -1, -1):
        v[t] = x[t] * np.exp(-a * v[t + 1])
    return v[0] + np.sum(v)


def two_steps_back(x: float, a: float, n: int) -> float:
    h = np.ones(n + 3)
    h[1] = x
    for t in range(n + 1):
        h[t + 2] = np.sin(h[t]) * h[t + 1] + a
    return h[-1] * h[-2]


def every_other(x: Vec, n: int) -> float:
    h = np.zeros(2 * n + 4)
    h[0] = x[0]
    for t in range(2, 2 * n + 4, 2):
        h[t] = np.cos(h[t - 2]) * x[0]
        h[t + 1 - 2] = h[t] * h[t - 2]
    return np.sum(h)


def overtaken(x: float, n: int) -> float:
    h = np.zeros(n + 4)
    h[0] = x
    for t in range(n + 1):
        h[t + 1] = np.sin(h[t]) + h[t + 2]
        h[t + 2] = h[t + 1] * h[t + 1]
    return np.sum(h)


def swept_again(x: Vec, n: int) -> float:
    h = np.zeros(len(x))
    for _ in range(n):
        h[0] = h[0] * h[0] + 0.3 * x[0]
        for t in range(1, len(x)):
            h[t] = 0.5 * h[t - 1] * h[t - 1] + x[t] * h[t]
    return np.sum(h)


def changed_at_the_end(x: float, n: int) -> float:
    h = np.zeros(n + 3)
    h[0] = x
    for t in range(1, n + 3):
        h[t] = h[t - 1] ** 2 + 0.1
    h[1] = 5.0
    h[-1] *= h[0]
    return np.sum(h)


def scaled_at_the_end(x: float, n: int) -> float:
    h = np.zeros(n + 3)
    h[0] = x
    for t in range(1, n + 3):
        h[t] = np.sin(h[t - 1])
    h *= h[1]
    return np.sum(h)


def from_the_end(x: float, n: int) -> float:
    h = np.zeros(n + 2)
    h[-1] = x
    for t in range(n + 1):
        h[t] = np.cos(h[t - 1]) * x
    return np.sum(h)


def meeting_itself(x: Vec, n: int) -> float:
    h = x.copy()
    for t in range(n):
        h[(t + 1) % len(h)] = np.sin(h[t % len(h)]) * 1.5
    return np.sum(h)


def rows(x: Vec, a: float, n: int) -> float:
    h = np.zeros((n + 1, len(x)))
    h[0] = x
    for t in range(n):
        h[t + 1] = h[t] + a * np.sin(h[t]) * x
    return np.sum(h[-1] * h[0])


def columns(x: Vec, a: float, n: int) -> float:
    h = np.zeros((len(x), n + 1))
    h[:, 0] = x
    for t in range(1, n + 1):
        h[:, t] = a * h[:, t - 1] ** 2
    return np.sum(h)


def recurrent(x: Vec, w: Square, a: float, n: int) -> float:
    h = np.zeros((n + 1, w.shape[0]))
    h[0] = a
    for t in range(n):
        h[t + 1] = np.tanh(w @ h[t]) + x[0]
    return np.sum(h * h)


def recurrent_twice(w: Square, a: float, n: int) -> float:
    h = np.zeros((n + 1, w.shape[0]))
    for k in range(2):
        h[0] = a + k
        for t in range(n):
            h[t + 1] = w @ h[t] * 0.3 * h[t + 1] + w[0]
    return np.sum(h * h)


def powers(w: Square, n: int) -> float:
    p = np.zeros((n + 1, w.shape[0], w.shape[0]))
    p[0] = np.eye(w.shape[0])
    for k in range(n):
        p[k + 1] = p[k] @ w
        p[k + 1] *= 0.5
    return np.sum(np.sin(p))


def grid_of_costs(m: Mat) -> float:
    d = np.zeros(m.shape)
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            up = d[i - 1, j] if i > 0 else 0.0
            left = d[i, j - 1] if j > 0 else 0.0
            d[i, j] = m[i, j] * np.exp(-up) + left * left
    return d[-1, -1]


def relaxed_in_place(m: Mat, n: int) -> float:
    u = m.copy()
    for _ in range(n):
        for i in range(1, m.shape[0] - 1):
            for j in range(1, m.shape[1] - 1):
                u[i, j] = 0.25 * u[i - 1, j] * u[i + 1, j] + u[i, j - 1] * u[i, j + 1]
    return np.sum(u * u)


def batches(c: Cube, a: float) -> float:
    h = np.zeros(c.shape)
    for b in range(c.shape[0]):
        for t in range(1, c.shape[1]):
            for k in range(c.shape[2]):
                h[b, t, k] = np.sin(h[b, t - 1, k]) * c[b, t, k] + a
    return np.sum(h * h)


def same_row_for_each_batch(c: Cube, a: float) -> float:
    h = np.zeros(c.shape[1])
    s = 0.0
    for b in range(c.shape[0]):
        for t in range(1, c.shape[1]):
            h[t] = np.sin(h[t - 1]) * c[b, t, 0] + a * h[t]
            s += h[t] * h[t - 1]
    return s


def until_small(x: float, n: int) -> float:
    h = np.zeros(n + 2)
    h[0] = x
    for t in range(1, n + 2):
        h[t] = 0.7 * h[t - 1] * h[t - 1]
        if h[t] < 1e-3:
            break
    return np.sum(h)


def of_an_argument(x: Vec, a: float) -> float:
    for t in range(1, len(x)):
        x[t] = x[t] * np.sin(x[t - 1]) + a
    return np.sum(x * x)


def returned(x: float, a: float, n: int) -> Vec:
    h = np.zeros(n + 1)
    h[0] = x
    for t in range(1, n + 1):
        h[t] = a * h[t - 1] ** 2
    return h


def by_counting(x: float, n: int) -> float:
    h = np.zeros(n + 2)
    h[0] = x
    t = 0
    while t < n:
        h[t + 1] = np.sin(h[t]) * x
        t += 1
    return np.sum(h)


def through_a_place(x: Vec, n: int) -> float:
    h = np.zeros(len(x) + n)
    k = len(x) - 1
    h[k] = x[0]
    for t in range(n):
        h[k + t + 1 - 1] = h[k + t] * h[k + t] + x[-1]
    return np.sum(h)


def pairs_of_trajectories(x: float, v: float, n: int) -> float:
    q = np.zeros(n + 1)
    p = np.zeros(n + 1)
    q[0] = x
    p[0] = v
    for t in range(n):
        half = p[t] - 0.05 * np.sin(q[t])
        q[t + 1] = q[t] + 0.1 * half
        p[t + 1] = half - 0.05 * np.sin(q[t + 1])
    return q[-1] * p[-1] + np.sum(q * q)


def parts_in_turn(x: Vec, n: int) -> float:
    h = np.ones(n + 5) * x[0]
    for t in range(n + 1):
        v = h[2:] if t % 2 == 1 else h[:-2]
        v[t + 1] = np.sin(v[t]) * v[t] * x[1]
    return np.sum(h * h)


def buffers_in_turn(x: Vec, n: int) -> float:
    h = np.ones(n + 6) * x[0]
    a = h[2:]
    b = h[:-2]
    for t in range(n + 1):
        a[t + 1] = a[t] * a[t] * x[1]
        a, b = b, a
    return np.sum(h * h)


def table_made_in_turn(x: Vec, n: int) -> float:
    s = 0.0
    for k in range(n):
        h = np.zeros(len(x) + 1)
        h[0] = x[k % len(x)]
        for t in range(len(x)):
            h[t + 1] = np.sin(h[t]) * x[t]
        s += h[-1] * h[1]
    return s
