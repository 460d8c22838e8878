import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


dt = 0.25


def slopes(discounts: Vec) -> Vec:
    n = len(discounts) - 1
    out = np.zeros(n - 1)
    out[0] = (1 / dt**2) * math.log((discounts[1] ** 2) / (discounts[0] * discounts[2]))
    for i in range(1, n - 1):
        out[i] = (1 / dt**2) * math.log((discounts[i] ** 2) / (discounts[i - 1] * discounts[i + 1]))
    return out


def forwards(discounts: Vec) -> Vec:
    n = len(discounts) - 1
    F0 = np.zeros(n)
    for i in range(n):
        F0[i] = -(1 / dt) * math.log(discounts[i + 1] / discounts[i])
    return F0


def bond_price(
    t: float, T: float, r: float, P0_t: float, P0_T: float, F0_t: float, sigma: float
) -> float:
    s = T - t
    return (P0_T / P0_t) * math.exp(s * F0_t - 0.5 * sigma**2 * t * s**2 - s * r)
