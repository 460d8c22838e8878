"""Sums over a vector, as explicit loops."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray


def sum_loop(x: Annotated[NDArray[np.float64], "n"]) -> float:
    """The sum of ``x``."""
    y = 0.0
    n = 0
    while n < x.shape[0]:
        y += x[n]
        n += 1
    return y


def sum_sin_loop(x: Annotated[NDArray[np.float64], "n"]) -> float:
    """The sum of the sines of ``x``."""
    y = 0.0
    for n in range(x.shape[0]):
        y += math.sin(x[n])
    return y
