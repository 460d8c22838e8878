from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def nll(param: Vec, u: Vec) -> float:
    omega, alpha, beta = param**2
    n = len(u)
    v = np.ones(n)
    for i in range(1, n):
        v[i] = omega + alpha * u[i - 1] ** 2 + beta * v[i - 1]
    total = 0.5 * ((np.log(v) + u**2 / (v)).sum() + n / np.log(2 * np.pi))
    return total
