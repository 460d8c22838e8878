"""A fixed-point iteration of unknown length for each item."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray


def fixed_point(x: Annotated[NDArray[np.float64], "n"]) -> float:
    """The sum of the solutions y of cos(x y) = y."""
    total = 0.0
    for j in range(x.shape[0]):
        y = 1.0
        r = 1.0
        while abs(r) > 1e-10:
            r = math.cos(y * x[j]) - y
            y = y + 0.7 * r
        total += y
    return total
