from typing import Annotated

import numpy as np
from numba import njit
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


@njit(cache=True)
def thomas(a: Vec, b: Vec, c: Vec, d: Vec) -> Vec:
    N = len(b)
    cp = np.empty(N)
    dp = np.empty(N)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, N):
        m = a[i] * cp[i - 1]
        cp[i] = c[i] / (b[i] - m)
        dp[i] = (d[i] - a[i] * dp[i - 1]) / (b[i] - m)
    x = np.empty(N)
    x[-1] = dp[-1]
    for i in range(N - 2, -1, -1):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x
