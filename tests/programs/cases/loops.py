"""for over ranges and arrays, break, continue, else on loops, early returns."""

import math

import numpy as np
from kinds import Ints, Mat, Vec


def total(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[i]
    return s


def from_one(x: Vec) -> float:
    s = x[0]
    for i in range(1, x.shape[0]):
        s = s * 0.5 + math.sin(x[i])
    return s


def step_two(x: Vec) -> float:
    s = 0.0
    for i in range(0, len(x), 2):
        s += x[i] ** 3
    return s


def downwards(x: Vec) -> float:
    s = 1.0
    for i in range(len(x) - 1, -1, -1):
        s = s * x[i] + 0.3
    return s


def step_minus_two(x: Vec, a: float) -> float:
    s = a
    for i in range(4, 0, -2):
        s = math.sin(s) * x[i]
    return s


def step_from_argument(x: Vec, k: int) -> float:
    s = 0.0
    for i in range(0, len(x), k):
        s = 0.7 * s + x[i] * x[i]
    return s


def in_reverse(x: Vec) -> float:
    s = 0.0
    for i in reversed(range(1, len(x))):
        s = math.cos(s) * x[i]
    return s


def over_array(x: Vec) -> float:
    s = 0.0
    for v in x:
        s += v * v
    return s


def over_reversed_array(x: Vec) -> float:
    s = 0.3
    for v in reversed(x):
        s = s * v + 1.0
    return s


def over_rows(m: Mat) -> float:
    s = 0.0
    for row in m:
        for v in row:
            s += v * v * s + v
        s *= 0.1
    return s


def enumerated(x: Vec) -> float:
    s = 0.0
    for i, v in enumerate(x):
        s += (i + 1) * v * v
    return s


def enumerated_from(x: Vec) -> float:
    s = 0.0
    for i, v in enumerate(x, 3):
        s += v**i
    return s


def zipped(x: Vec, y: Vec) -> float:
    s = 0.0
    for a, b in zip(x, y, strict=True):
        s += a * math.sin(b)
    return s


def zip_enumerate(x: Vec, y: Vec) -> float:
    s = 0.0
    for i, (a, b) in enumerate(zip(x, y)):  # noqa: B905 - the shorter one ends it
        s += i * a * b
    return s


def over_tuple(x: float) -> float:
    s = 0.0
    for c, k in ((1.0, 2), (0.5, 3), (x, 1)):
        s += c * x**k
    return s


def over_ints(x: Vec, at: Ints) -> float:
    s = 0.0
    for i in at:
        s += x[i] * x[i]
    return s


def index_after_loop(x: Vec) -> float:
    i = 0
    for i in range(3):  # noqa: B007 - it is used after the loop
        pass
    return x[i] * i


def no_iterations(x: Vec, a: float) -> float:
    s = a
    for i in range(3, 3):
        s *= x[i]
    return s


def empty_if_negative(x: Vec, k: int) -> float:
    s = x[0]
    for _ in range(k - 10):
        s *= s
    return s


def nested(m: Mat) -> float:
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            s += m[i, j] * (i - j) + m[i, j] ** 2
    return s


def triangular(m: Mat) -> float:
    s = 0.5
    for i in range(m.shape[0]):
        for j in range(i):
            s = s * 0.9 + m[i, j % 3] * m[j, j % 3]
    return s


def triangular_above(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            s += (x[i] - x[j]) ** 2 / (1 + j - i)
    return s


def breaking(x: Vec) -> float:
    s = 0.0
    for v in x:
        if v > 0.8:
            break
        s = s * v + v * v
    return s


def break_after(x: Vec) -> float:
    s = 1.0
    for v in x:
        s *= 1.0 + v
        if s > 1.5:
            s = s * s
            break
    return s


def continuing(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        if i % 2 == 0:
            continue
        s += x[i] * x[i - 1]
    return s


def continue_float(x: Vec) -> float:
    s = 0.3
    for v in x:
        if v < 0.4:
            s += v
            continue
        s *= v
    return s


def break_and_continue(x: Vec, k: int) -> float:
    s = 0.2
    for i in range(len(x)):
        if i == 0:
            continue
        if i > k:
            break
        s = math.sin(s + x[i])
    return s


def loop_else(x: Vec) -> float:
    s = 0.0
    for v in x:
        if v > 100.0:
            break
        s += v
    else:
        s *= s
    return s


def loop_else_broken(x: Vec) -> float:
    s = 0.0
    for v in x:
        s += v * v
        if v > 0.1:
            break
    else:
        s = 0.0
    return s


def nested_break(m: Mat) -> float:
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if j > i:
                break
            s = s * 0.5 + m[i, j]
        else:
            s *= m[i, 0]
    return s


def return_from_loop(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[i]
        if i == 2:
            return s * x[0]
    return s


def return_from_nested(m: Mat, k: int) -> float:
    s = 1.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            s = s * 0.8 + math.sin(m[i, j])
            if i + j > k:
                return s * m[i, j]
        s *= 0.5
    return s + m[0, 0]


def along_each_axis(m: Mat) -> float:
    y = -4.0 * m
    for axis in range(m.ndim):
        for step in (1, -1):
            y = y + np.roll(m, step, axis=axis)
    return float(np.sum(y**2))
