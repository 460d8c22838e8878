from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Column = Annotated[NDArray[np.float64], "_ 1"]
Mat = Annotated[NDArray[np.float64], "_ _"]


def acceleration(pos: Mat, mass: Column, G: float, softening: float) -> Mat:
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r3 = dx**2 + dy**2 + dz**2 + softening**2
    inv_r3[inv_r3 > 0] = inv_r3[inv_r3 > 0] ** (-1.5)
    ax = G * (dx * inv_r3) @ mass
    ay = G * (dy * inv_r3) @ mass
    az = G * (dz * inv_r3) @ mass
    a = np.hstack((ax, ay, az))
    return a
