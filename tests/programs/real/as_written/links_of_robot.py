from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def matrix(alpha, a, theta, d):
    return np.array(
        [
            [np.cos(theta), -np.sin(theta), 0, a],
            [
                np.sin(theta) * np.cos(alpha),
                np.cos(theta) * np.cos(alpha),
                -np.sin(alpha),
                -np.sin(alpha) * d,
            ],
            [
                np.sin(theta) * np.sin(alpha),
                np.cos(theta) * np.sin(alpha),
                np.cos(alpha),
                np.cos(alpha) * d,
            ],
            [0, 0, 0, 1],
        ]
    )


L0 = 0.1
L1 = 0.11


def tip(angles: Vec) -> Vec:
    T = np.identity(4)
    for alpha, a, theta, d in [
        (0, 0, angles[0], L0),
        (np.pi / 2, 0, angles[1], 0),
        (0, L1, angles[2], 0),
    ]:
        T = np.dot(T, matrix(alpha, a, theta, d))
    return T[0:3, 3]
