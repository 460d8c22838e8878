"""Functions that fill growable arrays: what the frontend makes of lists that are appended to."""

import math

from tests.ad.view_header import Mat, Vec, _grown, _grown_rows, _reserve, _reserve_rows


def counted(x: Vec, n: int) -> float:
    xs = _grown()
    for i in range(n + 3):
        _reserve(xs, i + 1)
        xs[i] = math.sin(x[i % 6]) * x[1]
    s = 0.0
    for i in range(n + 3):
        s += xs[i] * xs[i] * (i + 1)
    return s


def adaptive(x: Vec) -> float:
    ts = _grown()
    n = 0
    t, h = 0.0, 0.1
    while t < 1.0:
        err = x[0] * h * h
        if err < 0.05:
            _reserve(ts, n + 1)
            ts[n] = math.sin(t * x[1]) + x[2] * h
            n = n + 1
            t = t + h
            h = h * 1.5
        else:
            h = h * 0.5
    s = 0.0
    for i in range(n):
        s += ts[i] * ts[i] * (i + 1.5)
    return s


def many(x: Vec) -> float:
    xs = _grown()
    n = 0
    v = x[0]
    while n < 150:
        _reserve(xs, n + 2)
        xs[n] = v
        xs[n + 1] = v * x[1]
        v = v * 0.99 + 0.01 * xs[n // 2]
        n = n + 2
    s = 0.0
    for i in range(n):
        s += xs[i] * math.cos(0.1 * i * x[2])
    return s


def twice(x: Vec, n: int) -> float:
    xs = _grown()
    k = 0
    for i in range(n + 2):
        if x[i] > 0.5:
            _reserve(xs, k + 1)
            xs[k] = x[i] * x[i]
            k = k + 1
    s = 0.0
    for i in range(k):
        s += xs[i] * (i + 1)
    for i in range(n + 3):
        _reserve(xs, k + 1)
        xs[k] = x[i] * s
        k = k + 1
    for i in range(k):
        s += xs[i] * xs[i]
    return s


def nested(x: Vec, n: int) -> float:
    total = 0.0
    for i in range(n + 1):
        xs = _grown()
        k = 0
        v = x[i]
        while v < 3.0:
            _reserve(xs, k + 1)
            xs[k] = v
            k = k + 1
            v = v * (1.2 + 0.1 * x[1])
        s = 0.0
        for j in range(k):
            s += xs[j] * xs[j] * (j + 1)
        total += s * s
    return total


def nested_while(x: Vec) -> float:
    total = 0.0
    v = x[0]
    while v < 2.0:
        xs = _grown()
        k = 0
        w = v
        while w < 3.0:
            _reserve(xs, k + 1)
            xs[k] = w * x[1]
            k = k + 1
            w = w * 1.3
        for j in range(k):
            total += xs[j] * xs[j] * v
        v = v * 1.2 + 0.1 * total / (1.0 + total)
    return total


def inner_loop(x: Vec, n: int) -> float:
    xs = _grown()
    k = 0
    for i in range(n + 2):
        for j in range(i):
            _reserve(xs, k + 1)
            xs[k] = x[i] * x[j]
            k = k + 1
    s = 0.0
    for i in range(k):
        s += xs[i] * xs[k - 1 - i]
    return s


def overwritten(x: Vec, n: int) -> float:
    xs = _grown()
    k = 0
    s = 0.0
    for i in range(6):
        if x[i] > 0.6 and k > 0:
            k = k - 1
            s += xs[k] * x[i]
        else:
            _reserve(xs, k + 1)
            xs[k] = math.exp(x[i]) * (1.0 + s)
            k = k + 1
    for i in range(k):
        s += xs[i] * xs[i]
    return s


def in_arm(x: Vec, n: int) -> float:
    s = x[0]
    if n > 0:
        xs = _grown()
        for i in range(n):
            _reserve(xs, i + 1)
            xs[i] = x[i] * s
        for i in range(n):
            s += xs[i] * xs[i]
    return s * x[1]


def ends_early(x: Vec) -> float:
    xs = _grown()
    k = 0
    for i in range(1000):
        v = x[i % 6] * (1.0 + 0.1 * i)
        if v > 2.0:
            break
        _reserve(xs, k + 1)
        xs[k] = v
        k = k + 1
    s = 0.0
    for i in range(k):
        s += xs[i] * xs[i]
    return s


def read_while_growing(x: Vec) -> float:
    xs = _grown()
    _reserve(xs, 2)
    xs[0] = x[0]
    xs[1] = x[1]
    n = 2
    while xs[n - 1] < 4.0:
        _reserve(xs, n + 1)
        xs[n] = xs[n - 1] + 0.5 * xs[n - 2] * x[2]
        n = n + 1
    return xs[n - 1] * xs[n // 2]


def rows(x: Vec, n: int) -> float:
    xs = _grown_rows()
    k = 0
    s = x[0]
    while k < n + 3:
        _reserve_rows(xs, k + 1, 6)
        for j in range(6):
            xs[k, j] = x[j] * s
        s = 0.5 * s + xs[k, k % 6]
        k = k + 1
    for i in range(k):
        for j in range(6):
            s += xs[i, j] * xs[i, j] * (i + j)
    return s


def matrix_rows(m: Mat, n: int) -> float:
    xs = _grown_rows()
    k = 0
    for i in range(m.shape[0]):
        if m[i, 0] > 0.6:
            _reserve_rows(xs, k + 1, m.shape[1])
            for j in range(m.shape[1]):
                xs[k, j] = m[i, j] * m[i, 0]
            k = k + 1
    s = 0.0
    for i in range(k):
        for j in range(m.shape[1]):
            s += xs[i, j] * xs[i, 0]
    return s


def two(x: Vec) -> float:
    xs = _grown()
    ys = _grown()
    n, m = 0, 0
    t = 0.0
    while t < 2.0:
        _reserve(xs, n + 1)
        xs[n] = math.sin(t) * x[0]
        n = n + 1
        if xs[n - 1] > 0.4:
            _reserve(ys, m + 1)
            ys[m] = xs[n - 1] * x[1]
            m = m + 1
        t = t + 0.1 + 0.05 * x[2]
    s = 0.0
    for i in range(m):
        s += ys[i] * xs[i]
    return s


def interleaved(x: Vec) -> float:
    """A sum over the array that may be fused with its reverse stands between two that fill it."""
    xs = _grown()
    for i in range(4):
        _reserve(xs, i + 1)
        xs[i] = x[i] * x[i]
    s = 0.0
    for i in range(4):
        s += math.sin(xs[i])
    for i in range(4, 100):
        _reserve(xs, i + 1)
        xs[i] = x[i % 6] * 0.1
    for i in range(100):
        s += math.sin(xs[i])
    return s
