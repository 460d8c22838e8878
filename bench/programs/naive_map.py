"""An elementwise map that is written to memory and then summed."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray


def naive_map(x: Annotated[NDArray[np.float64], "n m"]) -> float:
    """The sum of sin(cos(exp(x)))."""
    n, m = x.shape
    y = np.empty((n, m))
    for i in range(n):
        for j in range(m):
            y[i, j] = math.sin(math.cos(math.exp(x[i, j])))
    total = 0.0
    for i in range(n):
        for j in range(m):
            total += y[i, j]
    return total
