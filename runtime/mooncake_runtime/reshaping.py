"""Arrays with another shape, whatever their memory looks like."""

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.memory import as_contiguous

Shape = int | tuple[int, ...]


@inner
def reshaped(array: np.ndarray, shape: Shape) -> np.ndarray:
    """``array.reshape(shape)``: the same memory if ``array`` is C-contiguous, else a copy.

    No size in ``shape`` may be negative. Raises ValueError if they don't multiply to that of
    ``array``.
    """
    if array.flags.c_contiguous:
        return as_contiguous(array).reshape(shape)
    return array.copy().reshape(shape)
