"""Functions of Python's library, written out: calls of them are lowered in line.

``math_dist`` is ``math.dist``. They are ordinary functions, which the tests compare with Python's.
"""

import math
from typing import Any

from mooncake_runtime import stop_gradient


def bisect_bisect_left(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    if lo < 0:
        raise ValueError("lo must be non-negative")
    first, last = lo, len(a) if hi is None else hi
    while first < last:
        middle = (first + last) // 2
        if (a[middle] if key is None else key(a[middle])) < x:
            first = middle + 1
        else:
            last = middle
    return first


def bisect_bisect_right(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    if lo < 0:
        raise ValueError("lo must be non-negative")
    first, last = lo, len(a) if hi is None else hi
    while first < last:
        middle = (first + last) // 2
        if x < (a[middle] if key is None else key(a[middle])):
            last = middle
        else:
            first = middle + 1
    return first


def math_dist(p: Any, q: Any, /) -> float:
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    total = 0.0
    for a, b in zip(p, q):  # noqa: B905 - the lengths are equal
        total = math.hypot(total, a - b)
    return total


def math_isclose(a: float, b: float, *, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> bool:
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    gap = abs(b - a)
    near = gap <= abs(rel_tol * b) or gap <= abs(rel_tol * a) or gap <= abs_tol
    return a == b or (near and not math.isinf(a) and not math.isinf(b))


def math_fsum(seq: Any, /) -> float:
    """Neumaier (1974): the last digit may be another one."""
    total = 0.0
    lost = 0.0
    for one in seq:
        after = total + one
        if abs(total) >= abs(one):
            lost += total - after + one
        else:
            lost += one - after + total
        total = after
    return total + (stop_gradient(lost) if math.isfinite(total) else 0.0)


def math_gcd(*integers: int) -> int:
    total = 0
    for one in integers:
        total = math.gcd(total, one)
    return total


def math_lcm(*integers: int) -> int:
    total = 1
    for one in integers:
        total = math.lcm(total, one)
    return total


def math_hypot(*coordinates: float) -> float:
    total = 0.0
    for one in coordinates:
        total = math.hypot(total, one)
    return total


def calendar_isleap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def calendar_leapdays(y1: int, y2: int) -> int:
    first, last = y1 - 1, y2 - 1
    return (last // 4 - first // 4) - (last // 100 - first // 100) + (last // 400 - first // 400)
