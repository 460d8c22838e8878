"""Heat in a rod whose conductivity is not the same everywhere, step by step in place."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray


# mooncake: wrt=k
def rod_misfit(
    k: Annotated[NDArray[np.float64], "n"],
    start: Annotated[NDArray[np.float64], "n"],
    seen: Annotated[NDArray[np.float64], "times n"],
    every: int,
) -> float:
    """Squared distance of the temperatures from those seen, after each ``every`` steps."""
    u = start.copy()
    flow = np.zeros(k.shape[0] + 1)  # through the borders of the cells; none at the ends
    misfit = 0.0
    for t in range(seen.shape[0]):
        for _ in range(every):
            for i in range(1, k.shape[0]):
                flow[i] = 0.5 * (k[i - 1] + k[i]) * (u[i - 1] - u[i])
            for i in range(k.shape[0]):
                u[i] += flow[i] - flow[i + 1]
        for i in range(k.shape[0]):
            misfit += (u[i] - seen[t, i]) ** 2
    return misfit
