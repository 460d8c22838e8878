"""Numba's stencils: kernels that look around a place.

The programs are compiled: outside of compiled code numba compiles a stencil anew at each call.
"""

from typing import Annotated

import numpy as np
from kinds import Cube, Ints, Mat, Vec
from numba import njit, stencil
from numpy.typing import NDArray

Weights = Annotated[NDArray[np.float64], "3"]


@stencil
def _cross(a):
    return 0.25 * (a[0, 1] * a[0, 0] + a[1, 0] + a[0, -1] ** 2 + np.sin(a[-1, 0]))


@njit
def around_crosses(a: Mat) -> float:
    near = _cross(a)
    return np.sum(_cross(near) * a) + near[0, 0]


@stencil(cval=2.0)
def _ahead(a):
    return a[1] * a[2] if a[1] > 0.0 else 3


@stencil(neighborhood=((-2, 1),), cval=1)
def _mean(a, weight):
    total = 0.0
    for k in range(-2, 2):
        total += weight ** (k + 2) * a[k]
    return total


@njit
def with_borders(x: Vec, y: float) -> Vec:
    return _ahead(x) * x + _mean(x * x, y)


@stencil(standard_indexing=("w",))
def _weighted(a: Vec, w: Weights) -> float:
    if a[0] < 0.0:
        return a[0]
    return a[-1] * w[0] + a[0] * w[1] + a[1] * w[2] * np.sum(w)


@stencil(cval=-1.0)
def _upwind(a, speed):
    return a[0] - speed * (a[0] - a[-1])


@njit
def into_arrays(x: Vec, w: Weights) -> Vec:
    out = x * x
    for _ in range(2):
        _weighted(x, w, out=out)
    other = np.empty_like(x)
    _upwind(out, w[0], out=other)
    return _weighted(out, w, out=other) + out


@stencil
def _neighbours(a):
    return a[-1] + a[1]


_slope = stencil(lambda a: a[0] * a[-1])


@njit
def of_integers(x: Vec, i: Ints) -> float:
    counted = _neighbours(i)
    return np.sum(_slope(x)) * (counted[1] // 2 + counted[0])


@stencil
def _diffused(u, v, rate):
    return rate * (u[0, 0, 1] - 2.0 * v[0, 0, 0] + u[0, -1, 0]) * v[1, 0, 0]


@njit
def of_two_arrays(c: Cube, y: float) -> float:
    return np.sum(_diffused(c, c[::-1], y)[:-1] * c[1:])
