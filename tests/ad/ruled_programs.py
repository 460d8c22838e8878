"""Programs for `test_ruled.py`: the first functions have pullbacks of their own (`ruled.py`)."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "r c"]
Ints = Annotated[NDArray[np.int64], "k"]
Square = Annotated[NDArray[np.float64], "d d"]


def _mm(a: Mat, b: Mat) -> Mat:
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


def _mv(a: Mat, x: Vec) -> Vec:
    y = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            y[i] += a[i, k] * x[k]
    return y


def _exps(x: Vec) -> Vec:
    y = np.empty(len(x))
    for i in range(len(x)):
        y[i] = math.exp(x[i])
    return y


def _gain(x: Vec, a: float) -> tuple[float, Vec]:
    s = 0.0
    z = np.empty(len(x))
    for i in range(len(x)):
        z[i] = a * x[i]
        s += x[i] * x[i]
    return a * s, z


def _turn(b: Mat) -> Mat:
    t = np.empty((b.shape[1], b.shape[0]))
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            t[j, i] = b[i, j]
    return t


def _rec(y: Vec, n: int) -> float:
    if n <= 0:
        return y[0]
    z, v = _gain(y, 0.1)
    y[0] = z * v[1]
    return _rec(y, n - 1) * 0.5 + z


def straight(a: Mat, b: Mat) -> float:
    c = _mm(a, _turn(b))
    s = 0.0
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            s += math.sin(c[i, j])
    return s


def result_overwritten(a: Mat, b: Mat) -> float:
    x = a[0]
    y = _exps(x)
    s = y[0] * y[1]
    y[0] = 2.0
    y[1] = s * y[1]
    return y[0] * y[1] + y[2]


def argument_overwritten(x: Vec) -> float:
    w = x.copy()
    y = _exps(w)
    z, v = _gain(w, y[0])
    w[0] = y[1] * z
    w[1] = v[2]
    return w[0] * w[1] + w[2] + v[0]


def parameter_overwritten(x: Vec, a: float) -> float:
    z, v = _gain(x, a)
    x[0] = z * x[1]
    y = _exps(v)
    v[0] = y[1] * x[0]
    return x[0] * y[0] + v[0] + v[1]


def array_result(x: Vec, a: float) -> Vec:
    z, v = _gain(_exps(x), a)
    v[1] = z * v[1]
    return v


# mooncake: wrt=x
def inactive_matrix(m: Mat, x: Vec) -> float:
    y = _mv(m[:, :3], x[:3])
    return y[0] * y[1]


# mooncake: wrt=x
def inactive_scalar(x: Vec, a: float) -> float:
    z, v = _gain(x, a)
    return z * v[0]


def same_twice(q: Mat) -> float:
    b = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            b[i, j] = q[i, j] * q[j, i]
    c = _mm(b, b)
    return c[0, 1] * c[2, 2]


def counted(m: Mat, x: Vec, n: int) -> float:
    s = 0.0
    for t in range(n):
        y = _mv(m[:, :2], x[t : t + 2])
        s += y[0] * y[1]
    return s


def counted_dependent(m: Mat, x: Vec, n: int) -> float:
    s = 0.5
    for _t in range(n):
        y, v = _gain(m[0], s)
        s = math.sin(y) + v[1] * x[0]
    return s


def counted_exps(m: Mat, x: Vec, n: int) -> float:
    s = 0.5
    for _t in range(n):
        w = np.empty(3)
        for i in range(3):
            w[i] = m[0, i] * s
        y = _exps(w)
        s = math.sin(y[0]) * x[0] + y[1] / y[2]
    return s


def rnn_with_buffers(m: Mat, x: Vec, n: int) -> float:
    h = np.zeros(3)
    w = m[:, :3]
    for _t in range(n):
        u = _mv(w, h)
        g = np.empty(3)
        for i in range(3):
            g[i] = math.sin(u[i] + x[i])
        h = g
    return h[0] * h[1] + h[2]


def under_if(m: Mat, x: Vec, n: int) -> float:
    s = 0.5
    for t in range(n):
        if t % 2 == 0:
            y, v = _gain(m[0], s)
            s = math.sin(y) + v[1] * x[0]
        else:
            z = _exps(x)
            s = s * z[0]
    return s


def chosen(m: Mat, x: Vec, n: int) -> float:
    if n > 1:
        z = _exps(x)
    else:
        z = x.copy()
    y, v = _gain(z, 2.0)
    return y * v[0]


def while_exps(x: Vec, n: int) -> float:
    s = 0.5
    while s < 3.0 * n:
        w = np.empty(3)
        for i in range(3):
            w[i] = x[i] * 0.1 * s
        y = _exps(w)
        s += 0.1 + y[0] * x[0] + y[1] / y[2]
    return s


def nested(m: Mat, x: Vec, n: int) -> float:
    s = 0.5
    for t in range(n):
        for _k in range(t + 1):
            w = np.empty(3)
            for i in range(3):
                w[i] = x[i] * s
            y = _exps(w)
            s = math.sin(y[0]) * x[0] + math.cos(y[1] / y[2])
        z, v = _gain(m[0], s)
        s += 0.1 * math.sin(v[1] * z)
    return s


def overwritten_after_the_loop(m: Mat, x: Vec, n: int) -> float:
    w = m.copy()
    h = x[:3]
    s = 0.0
    for _t in range(n):
        y = _mv(w[:, :3], h)
        s += y[0] * y[1] * s + y[2]
    w[0, 0] = s
    return s * w[0, 0] + w[1, 1]


def while_growing(x: Vec, n: int) -> float:
    s = 0.5
    k = 1
    while s < 3.0 * n:
        y, v = _gain(_exps(x[:k]), s)
        s += 0.1 + math.sin(y) * 0.1 + v[0] * x[0]
        k = min(k + 1, 3)
    return s


def while_matrix(m: Mat, x: Vec, n: int) -> float:
    s = 0.5
    k = 1
    while s < 3.0 * n:
        w = m[:, :k].copy()
        for i in range(k):
            w[1, i] = s * x[i]
        y = _mm(w, m[:k])
        s += 0.1 + math.sin(y[0, 0]) * 0.1 + y[1, 0] * x[0]
        k = min(k + 1, 3)
    return s


def counted_growing_taped(x: Vec, n: int) -> float:
    s = 0.5
    w = np.zeros(3)
    for k in range(n):
        y, v = _gain(_exps(x[: k + 1]), s)
        s += 0.1 + math.sin(y) * 0.1 + v[0] * x[0] + math.sin(s * v[k]) + w[0]
        w[0] += v[k] * s
    return s


def made_in_arms(m: Mat, x: Vec, n: int) -> float:
    s = 0.5
    for t in range(n):
        if t % 2 == 0:
            y = _exps(x)
        else:
            y = _mv(m[:, :3], x[:3])
        s = math.sin(s * y[0]) + y[1]
    return s


def made_in_arms_while(m: Mat, x: Vec, n: int) -> float:
    s = 0.5
    k = 0
    while s < 3.0 * n:
        if k % 2 == 0:
            y = _exps(x)
        else:
            y = _mv(m[:, :3], x[:3])
        y, v = _gain(y, 0.1)
        s = s + 0.1 + 0.1 * math.sin(s * v[0]) + y * 0.2
        k += 1
    return s


def work_array(m: Mat, x: Vec, n: int) -> float:
    s = 0.5
    w = np.empty(3)
    for t in range(n):
        for i in range(3):
            w[i] = x[i] * math.sin(s) * t
        y = _exps(w)
        for i in range(3):
            w[i] = y[i] / y[2 - i]
        y = _mv(m[:, :3], w)
        s = math.sin(s * y[0]) + y[1]
    return s


def alloc_in_while(x: Vec, n: int) -> float:
    s = 0.5
    while s < 3.0 * n:
        w = np.empty(3)
        for i in range(3):
            w[i] = x[i] * 0.1 * s
        s += 0.1 + w[0] * w[1] + w[2] * x[0]
    return s


def recursive(x: Vec, n: int) -> float:
    y, v = _gain(_exps(x), 0.5)
    if n <= 0:
        return y
    x[0] = v[0] * x[1]
    return recursive(x, n - 1) + y * 0.1


def exit_loop(x: Vec, n: int) -> float:
    s = 0.5
    for _t in range(n):
        y, v = _gain(_exps(x), s)
        s = math.sin(y) + v[0]
        if s > 1.0:
            break
    return s


def rnn_returned(q: Square, b: Vec, n: int) -> Vec:
    h = np.zeros(q.shape[0])
    for _t in range(n):
        u = _mv(q, h)
        g = np.empty(len(u))
        for i in range(len(u)):
            g[i] = math.sin(u[i] + b[i])
        h = g
    return h


def power(q: Square, n: int) -> Vec:
    h = np.ones(q.shape[0])
    for _t in range(n):
        h = _mv(q, h)
    return h


def power_mm(q: Square, n: int) -> Mat:
    h = _mm(q, q)
    for _t in range(n):
        h = _mm(q, h)
    return h


def nested_whiles(m: Mat, x: Vec, n: int) -> float:
    s = 0.5
    while s < 3.0 * n:
        r = 0.1
        while r < s:
            w = np.empty(3)
            for i in range(3):
                w[i] = x[i] * 0.1 * s * r
            y = _exps(w)
            r += 0.3 + 0.1 * y[0] * y[1]
        y, v = _gain(m[0], r)
        s += 0.5 + 0.1 * math.sin(y) + 0.1 * v[1]
    return s


def work_array_in_while(m: Mat, x: Vec, n: int) -> float:
    s = 0.5
    w = np.empty(3)
    while s < 1.0 * n:
        for i in range(3):
            w[i] = x[i] * math.sin(s)
        y, v = _gain(w, s)
        for i in range(3):
            w[i] = v[i] * 0.1
        s += 0.3 + 0.1 * math.sin(y) + abs(w[1])
    return s


def param_in_while(m: Mat, x: Vec, n: int) -> float:
    s = 0.5
    while s < 1.0 * n:
        y = _mv(m, x[:4])
        y, v = _gain(y, s)
        x[0] = 0.1 * v[0]
        m[0, 1] *= 0.5
        s += 0.3 + 0.1 * math.sin(y) + 0.1 * math.sin(x[0])
    return s


def param_in_for(m: Mat, x: Vec, n: int) -> float:
    s = 0.5
    for _t in range(n):
        y = _mv(m, x[:4])
        y, v = _gain(y, s)
        x[0] = 0.1 * v[0]
        m[0, 1] *= 0.5
        s += 0.3 + 0.1 * math.sin(y) + 0.1 * math.sin(x[0])
    return s


def rows_filled(m: Mat, x: Vec, n: int) -> Mat:
    h = np.zeros((n * n + 1, 3))
    h[0, :] = x[:3]
    for t in range(n * n):
        u = _mv(m[:, :3], h[t])
        for i in range(3):
            h[t + 1, i] = math.sin(u[i] + x[i])
    return h


def if_then_overwrite(x: Vec, n: int) -> float:
    y = _exps(x)
    s = 0.0
    for t in range(n):
        if t == 1:
            y[0] = s + y[0] * 0.5
        z, v = _gain(y, 0.1 * s + 0.2)
        s += z * v[0] * 0.01
    return s


def inner_recursive(x: Vec, n: int) -> float:
    w = x.copy()
    y = _exps(w)
    s = _rec(y, n)
    z, v = _gain(y, s)
    return z + v[0]


def overlapping(x: Vec) -> float:
    w = x.copy()
    u = w[1:]
    y, v = _gain(u, w[0])
    w[2] = v[0]
    z, q = _gain(w[:3], y)
    u[0] = q[2]
    return z + u[0] * w[1] + q[0]
