import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def griewank(x: Vec) -> float:
    term1 = 1 / 4000 * sum(np.square(x - 100))
    term2 = np.prod(np.cos((x - 100) / np.sqrt(np.arange(1, len(x) + 1))))
    return term1 - term2 + 1


def ackley(x: Vec) -> float:
    n = len(x)
    term1 = -20 * math.exp(-0.2 * np.sqrt(sum(x**2) / n))
    term2 = -math.exp(sum(np.cos(2 * math.pi * x)) / n)
    return term1 + term2 + 20 + math.e
