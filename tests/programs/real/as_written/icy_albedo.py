from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def albedo(x: Vec, temperature: Vec) -> Vec:
    a_ice = 0.6
    a_ocean = 0.263
    a_cloud = 0.04
    albedo = a_ice * np.ones(len(x))
    warm = temperature >= -2
    albedo[warm] = a_ocean + a_cloud * (3 * x[warm] ** 2 - 1)
    return albedo


def absorbed(x: Vec, temperature: Vec, sun: float) -> float:
    return np.mean((1 - albedo(x, temperature)) * sun) - np.mean(203.3 + 2.09 * temperature)
