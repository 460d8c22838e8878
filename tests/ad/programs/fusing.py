"""Loops one after the other: some may be fused with their reverse, some must not be."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "r c"]
Square = Annotated[NDArray[np.float64], "q q"]
Ints = Annotated[NDArray[np.int64], "k"]


def seed_known_late(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        s += math.sin(x[i])
    t = 0.0
    for i in range(len(x)):
        t += s * x[i]
    return t * s


def array_overwritten_after(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        s += math.sin(x[i])
    for i in range(len(x)):
        x[i] = s * x[i]
    t = 0.0
    for i in range(len(x)):
        t += x[i] * x[i]
    return t + s


def array_filled_twice(x: Vec) -> float:
    y = np.empty(len(x))
    for i in range(len(x)):
        y[i] = math.sin(x[i])
    s = 0.0
    for i in range(len(x)):
        s += y[i] * y[i]
    for i in range(len(x)):
        y[i] = x[i]
    for i in range(len(x)):
        s += y[i] * y[i] * y[i]
    return s


def element_between(x: Vec, a: float) -> float:
    n = len(x)
    y = np.zeros(n)
    s = 0.0
    for i in range(n):
        y[i] = x[i] * a
    b = y[0] * a
    for i in range(n):
        s += y[i] * b
    y[0] = s
    for i in range(n):
        s += y[i] * y[0]
    return s


def branches_between(x: Vec, k: int) -> float:
    s = 0.0
    if k > 0:
        for i in range(3):
            s += x[i] * x[i]
    t = s * s
    if t > 0.1:
        for i in range(3):
            s += math.sin(x[i] * t)
    for i in range(3):
        x[i] = x[i] * t
    if t > 0.2:
        for i in range(3):
            s += math.sin(x[i])
    return s


def arrays_of_branches(x: Vec, k: int) -> float:
    s = 0.0
    if k > 0:
        w = np.zeros(3)
        for i in range(3):
            w[i] = x[i] * x[i + 1]
        t = 1.0
        for i in range(3):
            t = math.sin(t) * w[i]
        s = t * w[0]
    else:
        for i in range(3):
            s += x[i] * x[i]
    return s


def rows_in_place(m: Mat) -> float:
    w = m.copy()
    s = 0.0
    for i in range(w.shape[0]):
        for j in range(1, w.shape[1]):
            w[i, j] = w[i, j - 1] * math.sin(w[i, j])
        s += w[i, w.shape[1] - 1]
    return s


def rows_and_columns_in_place(q: Square) -> float:
    w = q.copy()
    s = 0.0
    for i in range(w.shape[0]):
        for j in range(w.shape[1]):
            w[j, i] = w[i, j] * math.sin(w[j, i])
        s += w[i, i]
    return s


def recurrences_in_independent_iterations(m: Mat) -> float:
    n, c = m.shape
    s = 0.0
    for i in range(n):
        t = 1.0
        for j in range(c):
            t = math.sin(t * m[i, j]) + m[0, j]
        u = 0.0
        for j in range(c):
            u += t * m[i, j] * m[i, 0]
        for j in range(c):
            s += math.exp(u * m[1, j])
    return s


def shadow_of_a_work_array(m: Mat) -> float:
    n, c = m.shape
    w = np.zeros(c)
    s = 0.0
    for i in range(n):
        for j in range(c):
            w[j] = m[i, j] * m[0, j]
        for j in range(1, c):
            w[j] = w[j] * w[j - 1]
        for j in range(c - 1):
            s += math.sin(w[j + 1])
    return s


def log_sum_exp(m: Mat) -> float:
    n, c = m.shape
    w = np.empty(c)
    total = 0.0
    for i in range(n):
        largest = -1e30
        for j in range(c):
            w[j] = m[i, j] * m[0, j] + m[1, 0]
            if w[j] > largest:
                largest = w[j]
        t = 0.0
        for j in range(c):
            t += math.exp(w[j] - largest)
        total += largest + math.log(t)
    return total


def stored_once_inside_a_loop(x: Vec) -> float:
    n = len(x)
    y = np.zeros(n)
    s = 0.0
    for t in range(3):
        for i in range(n):
            y[i] = x[i] * x[i] + y[(i + 1) % n] * t
        s += y[2] * y[3]
    return s


def stored_once_inside_a_while_loop(x: Vec) -> float:
    n = len(x)
    y = np.zeros(n)
    s = 0.0
    t = 0
    while t < 3:
        for i in range(n):
            y[i] = x[i] * x[i] + s
        s += y[2] * y[3]
        t += 1
    return s


def scalars_shared_by_iterations(x: Vec, a: float) -> float:
    s = 0.0
    for i in range(len(x)):
        b = a * x[i]
        for j in range(i):
            s += b * x[j]
            b = b * a
        a = a + b
    return s * a
