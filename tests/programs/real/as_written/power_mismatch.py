from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]
Ints = Annotated[NDArray[np.int64], "_"]


def syspower(
    GG: Mat,
    BB: Mat,
    NG: int,
    NL: int,
    e: Vec,
    f: Vec,
    pg: Vec,
    pl: Vec,
    ql: Vec,
    ind_gen: Ints,
    ind_load: Ints,
) -> tuple[Vec, Vec, Vec]:
    a_sum = (GG * e - BB * f).sum(1)
    b_sum = (GG * f + BB * e).sum(1)
    P = e * a_sum + f * b_sum
    Q = f * a_sum - e * b_sum
    dpq = np.concatenate([pg[: NG - 1] - P[ind_gen], pl[:NL] - P[ind_load], ql[:NL] - Q[ind_load]])
    return P, Q, dpq
