"""Zero shadows for arguments that may overlap: overlapping arrays get overlapping shadows.

    overlap = overlaps((extent(x), extent(y)))
    x_bar = shadow(x, overlap, 0)
    y_bar = shadow(y, overlap, 1)

Where arrays overlap, their shadows are windows of one block of memory, at the distance and with
the strides of the arrays: equal addresses have equal shadows. Any other array gets its own.
"""

import numpy as np
from numpy.typing import NDArray

from mooncake_runtime.jit import inner
from mooncake_runtime.memory import address, window
from mooncake_runtime.placing import placed

Extent = tuple[int, int]
Overlaps = tuple[NDArray[np.uint8], NDArray[np.int64]]

_placed = inner(placed)


@inner
def extent(array: np.ndarray) -> Extent:
    """The first address that ``array`` occupies and the one behind its last; (0, 0) if empty."""
    low = address(array)
    high = low + array.itemsize
    for axis in range(array.ndim):
        reach = (array.shape[axis] - 1) * array.strides[axis]
        low += min(reach, 0)
        high += max(reach, 0)
    return (low, high) if array.size > 0 else (0, 0)


@inner
def overlaps(extents: tuple[Extent, ...]) -> Overlaps:
    """Zeroed memory for all arrays that overlap another, and where each begins in it (else -1)."""
    n = len(extents)
    low = np.empty(n, np.int64)
    high = np.empty(n, np.int64)
    for i, (begin, end) in enumerate(extents):
        low[i], high[i] = begin, end
    used, offsets = _placed(low, high)
    return np.zeros(used, np.uint8), offsets


@inner
def shadow(array: np.ndarray, overlap: Overlaps, index: int) -> np.ndarray:
    """The zero shadow of ``array``, which was number ``index`` among the extents."""
    memory, offsets = overlap
    at = offsets[index]
    if at < 0:
        return np.zeros_like(array)
    return window(memory, at + address(array) - extent(array)[0], array)
