"""Access of compiled kernels to BLAS and LAPACK; unused in plain Python.

``@core`` makes of a function one that is compiled once for all callers and layouts; ``found("gemm",
(a, b))`` is True if there is a routine for the dtype of ``a`` and ``b``; ``call("gemm", a, (...))``
calls it. See ``routines_numba.py``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mooncake_runtime.compiling import jit_enabled
from mooncake_runtime.kernels.compiled import part

if jit_enabled():
    from mooncake_runtime.kernels import routines_numba

    core = routines_numba.core
    found = routines_numba.found
    call = routines_numba.call
else:

    def core(body: Callable[..., int]) -> Callable[..., int]:
        """Nothing is compiled."""
        return body

    def found(name: str, arrays: tuple[np.ndarray, ...]) -> bool:
        """Plain Python has no routines."""
        return False

    def call(name: str, like: np.ndarray, operands: tuple[object, ...]) -> None:
        """Never called."""


N, T = ord("N"), ord("T")  # not transposed, or none; transposed
L, U, R = ord("L"), ord("U"), ord("R")  # lower, upper; from the right


@part
def leading(a: np.ndarray) -> int:
    """The elements from one row of ``a`` to the next, for BLAS; 0 if it can't read ``a`` by rows.

    BLAS, which expects columns, is then told to read the transpose of ``a``.
    """
    rows: int = a.shape[0]
    cols: int = a.shape[1]
    item = a.itemsize
    down, right = a.strides
    if cols > 1 and right != item:
        return 0
    if rows <= 1:
        return max(cols, 1)
    return max(down // item, 1) if down >= cols * item and down % item == 0 else 0


@part
def spacing(x: np.ndarray) -> int:
    """The elements from one item of ``x`` to the next, for BLAS; 0 if it can't read ``x``."""
    item = x.itemsize
    step = x.strides[0]
    if x.size <= 1:
        return 1
    return step // item if step > 0 and step % item == 0 else 0


@part
def readable(a: np.ndarray) -> tuple[np.ndarray, int, int]:
    """``a`` or a copy for BLAS: whether its transpose must be transposed, and ``leading``."""
    if leading(a) > 0:
        return a, N, leading(a)
    if leading(a.T) > 0:
        return a, T, leading(a.T)
    a = np.ascontiguousarray(a)[:, :]
    return a, N, leading(a)


@part
def by_columns(a: np.ndarray) -> np.ndarray:
    """A copy of ``a`` whose columns are contiguous, as LAPACK wants them."""
    copy = np.empty((a.shape[1], a.shape[0]), a.dtype).T
    copy_into(copy, a)
    return copy


@part
def copy_into(target: np.ndarray, source: np.ndarray) -> None:
    """Fill a matrix with the numbers at the same places of ``source``, which may be larger."""
    for i in range(target.shape[0]):
        for j in range(target.shape[1]):
            target[i, j] = source[i, j]


@part
def as_columns(x: np.ndarray) -> np.ndarray:
    """A view of a vector as a matrix of one column; a matrix as it is."""
    if x.ndim == 1:
        return x[:, np.newaxis]
    return x


@part
def as_rows(x: np.ndarray) -> np.ndarray:
    """A view of a vector as a matrix of one row; a matrix as it is."""
    if x.ndim == 1:
        return x[np.newaxis]
    return x
