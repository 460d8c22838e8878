"""Memory for stacks of scalars: arrays that grow."""

import numpy as np

from mooncake_runtime.jit import inner


@inner
def grow(array: np.ndarray, size: int) -> np.ndarray:
    """``array`` if it holds at least ``size`` items, else a copy of at least twice its length."""
    if size <= array.size:
        return array
    larger = np.empty(max(size, 2 * array.size), array.dtype)
    larger[: array.size] = array
    return larger
