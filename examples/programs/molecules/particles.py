"""What a simulation is made of: particles, and the potential between them."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Plane = Annotated[NDArray[np.float64], "n 2"]


@dataclass(frozen=True)
class LennardJones:
    """``4 depth ((radius/r)^12 - (radius/r)^6)``: energy over distance, and minus its slope."""

    depth: float
    radius: float

    def energy(self, r: float) -> float:
        power = (self.radius / r) ** 6
        return 4.0 * self.depth * (power * power - power)

    def force(self, r: float) -> float:
        power = (self.radius / r) ** 6
        return 24.0 * self.depth * (2.0 * power * power - power) / r


@dataclass
class Particles:
    """Positions, velocities and forces, one row per particle of mass one."""

    position: Plane
    velocity: Plane
    force: Plane
    time: float = 0.0

    @property
    def count(self) -> int:
        return len(self.position)

    def spread(self) -> float:
        """The mean square distance from the centre of mass."""
        centre = np.sum(self.position, axis=0) / self.count
        return float(np.sum((self.position - centre) ** 2)) / self.count

    def kinetic_energy(self) -> float:
        return float(0.5 * np.sum(self.velocity**2))
