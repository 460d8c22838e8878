"""Arrays that are made, filled and overwritten in loops; linear algebra."""

import math

import numpy as np
from kinds import Mat, Other, Square, Vec


def store_and_sum(x: Vec) -> float:
    y = np.empty(len(x))
    for i in range(len(x)):
        y[i] = math.sin(math.cos(x[i]))
    s = 0.0
    for i in range(len(y)):
        s += y[i] * y[i]
    return s


def made_in_many_ways(x: Vec, a: float) -> float:
    z = np.zeros(len(x))
    o = np.ones_like(x)
    f = np.full(x.shape[0], a)
    g = np.full_like(x, 2.0)
    c = x.copy()
    d = np.copy(x)
    z[1] = x[0]
    o[2] *= x[1]
    c[0] *= a
    d[0] = 0.5
    s = 0.0
    for i in range(len(x)):
        s += z[i] * o[i] + f[i] * g[i] * c[i] + d[i] * x[i]
    return s


def array_of_items(x: float, y: float) -> float:
    p = np.array((x, y, 2.0))
    q = np.array([[x, 1.0], [y, x * y]])
    s = 0.0
    for v in p:
        s += v * v
    for i in range(2):
        s += q[i, 1] * q[1, i]
    return s


def accumulate(x: Vec) -> float:
    y = np.zeros(3)
    for i in range(len(x)):
        y[i % 3] += x[i] * x[i]
        y[0] -= 0.5 * x[i]
        y[2] *= 1.0 + x[i]
        y[1] /= 2.0 + x[i]
    return y[0] * y[1] + y[2]


def overwritten(x: Vec) -> float:
    y = np.zeros(2)
    for v in x:
        y[0] = v * v
        y[1] = y[1] * 0.5 + y[0]
        y[0] = math.sin(y[1])
    return y[0] * y[1]


def work_array(m: Mat) -> float:
    w = np.empty(m.shape[1])
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            w[j] = math.sin(m[i, j])
        for j in range(m.shape[1]):
            s += w[j] * w[j - 1] * w[j]
    return s


def work_array_triangular(m: Square) -> float:
    n = m.shape[0]
    w = np.zeros(n)
    s = 0.0
    for i in range(n):
        for j in range(i + 1):
            w[j] = m[i, j] * m[j, i]
        for j in range(i + 1):
            for k in range(j):
                w[j] += w[k] * m[j, k]
            s += math.sin(w[j])
    return s


def work_array_half_filled(m: Mat) -> float:
    w = np.ones(m.shape[1])
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(1, m.shape[1]):
            w[j] = m[i, j] * w[j - 1]
        w[0] = w[2] * 0.5
        s += w[0] * w[1]
    return s


def work_array_in_branch(m: Mat) -> float:
    w = np.zeros(m.shape[1])
    s = 0.0
    for i in range(m.shape[0]):
        if i % 2 == 0:
            for j in range(m.shape[1]):
                w[j] = m[i, j] * m[i, j]
        for j in range(m.shape[1]):
            s += w[j] * m[i, j]
    return s


def two_work_arrays(m: Mat) -> float:
    a = np.empty(m.shape[1])
    b = np.empty(m.shape[1])
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            a[j] = m[i, j]
        for j in range(m.shape[1]):
            b[j] = a[j] * a[2 - j]
        for j in range(m.shape[1]):
            a[j] = b[j] + a[j] * a[j]
        for j in range(m.shape[1]):
            s += a[j] * b[j]
    return s


def allocated_in_loop(m: Mat) -> float:
    s = 0.0
    for i in range(m.shape[0]):
        w = np.zeros(m.shape[1])
        for j in range(m.shape[1]):
            w[j] += m[i, j] * m[i, 0]
        for j in range(m.shape[1]):
            s += w[j] * w[j] * (i + 1)
    return s


