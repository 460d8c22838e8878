"""A small network of one number: sums of ``tanh``."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Theta = Annotated[NDArray[np.float64], "p"]


# mooncake: wrt=t
def network(t: float, theta: Theta) -> float:
    """``sum_k a_k tanh(b_k t + c_k)``, with ``theta`` = all a, all b, all c."""
    width = theta.shape[0] // 3
    total = 0.0
    for k in range(width):
        total += theta[k] * np.tanh(theta[width + k] * t + theta[2 * width + k])
    return total
