"""Find the force between particles from how far they spread: a gradient through a simulation.

A few particles move in a trap; only their spread is observed. BFGS changes depth and radius of the
potential until the simulation shows the same. Run it with the name of a picture file (default:
particles_fit.png).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pictures import save
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).parent / "programs"))
from molecules.particles import LennardJones, Particles
from molecules.simulation import spread_over_time
from molecules.simulation_grad import misfit_value_and_grad

Floats = NDArray[np.float64]

TRUE = LennardJones(depth=0.8, radius=1.1)
START = LennardJones(depth=0.4, radius=1.05)
STEP, EVERY, COUNT = 0.01, 10, 20


@dataclass(frozen=True, slots=True)
class Fit:
    observed: Floats
    found: LennardJones
    misfits: tuple[float, float]  # before and after


def particles() -> Particles:
    """Nine particles on a lattice, a little out of place and in motion."""
    rng = np.random.default_rng(4)
    lattice = np.array([(x, y) for x in (-1.4, 0.0, 1.4) for y in (-1.4, 0.0, 1.4)])
    position = lattice + rng.normal(scale=0.05, size=lattice.shape)
    return Particles(position, rng.normal(scale=0.3, size=(9, 2)), np.zeros((9, 2)))


def spread(potential: LennardJones) -> Floats:
    return spread_over_time(particles(), potential, STEP, EVERY, COUNT)


def fit() -> Fit:
    observed = spread(TRUE)

    def objective(parameters: Floats) -> tuple[float, Floats]:
        value, grad = misfit_value_and_grad(
            particles(), LennardJones(*parameters), observed, STEP, EVERY
        )
        return value, np.array(grad)

    start = np.array([START.depth, START.radius])
    found = minimize(objective, start, jac=True, method="BFGS")
    return Fit(observed, LennardJones(*found.x), (objective(start)[0], float(found.fun)))


def draw(result: Fit, figure: Any) -> None:
    times = STEP * EVERY * np.arange(1, COUNT + 1)
    left, right = figure.subplots(1, 2)
    left.plot(times, result.observed, "k.", markersize=4, label="observed")
    left.plot(times, spread(START), "--", label="start")
    left.plot(times, spread(result.found), label="fit")
    left.set(xlabel="time", ylabel="spread")
    left.legend(fontsize="small")
    r = np.linspace(0.95, 3.0, 200)
    for potential, style, label in ((START, "--", "start"), (result.found, "-", "fit")):
        right.plot(r, [potential.energy(float(one)) for one in r], style, label=label)
    right.plot(r, [TRUE.energy(float(one)) for one in r], "k:", label="truth")
    right.set(xlabel="distance", ylabel="energy", ylim=(-1.0, 2.0))
    right.legend(fontsize="small")


if __name__ == "__main__":
    result = fit()
    print(f"misfit {result.misfits[0]:.3f} at the start, {result.misfits[1]:.1e} after the fit")
    print(f"depth {result.found.depth:.4f} (truth {TRUE.depth})")
    print(f"radius {result.found.radius:.4f} (truth {TRUE.radius})")
    save(lambda figure: draw(result, figure), "particles_fit.png")
