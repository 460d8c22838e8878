"""Memory that is overwritten: elements read before and after, in loops and in branches."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "r c"]
Square = Annotated[NDArray[np.float64], "q q"]
Ints = Annotated[NDArray[np.int64], "k"]


def element_used_before_and_after(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        t = x[i]
        x[i] = t * t
        s += math.sin(x[i] * t)
    return s


def chain_on_one_element(x: Vec) -> float:
    y = x.copy()
    s = 0.0
    for i in range(len(x)):
        y[i] = y[i] * y[i]
        y[i] += math.sin(y[i])
        y[i] *= x[i]
        s += y[i] * y[i]
    return s + y[1] * y[0]


def augmented(x: Vec) -> float:
    n = len(x)
    for i in range(n):
        x[i] += x[i]
        x[i] += x[(i + 1) % n] * x[i]
        x[i] *= x[i]
        x[i] -= x[i - 1]
        x[i] /= x[i] * x[i] + 1.0
    return x[1] * x[2] * x[0]


def shift(x: Vec) -> float:
    y = x.copy()
    for i in range(len(x) - 1):
        y[i] = y[i + 1] * y[i + 1]
    s = 0.0
    for i in range(len(x)):
        s += y[i] * (i + 1)
    return s


def overwritten_iterations_later(x: Vec) -> float:
    w = x.copy()
    n = len(w)
    s = 0.0
    for i in range(n):
        s += w[i] * w[(i + 1) % n]
        w[(i + 2) % n] = s * w[i]
    return s


def histogram(x: Vec) -> float:
    h = np.zeros(3)
    for i in range(len(x)):
        h[i % 3] += x[i] * h[(i + 1) % 3] + x[i]
    s = h[0] * h[1]
    for i in range(len(x)):
        h[i % 2] += x[i] * s
    return s + h[1] * h[2] * h[0]


def read_before_its_only_store(x: Vec) -> float:
    n = len(x)
    y = np.zeros(n)
    s = 0.0
    for i in range(n):
        s += y[(i + 1) % n] * x[i]
        y[i] = x[i] * x[i]
    for i in range(n):
        s += y[i] * x[0]
    return s


def negative_indices_meet_positive_ones(x: Vec, k: int) -> float:
    n = len(x)
    y = np.zeros(n)
    for i in range(-2, n, 1 + k * k):
        y[i] = x[i] * x[i] * (i + 3)
    s = 0.0
    for i in range(n):
        s += y[i] * y[i]
    return s


def parameter_by_negative_indices(x: Vec, k: int) -> float:
    s = 0.0
    for i in range(len(x) - 1, -3, -1 - k * k):
        t = x[i]
        x[i] = t * t * (i + 3.5)
        s += math.sin(t)
    return s


def diagonal_and_both_axes(q: Square) -> float:
    w = q.copy()
    s = 0.0
    for i in range(w.shape[0]):
        w[i, 0] = w[0, i] * math.sin(w[i, 0])
        s += w[i, i] * w[0, i]
    return s


def condition_overwritten_by_its_branch(x: Vec) -> float:
    s = 0.2
    for i in range(len(x)):
        if x[i] > 0.6:
            x[i] = x[i] * s
            s = math.sin(s * x[i])
        elif x[i] > 0.3:
            x[i] = 0.1
            s += x[0]
    return s * x[0] * x[1]


def condition_overwritten_outside_loops(x: Vec) -> float:
    s = 0.2
    if x[0] < 5.6:
        x[0] = 7.0 * x[2]
        s = x[1] * x[1]
        if x[1] > 0.1:
            x[1] = x[0] * s
    return s * x[0] * x[1]


def local_condition_overwritten(x: Vec) -> float:
    w = x.copy()
    s = 0.2
    for i in range(len(x)):
        if w[i] > 0.6:
            w[i] = w[i] * w[i]
            if w[i] > 0.8:
                w[i] = math.sin(w[i])
            w[0] = w[0] * w[i]
        s += w[i]
    return s * w[0]


def bounds_overwritten_by_their_loop(x: Vec) -> float:
    s = 0.2
    for i in range(len(x)):
        for _ in range(int(x[i] * 5.0), 7, int(x[0]) + 1):
            x[i] = x[i] * s + 1.0
            s = math.sin(s + x[i])
    return s


def index_from_overwritten_element(x: Vec) -> float:
    s = 0.2
    for i in range(len(x)):
        x[int(x[i] * 3.0)] *= s
        u = x[int(x[i]) :]
        u[0] = u[0] * s
        x[i] = x[i] * 0.3
        s = math.sin(s + u[0])
    return s


def integer_indices_that_change(x: Vec) -> float:
    n = len(x)
    p = np.zeros(n, dtype=np.int64)
    s = 0.0
    for t in range(4):
        for i in range(n):
            s = math.sin(s + x[p[i]] * (i + 1))
            p[i] = (p[i] + i + t) % n
    return s


def integer_argument_that_changes(x: Vec, p: Ints) -> float:
    s = 0.0
    for _ in range(4):
        for i in range(len(p)):
            s += x[p[i]] * x[p[i]] * s + x[p[i]]
            p[i] = (p[i] + 1) % len(x)
    return s


def floats_stored_as_integers(x: Vec, p: Ints) -> float:
    s = 0.0
    for i in range(len(p)):
        s += p[i] * x[i]
        p[i] = int(2.5 * s)
        s = 0.3 * s * p[i] + x[0]
    return s


def overwritten_before_read(x: Vec, w: Vec) -> float:
    for i in range(len(w)):
        w[i] = x[i] * x[i]
    s = 0.0
    for i in range(len(w)):
        s += w[i] * w[i]
    return s


def element_overwritten_while_an_inner_loop_uses_it(x: Vec) -> float:
    n = len(x)
    s = 0.1
    for i in range(n):
        t = x[i]
        for j in range(n):
            s = 0.3 * math.sin(s) + t * x[j]
            x[j] = 0.9 * x[j] + 0.1 * s
    return s


def factorised_in_place(q: Square) -> float:
    n = q.shape[0]
    for i in range(n):
        q[i, i] += 4.0
    for k in range(n - 1):
        for i in range(k + 1, n):
            q[i, k] /= q[k, k]
            for j in range(k + 1, n):
                q[i, j] -= q[i, k] * q[k, j]
    s = 1.0
    for i in range(n):
        s *= q[i, i]
    return s


def sorted_in_place(x: Vec) -> float:
    n = len(x)
    for i in range(n):
        for j in range(n - 1 - i):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
    s = 0.0
    for i in range(n):
        s += math.sin(x[i]) * (i + 1)
    return s


def bulk(x: Vec) -> float:
    w = x.copy()
    w[1:3] = w[0:2]
    w[:2] = 0.5
    w[3:] += w[:2]
    z = w.copy()
    for i in range(len(x)):
        w[i] = w[i] * z[i] * x[i]
    x[:] = w
    return float(np.sum(x)) + x[1] * w[2]


def scalar_by_branch(x: Vec, a: float, k: int) -> float:
    if k > 0:
        x[0] = x[1] * x[0]
        t = x[0]
    else:
        t = x[2] * a
        x[2] = x[2] * t
    x[0] = x[0] * t
    return x[0] * x[2] * t


def forward_substitution(m: Square, b: Vec) -> float:
    z = np.empty(m.shape[0])
    for i in range(m.shape[0]):
        t = b[i]
        for j in range(i):
            t -= m[i, j] * z[j]
        z[i] = t / m[i, i]
    return z[0] * z[1] + z[2] * z[3]


def read_before_and_after_it_is_written(x: Vec) -> float:
    n = len(x)
    z = np.full(n, 0.5)
    for i in range(n):
        t = x[i]
        for j in range(n):
            t += 0.1 * x[j] * z[j] * z[j]
        z[i] = math.sin(t)
    return z[0] * z[1] + z[2] * z[3]
