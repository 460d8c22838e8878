"""Names that may not be set where they are read: they are, for the arguments of the tests."""

# ruff: noqa: B007, F821, F841  (the names are the point)
import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Matrix = Annotated[NDArray[np.float64], "r c"]


@dataclass
class Pair:
    a: float
    b: float


def after_loop(x: Vector) -> float:
    for i in range(len(x)):
        s = x[i] * 2.0
    return s * s


def loop_variable(x: Vector) -> float:
    for v in x:
        pass
    return v * v


def loop_index(x: Vector) -> float:
    s = 0.0
    for i, v in enumerate(x):
        s += v * v
    return s / (i + 1) + v


def first_iteration(x: Vector) -> float:
    s = 0.0
    for i in range(len(x)):
        if i == 0:
            before = x[0]
        else:
            s += (x[i] - before) ** 2
            before = x[i]
    return s


def rows(m: Matrix) -> float:
    s = 0.0
    for i in range(m.shape[0]):
        row = np.sin(m[i])
        if i > 0:
            s += np.sum((row - before) ** 2)
        before = row
    return s


def array_of_the_first(m: Matrix) -> float:
    for i in range(m.shape[0]):
        if i == 0:
            total = np.zeros(m.shape[1])
        total += m[i] ** 2
    return np.sum(np.sqrt(1.0 + total))


def same_condition(x: Vector, a: float) -> float:
    if a > -50.0:
        y = x[0] * a
    s = x[1] * a
    if a > -50.0:
        s = s + y * a
    return s


def found(x: Vector) -> float:
    for i in range(len(x)):
        if x[i] > -50.0:
            hit = x[i]
            break
    return hit * hit


def in_while(a: float) -> float:
    n = 0
    while n < 4:
        t = a * n
        n += 1
    return t * t


def nested(m: Matrix) -> float:
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            last = m[i, j]
        s += last * last
    return s * last


def in_condition(a: float) -> float:
    n = 0
    while n == 0 or step > 0.01 * n:
        step = abs(math.sin(a)) / (n + 1)
        n += 1
        if n > 5:
            break
    return step * a


def deleted(x: Vector) -> float:
    y = x * 2.0
    z = y * x
    del y
    return np.sum(z)


def deleted_in_loop(x: Vector) -> float:
    s = 0.0
    for i in range(len(x)):
        t, u = x[i] ** 2, x[i]
        s += t * u
        del t, u
    return s


def left_by_exception(a: float) -> float:
    try:
        y = math.sqrt(a * a)
    except ValueError:
        print("no root")
    return y * y


def a_tuple(x: Vector) -> float:
    for v in x:
        p = (v, v * 2)
    return p[0] * p[1]


def an_object(x: Vector) -> float:
    for v in x:
        p = Pair(v, v * 2)
    return p.a * p.b


def largest(x: Vector) -> float:
    best = -1e9
    for i in range(len(x)):
        if x[i] > best:
            best = x[i]
            at = i
    return x[at] ** 2


def matched(a: float, x: float) -> float:
    match a > -50.0:
        case True:
            c = x * a
    return c * a


def _root(a: float) -> float:
    if a > -50.0:
        r = a * a
    return r


def in_helper(a: float) -> float:
    return _root(a) * _root(a + 1)


def in_nested_function(a: float, x: Vector) -> float:
    def g(y: float) -> float:
        for v in x:
            last = v * y
        return last

    return g(a) + g(2.0 * a)


def list_of_first_iteration(x: Vector, a: float) -> float:
    for v in x:
        if v == x[0]:
            path = [v]
        else:
            path.append(path[-1] * a + v)
    return sum(path) + len(path) * a


def list_of_iteration_before(a: float, n: int) -> float:
    s = a
    for k in range(n):
        row = [a * (k + i) for i in range(k + 1)]
        if k > 0:
            s += sum(u * v for u, v in zip(row, before, strict=False))
        before = row
    return s + len(before)


def rows_of_first_iteration(x: Vector, a: float) -> float:
    def levels(n: int, y: float) -> float:
        for k in range(n):
            if k == 0:
                rows = [x, x * y]
            else:
                rows.append(rows[-1] * y + rows[-2])
        return float(np.sum(rows[-1]))

    return levels(3, a) + levels(1, a * a)


def list_after_loop(x: Vector, a: float) -> float:
    for k in range(len(x)):
        if x[k] > -100.0:
            best = [x[k], x[k] * a]
            break
    best.append(a)
    return best[0] * best[1] + best[-1]
