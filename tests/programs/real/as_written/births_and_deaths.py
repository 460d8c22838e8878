from typing import Annotated

import numpy as np
import scipy.integrate as spi
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]

mu = 1 / (70 * 365.0)
sigma = 1 / 14.0
ND = 30
TS = 1.0


def recovered(beta: float, gamma: float, S0: float, E0: float, I0: float) -> Vec:
    def diff_eqs(INP, t):
        Y = np.zeros((3))
        V = INP
        Y[0] = mu - beta * V[0] * V[2] - mu * V[0]
        Y[1] = beta * V[0] * V[2] - sigma * V[1] - mu * V[1]
        Y[2] = sigma * V[1] - gamma * V[2] - mu * V[2]
        return Y

    INPUT = (S0, E0, I0)
    t_start = 0.0
    t_end = ND
    t_inc = TS
    t_range = np.arange(t_start, t_end + t_inc, t_inc)
    RES = spi.odeint(diff_eqs, INPUT, t_range)
    Rec = 1.0 - (RES[:, 0] + RES[:, 1] + RES[:, 2])
    return Rec
