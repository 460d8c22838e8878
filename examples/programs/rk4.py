"""Fit of a predator-prey model: a Lotka-Volterra ODE integrated by the Runge-Kutta method."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray


# mooncake: wrt=rates,start
def predator_prey_loss(
    rates: Annotated[NDArray[np.float64], "4"],
    start: Annotated[NDArray[np.float64], "2"],
    data: Annotated[NDArray[np.float64], "n 2"],
    dt: float,
    substeps: int,
) -> float:
    """Sum of squared differences between ``data`` and the solution every ``dt * substeps``."""
    y = np.empty(2)
    y[0] = start[0]
    y[1] = start[1]
    stage = np.empty(2)
    slopes = np.empty((4, 2))
    loss = 0.0
    for i in range(data.shape[0]):
        for _ in range(substeps):
            _rk4_step(rates, y, dt, stage, slopes)
        for j in range(2):
            miss = y[j] - data[i, j]
            loss += miss * miss
    return loss


def _rk4_step(
    rates: Annotated[NDArray[np.float64], "4"],
    y: Annotated[NDArray[np.float64], "2"],
    dt: float,
    stage: Annotated[NDArray[np.float64], "2"],
    slopes: Annotated[NDArray[np.float64], "4 2"],
) -> None:
    """Advance ``y`` by ``dt`` in place; ``stage`` and ``slopes`` are work arrays."""
    _slope(rates, y, slopes[0])
    for k in range(1, 4):
        step = dt if k == 3 else 0.5 * dt
        for j in range(2):
            stage[j] = y[j] + step * slopes[k - 1, j]
        _slope(rates, stage, slopes[k])
    for j in range(2):
        inner = slopes[1, j] + slopes[2, j]
        y[j] += dt / 6.0 * (slopes[0, j] + 2.0 * inner + slopes[3, j])


def _slope(
    rates: Annotated[NDArray[np.float64], "4"],
    y: Annotated[NDArray[np.float64], "2"],
    out: Annotated[NDArray[np.float64], "2"],
) -> None:
    out[0] = rates[0] * y[0] - rates[1] * y[0] * y[1]
    out[1] = rates[2] * y[0] * y[1] - rates[3] * y[1]
