from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


class Body:
    def __init__(self, x: float, v: float, mass: float = 1.0) -> None:
        self.x = x
        self.v = v
        self.mass = mass

    def kick(self, force: float, dt: float) -> None:
        self.v += force * dt


def spread(x: Vec, v: Vec, dt: float) -> float:
    bodies = []
    for i in range(len(x)):
        bodies.append(Body(x[i], v[i], 0.5))
        bodies.append(Body(-x[i], -v[i]))
    for step in range(3):
        for one in bodies:
            force = 0.0
            for other in bodies:
                if one != other:
                    gap = other.x - one.x
                    force += other.mass * gap / (gap**2 + 0.1) ** (3 / 2)
            one.kick(force, dt)
        for body in bodies:
            body.x += body.v * dt
    return sum([b.x**2 for b in bodies])
