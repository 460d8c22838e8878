from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Column = Annotated[NDArray[np.float64], "_ 1"]
Mat = Annotated[NDArray[np.float64], "_ _"]


def energies(pos: Mat, vel: Mat, mass: Column, G: float) -> tuple[float, float]:
    KE = 0.5 * np.sum(np.sum(mass * vel**2))
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r = np.sqrt(dx**2 + dy**2 + dz**2)
    inv_r[inv_r > 0] = 1.0 / inv_r[inv_r > 0]
    PE = G * np.sum(np.sum(np.triu(-(mass * mass.T) * inv_r, 1)))
    return KE, PE
