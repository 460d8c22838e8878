from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def criterion(delta: Vec, t: float) -> Vec:
    clamped = np.minimum(0, -delta)
    return np.minimum(1, np.exp(clamped * t))
