"""Loops over arrays, jumps, and a loop of unknown length."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]


def mean_square(x: Vec) -> float:
    s = 0.0
    for v in x:
        s += v * v
    return s / len(x)


def first_large(x: Vec, limit: float) -> float:
    s = 1.0
    for i in range(len(x)):
        s *= math.sin(x[i])
        if x[i] > limit:
            return s * x[i]
    return s


def newton(a: float) -> float:
    x = 1.0
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x
