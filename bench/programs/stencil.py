"""Reaction and diffusion on a line, in place."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray


def stencil(u: Annotated[NDArray[np.float64], "n"], c: float, steps: int) -> float:
    """Sweep over ``u`` in place ``steps`` times; return the sum of its squares."""
    n = u.shape[0]
    for _ in range(steps):
        for i in range(1, n - 1):
            v = u[i]
            u[i] = v + c * (u[i - 1] - 2.0 * v + u[i + 1]) - c * v * v * v
    total = 0.0
    for i in range(n):
        total += u[i] * u[i]
    return total
