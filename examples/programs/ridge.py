"""Ridge regression: what is minimised to find the weights."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "m"]
Targets = Annotated[NDArray[np.float64], "n"]
Matrix = Annotated[NDArray[np.float64], "n m"]


# mooncake: wrt=weights
def penalised_error(weights: Vector, penalties: Vector, x: Matrix, y: Targets) -> float:
    """Half the mean square error on the data, and a penalty for each of the ``weights``."""
    error = 0.0
    for i in range(x.shape[0]):
        residual = -y[i]
        for j in range(x.shape[1]):
            residual += x[i, j] * weights[j]
        error += residual * residual
    penalty = 0.0
    for j in range(x.shape[1]):
        penalty += penalties[j] * weights[j] ** 2
    return float(0.5 * error / x.shape[0] + 0.5 * penalty)
