"""Axes of one item that are stretched: which they are must be known ahead of time."""

from typing import Annotated

import numpy as np
from kinds import Mat, Vec
from numpy.typing import NDArray

Column = Annotated[NDArray[np.float64], "n 1"]
Points = Annotated[NDArray[np.float64], "n 3"]


def declared_column(w: Column, p: Points) -> float:
    moment = w * p
    return np.sum(moment**2) + np.sum((w / np.sum(w)) * p[:, ::-1])


def columns_of_declared(p: Points) -> float:
    x = p[:, 0:1]
    z = p[:, -1:]
    return np.sum((x.T - x) ** 2 * (z.T + z))


def columns(m: Mat, x: Vec) -> float:
    first = m[:, 0:1]
    last = m[:, -1:]
    product = first * m + m[1:2] * last
    return np.sum(product**2) + np.sum((first.T - first) ** 2) + np.sum(x[2:3] * x)


def columns_of_copies(m: Mat) -> float:
    work = m.copy()
    for _ in range(2):
        work[:, 1:] -= work[:, 0:1] * work[:, 1:]
        work += work[-2:-1] * m
    return np.sum(work * work)


def equal_columns(m: Mat) -> float:
    return np.sum(m[:, 0:1] * m[:, 1:2]) + np.sum(m[:1] * m[1:2])


def columns_in_helper(p: Points) -> float:
    return np.sum(_differences(p) ** 2 * (_differences(p[::-1].copy()) + p[:, 1:2]))


def _differences(p):
    x = p[:, 0:1]
    return x.T - x
