from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Column = Annotated[NDArray[np.float64], "_ 1"]
Row = Annotated[NDArray[np.float64], "1 _"]
Mat = Annotated[NDArray[np.float64], "_ _"]


def means(x: Column, mu: Row) -> Mat:
    n = x.shape[0]
    k = 2
    Ez = np.zeros((n, k))
    for i in range(10):
        p = np.exp(-((np.repeat(x, k, axis=1) - np.repeat(mu, n, axis=0)) ** 2))
        Ez = p / np.repeat(np.sum(p, axis=1, keepdims=True), k, axis=1)
        mu = np.sum(Ez * np.repeat(x, k, axis=1), axis=0, keepdims=True) / np.sum(
            Ez, axis=0, keepdims=True
        )
    return mu
