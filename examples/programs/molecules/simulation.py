"""Velocity Verlet steps, and what is observed while they are made."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from .forces import update_forces
from .particles import LennardJones, Particles

Series = Annotated[NDArray[np.float64], "m"]


def _step(particles: Particles, potential: LennardJones, dt: float) -> None:
    """One step of the velocity Verlet scheme (Swope et al., 1982), in place."""
    particles.velocity += 0.5 * dt * particles.force
    particles.position += dt * particles.velocity
    update_forces(particles, potential)
    particles.velocity += 0.5 * dt * particles.force
    particles.time += dt


# mooncake: skip
def spread_over_time(
    particles: Particles, potential: LennardJones, dt: float, every: int, count: int
) -> Series:
    """The spread of the particles, observed ``count`` times after ``every`` steps each."""
    found = np.empty(count)
    update_forces(particles, potential)
    for k in range(count):
        for _ in range(every):
            _step(particles, potential, dt)
        found[k] = particles.spread()
    return found


# mooncake: wrt=potential
def misfit(
    particles: Particles, potential: LennardJones, observed: Series, dt: float, every: int
) -> float:
    """How far the simulated spread is from the observed one: the sum of squares."""
    spread = spread_over_time(particles, potential, dt, every, observed.shape[0])
    return np.sum((spread - observed) ** 2)
