"""Sample a Bayesian model: Hamiltonian Monte Carlo in thirty lines around a generated gradient.

The parameters are a dataclass, and so is their gradient: `mooncake_runtime.tangents` adds and
multiplies such things. Run it with the name of a picture file (default: schools_hmc.png).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from mooncake_runtime.tangents import add_to_primal, dot, increment, randn_tangent, scale
from pictures import save

sys.path.insert(0, str(Path(__file__).parent / "programs"))
from schools_grad import log_density_value_and_grad

from schools import Parameters, Study

P = TypeVar("P")
Density = Callable[[P], tuple[float, Any]]  # the log density and its gradient

STUDY = Study(
    effect=np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0]),
    error=np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0]),
)


@dataclass(frozen=True, slots=True)
class Point(Generic[P]):
    position: P
    value: float  # of the log density
    gradient: Any


def hmc(
    density: Density[P], start: P, draws: int, step: float, leaps: int, rng: np.random.Generator
) -> Iterator[tuple[P, bool]]:
    """Draws from ``density``, and whether each is a new one.

    Neal, "MCMC using Hamiltonian dynamics" (2011).
    """
    here = Point(start, *density(start))
    for _ in range(draws):
        momentum = randn_tangent(here.position, rng)
        before = 0.5 * dot(momentum, momentum) - here.value
        there, momentum = leapfrog(density, here, momentum, step * rng.uniform(0.8, 1.2), leaps)
        after = 0.5 * dot(momentum, momentum) - there.value
        accepted = math.log(rng.uniform()) < before - after
        here = there if accepted else here
        yield here.position, accepted


def leapfrog(
    density: Density[P], point: Point[P], momentum: Any, step: float, leaps: int
) -> tuple[Point[P], Any]:
    """The point after ``leaps`` steps, and the momentum there."""
    for _ in range(leaps):
        momentum = increment(momentum, scale(0.5 * step, point.gradient))
        position = add_to_primal(point.position, scale(step, momentum))
        point = Point(position, *density(position))
        momentum = increment(momentum, scale(0.5 * step, point.gradient))
    return point, momentum


def sample(draws: int = 2000, warm_up: int = 200) -> tuple[list[Parameters], float]:
    """Draws from the posterior of the eight schools, and the rate of acceptance."""
    start = Parameters(0.0, 1.0, np.zeros(8))

    def density(parameters: Parameters) -> tuple[float, Any]:
        return log_density_value_and_grad(parameters, STUDY)

    rng = np.random.default_rng(8)
    chain = list(hmc(density, start, warm_up + draws, 0.3, 8, rng))[warm_up:]
    return [parameters for parameters, _ in chain], float(np.mean([hit for _, hit in chain]))


def draw(chain: list[Parameters], figure: Any) -> None:
    effects = np.array([parameters.effects() for parameters in chain])
    left, right = figure.subplots(1, 2)
    schools = np.arange(8)
    low, middle, high = np.quantile(effects, [0.05, 0.5, 0.95], axis=0)
    left.errorbar(schools - 0.1, STUDY.effect, STUDY.error, fmt="k.", label="study")
    left.errorbar(
        schools + 0.1, middle, [middle - low, high - middle], fmt="o", markersize=3, label="model"
    )
    left.set(xlabel="school", ylabel="effect")
    left.legend(fontsize="small")
    right.hist([parameters.scale for parameters in chain], bins=np.linspace(0.0, 20.0, 40))
    right.set(xlabel="scale of the differences", ylabel="draws")


if __name__ == "__main__":
    chain, rate = sample()
    means = np.array([parameters.mean for parameters in chain])
    scales = np.array([parameters.scale for parameters in chain])
    print(f"{len(chain)} draws, {100.0 * rate:.0f} % accepted")
    print(f"mean effect {means.mean():.1f} ± {means.std():.1f}")
    print(f"scale of the differences {scales.mean():.1f} ± {scales.std():.1f}")
    save(lambda figure: draw(chain, figure), "schools_hmc.png")
