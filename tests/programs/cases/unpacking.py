"""Stars in targets and in lists, over what has a length that is known at run time only."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "n n"]


def head_and_tail(x: Vec) -> float:
    a, *b = x
    return a * sum(b)


def tail_as_array(x: Vec) -> float:
    a, *b = x
    return a * np.sum(b) + len(b)


def init_and_last(x: Vec) -> float:
    *b, a = x
    return sum(v * k for k, v in enumerate(b)) + 3.0 * a


def both_ends(x: Vec) -> float:
    first, *middle, last = x
    for v in middle:
        first += v * v
    return first * last


def changed(x: Vec) -> float:
    a, *b = x
    b[0] = 5.0
    b.append(a)
    return x[1] * sum(b) * b[-1]


def rows(m: Mat) -> float:
    a, *b = m
    return a[0] * sum(r[1] for r in b)


def each_row(m: Mat) -> float:
    s = 0.0
    for a, *b in m:
        s += a * sum(b)
    return s


def shorter_each_time(x: Vec) -> float:
    s = 0.0
    for k in range(2):
        a, *b = x[k:]
        s += a * sum(b)
    return s


def of_a_list(x: Vec) -> float:
    xs = [v * v for v in x if v < 1e6]
    a, *b = xs
    c, d = xs[:2]
    return a * sum(b) + c * d


def of_pairs(x: Vec) -> float:
    (i, a), *rest = enumerate(x)
    return a * (i + 2) + sum(k * v for k, v in rest)


def too_few(x: Vec) -> float:
    try:
        a, b, c, *rest = x[:2]
        return a * b * c * len(rest)
    except ValueError:
        return x[0] * x[1]


def two_arrays(x: Vec, y: Vec) -> float:
    a = np.array([*x, *y, 2.0])
    return np.sum(a**2) * a[1]


def around(x: Vec, y: Vec) -> float:
    xs = [0.0, *x]
    xs.append(y[0])
    return xs[-1] * xs[1] + len(xs)


def more_rows(m: Mat) -> float:
    return sum(r[1] * r[0] for r in [*m, m[0] * 2.0])


def iterators(v: Vec, m: Mat) -> float:
    a, b, c, *_ = map(float, v)
    p, q = (x * x for x in m[:2, 0])
    (s, row), (t, _) = zip(v[:2], m[:2], strict=True)
    first, second = enumerate(v[2:4])
    return a * b + c * p - q * s * row[0] * t + first[1] * second[0] * second[1]


def some_of_a_generator(v: Vec, x: float) -> float:
    low, *others = (y * x for y in v if y > -100.0)
    last, before, *_ = reversed(v)
    return low * x + others[0] * last - before * sum(others)


def counted(v: Vec, n: int) -> float:
    i, j, k = range(n)
    return v[i] * v[j] + v[k]
