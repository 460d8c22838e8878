"""Arrays that each iteration makes anew and the loop carries on."""

from typing import Annotated

import numpy as np
from kinds import Vec
from numpy.typing import NDArray

Mat2 = Annotated[NDArray[np.float64], "n n"]


def leap(x0: Vec, v0: Vec, k: float, dt: float, steps: int) -> float:
    x = x0
    v = v0
    for _ in range(steps):
        v = v - dt * k * np.sin(x)
        x = x + dt * v
    return np.sum(x * v)


def accepted(x0: Vec, k: float, steps: int) -> float:
    x = x0
    for _ in range(steps):
        y = x * k + 0.1
        if np.sum(y) < 10.0:
            x = y
    return np.sum(x**2)


def recurrent(w: Mat2, x0: Vec, steps: int) -> float:
    x = x0
    for _ in range(steps):
        x = np.tanh(w @ x)
    return np.sum(x)


def keeps_alias(x0: Vec, k: float, steps: int) -> float:
    x = x0
    for _ in range(steps):
        y = x * k
        if y[0] < 10.0:
            x = y
        y[0] = 2.0 * k
    return np.sum(x**2)


def keeps_previous(x0: Vec, k: float, steps: int) -> float:
    x = x0
    p = x0
    for _ in range(steps):
        y = x * k + p
        p = x
        x = y
    return np.sum(x * p)


def start_is_written(x: Vec, k: float, steps: int) -> float:
    y = x
    for _ in range(steps):
        x[0] = x[0] * k
        y = y * k + x
    return np.sum(x * y)


def rebinds_what_it_writes(x0: Vec, k: float, steps: int) -> float:
    x = x0.copy()
    z = x
    for _ in range(steps):
        x[0] = x[0] * k
        x = x * 0.5
    return np.sum(x * z)


def two_names(x0: Vec, k: float, steps: int) -> float:
    x = x0
    y = x0
    for _ in range(steps):
        x = np.sin(y) * k
        y = x
    return np.sum(x * y)


def breaks_before_it_is_new(x0: Vec, k: float, steps: int) -> float:
    x = x0
    for _ in range(steps):
        z = np.cos(x)
        if z[0] < 0.1:
            break
        x = z * k
    return np.sum(x)


def new_until_large(x0: Vec, k: float) -> float:
    x = x0
    while np.sum(x * x) < 30.0:
        x = x * (1.0 + k * k)
    return np.sum(x)


def new_in_nested(x0: Vec, k: float, steps: int) -> float:
    x = x0
    for t in range(steps):
        for _ in range(2):
            x = np.sin(x) * k
        x = x + 1.0 if t > 0 else x
    return np.sum(x)


def new_in_nested_beside_writes(x: Vec, k: float, steps: int) -> float:
    y = x.copy()
    for _ in range(steps):
        for _ in range(steps - 1):
            y = np.sin(y) * k
            x[2] = 0.5 * x[1]
    return np.sum(x * y)


def begun_as_another_shape(v: Vec, k: float) -> float:
    n = len(v) // 2
    m = np.reshape(v[: 2 * n], (2, n))
    for _ in range(2):
        m = m * m - k
    return np.sum(m * m)


def counted_positions(v: Vec, k: float) -> float:
    x, y = np.meshgrid(range(np.size(v, 0)), range(2))
    return np.sum(np.cos(k * x) * v) + np.sum(y * k)
