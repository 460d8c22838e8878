from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


def transform(sigmas: Mat, wm: Vec, wc: Vec, noise: Mat | None) -> tuple[Vec, Mat]:
    kmax, n = sigmas.shape
    x = np.dot(wm, sigmas)
    y = sigmas - x[np.newaxis, :]
    P = y.T.dot(np.diag(wc)).dot(y)
    if noise is not None:
        P += noise
    return (x, P)
