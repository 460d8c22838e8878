from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


DT = 0.025
MASS = 1.0
GRAV = -9.81
IX, IY, IZ = 0.5, 0.1, 0.3


def advanced(x: Vec, u: Vec, dt: float = DT) -> Vec:
    psi, theta, phi = x[3], x[4], x[5]
    vx, vy, vz = x[6], x[7], x[8]
    p, q, r = x[9], x[10], x[11]
    u1, u2, u3, u4 = u[0], u[1], u[2], u[3]

    cos_theta = np.cos(theta)
    if np.abs(cos_theta) < 1e-6:
        cos_theta = 1e-6 if cos_theta == 0 else 1e-6 * np.sign(cos_theta)

    rate = np.array(
        [
            vx,
            vy,
            vz,
            (q * np.sin(phi) + r * np.cos(phi)) / cos_theta,
            q * np.cos(phi) - r * np.sin(phi),
            p + (q * np.sin(phi) + r * np.cos(phi)) * np.tan(theta),
            u1 / MASS * (np.sin(phi) * np.sin(psi) + np.cos(phi) * np.cos(psi) * np.sin(theta)),
            u1 / MASS * (np.cos(psi) * np.sin(phi) - np.cos(phi) * np.sin(psi) * np.sin(theta)),
            GRAV + u1 / MASS * (np.cos(phi) * np.cos(theta)),
            ((IY - IZ) / IX) * q * r + u2 / IX,
            ((IZ - IX) / IY) * p * r + u3 / IY,
            ((IX - IY) / IZ) * p * q + u4 / IZ,
        ]
    )
    return x + dt * rate
