from typing import Annotated

import numba
import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


def within_python(s2: float, bounds: Vec) -> float:
    if s2 < bounds[0]:
        s2 = bounds[0]
    elif s2 > bounds[1]:
        if not np.isinf(s2):
            s2 = bounds[1] + np.log(s2 / bounds[1])
        else:
            s2 = bounds[1] + 1000
    return s2


within = numba.jit(within_python, nopython=True, inline="always")


def recursion_python(
    p0: Vec, resids: Vec, s2: Vec, p: int, nobs: int, backcast: float, bounds: Mat
) -> Vec:
    for t in range(nobs):
        s2[t] = p0[0]
        for i in range(p):
            if (t - i - 1) < 0:
                s2[t] += p0[i + 1] * backcast
            else:
                s2[t] += p0[i + 1] * resids[t - i - 1] ** 2
        s2[t] = within(s2[t], bounds[t])
    return s2


recursion = numba.jit(recursion_python, nopython=True)
