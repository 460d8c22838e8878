from typing import Annotated

import numpy as np
from numpy import prod, sum
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


class Benchmark(object):
    def __init__(self, dimensions):
        self._dimensions = dimensions
        self.nfev = 0
        self.global_optimum = None

    @property
    def N(self):
        return self._dimensions


class AMGM(Benchmark):
    def __init__(self, dimensions=2):
        Benchmark.__init__(self, dimensions)
        self._bounds = list(zip([0.0] * self.N, [10.0] * self.N))
        self.global_optimum = [[1, 1]]

    def fun(self, x, *args):
        self.nfev += 1
        f1 = sum(x)
        f2 = prod(x)
        f1 = f1 / self.N
        f2 = f2 ** (1.0 / self.N)
        f = (f1 - f2) ** 2
        return f


def value(x: Vec) -> float:
    return AMGM(len(x)).fun(x)
