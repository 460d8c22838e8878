from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def smoothed(x, span, beta):
    N = x.size
    alpha = 2.0 / (1 + span)
    s = np.zeros((N,))
    b = np.zeros((N,))
    s[0] = x[0]
    for i in range(1, N):
        s[i] = alpha * x[i] + (1 - alpha) * (s[i - 1] + b[i - 1])
        b[i] = beta * (s[i] - s[i - 1]) + (1 - beta) * b[i - 1]
    return s


def recombined(x: Vec, span: float = 15, beta: float = 0.3) -> Vec:
    fwd = smoothed(x, span, beta)
    bwd = smoothed(x[::-1], span, beta)
    c = np.vstack((fwd, bwd[::-1]))
    c = np.mean(c, axis=0)
    return c
