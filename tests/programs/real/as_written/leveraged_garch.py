from typing import Annotated

import numpy as np
from numpy import copy, log, pi, size, sum
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def likelihood(parameters: Vec, data: Vec, sigma2: Vec, out: None = None) -> float:
    mu = parameters[0]
    omega = parameters[1]
    alpha = parameters[2]
    gamma = parameters[3]
    beta = parameters[4]
    n = size(data, 0)
    eps = data - mu
    for t in range(1, n):
        sigma2[t] = (
            omega
            + alpha * eps[t - 1] ** 2
            + gamma * eps[t - 1] ** 2 * (eps[t - 1] < 0)
            + beta * sigma2[t - 1]
        )
    parts = 0.5 * (log(2 * pi) + log(sigma2) + eps**2 / sigma2)
    total = sum(parts)
    if out is None:
        return total
    else:
        return total, parts, copy(sigma2)