def allocated_in_branch(x: Vec, k: int) -> float:
    s = 0.0
    if k > 2:
        w = np.zeros(len(x))
        for i in range(len(x)):
            w[i] = x[i] * x[i]
        s = w[0] * w[1]
    else:
        w = np.ones(2)
        s = w[0] * x[0]
    return s


def allocated_in_both(x: Vec, k: int) -> float:
    if k > 2:
        w = x.copy()
    else:
        w = np.ones(len(x))
    w[0] *= 3.0
    s = 0.0
    for i in range(len(x)):
        s += w[i] * w[i] * x[i]
    return s


def matrix_vector(m: Mat, v: Other) -> float:
    y = np.zeros(m.shape[0])
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            y[i] += m[i, j] * v[j]
    s = 0.0
    for i in range(len(y)):
        s += y[i] * y[i]
    return s


def matrix_product(a: Square) -> float:
    n = a.shape[0]
    c = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(n):
                c[i, j] += a[i, k] * a[k, j]
    s = 0.0
    for i in range(n):
        s += c[i, i] * c[i, 0]
    return s


def cholesky(m: Square) -> float:
    n = m.shape[0]
    a = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(n):
                a[i, j] += m[i, k] * m[j, k]
        a[i, i] += 2.0
    s = 0.0
    for j in range(n):
        for k in range(j):
            a[j, j] -= a[j, k] * a[j, k]
        a[j, j] = math.sqrt(a[j, j])
        s += math.log(a[j, j])
        for i in range(j + 1, n):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
    return s


def histogram(x: Vec, y: Vec) -> float:
    h = np.zeros(4)
    for i in range(len(x)):
        h[int(abs(x[i]) * 3.0) % 4] += y[i] * y[i]
    return h[0] * h[1] + h[2] * h[3] + h[1]


def counts(x: Vec) -> float:
    n = np.zeros(3, dtype=np.int64)
    for i in range(len(x)):
        n[i % 3] += i
    return x[n[1] % 5] * n[2] * x[0]


def mask(x: Vec) -> float:
    keep = np.zeros(len(x), dtype=np.bool_)
    for i in range(len(x)):
        keep[i] = x[i] > 0.5
    s = 0.0
    for i in range(len(x)):
        if keep[i]:
            s += x[i] ** 3
    return s


def prefix_sums(x: Vec) -> float:
    y = np.empty(len(x) + 1)
    y[0] = 0.0
    for i in range(len(x)):
        y[i + 1] = y[i] + x[i] * x[i]
    return y[-1] * y[2]


def sorted_by_insertion(x: Vec) -> float:
    y = x.copy()
    for i in range(1, len(y)):
        v = y[i]
        j = i - 1
        while j >= 0 and y[j] > v:
            y[j + 1] = y[j]
            j -= 1
        y[j + 1] = v
    s = 0.0
    for i in range(len(y)):
        s += (i + 1) * y[i] * y[i]
    return s


def stored_without_leading_axes(x: Vec, m: Mat) -> float:
    e = np.zeros((2, 3))
    e[..., 0] = np.sum(x, keepdims=True)
    e[1, 2, ...] = np.sum(m, keepdims=True)
    e[0, 1:] = m[None, 0, :2]
    e[1, :2] += np.mean(m[:, :2], axis=0)
    c = np.zeros(2)
    c[..., 1] = np.max(x, keepdims=True)
    c[:1] = np.mean(m, axis=(0, 1), keepdims=True)
    return np.sum(e * e) + c[0] * c[1]


def ranges_as_indices(x: Vec, n: int) -> float:
    y = np.zeros((3, 2))
    y[range(3), 0] = x[:3]
    y[range(2), range(2)] += x[0]
    x[range(2)] = x[range(2, 4)]
    r = range(1, n)
    return np.sum(y**2) + np.sum(x * x[0]) + x[r].sum() * x[range(-2, 0)].sum() + x[range(0)].sum()


def corners(x: Vec, y: Vec) -> float:
    at = np.int32(y * 3.0)
    return np.sum((y * 3.0 - at) * np.float64(x))
