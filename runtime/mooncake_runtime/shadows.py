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

Extent = tuple[int, int]
Overlaps = tuple[NDArray[np.uint8], NDArray[np.int64]]


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
    offsets = np.full(n, -1)
    used = 0
    for i in range(n):
        if offsets[i] < 0:
            used += _place_group(low, high, i, used, offsets)
    return np.zeros(used, np.uint8), offsets


@inner
def _place_group(
    low: NDArray[np.int64], high: NDArray[np.int64], first: int, at: int, offsets: NDArray[np.int64]
) -> int:
    """Place the arrays connected with array ``first`` at ``at``; the bytes that they take."""
    begin, end = low[first], high[first]
    members = 1
    grown = True
    while grown:  # an array that joins may bring the next into reach
        before = members
        members = 0
        for j in range(low.size):
            if low[j] < end and high[j] > begin:
                begin, end = min(begin, low[j]), max(end, high[j])
                members += 1
        grown = members != before
    if members < 2:
        return 0
    for j in range(low.size):
        if low[j] < end and high[j] > begin:
            offsets[j] = at + low[j] - begin
    return int(end - begin + 63) // 64 * 64  # the next group is aligned, too


@inner
def shadow(array: np.ndarray, overlap: Overlaps, index: int) -> np.ndarray:
    """The zero shadow of ``array``, which was number ``index`` among the extents."""
    memory, offsets = overlap
    at = offsets[index]
    if at < 0:
        return np.zeros_like(array)
    return window(memory, at + address(array) - extent(array)[0], array)
