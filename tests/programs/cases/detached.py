"""Memory and values under a name without derivative."""

from __future__ import annotations

import numpy as np
from kinds import Mat, Vec
from mooncake_runtime import stop_gradient


def write_is_constant(x: Vec) -> float:
    y = stop_gradient(x)
    y[0] = 2.0
    return x[0] + x[1] * x[1]


def read_is_constant(x: Vec, a: float) -> float:
    return np.sum(x * stop_gradient(x)) * a


def scalar(a: float, b: float) -> float:
    return a * stop_gradient(a * b) + b


def through_views(x: Vec, a: float) -> float:
    y = x.copy()
    z = stop_gradient(y)[1:]
    z[0] += a
    z *= 2.0
    y[0] = a * z[1]
    return np.sum(y * y) + z[0] * y[1] + x[1]


def into_a_primitive(x: Vec, a: float) -> float:
    y = stop_gradient(x)
    m = np.outer(y, y) + np.eye(x.shape[0])
    return np.sum(np.linalg.solve(m, x)) * a + y @ x


def in_a_loop(m: Mat, a: float, steps: int) -> float:
    w = m.copy()
    frozen = stop_gradient(w)
    for k in range(steps):
        w[k] *= a
        frozen[k, 0] = w[k, 1]
    return np.sum(w * frozen)


def given_to_a_helper(x: Vec, a: float) -> float:
    y = x.copy()
    _scale(stop_gradient(y), a)
    return np.sum(y) * a


def _scale(x: Vec, a: float) -> None:
    x[1:] *= a
    x[0] = a


def returned(x: Vec, a: float) -> Vec:
    y = a * x
    return y + stop_gradient(y)
