"""Cholesky and LU factors, and what is solved with them."""

from __future__ import annotations

import numpy as np

from mooncake_runtime.kernels.compiled import compiled_as, part
from mooncake_runtime.kernels.routines import U, by_columns, call, core, found
from mooncake_runtime.kernels.triangular import as_columns, substitute_all

# Up to so many rows loops are faster than a call of LAPACK.
FEW = 8
NO_FACTOR = -1  # not positive definite, or singular


# ---- Cholesky ------------------------------------------------------------------------------------


def _cholesky(a: np.ndarray) -> np.ndarray:
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    factor = np.empty(a.shape, a.dtype)
    factor[...] = a
    status = _cholesky_in_place(factor)
    if status == NO_FACTOR:
        raise np.linalg.LinAlgError("Matrix is not positive definite")
    if status <= 0:
        raise MemoryError("cholesky failed")
    return factor


@compiled_as(_cholesky)
def cholesky(a: np.ndarray) -> np.ndarray:
    """The lower triangular ``L`` with ``L @ L.T = a``; only the lower triangle of ``a`` is read.

    (n, n), any layout. Raises LinAlgError if ``a`` is not positive definite.
    """
    return np.linalg.cholesky(a)


@core
def _cholesky_in_place(a: np.ndarray) -> int:
    """``a`` is C-contiguous: LAPACK sees its transpose."""
    n = a.shape[0]
    if n > FEW and found("potrf", (a,)):
        info = np.zeros(1, np.int64)
        call("potrf", a, (U, n, a, n, info))
        failed = info[0] != 0
    else:
        failed = _cholesky_loops(a) < 0
    for i in range(n):
        a[i, i + 1 :] = 0
    return NO_FACTOR if failed else 1


@part
def _cholesky_loops(a: np.ndarray) -> int:
    for j in range(a.shape[0]):
        for k in range(j):
            a[j, j] -= a[j, k] * a[j, k]
        if not a[j, j] > 0:
            return NO_FACTOR
        a[j, j] = np.sqrt(a[j, j])
        for i in range(j + 1, a.shape[0]):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
    return 1


# ---- LU ------------------------------------------------------------------------------------------


