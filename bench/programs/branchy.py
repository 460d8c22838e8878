"""A recurrence with a branch in each iteration."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray


def branchy(x: Annotated[NDArray[np.float64], "n"], a: float) -> float:
    """Decay and add a square, or grow by a sine, as the sign of each item says."""
    s = 0.0
    for i in range(x.shape[0]):
        v = x[i]
        if v > 0.0:
            s = s * a + v * v
        else:
            s = s + math.sin(v) * s * 0.01
    return s
