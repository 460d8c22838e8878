from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


class Systematic:
    def __init__(self):
        pass

    def resample(self, particles, weights):
        N = particles.shape[1]
        cdf = np.cumsum(weights)
        r = 0.0 / N
        chosen = np.zeros(particles.shape)
        for i in range(N):
            idx = np.min(np.where(cdf >= r)[0])
            chosen[:, i] = particles[:, idx]
            r = r + 1 / N
        new_weights = np.ones(N) / N
        return chosen, new_weights


def mean_state(particles: Mat, weights: Vec) -> Vec:
    pf = Systematic()
    states, w = pf.resample(particles, weights)
    return states @ w
