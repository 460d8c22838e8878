from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def nelson_siegel(maturities: Vec, beta0: float, beta1: float, beta2: float, tau: float) -> Vec:
    t = np.array(maturities)
    return (
        beta0
        + beta1 * ((1 - np.exp(-t / tau)) / (t / tau))
        + beta2 * (((1 - np.exp(-t / tau)) / (t / tau)) - np.exp(-t / tau))
    )
