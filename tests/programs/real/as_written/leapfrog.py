from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Column = Annotated[NDArray[np.float64], "_ 1"]
Mat = Annotated[NDArray[np.float64], "_ _"]
Cube = Annotated[NDArray[np.float64], "_ _ _"]


def pull(pos, mass, G, softening):
    dx = pos[:, 0:1].T - pos[:, 0:1]
    dy = pos[:, 1:2].T - pos[:, 1:2]
    inv_r3 = (dx**2 + dy**2 + softening**2) ** (-1.5)
    return np.hstack((G * (dx * inv_r3) @ mass, G * (dy * inv_r3) @ mass))


def simulate(pos: Mat, vel: Mat, mass: Column, tEnd: float, dt: float) -> Cube:
    N = pos.shape[0]
    t = 0
    softening = 0.1
    G = 1.0
    vel -= np.mean(mass * vel, 0) / np.mean(mass)
    acc = pull(pos, mass, G, softening)
    Nt = int(np.ceil(tEnd / dt))
    pos_save = np.zeros((N, 2, Nt + 1))
    pos_save[:, :, 0] = pos
    for i in range(Nt):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc = pull(pos, mass, G, softening)
        vel += acc * dt / 2.0
        t += dt
        pos_save[:, :, i + 1] = pos
    return pos_save
