"""Axes that only the run knows."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Matrix = Annotated[NDArray[np.float64], "n p"]


def summed(a: Matrix, k: int) -> float:
    return float(np.sum(np.sum(a, axis=k % 2) ** 2))


def from_behind(a: Matrix, k: int) -> float:
    return float(np.sum(np.max(a, axis=-(k % 2) - 1) ** 2))


def by_methods(a: Matrix, k: int) -> float:
    axis = 1 if k > 2 else 0
    return float(a.mean(axis=axis) @ a.std(axis=axis))


def of_the_same_shape(a: Matrix, k: int) -> float:
    axis = k - 4
    return float((np.cumsum(a, axis=axis) * np.sort(a, axis=axis)).sum())


def norms_and_differences(a: Matrix, k: int) -> float:
    return float(np.linalg.norm(a, axis=k - 3).sum() + np.diff(a, axis=k - 2).sum())
