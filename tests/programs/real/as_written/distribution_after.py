from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


def distribution(P: Mat, start: int, N: int) -> Vec:
    mu = np.zeros(P.shape[0])
    mu[start] = 1.0

    for _ in range(N):
        mu = mu @ P

    return mu
