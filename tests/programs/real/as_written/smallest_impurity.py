from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


def gini(y):
    return 2 * y.mean() * (1 - y.mean()) * len(y)


def best_split(X: Mat, y: Vec) -> tuple[float, int, float]:
    return min(
        (gini(y[x < t]) + gini(y[x >= t]), f, t)
        for f, x in enumerate(X.T)
        for t in sorted(set(x))[1:]
    )
