"""Two functions for dense derivatives: a Hessian, and a Jacobian with many rows."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray


# mooncake: modes=reverse,hessian
def valley(x: Annotated[NDArray[np.float64], "n"]) -> float:
    """The Rosenbrock function."""
    total = 0.0
    for i in range(x.shape[0] - 1):
        t = x[i + 1] - x[i] * x[i]
        total += 100.0 * t * t + (1.0 - x[i]) ** 2
    return total


# mooncake: wrt=x modes=reverse,forward,jacobian
def features(
    x: Annotated[NDArray[np.float64], "n"], w: Annotated[NDArray[np.float64], "m n"]
) -> Annotated[NDArray[np.float64], "m"]:
    """A sum of waves for each row of ``w``."""
    y = np.empty(w.shape[0])
    for i in range(w.shape[0]):
        total = 0.0
        for j in range(x.shape[0]):
            total += np.sin(w[i, j] * x[j]) * x[j]
        y[i] = total
    return y
