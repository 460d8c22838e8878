"""Cholesky and LU factors, and what is solved with them: loops if small, LAPACK elsewhere."""

from __future__ import annotations

import numpy as np

from mooncake_runtime.jit import inner
from mooncake_runtime.kernels.compiled import compiled_as, part
from mooncake_runtime.kernels.routines import (
    U,
    as_columns,
    by_columns,
    call,
    copy_into,
    core,
    found,
)
from mooncake_runtime.kernels.triangular import lose, lost, solve_triangular, substitute

# Up to so many rows loops are faster than a call of LAPACK.
FEW = 8
NO_FACTOR = -1  # not positive definite, or singular


# ---- Cholesky ------------------------------------------------------------------------------------


def _cholesky(a: np.ndarray) -> np.ndarray:
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    factor = np.empty(a.shape, a.dtype)
    status = _cholesky_into(a, factor)
    if status == NO_FACTOR:
        raise np.linalg.LinAlgError("Matrix is not positive definite")
    if status <= 0:
        raise MemoryError("cholesky failed")
    return factor


@compiled_as(_cholesky)
def cholesky(a: np.ndarray) -> np.ndarray:
    """The lower triangular ``L`` with ``L @ L.T.conj() = a``.

    (n, n), any layout, real or complex; only the lower triangle of ``a`` is read, of its diagonal
    the real part. Raises LinAlgError if ``a`` is not positive definite.
    """
    return np.ascontiguousarray(np.linalg.cholesky(a))


@core
def _cholesky_into(a: np.ndarray, factor: np.ndarray) -> int:
    """``factor`` is C-contiguous: LAPACK sees its transpose."""
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            factor[i, j] = a[i, j] if j <= i else 0
    if n <= FEW or not found("potrf", (factor,)):
        return _cholesky_by_loops(factor)
    info = np.zeros(1, np.int64)
    call("potrf", factor, (U, n, factor, n, info))
    return NO_FACTOR if info[0] != 0 else 1


