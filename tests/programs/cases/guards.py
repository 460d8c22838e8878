"""Guards for arrays of another rank than the one that is annotated."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "q"]


def for_a_row(tau: Vec, k: float) -> float:
    if tau.shape[0] == 1 and tau.shape[1] > 1:
        tau = tau.T
    return np.sum(np.exp(-k * tau))


def in_an_arm(x: Vec, wide: bool) -> float:
    n = len(x)
    if not wide:
        n = x.shape[1]
    return np.sum(x * n)


def that_is_caught(x: Vec, k: int) -> float:
    try:
        n = x.shape[1] if k > 2 else 4
    except IndexError:
        n = 1
    return np.sum(x**2) * n
