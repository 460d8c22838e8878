from typing import Annotated

import numpy as np
from scipy.integrate import odeint
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


def coupled(theta, t, omega, K, N):
    coupling = np.zeros(N)
    for i in range(N):
        coupling[i] = np.sum(np.sin(theta - theta[i]))
    return omega + K / N * coupling


def phases(theta0: Vec, omega: Vec, K: float, N: int) -> Mat:
    t = np.linspace(0, 1, 4)
    return odeint(coupled, theta0, t, args=(omega, K, N))
