from typing import Annotated, Any, Dict, List

import numpy as np
from numpy.typing import NDArray

CMat = Annotated[NDArray[np.complex128], "_ _"]


def build(case: list[list[float]], nb: int) -> CMat:
    Y = np.zeros((nb, nb), dtype=complex)
    for br in case:
        if len(br) < 4:
            continue
        f = int(br[0]) - 1
        t = int(br[1]) - 1
        r = float(br[2])
        x = float(br[3])
        b = float(br[4]) if len(br) > 4 else 0.0
        y = 1 / complex(r, x)
        Y[f, f] += y + 1j * b / 2
        Y[t, t] += y + 1j * b / 2
        Y[f, t] -= y
        Y[t, f] -= y
    return Y
