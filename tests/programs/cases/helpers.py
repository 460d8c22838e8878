"""Functions that the other programs call."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def scaled_sine(x, scale=1.5):
    return scale * math.sin(x)


def hypotenuse(a, b):
    return math.sqrt(a * a + b * b)


def norm2(x):
    s = 0.0
    for v in x:
        s += v * v
    return s


def first_above(x, limit):
    for v in x:
        if v > limit:
            return v * v
    return limit


def gradient_step(x: np.ndarray, g: np.ndarray, rate: float = 0.1):
    return x - rate * g


def doubled_or_scaled(v: float | np.ndarray, w: np.ndarray | None = None) -> float | np.ndarray:
    if w is None:
        return 2.0 * v
    return v * w


def normalised(w: "SomeArray", eps: float = 1e-5) -> np.ndarray:  # noqa: F821
    return w / (np.sum(w) + eps)


def mixed(a, x: ArrayLike, n: int = 2) -> float:
    return a**n * np.asarray(x)[0]


def applied(f: Callable, x: Any, times: int = 2):
    for _ in range(times):
        x = f(x)
    return x


def squared_number(x: float) -> float:
    return x * x


def weighted(x: np.ndarray, w: np.ndarray = None, n: int = None) -> float:  # noqa: RUF013
    w = x if w is None else w
    return float(np.sum(x * w)) * (2 if n is None else n)


def power(v: np.ndarray, n: int) -> float:
    return v[0] ** n + v[1]
