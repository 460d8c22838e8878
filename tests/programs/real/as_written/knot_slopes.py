from typing import Annotated

import numpy as np
import scipy.linalg as lin
from numpy.typing import NDArray

Vec5 = Annotated[NDArray[np.float64], "5"]
Vec = Annotated[NDArray[np.float64], "_"]


def slopes(xx: Vec5, yy: Vec5) -> Vec:
    h = np.diff(xx)
    dy = np.diff(yy)
    s = dy / h
    ds = np.diff(s)
    s3 = 3 * ds
    a = np.array(
        [
            [2 * (h[0] + h[1]), h[1], 0],
            [h[1], 2 * (h[1] + h[2]), h[2]],
            [0, h[2], 2 * (h[2] + h[3])],
        ]
    )
    p, l, u = lin.lu(a)
    y = lin.solve(l, np.dot(p.T, s3.T))
    c = lin.solve(u, y)
    return c
