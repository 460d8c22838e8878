"""Stand-ins for nodes of the normal form (`viewing.py`): only their types matter."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "r c"]
Cube = Annotated[NDArray[np.float64], "u v w"]
Vec2 = Annotated[NDArray[np.float64], "n2"]
Mat2 = Annotated[NDArray[np.float64], "r2 c2"]
Cube2 = Annotated[NDArray[np.float64], "u2 v2 w2"]


def _size() -> int:
    """A size that is not known ahead of time."""
    n = 1
    while n < 5:
        n += n
    return n


def _turned(m: Mat) -> Mat2:
    return np.zeros((_size(), _size()))


def _rolled(m: Cube) -> Cube2:
    return np.zeros((_size(), _size(), _size()))


def _column(x: Vec) -> Mat2:
    return np.zeros((_size(), _size()))


def _row(x: Vec) -> Mat2:
    return np.zeros((_size(), _size()))


def _pillar(m: Mat, i: int) -> Mat2:
    return np.zeros((_size(), _size()))


def _flat(m: Mat, size: int) -> Vec2:
    return np.zeros(_size())


def _shaped(x: Vec, rows: int, cols: int) -> Mat2:
    return np.zeros((_size(), _size()))


def _grown() -> Vec2:
    return np.zeros(_size())


def _grown_rows() -> Mat2:
    return np.zeros((_size(), _size()))


def _reserve(xs: Vec, size: int) -> int:
    return size


def _reserve_rows(xs: Mat, size: int, width: int) -> int:
    return size
