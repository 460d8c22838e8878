"""Arrays that share memory: views, names, and branches that choose between arrays."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "r c"]
Square = Annotated[NDArray[np.float64], "q q"]
Ints = Annotated[NDArray[np.int64], "k"]


def view_written_base_read(x: Vec) -> float:
    w = x.copy()
    u = w[1:4]
    for i in range(3):
        u[i] = u[i] * w[i] + math.sin(w[i + 2])
    s = 0.0
    for i in range(len(w)):
        s += w[i] * w[i] * (i + 1)
    return s


def shifted_views(x: Vec) -> float:
    w = x.copy()
    a = w[:-1]
    b = w[1:]
    for i in range(len(a)):
        b[i] = b[i] * a[i]
    for i in range(len(a)):
        a[i] = a[i] * math.sin(b[i])
    s = 0.0
    for i in range(len(w)):
        s += w[i] * (i + 0.5)
    return s


def second_name(x: Vec) -> float:
    y = x
    y[0] = x[1] * x[0]
    x[1] = y[0] * y[1]
    z = y[::-1]
    z[0] = x[0]
    return x[4] * y[1] * z[3]


def strided_view_of_view(x: Vec) -> float:
    u = x[::2]
    w = u[::-1]
    for i in range(len(w)):
        w[i] = w[i] * u[i]
    return x[0] * x[2] * x[4] + w[0]


def rows(m: Mat) -> float:
    w = np.zeros((m.shape[0], m.shape[1]))
    for i in range(m.shape[0]):
        r = w[i]
        q = m[i]
        for j in range(len(r)):
            r[j] = math.sin(q[j]) * m[0, j]
        r[0] = r[1] * r[0]
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            s += w[i, j] * w[i, j]
    return s


def _scale(a: Vec, b: Vec) -> float:
    s = 0.0
    for i in range(len(a)):
        a[i] = a[i] * b[len(b) - 1 - i]
        s += math.sin(a[i])
    return s


def same_row_twice(m: Mat) -> float:
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[0]):
            s += _scale(m[i], m[j]) * m[0, 0]
    return s


def chosen_local(x: Vec, y: Vec, k: int) -> float:
    a = x.copy()
    b = y.copy()
    if k > 0:
        c = a
    else:
        c = b
    for i in range(len(c)):
        c[i] = c[i] * c[i] + a[i] * b[0]
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i] * (i + 1)
    return s


def chosen_parameter(x: Vec, y: Vec, k: int) -> float:
    c = x if k > 0 else y
    for i in range(len(c)):
        c[i] = c[i] * c[i] + x[i] * y[0]
    s = 0.0
    for i in range(len(x)):
        s += math.sin(x[i] * y[i]) * (i + 1)
    return s


def chosen_in_each_iteration(x: Vec, y: Vec) -> float:
    a = x.copy()
    b = y.copy()
    s = 0.0
    for i in range(len(a)):
        c = a if x[i] > 0.6 else b
        c[i] = c[i] * c[0] + a[i] * b[0]
        s += c[i]
    for i in range(len(a)):
        s += a[i] * b[i] * (i + 1)
    return s


def chosen_by_overwritten_element(x: Vec) -> float:
    s = 0.2
    for i in range(len(x) - 1):
        u = x[:3] if x[i] > 0.6 else x[2:]
        u[i % 2] = u[0] * s
        x[i] = x[i + 1] * 0.3
        u[1] = x[i] * x[i]
        s = math.sin(s + u[0])
    return s


def chosen_local_or_parameter(x: Vec, k: int) -> float:
    y = np.zeros(6)
    y[0] = 1.0
    for i in range(5):
        y[i + 1] = y[i] * x[i] + y[i + 1]
        y[i] = y[i + 1] * y[i]
    c = y if k > 0 else x
    return c[1] * c[2] * c[2]


def allocated_in_branches(x: Vec, k: int) -> float:
    if k > 0:
        c = np.zeros(3)
    else:
        c = np.ones(4)
    for i in range(len(c)):
        c[i] = x[i] * x[i] + c[i]
    s = 0.0
    for i in range(len(c)):
        s += c[i] * c[i]
    return s


def _either(a: Vec, b: Vec, k: int) -> tuple[Vec, Vec]:
    if k > 0:
        return a, b
    return b, a


def swapped_by_helper(x: Vec, y: Vec, k: int) -> float:
    p, q = _either(x, y, k)
    p[0] = q[0] * q[1]
    q[1] = p[0] * x[2]
    return x[0] * y[1] + y[0] * x[1]


def swapped_buffers(x: Vec, n: int) -> float:
    a = x.copy()
    b = np.zeros(len(x))
    for _ in range(n):
        for i in range(1, len(x) - 1):
            b[i] = 0.5 * a[i] * a[i - 1] + math.sin(a[i + 1])
        a, b = b, a
    s = 0.0
    for i in range(len(x)):
        s += a[i] * (i + 1)
    return s


def rotated_buffers(x: Vec, n: int) -> float:
    a = x.copy()
    b = x.copy()
    c = np.zeros(len(x))
    for _ in range(n):
        for i in range(len(x)):
            c[i] = a[i] * b[(i + 1) % len(x)]
        if c[0] > 0.3:
            a, b, c = b, c, a
        else:
            a, c = c, a
    return a[0] * b[1] + c[2]


def buffer_of_rows(x: Vec, n: int) -> float:
    rows = np.zeros((2, len(x)))
    rows[0] = x
    for t in range(n):
        a = rows[t % 2]
        b = rows[(t + 1) % 2]
        for i in range(len(x)):
            b[i] = a[i] * a[(i + 1) % len(x)] + 0.3
    last = rows[n % 2]
    return last[0] * last[1]


def overlapping_bulk_copies(x: Vec) -> float:
    x[1:] = x[:-1]
    x[:3] = x[1:4]
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[i] * (i + 1)
    return s
