"""Functions that read, write and carry arrays through transposed views, new axes and reshapes."""

import math

import numpy as np

from tests.ad.view_header import (
    Mat,
    Mat2,
    Vec,
    _column,
    _flat,
    _pillar,
    _rolled,
    _row,
    _shaped,
    _turned,
)


def loads(m: Mat) -> float:
    t = _turned(m)
    s = 0.0
    for i in range(t.shape[0]):
        for j in range(t.shape[1]):
            s += t[i, j] * t[i, j] * (i + 0.5 * j)
    return s


def stores(m: Mat) -> float:
    w = np.zeros((m.shape[0], m.shape[1]))
    t = _turned(w)
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            t[j, i] = math.sin(m[i, j]) * (i + 1)
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            s += w[i, j] * t[j, i] * (i - j)
    return s


def sums(m: Mat, x: Vec) -> float:
    w = np.zeros((m.shape[1], m.shape[0]))
    t = _turned(w)
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            t[i, j] += m[i, j] * x[j]
            t[i, 0] += m[i, j]
    s = 0.0
    for i in range(m.shape[0]):
        s += w[0, i] * w[1, i] * x[i]
    return s


def in_place(m: Mat) -> float:
    t = _turned(m)
    for j in range(t.shape[0]):
        for i in range(1, t.shape[1]):
            t[j, i] = t[j, i] * t[j, i - 1] + math.sin(m[i - 1, j])
    return m[m.shape[0] - 1, 0] * m[1, 1]


def recurrence_on_the_other_axis(m: Mat) -> float:
    w = m.copy()
    t = _turned(w)
    s = 0.0
    for i in range(w.shape[0]):
        for j in range(1, w.shape[1]):
            t[j, i] = w[i, j - 1] * t[j, i]
        s += w[i, w.shape[1] - 1] * t[0, i]
    return s


def iterations_that_meet(m: Mat) -> float:
    w = m.copy()
    t = _turned(w)
    s = 0.0
    for i in range(3):
        for j in range(3):
            w[i, j] = w[i, j] * t[i, j]
            s += w[i, j] * (i + 2 * j)
    return s


def columns(m: Mat) -> float:
    t = _turned(m)
    s = 0.0
    for j in range(t.shape[0]):
        c = t[j]
        d = m[:, j]
        for i in range(len(c)):
            s += c[i] * d[len(d) - 1 - i]
    return s


def part_of_a_transposed_part(m: Mat) -> float:
    w = m.copy()
    p = _turned(w[1:, ::2])
    q = _turned(p[:, 1:])
    for i in range(q.shape[0]):
        for j in range(q.shape[1]):
            q[i, j] *= p[j, i] * w[0, j]
    s = 0.0
    for i in range(w.shape[0]):
        for j in range(w.shape[1]):
            s += w[i, j] * w[i, j]
    return s


def cube(m: Mat) -> float:
    a = np.zeros((2, m.shape[0], m.shape[1]))
    b = _rolled(a)
    for k in range(2):
        for i in range(m.shape[0]):
            for j in range(m.shape[1]):
                b[i, j, k] = m[i, j] * (k + 1)
    s = 0.0
    for k in range(2):
        plane = _turned(b[:, :, k])
        for i in range(m.shape[0]):
            for j in range(m.shape[1]):
                s += plane[j, i] * a[1 - k, i, 0]
    return s


def new_axes(x: Vec) -> float:
    w = np.zeros(len(x))
    c = _column(w)
    r = _row(x)
    for i in range(len(x)):
        c[i, 0] = r[0, i] * r[0, 0]
    s = 0.0
    for i in range(len(x)):
        for j in range(1):
            c[i, j] += w[i] * x[i]
            s += c[i, j] * (i + 1)
    return s


def outer(x: Vec, y: Vec) -> float:
    a = _column(x)
    b = _row(y)
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = a[i, 0] * b[0, j]
    s = 0.0
    for i in range(c.shape[0]):
        s += c[i, 0] * c[0, i] * c[i, i]
    return s


def pillars(m: Mat) -> float:
    w = m.copy()
    s = 0.0
    for i in range(1, w.shape[0]):
        p = _pillar(w, i)
        q = _pillar(w, i - 1)
        for j in range(p.shape[0]):
            for k in range(p.shape[1]):
                p[j, k] *= q[j, k]
        s += p[0, 0] * p[1, 0]
    return s