@part
def _cholesky_by_loops(a: np.ndarray) -> int:
    for j in range(a.shape[0]):
        pivot = a[j, j].real
        for k in range(j):
            pivot -= (a[j, k] * np.conj(a[j, k])).real
        if pivot <= 0:  # not so NaN, as in NumPy's
            return NO_FACTOR
        pivot = np.sqrt(pivot)
        a[j, j] = pivot
        for i in range(j + 1, a.shape[0]):
            for k in range(j):
                a[i, j] -= a[i, k] * np.conj(a[j, k])
            a[i, j] /= pivot
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
    as ``scipy.linalg.lu_factor`` has it; pivots are int64. Any layout, real or complex. A singular
    ``a`` has zeros on the diagonal of ``U``. The determinant is the product of that diagonal, with
    the other sign if an odd number of pivots differ from ``i``.
    """
    packed = a.copy(order="C")
    pivots = np.empty(min(a.shape), np.int64)
    for k in range(len(pivots)):
        below = packed[k:, k]
        best = k + int(np.argmax(np.abs(below.real) + np.abs(below.imag)))
        pivots[k] = best
        packed[[k, best]] = packed[[best, k]]
        if packed[k, k] != 0:
            packed[k + 1 :, k] /= packed[k, k]
            packed[k + 1 :, k + 1 :] -= np.outer(packed[k + 1 :, k], packed[k, k + 1 :])
    return packed, pivots


@inner
def pivots(a: np.ndarray) -> np.ndarray:
    """The (min(m, n),) pivots of ``lu(a)``, as int64."""
    return lu(a)[1]


@core
def _lu_into(a: np.ndarray, packed: np.ndarray, pivots: np.ndarray) -> int:
    columns = by_columns(a)
    status = _lu_in_place(columns, pivots)
    copy_into(packed, columns)
    return status


@core
def _lu_in_place(a: np.ndarray, pivots: np.ndarray) -> int:
    """``a`` has contiguous columns, the pivots are contiguous."""
    m, n = a.shape
    count = pivots.size
    if count <= FEW or not found("getrf", (a,)):
        _lu_by_loops(a, pivots)
        return 1
    wide = np.zeros(count, np.int64)
    info = np.zeros(1, np.int64)
    call("getrf", a, (m, n, a, m, wide, info))
    short = wide.view(np.int32)
    packed = wide[0] >> 32 != 0  # LAPACK's integers have 32 bits: it wrote two of them
    for i in range(count):
        pivots[i] = (short[i] if packed else wide[i]) - 1
    return 1


@part
def _lu_by_loops(a: np.ndarray, pivots: np.ndarray) -> None:
    """Gaussian elimination; the pivot is the first of largest size in its column, as in LAPACK."""
    m, n = a.shape
    for k in range(pivots.size):
        best = k
        for i in range(k + 1, m):
            if _size(a[i, k]) > _size(a[best, k]):
                best = i
        pivots[k] = best
        if a[best, k] == 0:
            continue
        _exchange(a, k, best)
        for i in range(k + 1, m):
            a[i, k] /= a[k, k]
        for j in range(k + 1, n):
            for i in range(k + 1, m):
                a[i, j] -= a[i, k] * a[k, j]


@part
def _size(x: complex) -> float:
    """The sizes of both parts of a number: what pivots are chosen by."""
    return abs(x.real) + abs(x.imag)


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
    status = _lu_solve_into(packed, pivots, as_columns(b), as_columns(x), trans)
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
    n = len(b)
    if packed.shape != (n, n) or len(pivots) != n:
        raise ValueError("lu_solve: the shapes do not fit")
    order = np.arange(n)
    for i, j in enumerate(pivots):
        order[[i, j]] = order[[j, i]]
    if not trans:
        return solve_triangular(
            packed, solve_triangular(packed, b[order], True, False, True), False, False, False
        )
    x = np.empty(b.shape, b.dtype)
    inner = solve_triangular(packed, b, False, True, False)
    x[order] = solve_triangular(packed, inner, True, True, True)
    return x


def _lu_solve_any(packed: np.ndarray, pivots: np.ndarray, b: np.ndarray, trans: bool) -> np.ndarray:
    n = b.shape[0]
    if packed.shape[0] != n or packed.shape[1] != n or pivots.size != n:
        raise ValueError("lu_solve: the shapes do not fit")
    x = np.empty(b.shape, b.dtype)
    status = _lu_solve_into(packed, pivots, as_columns(b), as_columns(x), trans)
    if status == NO_FACTOR:
        lose(as_columns(x))
    elif status <= 0:
        raise MemoryError("lu_solve failed")
    return x


@compiled_as(_lu_solve_any)
def lu_solve_any(packed: np.ndarray, pivots: np.ndarray, b: np.ndarray, trans: bool) -> np.ndarray:
    """``lu_solve(packed, pivots, b, trans)``; nan if ``a`` is singular, 0 for a column of 0."""
    if np.any(np.diagonal(packed) == 0):
        return lost(b)
    return lu_solve(packed, pivots, b, trans)


@core
def _lu_solve_into(
    packed: np.ndarray, pivots: np.ndarray, b: np.ndarray, x: np.ndarray, trans: bool
) -> int:
    copy_into(x, b)
    if trans:
        return _solve_transposed(packed, pivots, x)
    return _solve_factored(packed, pivots, x)


@part
def _solve_factored(packed: np.ndarray, pivots: np.ndarray, x: np.ndarray) -> int:
    """``x`` is C-contiguous and of rank 2."""
    for i in range(pivots.size):
        if packed[i, i] == 0:
            return NO_FACTOR
        _exchange(x, i, pivots[i])
    status = substitute(packed, x, True, True)
    return min(status, substitute(packed, x, False, False))


@part
def _solve_transposed(packed: np.ndarray, pivots: np.ndarray, x: np.ndarray) -> int:
    for i in range(pivots.size):
        if packed[i, i] == 0:
            return NO_FACTOR
    status = substitute(packed.T, x, True, False)
    status = min(status, substitute(packed.T, x, False, True))
    for i in range(pivots.size - 1, -1, -1):
        _exchange(x, i, pivots[i])
    return status


def _solve(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if a.shape[0] != b.shape[0]:
        raise ValueError("solve: the shapes do not fit")
    x = np.empty(b.shape, b.dtype)
    status = _solve_into(a, as_columns(b), as_columns(x))
    if status == NO_FACTOR:
        raise np.linalg.LinAlgError("Singular matrix")
    if status <= 0:
        raise MemoryError("solve failed")
    return x


@compiled_as(_solve)
def solve(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The ``x`` with ``a @ x = b``; ``a`` is (n, n), ``b`` (n,) or (n, m).

    Any layouts, one dtype, real or complex. Raises LinAlgError if ``a`` is singular.
    """
    return np.ascontiguousarray(np.linalg.solve(a, b))


@core
def _solve_into(a: np.ndarray, b: np.ndarray, x: np.ndarray) -> int:
    copy_into(x, b)
    columns = by_columns(a)
    pivots = np.empty(a.shape[0], np.int64)
    status = _lu_in_place(columns, pivots)
    return min(status, _solve_factored(columns, pivots, x))


def _inv(a: np.ndarray) -> np.ndarray:
    return solve(a, np.eye(a.shape[0], dtype=a.dtype))


@compiled_as(_inv)
def inv(a: np.ndarray) -> np.ndarray:
    """The inverse of (n, n), any layout. Raises LinAlgError if ``a`` is singular."""
    return np.ascontiguousarray(np.linalg.inv(a))


# ---- what would fail -----------------------------------------------------------------------------


def _indefinite(a: np.ndarray) -> bool:
    return _cholesky_into(a, np.empty(a.shape, a.dtype)) == NO_FACTOR


@compiled_as(_indefinite)
def indefinite(a: np.ndarray) -> bool:
    """True if ``cholesky(a)`` raises LinAlgError: (n, n), any layout."""
    try:
        np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        return True
    return False


def _singular(a: np.ndarray) -> bool:
    columns = by_columns(a)
    pivots = np.empty(a.shape[0], np.int64)
    _lu_in_place(columns, pivots)
    zeros = 0
    for i in range(pivots.size):
        zeros += columns[i, i] == 0
    return zeros > 0


@compiled_as(_singular)
def singular(a: np.ndarray) -> bool:
    """True if ``solve(a, b)`` and ``inv(a)`` raise LinAlgError: (n, n), any layout."""
    try:
        np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return True
    return False
