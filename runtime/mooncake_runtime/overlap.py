"""The test of ``--debug-checks`` that shadows overlap as their arrays do."""

import numpy as np
from numpy.typing import NDArray

from mooncake_runtime.jit import inner
from mooncake_runtime.memory import address
from mooncake_runtime.shadows import Extent, extent


@inner
def same_overlap(x: np.ndarray, y: np.ndarray, x_bar: np.ndarray, y_bar: np.ndarray) -> bool:
    """True if ``x_bar`` and ``y_bar``, of the shapes of ``x`` and ``y``, overlap as these do.

    Elements of ``x`` and ``y`` have one address if and only if their shadows do. Ranges of them
    alone do not tell: columns of a matrix are apart in one layout and interleave in another.
    O(1) where neither ranges meet, else O(n log n) for n elements.
    """
    if not (_meet(extent(x), extent(y)) or _meet(extent(x_bar), extent(y_bar))):
        return True
    if x.size != x_bar.size or y.size != y_bar.size:
        return False
    primal = np.concatenate((_addresses(x), _addresses(y)))
    shadow = np.concatenate((_addresses(x_bar), _addresses(y_bar)))
    return _decides(primal, shadow) and _decides(shadow, primal)


@inner
def _meet(a: Extent, b: Extent) -> bool:
    return a[0] < b[1] and b[0] < a[1]


@inner
def _addresses(array: np.ndarray) -> NDArray[np.int64]:
    """The addresses of the elements, in C order."""
    found = np.full(array.size, address(array), np.int64)
    for k in range(array.size):
        rest = k
        for axis in range(array.ndim - 1, -1, -1):
            found[k] += rest % array.shape[axis] * array.strides[axis]
            rest //= array.shape[axis]
    return found


@inner
def _decides(a: NDArray[np.int64], b: NDArray[np.int64]) -> bool:
    """True if equal items of ``a`` have equal items in ``b``."""
    order = np.argsort(a)
    for k in range(1, a.size):
        i, j = order[k - 1], order[k]
        if a[i] == a[j] and b[i] != b[j]:
            return False
    return True
