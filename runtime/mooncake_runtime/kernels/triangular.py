"""Triangular systems."""

from __future__ import annotations

import numpy as np

from mooncake_runtime.kernels.compiled import compiled_as, part
from mooncake_runtime.kernels.routines import L, N, R, T, U, call, core, found, readable

# Up to so many equations loops are faster than a call of BLAS.
FEW = 8
SINGULAR = -1


def _solve_triangular(
    a: np.ndarray, b: np.ndarray, lower: bool, trans: bool, unit: bool
) -> np.ndarray:
    n = b.shape[0]
    if a.shape[0] != n or a.shape[1] != n:
        raise ValueError("solve_triangular: the shapes do not fit")
    x = np.empty(b.shape, b.dtype)
    x[...] = b
    status = _solve(a, as_columns(x), lower, trans, unit)
    if status == SINGULAR:
        raise np.linalg.LinAlgError("Singular matrix")
    if status <= 0:
        raise MemoryError("solve_triangular failed")
    return x


@compiled_as(_solve_triangular)
def solve_triangular(
    a: np.ndarray, b: np.ndarray, lower: bool, trans: bool, unit: bool
) -> np.ndarray:
    """The ``x`` with ``a @ x = b``, or ``a.T @ x = b`` if ``trans``, of the shape of ``b``.

    ``a`` (n, n) is the ``lower`` or the upper triangle of what it holds; its diagonal counts as
    ones if ``unit``. ``b`` is (n,) or (n, m). Any layouts, one dtype. Raises LinAlgError where a
    number on the diagonal is 0.
    """
    if a.shape != (len(b), len(b)):
        raise ValueError("solve_triangular: the shapes do not fit")
    x = b.copy(order="C")
    if substitute(a.T if trans else a, x, bool(lower) != bool(trans), unit) == SINGULAR:
        raise np.linalg.LinAlgError("Singular matrix")
    return x


@part
def as_columns(x: np.ndarray) -> np.ndarray:
    """A vector as a matrix of one column; a matrix as it is. ``x`` is C-contiguous."""
    return x.reshape((x.shape[0], x.size // max(x.shape[0], 1)))


@core
def _solve(a: np.ndarray, x: np.ndarray, lower: bool, trans: bool, unit: bool) -> int:
    if trans:
        return substitute_all(a.T, x, not lower, bool(unit))
    return substitute_all(a, x, bool(lower), bool(unit))


@part
def substitute_all(a: np.ndarray, x: np.ndarray, lower: bool, unit: bool) -> int:
    """Overwrite the C-contiguous ``x`` of rank 2 by the solution of ``a @ solution = x``."""
    n, m = x.shape
    if n <= FEW or m == 0 or not found("trsm", (a, x)) or not found("trsv", (a, x)):
        return substitute(a, x, lower, unit)
    if not unit:
        for i in range(n):
            if a[i, i] == 0:
                return SINGULAR
    a, transpose, lead = readable(a)
    uplo = L if lower == (transpose == T) else U  # BLAS sees the transpose of a matrix of rows
    diagonal = U if unit else N
    if m == 1:
        call("trsv", x, (uplo, N if transpose == T else T, diagonal, n, a, lead, x, 1))
    else:
        one = x.dtype.type(1)
        call("trsm", x, (R, uplo, transpose, diagonal, m, n, one, a, lead, x, m))
    return 1


@part
def substitute(a: np.ndarray, x: np.ndarray, lower: bool, unit: bool) -> int:
    """``substitute_all`` by loops over whole rows of ``x``."""
    n = x.shape[0]
    for step in range(n):
        i = step if lower else n - 1 - step
        for j in range(0 if lower else i + 1, i if lower else n):
            x[i] -= a[i, j] * x[j]
        if not unit:
            if a[i, i] == 0:
                return SINGULAR
            x[i] /= a[i, i]
    return 1
