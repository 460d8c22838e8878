"""The eight schools: effects of coaching, which differ from school to school by an unknown amount.

Rubin, "Estimation in parallel randomized experiments" (1981); the priors are those of Gelman,
"Prior distributions for variance parameters in hierarchical models" (2006).
"""

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Schools = Annotated[NDArray[np.float64], "n"]


@dataclass(frozen=True)
class Study:
    """Estimated effects, and the standard errors of these."""

    effect: Schools
    error: Schools


@dataclass(frozen=True)
class Parameters:
    """``deviation`` is how far each school is from the mean, in units of ``exp(log_scale)``."""

    mean: float
    log_scale: float
    deviation: Schools

    @property
    def scale(self) -> float:
        return math.exp(self.log_scale)

    def effects(self) -> Schools:
        return self.mean + self.scale * self.deviation


def _normal(x: float, mean: float, scale: float) -> float:
    return -0.5 * ((x - mean) / scale) ** 2 - math.log(scale)


def _half_cauchy(x: float, scale: float) -> float:
    return -math.log1p((x / scale) ** 2)


# mooncake: wrt=parameters
def log_density(parameters: Parameters, study: Study) -> float:
    """The log posterior density of the parameters, up to a constant."""
    prior = _normal(parameters.mean, 0.0, 5.0) + _half_cauchy(parameters.scale, 5.0)
    prior += parameters.log_scale  # of the change of variables
    prior -= 0.5 * np.sum(parameters.deviation**2)
    residual = (study.effect - parameters.effects()) / study.error
    return prior - 0.5 * np.sum(residual**2)