def carried(m: Mat, steps: int) -> float:
    a = m.copy()
    b = np.zeros((m.shape[0], m.shape[1]))
    for k in range(steps):
        t = _turned(a)
        u = _turned(b)
        for i in range(1, m.shape[0]):
            for j in range(m.shape[1]):
                u[j, i] = t[j, i] * t[j, i - 1] + 0.1 * k
        a, b = b, a
    s = 0.0
    for i in range(m.shape[0]):
        s += a[i, 0] * a[i, 1]
    return s


def chosen(m: Mat, q: int) -> float:
    w = np.zeros((m.shape[1], m.shape[0]))
    t = _turned(m) if q > 0 else w
    s = 0.0
    for i in range(m.shape[1]):
        w[i, 0] = m[0, i] * m[1, i]
        s += t[i, 0] * t[i, 1] + w[i, 0]
    return s


def in_a_while_loop(m: Mat) -> float:
    w = m.copy()
    t = _turned(w)
    k = 0
    while t[0, 0] < 6.0 and k < 6:
        for j in range(1, 3):
            t[j, 0] = t[j, 0] * t[j - 1, 1]
        t[0, 0] = t[0, 0] * 1.5 + t[2, 0] * w[1, 1]
        k += 1
    return w[0, 0] * w[0, 2]


def bulk(m: Mat, x: Vec) -> float:
    w = np.zeros((m.shape[1], m.shape[0]))
    t = _turned(w)
    t[:] = m
    t[0] = x[:3]
    t += m
    c = t.copy()
    d = _turned(c)
    d[1] = 2.0 * x[0]
    s = 0.0
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s += c[i, j] * w[j, i] * (i + j)
    return s


def transposed_result(m: Mat) -> Mat2:
    w = np.zeros((m.shape[0], m.shape[1]))
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            w[i, j] = m[i, j] * m[i, 0]
    return _turned(w)


def transposed_argument_as_result(m: Mat) -> Mat2:
    m[0, 1] = m[0, 0] * m[1, 1]
    return _turned(m)


def column_result(x: Vec) -> Mat2:
    w = np.zeros(len(x))
    c = _column(w)
    for i in range(len(x)):
        c[i, 0] = x[i] * x[0]
    return c


# ---- other shapes -------------------------------------------------------------------------------


def reshaped_parameter(x: Vec) -> float:
    r = _shaped(x, 2, 3)
    s = 0.0
    for i in range(2):
        for j in range(3):
            s += r[i, j] * r[1 - i, j] * (i + j)
    return s * x[0]


def reshaped_matrix(m: Mat) -> float:
    n = m.shape[0] * m.shape[1]
    v = _flat(m, n)
    s = 0.0
    for k in range(n):
        s += v[k] * v[n - 1 - k] * k
    return s


def reshaped_work_array(m: Mat) -> float:
    n = m.shape[0] * m.shape[1]
    w = np.zeros((m.shape[0], m.shape[1]))
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            w[i, j] = math.sin(m[i, j])
    v = _flat(w, n)
    s = 0.0
    for k in range(n):
        s += v[k] * v[k] * k
    return s


def written_after_it_was_reshaped(m: Mat) -> float:
    w = m.copy()
    v = _flat(w, w.shape[0] * w.shape[1])
    s = 0.0
    for i in range(1, w.shape[0]):
        w[i, 0] = v[i] * w[i - 1, 0]
        s += v[i * w.shape[1]] * v[1]
    return s


def reshaped_transposed(m: Mat) -> float:
    v = _flat(_turned(m), m.shape[0] * m.shape[1])
    s = 0.0
    for k in range(len(v)):
        s += v[k] * v[k] * (k + 1)
    return s * m[0, 0]


def transposed_reshaped(x: Vec) -> float:
    t = _turned(_shaped(x, 2, 3))
    s = 0.0
    for i in range(3):
        s += t[i, 0] * t[i, 1] * t[0, 0]
    return s


def reshaped_slices(x: Vec) -> float:
    w = x.copy()
    a = _shaped(w[2:], 2, 2)
    b = _shaped(x[1:5], 2, 2)
    c = _shaped(x[::2], 1, 3)
    s = 0.0
    for i in range(2):
        for j in range(2):
            s += a[i, j] * b[j, i] * c[0, i]
    return s


def reshaped_columns(m: Mat) -> float:
    w = np.zeros((m.shape[0], m.shape[1]))
    s = 0.0
    for j in range(m.shape[1]):
        c = _shaped(m[:, j], 2, 2)
        for i in range(4):
            w[i, j] = m[i, j] * m[0, j]
        d = _shaped(w[:, j], 2, 2)
        for i in range(2):
            s += c[i, 0] * c[i, 1] * d[0, i]
    return s


