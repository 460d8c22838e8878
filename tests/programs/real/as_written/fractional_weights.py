from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def weights(par: Vec, p: int, q: int, lags: int) -> Vec:
    phi = par[0] if p else 0.0
    d = par[1] if p else par[0]
    beta = par[p + q] if q else 0.0
    lam = np.empty(lags)
    delta = np.empty(lags)
    lam[0] = phi - beta + d
    delta[0] = d
    for i in range(1, lags):
        delta[i] = (i - d) / (i + 1) * delta[i - 1]
        lam[i] = beta * lam[i - 1] + (delta[i] - phi * delta[i - 1])
    return lam
