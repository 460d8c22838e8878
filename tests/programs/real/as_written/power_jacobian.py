from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]
Ints = Annotated[NDArray[np.int64], "_"]


def jaco(
    GG: Mat, BB: Mat, P: Vec, Q: Vec, NG: int, NL: int, vm: Vec, e: Vec, f: Vec, ind_load: Ints
) -> Mat:
    iden = np.eye(len(f))
    inds = iden > 0
    a = GG @ e - BB @ f
    b = GG @ f + BB @ e
    ep = iden * e
    fp = iden * f
    ep_a = ep * a
    ep_b = ep * b
    fp_a = fp * a
    fp_b = fp * b
    HH = fp_a - ep_b
    NN = ep_a + fp_b
    JJ = -ep_a - fp_b
    LL = fp_a - ep_b
    HH[inds] = -Q - BB[inds] * vm**2
    NN[inds] = P + GG[inds] * vm**2
    JJ[inds] = P - GG[inds] * vm**2
    LL[inds] = Q - BB[inds] * vm**2
    return np.vstack(
        (
            np.hstack((HH[1 : NG + NL, 1 : NG + NL], NN[1 : NG + NL, ind_load])),
            np.hstack((JJ[ind_load, 1 : NG + NL], LL[ind_load][:, ind_load])),
        )
    )
