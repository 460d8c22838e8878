from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def griewank(x: Vec) -> float:
    x = np.asarray(x)
    part1 = np.sum(x**2) / 4000.0
    part2 = np.prod(np.cos(x / np.sqrt(np.arange(1, x.size + 1))))
    return float(part1 - part2 + 1)


def rosenbrock(x: Vec) -> float:
    x = np.asarray(x)
    return float(np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (x[:-1] - 1.0) ** 2))
