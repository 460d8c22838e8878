from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]


def generated_rhs(a, b, c, d):
    def rhs(t, x):
        assert x.shape[0] == 2
        return np.array([a * x[0] - b * x[0] * x[1], -c * x[1] + d * x[0] * x[1]])

    return rhs


def rates(x: Mat, a: float, b: float, c: float, d: float) -> Mat:
    rhs = generated_rhs(a, b, c, d)
    return rhs(0.0, x)
