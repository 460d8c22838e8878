from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def velocities(
    r1: Vec,
    r2: Vec,
    tof: float,
    mu: float,
    t_m: int = 1,
    psi: float = 0,
    psi_u: float = 4 * np.pi**2,
    psi_l: float = -4 * np.pi,
    max_iter: int = 1000,
    tol: float = 1e-10,
) -> tuple[Vec, Vec]:
    def C2(z):
        if z > 0:
            return (1 - np.cos(np.sqrt(z))) / z
        elif z < 0:
            return (np.cosh(np.sqrt(-z)) - 1) / -z
        else:
            return 0.5

    def C3(z):
        if z > 0:
            return (np.sqrt(z) - np.sin(np.sqrt(z))) / (z**1.5)
        elif z < 0:
            return (np.sinh(np.sqrt(-z)) - np.sqrt(-z)) / (-z) ** 1.5
        else:
            return 1 / 6

    mag_r1 = np.linalg.norm(r1)
    mag_r2 = np.linalg.norm(r2)
    gamma = np.dot(r1, r2) / (mag_r1 * mag_r2)
    A = t_m * np.sqrt(mag_r1 * mag_r2 * (1 + gamma))

    if A == 0:
        print("An orbit cannot exist")
        return np.zeros(3), np.zeros(3)

    c2 = 0.5
    c3 = 1 / 6.0

    for _ in range(max_iter):
        B = mag_r1 + mag_r2 + A * (psi * c3 - 1) / np.sqrt(c2)

        if A > 0 and B < 0:
            psi_l += np.pi
            B = -B

        chi3 = (B / c2) ** 1.5
        tof_ = (chi3 * c3 + A * np.sqrt(B)) / np.sqrt(mu)

        if abs(tof - tof_) < tol:
            break

        if tof_ <= tof:
            psi_l = psi
        else:
            psi_u = psi

        psi = (psi_u + psi_l) / 2.0
        c2 = C2(psi)
        c3 = C3(psi)

    else:
        print("Did not converge")
        return np.zeros(3), np.zeros(3)

    f = 1 - B / mag_r1
    g = A * np.sqrt(B / mu)
    g_dot = 1 - B / mag_r2
    f_dot = (f * g_dot - 1) / g

    v1 = (r2 - f * r1) / g
    v2 = f_dot * r1 + g_dot * v1
    return v1, v2
