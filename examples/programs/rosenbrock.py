"""The Rosenbrock function in n dimensions: a narrow curved valley, minimum 0 at (1, ..., 1)."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray


def rosenbrock(x: Annotated[NDArray[np.float64], "n"]) -> float:
    """Sum of 100 (x[i+1] - x[i]^2)^2 + (1 - x[i])^2."""
    total = 0.0
    for i in range(x.shape[0] - 1):
        valley = x[i + 1] - x[i] * x[i]
        slope = 1.0 - x[i]
        total += 100.0 * valley * valley + slope * slope
    return total
