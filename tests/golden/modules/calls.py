"""Calls: inlined ones, recursion, tuples."""

import math


def _scaled(x, by=2.0):
    return by * math.sin(x)


def power(x: float, n: int) -> float:
    if n == 0:
        return 1.0
    return x * power(x, n - 1)


def both(x: float, p: tuple[float, int]) -> tuple[float, float]:
    a, k = p
    return _scaled(x) * a, _scaled(x, a) + k * x
