"""Arrays: work arrays, views, and arguments that are written."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "n m"]


def scale_rows(a: Mat, c: float) -> float:
    work = np.empty(a.shape[1])
    s = 0.0
    for i in range(a.shape[0]):
        row = a[i]
        for j in range(len(row)):
            work[j] = math.tanh(c * row[j])
        for j in range(len(row)):
            s += work[j] * work[j - 1]
    return s


def relax(u: Vec, c: float, steps: int) -> float:
    for _ in range(steps):
        for i in range(1, len(u) - 1):
            u[i] += c * (u[i - 1] - u[i] * u[i] + u[i + 1])
    return u[1] * u[2]


def prefix(x: Vec) -> Vec:
    y = np.zeros_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = y[i - 1] + x[i] * x[i]
    return y


def descend(x: Vec, rate: float, steps: int) -> float:
    m = np.zeros_like(x)
    p = x.copy()
    for _ in range(steps):
        m = 0.9 * m + (p - 1.0) * p
        p -= rate * m
    return np.sum(p)
