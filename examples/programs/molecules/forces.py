"""Forces between all pairs of particles, and of a trap that keeps them together."""

import math

from .particles import LennardJones, Particles

TRAP = 0.05  # stiffness of the trap around the origin


def update_forces(particles: Particles, potential: LennardJones) -> float:
    """Compute the forces in place; the result is the potential energy."""
    x, force = particles.position, particles.force
    energy = 0.0
    for i in range(particles.count):
        for axis in range(2):
            force[i, axis] = -TRAP * x[i, axis]
            energy += 0.5 * TRAP * x[i, axis] ** 2
    for i in range(particles.count):
        for j in range(i):
            dx = x[i, 0] - x[j, 0]
            dy = x[i, 1] - x[j, 1]
            r = math.sqrt(dx * dx + dy * dy)
            pull = potential.force(r) / r
            force[i, 0] += pull * dx
            force[i, 1] += pull * dy
            force[j, 0] -= pull * dx
            force[j, 1] -= pull * dy
            energy += potential.energy(r)
    return energy