def reshaped_rows(m: Mat) -> float:
    w = m.copy()
    s = 0.0
    for i in range(m.shape[0]):
        a = _shaped(m[i], 1, 3)
        b = _shaped(w[i], 3, 1)
        for j in range(3):
            w[i, j] = a[0, j] * b[0, 0]
            s += b[j, 0] * a[0, 2]
    return s


def _inner(x: Vec) -> float:
    r = _shaped(x, 2, 2)
    return r[0, 1] * r[1, 0] + r[1, 1]


def inlined_with_a_column(m: Mat) -> float:
    s = 0.0
    for j in range(m.shape[1]):
        s += _inner(m[:, j]) * (j + 1)
    return s


def _down(x: Vec, y: Vec, n: int) -> float:
    if n <= 0:
        return x[0] * y[1]
    r = _shaped(x, 2, 2)
    s = r[1, 0] * r[0, 1]
    for i in range(2):
        s += r[i, i] * y[i]
    return s + 0.5 * n * _down(y, x, n - 1)


def recursive(m: Mat) -> float:
    return _down(m[:, 1], m[:, 2], 3)


def reshaped_between_writes(x: Vec, y: Vec) -> float:
    x[0] = x[1] * y[0]
    r = _shaped(x, 2, 3)
    s = 0.0
    for i in range(2):
        s += r[i, 0] * r[i, 2]
    y[0] = s * x[0]
    x[2] = y[0] * x[2]
    return s * x[2] + y[1]


def reshaped_between_writes_in_a_loop(x: Vec, steps: int) -> float:
    s = 0.0
    for k in range(steps):
        x[k] = x[k] * x[5 - k]
        r = _shaped(x, 2, 3)
        for i in range(2):
            s += r[i, 0] * r[i, 2] * s + r[i, 1]
        x[1] = s * x[1]
        x[5] = x[1] * x[5]
    return s * x[0]


def reshaped_between_writes_to_both(x: Vec, y: Vec, steps: int) -> float:
    s = 0.0
    for k in range(steps):
        y[k] = x[k] * y[5 - k]
        r = _shaped(x, 2, 3)
        for i in range(2):
            s += r[i, 0] * r[i, 2] * s + r[i, 1]
        x[1] = s * y[1]
    return s * x[0]


def reshaped_in_a_while_loop(m: Mat) -> float:
    w = m.copy()
    k = 0
    s = 0.0
    while s < 9.0 and k < 5:
        r = _shaped(_flat(w[1:], 9), 3, 3)
        for i in range(3):
            w[i, 0] = w[i, 0] * r[2, i] + 0.1
            s += r[i, i] * w[0, i]
        k += 1
    return s


def chosen_reshape(x: Vec, q: int) -> float:
    w = np.zeros(6)
    for i in range(6):
        w[i] = x[i] * x[0]
    r = _shaped(x, 2, 3) if q > 0 else _shaped(w, 2, 3)
    s = 0.0
    for i in range(3):
        s += r[0, i] * r[1, i]
    return s


def reshape_of_a_choice(x: Vec, q: int) -> float:
    w = np.zeros(6)
    for i in range(6):
        w[i] = x[i] * x[0]
    r = _shaped(x if q > 0 else w, 2, 3)
    s = 0.0
    for i in range(3):
        s += r[0, i] * r[1, i]
    return s


def reshaped_carried(x: Vec, steps: int) -> float:
    a = x.copy()
    b = np.zeros(len(x))
    s = 0.0
    for k in range(steps):
        r = _shaped(a, 2, 3)
        for i in range(6):
            b[i] = a[i] * a[5 - i] + 0.1 * k
        s += r[0, 1] * r[1, 2]
        a, b = b, a
    return s + a[0] * b[1]


def reshape_of_a_reshape(x: Vec) -> float:
    r = _shaped(x, 2, 3)
    v = _flat(r, 6)
    w = _shaped(v[2:], 2, 2)
    return r[0, 0] * v[5] + w[1, 0] * w[0, 1]


def reshaped_result(x: Vec) -> Mat2:
    w = np.zeros(6)
    for i in range(6):
        w[i] = x[i] * x[0]
    return _shaped(w, 2, 3)


def reshaped_argument_as_result(x: Vec) -> Mat2:
    return _shaped(x, 2, 3)
