from collections import namedtuple
from typing import Annotated

import numpy as np
from numpy.linalg import norm
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]

Params = namedtuple("Params", "eps sigma rc L")
sysparams = Params(1, 1, 3, 10)


def V_LJ(mag_r, sp):
    V_rc = 4 * sp.eps * ((sp.sigma / sp.rc) ** 12 - (sp.sigma / sp.rc) ** 6)
    return (
        4 * sp.eps * ((sp.sigma / mag_r) ** 12 - (sp.sigma / mag_r) ** 6) - V_rc
        if mag_r < sp.rc
        else 0.0
    )


def tot_PE(pos_list: Mat) -> float:
    E = 0.0
    N = len(pos_list)
    for i in range(N):
        for j in range(i + 1, N):
            E += V_LJ(norm(pos_list[i] - pos_list[j]), sysparams)
    return E
