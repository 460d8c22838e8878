import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def dist(r1: Vec, r2: Vec, L: float) -> float:
    x1, y1, z1 = r1
    x2, y2, z2 = r2
    dx = x1 - x2
    dy = y1 - y2
    dz = z1 - z2
    dx -= L * round(dx / L)
    dy -= L * round(dy / L)
    dz -= L * round(dz / L)
    return math.sqrt(dx**2 + dy**2 + dz**2)