def _lu(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    packed = np.empty(a.shape, a.dtype)
    pivots = np.empty(min(a.shape), np.int64)
    if _lu_into(a, packed, pivots) <= 0:
        raise MemoryError("lu failed")
    return packed, pivots


@compiled_as(_lu)
def lu(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``L`` below the diagonal (ones on it) and ``U`` in one (m, n), and (min(m, n),) pivots.

    ``L @ U`` is ``a`` after exchanging row ``i`` with row ``pivots[i]`` for each ``i`` in order,
    as ``scipy.linalg.lu_factor`` has it. Any layout. A singular ``a`` has zeros on the diagonal
    of ``U``. The determinant is the product of that diagonal, with the other sign if an odd
    number of pivots differ from ``i``.
    """
    packed = a.copy(order="C")
    pivots = np.empty(min(a.shape), np.int64)
    _lu_loops(packed, pivots)
    return packed, pivots


@core
def _lu_into(a: np.ndarray, packed: np.ndarray, pivots: np.ndarray) -> int:
    columns = by_columns(a)
    _lu_in_place(columns, pivots)
    packed[...] = columns
    return 1


@part
def _lu_in_place(a: np.ndarray, pivots: np.ndarray) -> None:
    """``a`` has contiguous columns."""
    m, n = a.shape
    if pivots.size <= FEW or not found("getrf", (a,)):
        _lu_loops(a, pivots)
        return
    info = np.zeros(1, np.int64)
    pivots[:] = 0
    call("getrf", a, (m, n, a, m, pivots, info))
    if pivots[0] >> 32 != 0:  # LAPACK's integers have 32 bits: it wrote two of them
        short = pivots.view(np.int32).copy()
        pivots[:] = short[: pivots.size]
    pivots -= 1


@part
def _lu_loops(a: np.ndarray, pivots: np.ndarray) -> None:
    """Gaussian elimination; the pivot is the first of largest modulus in its column."""
    for k in range(pivots.size):
        best = k + int(np.argmax(np.abs(a[k:, k])))
        pivots[k] = best
        if a[best, k] == 0:
            continue
        _exchange(a, k, best)
        for i in range(k + 1, a.shape[0]):
            a[i, k] /= a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]


@part
def _exchange(a: np.ndarray, i: int, j: int) -> None:
    """Exchange two rows."""
    if i != j:
        for k in range(a.shape[1]):
            a[i, k], a[j, k] = a[j, k], a[i, k]


# ---- systems -------------------------------------------------------------------------------------


def _lu_solve(packed: np.ndarray, pivots: np.ndarray, b: np.ndarray, trans: bool) -> np.ndarray:
    n = b.shape[0]
    if packed.shape[0] != n or packed.shape[1] != n or pivots.size != n:
        raise ValueError("lu_solve: the shapes do not fit")
    x = np.empty(b.shape, b.dtype)
    x[...] = b
    status = _lu_solve_in_place(packed, pivots, as_columns(x), trans)
    if status == NO_FACTOR:
        raise np.linalg.LinAlgError("Singular matrix")
    if status <= 0:
        raise MemoryError("lu_solve failed")
    return x


@compiled_as(_lu_solve)
def lu_solve(packed: np.ndarray, pivots: np.ndarray, b: np.ndarray, trans: bool) -> np.ndarray:
    """The ``x`` with ``a @ x = b``, or ``a.T @ x = b`` if ``trans``, from what ``lu(a)`` returned.

    ``b`` is (n,) or (n, m). Any layouts, one dtype. Raises LinAlgError if ``a`` is singular.
    """
    if packed.shape != (len(b), len(b)):
        raise ValueError("lu_solve: the shapes do not fit")
    x = b.copy(order="C")
    if _solve_factored(packed, pivots, as_columns(x), trans) == NO_FACTOR:
        raise np.linalg.LinAlgError("Singular matrix")
    return x


@core
def _lu_solve_in_place(packed: np.ndarray, pivots: np.ndarray, x: np.ndarray, trans: bool) -> int:
    return _solve_factored(packed, pivots, x, trans)


@part
def _solve_factored(packed: np.ndarray, pivots: np.ndarray, x: np.ndarray, trans: bool) -> int:
    """``x`` is C-contiguous and of rank 2."""
    n = pivots.size
    for i in range(n):
        if packed[i, i] == 0:
            return NO_FACTOR
    if trans:
        substitute_all(packed.T, x, True, False)
        substitute_all(packed.T, x, False, True)
        for i in range(n - 1, -1, -1):
            _exchange(x, i, pivots[i])
        return 1
    for i in range(n):
        _exchange(x, i, pivots[i])
    substitute_all(packed, x, True, True)
    substitute_all(packed, x, False, False)
    return 1


def _solve(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    n = b.shape[0]
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if a.shape[0] != n:
        raise ValueError("solve: the shapes do not fit")
    x = np.empty(b.shape, b.dtype)
    x[...] = b
    status = _solve_in_place(a, as_columns(x))
    if status == NO_FACTOR:
        raise np.linalg.LinAlgError("Singular matrix")
    if status <= 0:
        raise MemoryError("solve failed")
    return x


@compiled_as(_solve)
def solve(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The ``x`` with ``a @ x = b``; ``a`` is (n, n), ``b`` (n,) or (n, m).

    Any layouts, one dtype. Raises LinAlgError if ``a`` is singular.
    """
    return np.linalg.solve(a, b)


@core
def _solve_in_place(a: np.ndarray, x: np.ndarray) -> int:
    columns = by_columns(a)
    pivots = np.empty(a.shape[0], np.int64)
    _lu_in_place(columns, pivots)
    return _solve_factored(columns, pivots, x, False)


def _inv(a: np.ndarray) -> np.ndarray:
    return solve(a, np.eye(a.shape[0], dtype=a.dtype))


@compiled_as(_inv)
def inv(a: np.ndarray) -> np.ndarray:
    """The inverse of (n, n), any layout. Raises LinAlgError if ``a`` is singular."""
    return np.linalg.inv(a)
