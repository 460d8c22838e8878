"""Triangular systems: substitution where they are small, BLAS elsewhere."""

from __future__ import annotations

import numpy as np

from mooncake_runtime.kernels.compiled import compiled_as, part
from mooncake_runtime.kernels.routines import (
    L,
    N,
    R,
    T,
    U,
    as_columns,
    call,
    copy_into,
    core,
    found,
    readable,
)

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
    status = _solve_into(a, as_columns(b), as_columns(x), lower, trans, unit)
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
    n = len(b)
    if a.shape != (n, n):
        raise ValueError("solve_triangular: the shapes do not fit")
    if not unit and (np.diag(a) == 0).any():
        raise np.linalg.LinAlgError("Singular matrix")
    left, forwards = (a.T, not lower) if trans else (a, lower)
    x = b.copy(order="C")
    for i in range(n) if forwards else range(n - 1, -1, -1):
        known = slice(i) if forwards else slice(i + 1, None)
        x[i] -= left[i, known] @ x[known]
        if not unit:
            x[i] /= left[i, i]
    return x


def _solve_triangular_any(
    a: np.ndarray, b: np.ndarray, lower: bool, trans: bool, unit: bool
) -> np.ndarray:
    n = b.shape[0]
    if a.shape[0] != n or a.shape[1] != n:
        raise ValueError("solve_triangular: the shapes do not fit")
    x = np.empty(b.shape, b.dtype)
    status = _solve_into(a, as_columns(b), as_columns(x), lower, trans, unit)
    if status == SINGULAR:
        lose(as_columns(x))
    elif status <= 0:
        raise MemoryError("solve_triangular failed")
    return x


@compiled_as(_solve_triangular_any)
def solve_triangular_any(
    a: np.ndarray, b: np.ndarray, lower: bool, trans: bool, unit: bool
) -> np.ndarray:
    """``solve_triangular``, nan if ``a`` is singular, or 0 where a column of ``b`` is 0."""
    if not unit and np.any(np.diagonal(a) == 0):
        return lost(b)
    return solve_triangular(a, b, lower, trans, unit)


def lost(b: np.ndarray) -> np.ndarray:
    """nan for the columns of ``b``, 0 for those that are 0."""
    return np.where(np.any(b != 0, axis=0), np.nan, np.zeros_like(b))


# ---- compiled ------------------------------------------------------------------------------------


@core
def _solve_into(
    a: np.ndarray, b: np.ndarray, x: np.ndarray, lower: bool, trans: bool, unit: bool
) -> int:
    copy_into(x, b)
    if not unit:
        for i in range(a.shape[0]):
            if a[i, i] == 0:
                return SINGULAR
    if trans:
        return substitute(a.T, x, not lower, unit)
    return substitute(a, x, lower, unit)


@core
def lose(x: np.ndarray) -> int:
    """Overwrite the columns of ``x``, of rank 2, by nan unless they are 0."""
    for k in range(x.shape[1]):
        if np.any(x[:, k] != 0):
            x[:, k] = np.nan
    return 1


@core
def substitute(a: np.ndarray, x: np.ndarray, lower: bool, unit: bool) -> int:
    """Overwrite the C-contiguous ``x`` of rank 2 by the solution of ``a @ solution = x``."""
    n, m = x.shape
    if n <= FEW or m == 0 or not found("trsm", (a, x)) or not found("trsv", (a, x)):
        _by_loops(a, x, lower, unit)
        return 1
    a, transpose, lead = readable(a)
    # BLAS sees the transpose of a matrix that is stored by rows.
    uplo = L if bool(lower) == (transpose == T) else U
    diagonal = U if unit else N
    if m == 1:
        call("trsv", x, (uplo, N if transpose == T else T, diagonal, n, a, lead, x, 1))
    else:
        one = x.dtype.type(1)
        call("trsm", x, (R, uplo, transpose, diagonal, m, n, one, a, lead, x, m))
    return 1


@part
def _by_loops(a: np.ndarray, x: np.ndarray, lower: bool, unit: bool) -> None:
    n, m = x.shape
    for step in range(n):
        i = step if lower else n - 1 - step
        for j in range(0 if lower else i + 1, i if lower else n):
            for k in range(m):
                x[i, k] -= a[i, j] * x[j, k]
        if not unit:
            for k in range(m):
                x[i, k] /= a[i, i]
