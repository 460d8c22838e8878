"""Log likelihood of a scalar time series under a linear Gaussian state-space model.

state' = transition @ state + N(0, process);  observed = emission . state + N(0, noise)
"""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray


# mooncake: wrt=transition,emission,process,noise
def kalman_log_likelihood(
    transition: Annotated[NDArray[np.float64], "s s"],
    emission: Annotated[NDArray[np.float64], "s"],
    process: Annotated[NDArray[np.float64], "s s"],
    noise: float,
    observed: Annotated[NDArray[np.float64], "n"],
) -> float:
    """Run the Kalman filter from the state N(0, identity) and add up the log densities."""
    size = emission.shape[0]
    mean = np.zeros(size)
    cov = np.zeros((size, size))
    for i in range(size):
        cov[i, i] = 1.0
    old_mean = np.empty(size)
    half = np.empty((size, size))
    gain = np.empty(size)

    log_density = 0.0
    for t in range(observed.shape[0]):
        _predict(transition, process, mean, cov, old_mean, half)

        # The innovation: what the observation adds to the prediction.
        surprise = observed[t]
        variance = noise
        for i in range(size):
            surprise -= emission[i] * mean[i]
            gain[i] = 0.0
            for j in range(size):
                gain[i] += cov[i, j] * emission[j]
            variance += emission[i] * gain[i]
        log_density -= 0.5 * (math.log(2.0 * math.pi * variance) + surprise * surprise / variance)

        for i in range(size):
            mean[i] += gain[i] * surprise / variance
            for j in range(size):
                cov[i, j] -= gain[i] * gain[j] / variance
    return log_density


def _predict(
    transition: Annotated[NDArray[np.float64], "s s"],
    process: Annotated[NDArray[np.float64], "s s"],
    mean: Annotated[NDArray[np.float64], "s"],
    cov: Annotated[NDArray[np.float64], "s s"],
    old_mean: Annotated[NDArray[np.float64], "s"],
    half: Annotated[NDArray[np.float64], "s s"],
) -> None:
    """Advance ``mean`` and ``cov`` by one step in place; the last two are work arrays."""
    size = mean.shape[0]
    for i in range(size):
        old_mean[i] = mean[i]
        for j in range(size):
            total = 0.0
            for k in range(size):
                total += transition[i, k] * cov[k, j]
            half[i, j] = total
    for i in range(size):
        mean[i] = 0.0
        for j in range(size):
            mean[i] += transition[i, j] * old_mean[j]
            total = process[i, j]
            for k in range(size):
                total += half[i, k] * transition[j, k]
            cov[i, j] = total
