"""Functions that are called: recursion, and what it does to its arguments."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "r c"]
Square = Annotated[NDArray[np.float64], "q q"]
Ints = Annotated[NDArray[np.int64], "k"]


def _descend(x: Vec, n: int) -> float:
    if n <= 0:
        return x[0]
    x[0] = x[0] * x[1] + 0.1
    x[1] = math.sin(x[0])
    return _descend(x, n - 1) * x[2]


def mutated_argument(x: Vec) -> float:
    s = _descend(x, 3)
    return s * x[0] + x[1]


def called_twice(x: Vec) -> float:
    _descend(x, 3)
    t = x[0]
    s = _descend(x, 2)
    return s * x[1] * t


def called_in_a_branch(x: Vec, k: int) -> float:
    s = x[3]
    if k > 0:
        s = _descend(x, k)
        s = s * x[1]
    x[2] = s * x[2]
    return s * x[0] * x[2]


def _half(a: float, n: int) -> float:
    if n <= 0:
        return math.sin(a)
    return _half(a * 0.5, n - 1) * a


def called_in_a_loop(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        s += _half(x[i], i) * s + x[i]
    return s


def _blocks(x: Vec, lo: int, hi: int) -> None:
    if hi - lo < 2:
        if lo < hi:
            x[lo] = math.sin(x[lo])
        return
    mid = (lo + hi) // 2
    _blocks(x, lo, mid)
    _blocks(x, mid, hi)
    x[lo] = x[lo] * x[mid]


def divide_and_conquer(x: Vec) -> float:
    _blocks(x, 0, len(x))
    s = 0.0
    for i in range(len(x)):
        s += x[i] * (i + 1)
    return s


def _squares(x: Vec, w: Vec) -> float:
    if len(x) < 2:
        w[0] = x[0] * x[0]
        return w[0]
    h = len(x) // 2
    return _squares(x[:h], w[:h]) * 2.0 + _squares(x[h:], w[h:]) + w[0]


def views_as_arguments(x: Vec) -> float:
    w = np.zeros(len(x))
    s = _squares(x, w)
    return s + w[0] * w[3]


def result_written_by_a_call(x: Vec) -> Vec:
    w = np.zeros(len(x))
    _squares(x, w)
    return w


def _crosswise(x: Vec, w: Vec, n: int) -> float:
    if n == 0:
        return x[0]
    w[0] = x[0] * x[1]
    x[1] = w[0] + 0.1
    return _crosswise(w, x, n - 1)


def same_array_twice(x: Vec) -> float:
    return _crosswise(x, x, 3) * x[1]


def two_arrays_crossed(x: Vec, y: Vec) -> float:
    return _crosswise(x, y, 3) * x[1] * y[1]


def _even(a: float, n: int) -> float:
    if n == 0:
        return a
    return math.sin(a) * _odd(a * a, n - 1)


def _odd(a: float, n: int) -> float:
    if n == 0:
        return 1.0
    s = 0.0
    for i in range(2):
        s += _even(a * (i + 1), n - 1)
    return s


def mutual(x: Vec) -> float:
    return _even(x[0], 4) * _odd(x[1], 3)


def _in_while(a: float, n: int) -> float:
    s = a
    i = 0
    while i < n:
        s = s + math.sin(_in_while(s * 0.5, n - 2)) * a
        i += 1
    return s


def recursion_in_a_while_loop(x: Vec) -> float:
    return _in_while(x[0], 4) * x[1]


def _pair(a: float, b: float, n: int) -> tuple[float, float]:
    if n == 0:
        return a, b
    return _pair(b * 0.7, a + math.sin(b), n - 1)


def two_results(x: Vec) -> float:
    p, q = _pair(x[0], x[1], 4)
    r, t = _pair(q, p * x[2], 3)
    return p * r + t * q


def _walk(p: Ints, x: Vec, n: int) -> float:
    p[n] = (p[n] + 1) % len(x)
    if n == 0:
        return x[p[0]]
    return _walk(p, x, n - 1) * x[p[n]]


def integers_mutated(x: Vec, p: Ints) -> float:
    s = _walk(p, x, 2)
    return s * x[p[1]] + _walk(p, x, 1)


def public(x: Vec, n: int) -> float:
    if n <= 0:
        return x[0]
    x[0] = x[0] * x[n]
    s = public(x, n - 1)
    x[1] = s * x[1]
    return s * x[0] + x[1]
