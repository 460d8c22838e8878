"""Equal values of several loops are saved once: where they are equal, and only there.

The work arrays are cleared as a whole, so that they are saved rather than wound back.
"""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "r c"]
Square = Annotated[NDArray[np.float64], "q q"]
Ints = Annotated[NDArray[np.int64], "k"]


def read_by_two_loops(x: Vec, steps: int) -> float:
    n = len(x)
    w, y, z = np.zeros(n), np.zeros(n), np.zeros(n)
    for _ in range(steps):
        w[:] = 0.0
        for i in range(n):
            w[i] = math.exp(-x[i])
        for i in range(n):
            y[i] = x[i] * w[i]
        for i in range(n):
            z[i] = x[n - 1 - i] * w[i]
        for i in range(n):
            x[i] = y[i] + z[i] * z[i]
    return x[0] + 2.0 * x[1]


def written_between(x: Vec, steps: int) -> float:
    n = len(x)
    w, y, z = np.zeros(n), np.zeros(n), np.zeros(n)
    for _ in range(steps):
        w[:] = 0.5
        for i in range(n):
            w[i] += x[i]
        for i in range(n):
            y[i] = x[i] * w[i]
        w[1] = 0.25 * x[2]
        for i in range(n):
            z[i] = x[n - 1 - i] * w[i]
        for i in range(n):
            x[i] = y[i] + z[i] * z[i]
    return x[0] + 2.0 * x[1]


def written_by_the_first_loop(x: Vec, steps: int) -> float:
    n = len(x)
    w, y, z = np.zeros(n), np.zeros(n), np.zeros(n)
    for _ in range(steps):
        w[:] = 0.5
        for i in range(n):
            y[i] = x[i] * w[i]
            w[i] = x[i] * 0.5
        for i in range(n):
            z[i] = x[n - 1 - i] * w[i]
        for i in range(n):
            x[i] = y[i] + z[i] * z[i]
    return x[0] + 2.0 * x[1]


def written_by_the_second_loop(x: Vec, steps: int) -> float:
    n = len(x)
    w, y, z = np.zeros(n), np.zeros(n), np.zeros(n)
    for _ in range(steps):
        w[:] = 0.5
        for i in range(n):
            y[i] = x[i] * w[i]
        for i in range(n):
            z[i] = x[n - 1 - i] * w[i]
            w[n - 1 - i] = x[i] * 0.5
        for i in range(n):
            x[i] = y[i] + z[i] * z[i]
    return x[0] + 2.0 * x[1]


def loaded_before_the_loops(x: Vec, steps: int) -> float:
    n = len(x)
    w, y, z = np.zeros(n), np.zeros(n), np.zeros(n)
    for _ in range(steps):
        w[:] = 0.5
        w[0] += x[0]
        a = w[0]
        w[0] = x[1]
        b = w[0]
        for i in range(n):
            y[i] = x[i] * math.sin(a * i)
        for i in range(n):
            z[i] = x[i] * math.sin(b * i)
        for i in range(n):
            x[i] = y[i] + z[i] * z[i]
    return x[0] + 2.0 * x[1]


def other_ranges(x: Vec, steps: int) -> float:
    n = len(x)
    w, y, z = np.zeros(n), np.zeros(n), np.zeros(n)
    for _ in range(steps):
        w[:] = 0.5
        for i in range(n):
            w[i] += math.sin(x[i])
        for i in range(n):
            y[i] = x[i] * w[i]
        for i in range(1, n):
            z[i] = x[n - i] * w[i]
        for i in range(n - 1, -1, -1):
            y[i] += z[i] * w[i]
        for i in range(n):
            x[i] = y[i] + z[i] * w[n - 1 - i]
    return x[0] + 2.0 * x[1]


def in_branches(x: Vec, steps: int, k: int) -> float:
    n = len(x)
    w, y = np.zeros(n), np.zeros(n)
    for t in range(steps):
        w[:] = 0.5
        for i in range(n):
            w[i] += math.sin(x[i])
        if t == k:
            for i in range(n):
                y[i] = x[i] * w[i]
        else:
            for i in range(n):
                y[i] = x[n - 1 - i] * w[i]
        for i in range(n):
            if i > t:
                y[i] += x[i] * x[i] * w[i]
        for i in range(n):
            if i <= t:
                y[i] += 2.0 * x[i] * w[i]
        for i in range(n):
            x[i] = y[i]
    return x[0] + 2.0 * x[1]


def in_a_while_loop(x: Vec, steps: int) -> float:
    n = len(x)
    w, y, z = np.zeros(n), np.zeros(n), np.zeros(n)
    k = 0
    while k < steps:
        w[:] = 0.5
        for i in range(n):
            w[i] += x[i]
        for i in range(n):
            y[i] = x[i] * w[i]
        for i in range(n):
            z[i] = x[n - 1 - i] * w[i]
        for i in range(n):
            x[i] = y[i] + z[i] * z[i]
        k += 1
    return x[0] + 2.0 * x[1]


def triangles(m: Mat, steps: int) -> float:
    r, c = m.shape
    w = np.zeros((r, c))
    y = np.zeros(r)
    for _ in range(steps):
        w[:, :] = 0.5
        for i in range(r):
            for j in range(i):
                w[i, j] += math.sin(m[i, j])
        for i in range(r):
            for j in range(i):
                y[i] += m[i, j] * w[i, j]
        for i in range(1, r):
            for j in range(i):
                y[i] += m[i, j] * w[i, j]
        for i in range(r):
            for j in range(i):
                m[i, j] = y[i] * w[i, j]
    return y[r - 1]


def rows(m: Mat, steps: int) -> float:
    r, c = m.shape
    w = np.zeros((r, c))
    s = 0.0
    for t in range(steps):
        w[:, :] = 0.5
        for i in range(r):
            for j in range(c):
                w[i, j] += math.sin(m[i, j])
        a = w[t % r]
        b = w[(t + 1) % r]
        for j in range(c):
            s += s * m[0, j] * a[j]
        for j in range(c):
            s += m[1, j] * b[j]
        for j in range(c):
            m[1, j] += a[j] * b[j] * s
    return s


def through_an_index(x: Vec, k: Ints, steps: int) -> float:
    n = len(k)
    w = np.zeros(len(x))
    s = 1.0
    for _ in range(steps):
        w[:] = 0.5
        for i in range(n):
            w[k[i]] += math.sin(x[i])
        for i in range(n):
            s += s * x[i] * w[k[i]]
        for i in range(n):
            x[i] += 0.1 * s * w[k[i]] * w[k[i]]
        for i in range(n):
            x[i] += 0.1 * s * w[k[n - 1 - i]]
    return s
