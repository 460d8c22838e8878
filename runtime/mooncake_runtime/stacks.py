"""Memory for stacks and lists: arrays that grow."""

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


@inner
def grow_rows(array: np.ndarray, size: int, shape: tuple[int, ...]) -> np.ndarray:
    """The same for items of ``shape``; an ``array`` of items of another shape holds none yet."""
    fits = array.shape[1:] == shape
    if fits and size <= array.shape[0]:
        return array
    larger = np.empty((max(size, 2 * array.shape[0], 8), *shape), array.dtype)
    if fits:
        larger[: array.shape[0]] = array
    return larger
