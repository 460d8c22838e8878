"""Addresses of arrays, and arrays that are laid over given memory."""

import numpy as np
from numpy.typing import NDArray

from mooncake_runtime.compiling import jit_enabled


def address(array: np.ndarray) -> int:
    """The address of the first element of ``array``."""
    data: int = array.__array_interface__["data"][0]
    return data


def window(memory: NDArray[np.uint8], offset: int, like: np.ndarray) -> np.ndarray:
    """The array at ``offset`` in ``memory`` with the dtype, shape and strides of ``like``."""
    return np.ndarray(like.shape, like.dtype, memory, offset, like.strides)


def as_contiguous(array: np.ndarray) -> np.ndarray:
    """``array``, which is C-contiguous, as compilers may not know: what lets them reshape it."""
    return array


if jit_enabled():
    from mooncake_runtime.memory_numba import compile_memory

    compile_memory(address, window, as_contiguous)
