"""Work arrays: wholly, partly or not overwritten before they are read."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "r c"]
Square = Annotated[NDArray[np.float64], "q q"]
Ints = Annotated[NDArray[np.int64], "k"]


def covered(x: Vec) -> float:
    n = len(x)
    w = np.zeros(n)
    s = 0.1
    for i in range(n):
        for j in range(n):
            w[j] = math.sin(x[j] * s)
        for j in range(n):
            s += w[j] * w[j] * x[i]
    return s


def first_element_from_before(x: Vec) -> float:
    n = len(x)
    w = np.zeros(n)
    s = 0.0
    for i in range(n):
        for j in range(1, n):
            w[j] = x[i] * x[j]
        for j in range(n):
            s += w[j] * w[j]
        w[0] = x[i]
    return s


def triangle(x: Vec) -> float:
    n = len(x)
    w = np.zeros(n)
    s = 0.0
    for i in range(n):
        for j in range(i, n):
            w[j] = x[i] * x[j]
        for j in range(n):
            s += w[j] * w[j]
    return s


def upper_triangle_never_written(q: Square) -> float:
    n = q.shape[0]
    w = np.ones((n, n))
    s = 0.0
    for t in range(3):
        for i in range(n):
            for j in range(i + 1):
                w[i, j] = q[i, j] * (t + 1)
        for i in range(n):
            for j in range(i):
                s += w[i, j] * w[j, i]
    return s


def read_after_the_loop(x: Vec) -> float:
    n = len(x)
    w = np.zeros(n)
    s = 0.0
    for i in range(n):
        for j in range(n):
            w[j] = x[i] * x[j]
        for j in range(n):
            s += math.sin(w[j] * w[j])
        w[0] = 2.0
    for j in range(n):
        s += w[j] * w[j]
    return s


def written_under_condition(x: Vec) -> float:
    n = len(x)
    w = np.zeros(n)
    s = 0.0
    for i in range(n):
        for j in range(n):
            if x[j] > 0.5 + 0.1 * i:
                w[j] = x[i] * x[j]
        for j in range(n):
            s += w[j] * w[j]
    return s


def written_in_both_branches(x: Vec) -> float:
    n = len(x)
    w = np.zeros(n)
    s = 0.0
    for i in range(n):
        if x[i] > 0.5:
            for j in range(n):
                w[j] = math.sin(x[i] * x[j])
        else:
            for j in range(n):
                w[j] = math.cos(x[i] * x[j])
        for j in range(n):
            s += w[j] * w[j]
    return s


def left_early(x: Vec) -> float:
    n = len(x)
    w = np.zeros(n)
    s = 0.0
    for i in range(n):
        for j in range(n):
            w[j] = math.sin(x[i] * x[j])
            if w[j] > 0.4:
                break
        for j in range(n):
            s += w[j] * w[j]
    return s


def read_through_negative_index(x: Vec) -> float:
    n = len(x)
    w = np.ones(n)
    s = 0.1
    for _ in range(n):
        for j in range(n - 1):
            w[j] = x[j] * s
        for j in range(n - 1):
            s += math.sin(w[j - 1]) * 0.1
        w[n - 1] = s
    return s


def bound_that_changes_between(x: Vec) -> float:
    w = np.zeros(len(x))
    k = 2
    s = 0.2
    for _ in range(4):
        for i in range(k):
            w[i] = x[i] * s
        k = 5 - k
        for i in range(k):
            s += math.sin(w[i]) * 0.3
    return s


def scan(x: Vec) -> float:
    n = len(x)
    w = np.zeros(n)
    s = 0.2
    for t in range(3):
        w[0] = x[t] * s
        for i in range(1, n):
            w[i] = w[i - 1] * x[i] + math.sin(w[i - 1])
        s = w[n - 1]
    return s


def accumulated(m: Mat) -> float:
    r, c = m.shape
    w = np.zeros(c)
    s = 0.0
    for i in range(r):
        for j in range(c):
            w[j] = 0.0
        for k in range(r):
            for j in range(c):
                w[j] += m[i, j] * m[k, j]
        for j in range(c):
            s += math.exp(w[j])
    return s


def cleared_by_slice(x: Vec) -> float:
    w = np.zeros(len(x))
    s = 0.0
    for i in range(len(x)):
        w[:] = 0.0
        for j in range(i):
            w[j] += x[i] * x[j]
        for j in range(len(x)):
            s += w[j] * w[j]
    return s


def allocated_in_the_loop(x: Vec) -> float:
    s = 0.3
    for i in range(3):
        z = np.zeros(2)
        z[0] = x[i]
        for j in range(4):
            y = np.zeros(3)
            y[0] = z[0] * s
            for k in range(2):
                y[k + 1] = math.cos(y[k]) * z[1]
            z[j % 2] += y[2] + y[1] * x[j]
        s += z[0] * z[1]
        x[i] = x[i] * s
    return s * x[0]


def copied_in_the_loop(x: Vec) -> float:
    s = 0.3
    for i in range(3):
        z = x.copy()
        for j in range(len(x)):
            z[j] = z[(j + 1) % len(x)] * z[j] * s
        s += z[i]
        x[i] = s
    return s


def what_it_is_made_of_changes_later(x: Vec) -> float:
    n = len(x)
    y = x.copy()
    w = np.zeros(n)
    s = 0.0
    for i in range(n):
        for j in range(n):
            w[j] = math.sin(y[j] * s)
        for j in range(n):
            s += w[j] * w[j] * y[i]
    y[0] = s
    return s * y[1] * y[0]


def only_in_a_branch(x: Vec) -> float:
    n = len(x)
    w = np.ones(n)
    s = 0.1
    for i in range(n):
        if i > 1:
            for j in range(n):
                w[j] = x[j] * s
            for j in range(n):
                s += math.sin(w[j]) * 0.1
        else:
            s += w[i] * x[i] + x[0]
    return s


def made_in_each_step(x: Vec, c: float, k: int) -> float:
    u = x
    for _ in range(k):
        w = u.copy()
        for i in range(1, len(x) - 1):
            w[i] = u[i] + 0.1 * c * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u = w
    return u[0] * u[1] + u[len(x) - 2]


def made_under_a_condition(x: Vec, k: int) -> float:
    u = x.copy()
    q = 0
    while q < k:
        v = np.zeros(len(x))
        for i in range(len(x)):
            v[i] += math.sin(u[i]) * x[i]
        if q % 2 == 0:
            u = v
        q += 1
    return u[0] * u[1] + u[2] * u[2]


def two_made_arrays_are_carried(x: Vec, k: int) -> float:
    u = x.copy()
    v = x
    for t in range(k):
        w = np.empty(len(x))
        for i in range(len(x)):
            w[i] = u[i] * v[len(x) - 1 - i] + 0.1 * t
        v = u
        u = w
    return u[0] * v[1] + u[2] * v[0]


def swapped_in_nested_loops(x: Vec, k: int) -> float:
    u = x.copy()
    v = x.copy()
    for _ in range(k):
        for i in range(1, len(x)):
            v[i] = u[i] * u[i - 1] + 0.5 * v[i]
            if i % 2 == 0:
                u, v = v, u
    return u[1] * v[2] + u[0]


def result_is_added_to_from_work(x: Vec) -> Vec:
    n = len(x)
    out = np.zeros(n)
    w = np.empty(n)
    for k in range(n):
        s = 0.0
        for j in range(n):
            w[j] = math.sin(x[j] * k)
            s += w[j] * x[j]
        for j in range(n):
            out[j] += s * w[j]
    return out
