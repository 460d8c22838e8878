"""Indices of all kinds, views, slices, and several names for one array."""

import math

import numpy as np
from kinds import Cube, Ints, Mat, Other, Square, Vec


def negative_indices(x: Vec) -> float:
    x = x.copy()
    x[-1] = x[-2] * x[0]
    x[-3] += x[-1] * x[1]
    return x[-1] * x[len(x) - 3]


def computed_indices(x: Vec, k: int) -> float:
    s = 0.0
    for i in range(7):
        s += x[(i * k) % 5] * x[i // 2] * (i + 1)
    return s


def indices_from_array(x: Vec, at: Ints) -> float:
    y = np.zeros(len(x))
    for k in range(len(at)):
        y[at[k]] += x[k] * x[at[k]]
    s = 0.0
    for v in y:
        s += v * v
    return s


def row_views(m: Mat) -> float:
    s = 0.0
    for i in range(m.shape[0]):
        row = m[i]
        for j in range(len(row)):
            s += row[j] * row[j] * (j + 1)
    return s


def column_views(m: Mat) -> float:
    s = 0.0
    for j in range(m.shape[1]):
        column = m[:, j]
        for i in range(len(column)):
            s += column[i] * column[i - 1]
    return s


def local_row_views(m: Mat) -> float:
    w = np.zeros((m.shape[0], m.shape[1]))
    for i in range(m.shape[0]):
        row = w[i]
        for j in range(m.shape[1]):
            row[j] = m[i, j] * m[i, j - 1]
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            s += w[i, j] * (i + j) * w[i, j]
    return s


def slices(x: Other) -> float:
    y = x.copy()
    middle = y[1:5]
    middle[0] = x[0] * x[1]
    tail = middle[2:]
    tail[1] *= tail[0]
    back = y[::-1]
    back[0] += back[1] * middle[0]
    every = y[::2]
    every[1] = math.sin(every[2])
    s = 0.0
    for v in y:
        s += v * v
    return s


def slice_assignment(x: Other) -> float:
    y = np.zeros(len(x))
    y[:] = 0.5
    y[1:3] = x[2]
    y[3:6] = x[0:3]
    y[:2] += x[1:3]
    y[4:] -= x[0] * x[1]
    s = 0.0
    for i in range(len(y)):
        s += y[i] * y[i] * x[i]
    return s


def overlapping_slices(x: Other) -> float:
    y = x.copy()
    y[1:] = y[:-1]
    y[:3] += y[2:5]
    y[::2] = y[3:]
    s = 1.0
    for v in y:
        s = s * v + v
    return s


def diagonal_under_condition(m: Square, d: Vec, k: int) -> float:
    w = m.copy()
    for i in range(w.shape[0]):
        if i < k:
            w[i, i] += d[i]
    s = 0.0
    for i in range(w.shape[0]):
        for j in range(w.shape[1]):
            s += w[i, j] * w[j, i]
    return s


def three_axes(t: Cube) -> float:
    s = 0.0
    for i in range(t.shape[0]):
        plane = t[i]
        for j in range(t.shape[1]):
            line = plane[j, 1:]
            for k in range(len(line)):
                s += line[k] * t[i, j, k] * t[i - 1, -1, -1]
    return s


def chosen_array(x: Vec, y: Vec, k: int) -> float:
    z = x if k > 2 else y
    s = 0.0
    for i in range(len(z)):
        s += z[i] * z[i] + x[i]
    return s


def two_names(x: Vec) -> float:
    y = x.copy()
    z = y
    z[0] = y[1] * y[0]
    y[2] = z[0] * z[2]
    return y[0] * z[2] + y[1]


def size_attributes(m: Mat) -> float:
    return m[0, 0] * m.size + m[1, 1] * m.ndim + m[0, 1] * len(m)


def summed(m: Mat) -> float:
    w = m.copy()
    w[0, 0] = w[1, 1] * w[0, 0]
    return np.sum(w) * w.sum() + np.sum(m[1])


def swapped_elements(x: Vec) -> float:
    y = x.copy()
    for i in range(len(y) // 2):
        y[i], y[-1 - i] = y[-1 - i], y[i] * y[i]
    s = 0.0
    for i in range(len(y)):
        s += (i + 1) * y[i]
    return s


def in_fortran_order(x: Vec, a: float) -> float:
    """New memory for what is in C order, the same for what is in the other one."""
    m = np.outer(x, x) * x
    w = np.asfortranarray(m.T)
    w[0, 1] = a
    n = np.asfortranarray(m)
    return np.sum(m.ravel() * np.arange(m.size)) + np.sum(n.T.ravel() * n.ravel())
