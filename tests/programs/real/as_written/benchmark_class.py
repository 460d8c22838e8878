from typing import Annotated

import numpy as np
from numpy import cos, exp, pi, sqrt, sum
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


class Benchmark(object):
    def __init__(self, dimensions):
        self._dimensions = dimensions
        self.nfev = 0
        self.fglob = np.nan
        self.global_optimum = None

    @property
    def N(self):
        return self._dimensions


class Ackley01(Benchmark):
    def __init__(self, dimensions=2):
        Benchmark.__init__(self, dimensions)
        self._bounds = list(zip([-35.0] * self.N, [35.0] * self.N))
        self.global_optimum = [[0 for _ in range(self.N)]]
        self.fglob = 0.0
        self.change_dimensionality = True

    def fun(self, x, *args):
        self.nfev += 1
        u = sum(x**2)
        v = sum(cos(2 * pi * x))
        return -20.0 * exp(-0.2 * sqrt(u / self.N)) - exp(v / self.N) + 20.0 + exp(1.0)


def value(x: Vec) -> float:
    problem = Ackley01(2)
    return problem.fun(x)
