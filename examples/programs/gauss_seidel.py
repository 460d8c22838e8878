"""Poisson's equation on a grid, relaxed in place by Gauss-Seidel sweeps until it has settled."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray


# mooncake: wrt=u,source
def poisson_misfit(
    u: Annotated[NDArray[np.float64], "n m"],
    source: Annotated[NDArray[np.float64], "n m"],
    target: Annotated[NDArray[np.float64], "n m"],
    h: float,
    tolerance: float,
) -> float:
    """Relax ``u`` (its border is fixed) and return half its squared distance from ``target``.

    Sweeps go on until no value changes by more than ``tolerance``, at most 1000 times.
    """
    sweeps = 0
    change = tolerance + 1.0
    while change > tolerance and sweeps < 1000:
        change = _sweep(u, source, h)
        sweeps += 1

    misfit = 0.0
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            miss = u[i, j] - target[i, j]
            misfit += 0.5 * miss * miss
    return misfit


def _sweep(
    u: Annotated[NDArray[np.float64], "n m"],
    source: Annotated[NDArray[np.float64], "n m"],
    h: float,
) -> float:
    """Update each inner value from its neighbours; return the largest change."""
    largest = 0.0
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            old = u[i, j]
            around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
            u[i, j] = 0.25 * (around - h * h * source[i, j])
            largest = max(largest, abs(u[i, j] - old))
    return largest
