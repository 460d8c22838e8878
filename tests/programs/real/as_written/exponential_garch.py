from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]

LARGEST = float(np.log(np.finfo(np.double).max) - 0.1)
MEAN_ABS = 0.79788456080286541


def recursion(
    par: Vec,
    resids: Vec,
    s2: Vec,
    p: int,
    o: int,
    q: int,
    nobs: int,
    backcast: float,
    bounds: Mat,
    lns2: Vec,
    std: Vec,
    abs_std: Vec,
) -> Vec:
    for t in range(nobs):
        loc = 0
        lns2[t] = par[loc]
        loc += 1
        for j in range(p):
            if (t - 1 - j) >= 0:
                lns2[t] += par[loc] * (abs_std[t - 1 - j] - MEAN_ABS)
            loc += 1
        for j in range(o):
            if (t - 1 - j) >= 0:
                lns2[t] += par[loc] * std[t - 1 - j]
            loc += 1
        for j in range(q):
            if (t - 1 - j) < 0:
                lns2[t] += par[loc] * backcast
            else:
                lns2[t] += par[loc] * lns2[t - 1 - j]
            loc += 1
        lns2[t] = min(lns2[t], LARGEST)
        s2[t] = np.exp(lns2[t])
        if s2[t] < bounds[t, 0]:
            s2[t] = bounds[t, 0]
            lns2[t] = np.log(s2[t])
        elif s2[t] > bounds[t, 1]:
            s2[t] = bounds[t, 1] + np.log(s2[t]) - np.log(bounds[t, 1])
            lns2[t] = np.log(s2[t])
        std[t] = resids[t] / np.sqrt(s2[t])
        abs_std[t] = np.abs(std[t])
    return s2
