from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Cube = Annotated[NDArray[np.float64], "_ _ _"]


class BasicLBM:
    def __init__(self, Nx, Ny):
        self.Nx = Nx
        self.Ny = Ny
        self.tmp = np.zeros((9, Ny, Nx))

    def density(self, f):
        return np.sum(f, axis=0)

    def velocity(self, f, density):
        ux = (
            (f[1, :, :] + f[5, :, :] + f[8, :, :]) - (f[6, :, :] + f[3, :, :] + f[7, :, :])
        ) / density
        uy = (
            (f[2, :, :] + f[5, :, :] + f[6, :, :]) - (f[4, :, :] + f[7, :, :] + f[8, :, :])
        ) / density
        return ux, uy


def energy(f: Cube) -> float:
    lbm = BasicLBM(f.shape[2], f.shape[1])
    rho = lbm.density(f)
    ux, uy = lbm.velocity(f, rho)
    return np.sum(rho * (ux**2 + uy**2))
