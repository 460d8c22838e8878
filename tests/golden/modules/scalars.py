"""Scalars and branches."""

import math


def smooth(x: float, y: float) -> float:
    """A product of smooth functions."""
    z = x * y
    return math.sin(z) * math.exp(x) + z / y


def branchy(x: float, k: int) -> float:
    if k > 1 and x > 0.5:
        y = x * x
    elif k == 0:
        return math.cos(x)
    else:
        y = 1.0
    return y * x


def powers(x: float, a: float) -> float:
    return x**a + x**3
