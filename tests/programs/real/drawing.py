"""Arrays that are drawn for the arguments of the programs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Arguments = tuple[object, ...]


def numbers(*shape: int, low: float = 0.2, high: float = 1.1, seed: int = 7) -> Array:
    return np.random.default_rng(seed + sum(shape)).uniform(low, high, shape)


def definite(n: int) -> Array:
    a = numbers(n, n)
    return a @ a.T + np.eye(n)


def rows(n: int, m: int) -> Array:
    a = numbers(n, m)
    return a / a.sum(axis=1, keepdims=True)
