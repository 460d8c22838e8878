from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


def sphere_intersect(O: Mat, D: Mat, C: Vec, r: float, direction: int = 1) -> tuple[Mat, Vec]:
    surface = int(np.sign(r))
    L = C - O
    absL2 = np.einsum("ij,ij->i", L, L)
    tca = np.einsum("ij,ij->i", L, D)
    d2 = absL2 - tca**2
    thc = np.sqrt(r**2 - d2)
    t = tca - surface * direction * thc
    P = O + t[:, np.newaxis] * D
    return P, t
