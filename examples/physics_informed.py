"""Solve a boundary-value problem with a network: -u'' = f on [0, 1], u = 0 at both ends.

The loss holds second derivatives of the network, which come from its gradient's gradient, and scipy
minimises it with the gradient of that. Run it with the name of a picture file (default:
physics_informed.png).
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
from boundary_grad import residual_value_and_grad
from network import network

Floats = NDArray[np.float64]

WIDTH = 10


def exact(t: Floats) -> Floats:
    """The solution that the network does not know."""
    return np.asarray(np.sin(np.pi * t) + 0.3 * np.sin(3.0 * np.pi * t))


def force(t: Floats) -> Floats:
    """``-u''`` of ``exact``."""
    return np.asarray(
        np.pi**2 * np.sin(np.pi * t) + 0.3 * (3.0 * np.pi) ** 2 * np.sin(3.0 * np.pi * t)
    )


@dataclass(frozen=True, slots=True)
class Solution:
    start: Floats
    theta: Floats
    losses: tuple[float, float]  # before and after

    def at(self, t: Floats, theta: Floats) -> Floats:
        return np.array([network(float(one), theta) for one in t])

    def error(self) -> float:
        """The largest difference from the exact solution."""
        t = np.linspace(0.0, 1.0, 201)
        return float(np.max(np.abs(self.at(t, self.theta) - exact(t))))


def solve(steps: int = 2000) -> Solution:
    rng = np.random.default_rng(5)
    slopes = rng.uniform(2.0, 8.0, size=WIDTH)
    start = np.concatenate(
        (0.1 * rng.normal(size=WIDTH), slopes, -slopes * rng.uniform(size=WIDTH))
    )
    points = np.linspace(0.0, 1.0, 40)
    forces = force(points)
    found = minimize(
        residual_value_and_grad, start, args=(points, forces), jac=True, method="BFGS",
        options={"maxiter": steps},
    )  # fmt: skip
    before, _ = residual_value_and_grad(start, points, forces)
    return Solution(start, found.x, (before, float(found.fun)))


def draw(result: Solution, figure: Any) -> None:
    t = np.linspace(0.0, 1.0, 201)
    left, right = figure.subplots(1, 2)
    left.plot(t, exact(t), linewidth=4.0, alpha=0.4, label="exact solution")
    left.plot(t, result.at(t, result.theta), "k--", label="network, trained")
    left.plot(t, result.at(t, result.start), ":", label="network, at the start")
    left.set(xlabel="t", ylabel="u")
    left.legend(fontsize="small")
    right.plot(t, result.at(t, result.theta) - exact(t))
    right.set(xlabel="t", ylabel="difference from the exact solution")


if __name__ == "__main__":
    result = solve()
    print(f"loss {result.losses[0]:.3g} at the start, {result.losses[1]:.3g} after training")
    print(f"largest difference from the exact solution: {result.error():.2g}")
    save(lambda figure: draw(result, figure), "physics_informed.png")
