"""The area of a surface over the unit square: soap films in a frame have the least."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray


# mooncake: wrt=inner modes=reverse,hvp
def area(
    inner: Annotated[NDArray[np.float64], "k"], frame: Annotated[NDArray[np.float64], "n m"]
) -> float:
    """The surface has the heights of ``frame`` at its border, and ``inner``, row by row, inside.

    Both triangles of each cell count, so that no corner is left out.
    """
    n, m = frame.shape
    heights = frame.copy()
    heights[1:-1, 1:-1] = inner.reshape(n - 2, m - 2)
    down, across = np.diff(heights, axis=0) * (n - 1), np.diff(heights, axis=1) * (m - 1)
    upper = np.sqrt(1.0 + down[:, :-1] ** 2 + across[:-1, :] ** 2)
    lower = np.sqrt(1.0 + down[:, 1:] ** 2 + across[1:, :] ** 2)
    return float(0.5 * (np.mean(upper) + np.mean(lower)))
