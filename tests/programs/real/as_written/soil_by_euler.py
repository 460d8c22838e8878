from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def drainage(S, field_capacity, k):
    if S > field_capacity:
        return k * (S - field_capacity)
    return 0.0


def soil_derivative(S, R, I, ET, field_capacity, k):
    D = drainage(S, field_capacity, k)
    return R + I - ET - D


def simulated(
    S0: float, R: Vec, I: Vec, ET: Vec, field_capacity: float, k: float, dt: float = 1.0
) -> Vec:
    n = len(R)
    S = np.zeros(n + 1)
    S[0] = S0
    for t in range(n):
        dS = soil_derivative(S[t], R[t], I[t], ET[t], field_capacity, k)
        S[t + 1] = max(S[t] + dt * dS, 0.0)
    return S


def simulated_rk4(
    S0: float, R: Vec, I: Vec, ET: Vec, field_capacity: float, k: float, dt: float = 1.0
) -> Vec:
    n = len(R)
    S = np.zeros(n + 1)
    S[0] = S0
    for t in range(n):
        args = (R[t], I[t], ET[t], field_capacity, k)
        k1 = soil_derivative(S[t], *args)
        k2 = soil_derivative(S[t] + 0.5 * dt * k1, *args)
        k3 = soil_derivative(S[t] + 0.5 * dt * k2, *args)
        k4 = soil_derivative(S[t] + dt * k3, *args)
        S[t + 1] = max(S[t] + (dt / 6.0) * (k1 + 2 * k2 + 2 * k3 + k4), 0.0)
    return S
