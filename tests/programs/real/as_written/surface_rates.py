from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def arrhenius(A, Ea, T):
    kB = 8.617333262e-5
    return A * np.exp(-Ea / (kB * T))


def rates(theta, params):
    co, o, co2 = theta
    star = 1.0 - co - o - co2
    star = max(star, 0.0)

    PCO = params["PCO"]
    PO2 = params["PO2"]
    PCO2 = params["PCO2"]

    A = params["A"]
    T = params["T"]

    k1f = arrhenius(A, params["E1f"], T)
    k1r = arrhenius(A, params["E1r"], T)
    k2f = arrhenius(A, params["E2f"], T)
    k2r = arrhenius(A, params["E2r"], T)
    k3f = arrhenius(A, params["E3f"], T)
    k4f = arrhenius(A, params["E4f"], T)

    r1 = k1f * PCO * star - k1r * co
    r2 = k2f * PO2 * star**2 - k2r * o**2
    r3 = k3f * co * o
    r4 = k4f * co2 - k4f * PCO2 * star
    return r1, r2, r3, r4


def coverages(t: float, theta: Vec, params: dict[str, float]) -> list[float]:
    r1, r2, r3, r4 = rates(theta, params)
    d_co = r1 - r3
    d_o = 2.0 * r2 - r3
    d_co2 = r3 - r4
    return [d_co, d_o, d_co2]
