from typing import Annotated

import numpy as np
import numpy
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


class SoftWarping:
    def __init__(self, gamma=1.0):
        self.gamma = gamma

    def squared(self, first, second):
        n = len(first)
        m = len(second)
        distances = numpy.zeros((n, m))
        for i in range(n):
            for j in range(m):
                distances[i, j] = (first[i] - second[j]) ** 2
        return distances

    def softmin(self, r0, r1, r2):
        rmin = min(r0, r1, r2)
        e0 = numpy.exp(-(r0 - rmin) / self.gamma)
        e1 = numpy.exp(-(r1 - rmin) / self.gamma)
        e2 = numpy.exp(-(r2 - rmin) / self.gamma)
        return rmin - self.gamma * numpy.log(e0 + e1 + e2)

    def forward(self, d: numpy.ndarray):
        n, m = d.shape
        r = numpy.full((n + 2, m + 2), numpy.inf)
        r[0, 0] = 0.0
        for i in range(1, n + 1):
            for j in range(1, m + 1):
                r0 = r[i, j - 1]
                r1 = r[i - 1, j]
                r2 = r[i - 1, j - 1]
                r[i, j] = d[i - 1, j - 1] + self.softmin(r0, r1, r2)
        return r[n, m], r


def distance(first: Vec, second: Vec, gamma: float) -> float:
    warping = SoftWarping(gamma)
    found, _ = warping.forward(warping.squared(first, second))
    return found
