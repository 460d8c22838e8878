"""Arrays of rank 0: parameters, numbers where Python and NumPy take them for such."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Point = Annotated[NDArray[np.float64], ""]
Vec = Annotated[NDArray[np.float64], "n"]


def converted(x: Point) -> float:
    return float(x) * 2.0 + float(x * x + 1.0)


def read(x: Point) -> float:
    return x[()] * x[()] + x.item() ** 2


def beside_vectors(x: Point, v: Vec) -> float:
    return np.sum(v * x + x)


def as_number(x: Point) -> float:
    return float(np.sin(x)) + math.exp(x) + np.sum(x) + x.sum()


def compared(x: Point) -> float:
    return 2.0 * float(x) if x > 0 else float(-x)


def measured(x: Point) -> float:
    return float(x) * (x.ndim + x.size + len(x.shape))


def stored(x: Point, a: float) -> float:
    x[()] = a * x[()]
    x *= a
    x += 1.0
    x **= 2
    return x[()] * 2.0


def reshaped(x: Point) -> float:
    y = x.reshape(1)
    return y[0] * 2.0


def chosen_in_place(x: Vec) -> float:
    w = np.where(x[0] < 0.3, x[0], x[1])
    w *= x[2]
    w += 1.0
    return w * w


def summed_in_place(x: Vec) -> float:
    total = np.array(0.0)
    for i in range(len(x)):
        total += x[i] * x[i]
    return np.sqrt(total) * total


def kept_by_a_helper(x: Vec) -> float:
    return _squared_in_place(np.array(x[0])) * x[1] + _squared_in_place(x[2])


def _squared_in_place(v: float) -> float:
    w = v * 1.0
    w *= v
    return w


def _as_matrix(v):
    v = np.asarray(v)
    if v.ndim == 0:
        v = v[None, None]
    elif v.ndim == 1:
        v = v[np.newaxis]
    return v


def with_new_axes(x: Vec, a: float) -> float:
    total = np.sum(x)[None, ..., np.newaxis]
    total[0] *= a
    return total[0, 0] + _as_matrix(a)[0, 0] * _as_matrix(x)[0, 1] * np.float64(a)[None].size


def written_by_another_name(a: float) -> float:
    y = np.asarray(a)
    v = y[None]
    v[0] *= a
    return v[0] * a
