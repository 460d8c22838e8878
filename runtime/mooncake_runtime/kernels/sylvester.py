"""Sylvester's equation, by the Schur forms of both matrices (Bartels and Stewart 1972)."""

from __future__ import annotations

from importlib import import_module

import numpy as np

from mooncake_runtime.kernels.compiled import compiled_as, part
from mooncake_runtime.kernels.routines import N, T, by_columns, call, copy_into, core, found

V = ord("V")  # vectors
MISSING = -2
DIVERGED = -1


def _sylvester(a: np.ndarray, b: np.ndarray, q: np.ndarray) -> np.ndarray:
    if a.shape != (q.shape[0], q.shape[0]) or b.shape != (q.shape[1], q.shape[1]):
        raise ValueError("sylvester: the shapes of the matrices do not fit")
    if not (np.isfinite(a).all() and np.isfinite(b).all() and np.isfinite(q).all()):
        raise ValueError("array must not contain infs or NaNs")
    x = np.empty(q.shape, q.dtype)
    status = _sylvester_into(a, b, q, x)
    if status == DIVERGED:
        raise np.linalg.LinAlgError("Schur form not found. Possibly ill-conditioned.")
    if status == MISSING:
        raise ImportError("this function needs SciPy: pip install mooncake-transpile[linalg]")
    if status == 0:
        raise MemoryError("no memory for LAPACK")
    return x


@compiled_as(_sylvester)
def sylvester(a: np.ndarray, b: np.ndarray, q: np.ndarray) -> np.ndarray:
    """``x`` (m, n) with ``a x + x b = q``, for ``a`` (m, m) and ``b`` (n, n), real.

    Any layout. Where ``a`` and ``-b`` have a common eigenvalue it is that of a nearby equation,
    as in SciPy. Raises ValueError for other shapes and what is not finite, LinAlgError if
    LAPACK's gees does not converge, and ImportError without SciPy.
    """
    found: np.ndarray = import_module("scipy.linalg").solve_sylvester(a, b, q)
    return np.ascontiguousarray(found)


@core
def _sylvester_into(a: np.ndarray, b: np.ndarray, q: np.ndarray, x: np.ndarray) -> int:
    m, n = q.shape
    if m == 0 or n == 0:
        return 1
    if not (found("gees", (a, b, q)) and found("trsyl", (a, b, q)) and found("gemm", (a, b, q))):
        return MISSING
    r, t = by_columns(a), by_columns(b.T)
    u, v = np.empty((m, m), a.dtype).T, np.empty((n, n), a.dtype).T
    if _schur(r, u) != 0 or _schur(t, v) != 0:
        return DIVERGED
    one, zero = np.ones(1, a.dtype), np.zeros(1, a.dtype)
    inner, half = by_columns(q), np.empty((n, m), a.dtype).T
    call("gemm", a, (T, N, m, n, m, one, u, m, inner, m, zero, half, m))
    call("gemm", a, (N, N, m, n, n, one, half, m, v, n, zero, inner, m))
    scale, info = np.ones(1, a.dtype), np.zeros(1, np.int64)
    call("trsyl", a, (N, T, 1, m, n, r, m, t, n, inner, m, scale, info))
    call("gemm", a, (N, N, m, n, m, one, u, m, inner, m, zero, half, m))
    call("gemm", a, (N, T, m, n, n, one, half, m, v, n, zero, inner, m))
    copy_into(x, inner)
    for i in range(m):
        for j in range(n):
            x[i, j] /= scale[0]
    return 1


@part
def _schur(a: np.ndarray, vectors: np.ndarray) -> int:
    """Overwrite ``a`` by its real Schur form; both have contiguous columns."""
    n = a.shape[0]
    real, imaginary = np.empty(n, a.dtype), np.empty(n, a.dtype)
    chosen, flags, info = np.zeros(1, np.int64), np.zeros(n, np.int64), np.zeros(1, np.int64)
    best = np.empty(1, a.dtype)
    # Nothing is sorted, so the function that chooses eigenvalues is not called.
    shared = (V, N, flags, n, a, n, chosen, real, imaginary, vectors, n)
    call("gees", a, (*shared, best, -1, flags, info))
    work = np.empty(max(int(best[0]), 3 * n), a.dtype)
    call("gees", a, (*shared, work, work.size, flags, info))
    return int(info[0])
