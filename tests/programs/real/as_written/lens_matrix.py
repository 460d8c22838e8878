from math import cos, cosh, sin, sinh, sqrt
from typing import Annotated

import numba
import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]


@numba.njit()
def transfer(K: float, L: float, K_dispersion: float | None = None) -> Mat:
    assert L >= 0.0
    if K == 0.0:
        A = 1.0
        B = L
        C = 0.0
        D = 1
    elif K > 0.0:
        phi = sqrt(K) * L
        A = cos(phi)
        B = sin(phi) / sqrt(K)
        C = -sqrt(K) * sin(phi)
        D = cos(phi)
    else:
        K = abs(K)
        psi = sqrt(K) * L
        A = cosh(psi)
        B = sinh(psi) / sqrt(K)
        C = sqrt(K) * sinh(psi)
        D = cosh(psi)
    if K_dispersion is not None:
        phi = sqrt(K) * L
        E = (1 - cos(phi)) * K_dispersion / K
        F = sin(phi) * K_dispersion / sqrt(K)
        return np.array([[A, B, E], [C, D, F], [0.0, 0.0, 1.0]])
    else:
        return np.array([[A, B], [C, D]])
