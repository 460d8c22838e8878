"""Factors with orthonormal columns: QR, singular values, eigenvalues. All need LAPACK."""

from __future__ import annotations

import numpy as np

from mooncake_runtime.kernels.compiled import compiled_as, part
from mooncake_runtime.kernels.routines import L, N, U, by_columns, call, copy_into, core, found

S, V = ord("S"), ord("V")  # only as many vectors as there are values; vectors
MISSING = -2
DIVERGED = -1


@part
def _check(status: int) -> None:
    if status == MISSING:
        raise ImportError("this function needs SciPy: pip install mooncake-transpile[linalg]")
    if status == 0:
        raise MemoryError("no memory for LAPACK")


@part
def _check_square(a: np.ndarray) -> None:
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")


# ---- QR ------------------------------------------------------------------------------------------


def _qr(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    m, n = a.shape
    q = np.empty((m, min(m, n)), a.dtype)
    r = np.zeros((min(m, n), n), a.dtype)
    _check(_qr_into(a, q, r))
    return q, r


@compiled_as(_qr)
def qr(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``np.linalg.qr(a)``: ``q`` (m, k) and ``r`` (k, n) for ``a`` (m, n) with k = min(m, n).

    Any layout, real or complex; the signs are LAPACK's (Householder). Raises ImportError without
    SciPy, where it is compiled.
    """
    q, r = np.linalg.qr(a)
    return np.ascontiguousarray(q), np.ascontiguousarray(r)


@core
def _qr_into(a: np.ndarray, q: np.ndarray, r: np.ndarray) -> int:
    m, n = a.shape
    k = min(m, n)
    if k == 0:
        return 1
    if not found("geqrf", (a,)):
        return MISSING
    columns = by_columns(a)
    tau = np.empty(k, a.dtype)
    info = np.zeros(1, np.int64)
    best = np.empty(1, a.dtype)
    call("geqrf", a, (m, n, columns, m, tau, best, -1, info))
    work = np.empty(max(int(best[0].real), n, 1), a.dtype)
    call("geqrf", a, (m, n, columns, m, tau, work, work.size, info))
    for i in range(k):
        for j in range(i, n):
            r[i, j] = columns[i, j]
    if found("orgqr", (a,)):
        call("orgqr", a, (m, k, k, columns, m, tau, work, work.size, info))
    else:
        call("ungqr", a, (m, k, k, columns, m, tau, work, work.size, info))
    copy_into(q, columns)
    return 1


# ---- singular values -----------------------------------------------------------------------------


def _svd(a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    m, n = a.shape
    k = min(m, n)
    u, vt = np.empty((m, k), a.dtype), np.empty((k, n), a.dtype)
    s = np.empty(k, a.real.dtype)
    status = _svd_into(a, u, s, vt)
    if status == DIVERGED:
        raise np.linalg.LinAlgError("SVD did not converge")
    _check(status)
    return u, s, vt


@compiled_as(_svd)
def svd(a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """``np.linalg.svd(a, full_matrices=False)``: ``u`` (m, k), ``s`` (k,), ``vt`` (k, n).

    Any layout, real or complex. Raises LinAlgError if LAPACK's gesdd does not converge, and
    ImportError without SciPy, where it is compiled. NaN for infinite matrices, where gesdd runs on.
    """
    if not np.isfinite(a).all():
        s, (m, n) = np.linalg.svd(a, compute_uv=False), a.shape
        return np.full((m, s.size), np.nan, a.dtype), s, np.full((s.size, n), np.nan, a.dtype)
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    return np.ascontiguousarray(u), s, np.ascontiguousarray(vt)


@core
def _svd_into(a: np.ndarray, u: np.ndarray, s: np.ndarray, vt: np.ndarray) -> int:
    m, n = a.shape
    k = min(m, n)
    if k == 0:
        return 1
    if not found("gesdd", (a,)):
        return MISSING
    if not np.isfinite(a).all():
        u[:], s[:], vt[:] = np.nan, np.nan, np.nan
        return DIVERGED if np.isnan(a).any() else 1
    columns, left, right = by_columns(a), by_columns(u), by_columns(vt)
    shared = (S, m, n, columns, m, s, left, m, right, k)
    whole = np.empty(8 * k, np.int64)
    info = np.zeros(1, np.int64)
    best = np.empty(1, a.dtype)
    if a.itemsize == s.itemsize:
        call("gesdd", a, (*shared, best, -1, whole, info))
        work = np.empty(int(best[0].real) + 1, a.dtype)
        call("gesdd", a, (*shared, work, work.size, whole, info))
    else:  # of complex numbers it wants room for real ones, too
        more = np.empty(max(5 * k * k + 7 * k, 2 * max(m, n) * k + 2 * k * k + k), s.dtype)
        call("gesdd", a, (*shared, best, -1, more, whole, info))
        work = np.empty(int(best[0].real) + 1, a.dtype)
        call("gesdd", a, (*shared, work, work.size, more, whole, info))
    copy_into(u, left)
    copy_into(vt, right)
    return DIVERGED if info[0] != 0 else 1


# ---- eigenvalues ---------------------------------------------------------------------------------


def _eigh(a: np.ndarray, upper: bool = False) -> tuple[np.ndarray, np.ndarray]:
    _check_square(a)
    values, vectors = np.empty(a.shape[0], a.real.dtype), np.empty(a.shape, a.dtype)
    status = _eigh_into(a, values, vectors, upper)
    if status == DIVERGED:
        raise np.linalg.LinAlgError("Eigenvalues did not converge")
    _check(status)
    _turn(vectors, upper)
    return values, vectors


@part
def _turn(vectors: np.ndarray, upper: bool) -> None:
    """Make a row of complex vectors real: what LAPACK does anyway, but promises not."""
    if not np.iscomplexobj(vectors):
        return
    row = vectors.shape[0] - 1 if upper else 0
    for j in range(vectors.shape[1]):
        item = vectors[row, j]
        if item.imag != 0:
            phase = np.conj(item) / abs(item)
            for i in range(vectors.shape[0]):
                vectors[i, j] *= phase
            vectors[row, j] = vectors[row, j].real


@compiled_as(_eigh)
def eigh(a: np.ndarray, upper: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """``np.linalg.eigh(a)``: real ascending values (n,), orthonormal vectors in columns (n, n).

    Only the lower triangle of ``a`` is read, or the ``upper`` one. Any layout, real or complex; the
    first item of a complex vector is real, or if ``upper`` the last one. Raises LinAlgError if
    LAPACK's syevd does not converge, and ImportError without SciPy, where it is compiled.
    """
    values, found = np.linalg.eigh(a, "U" if upper else "L")
    vectors = np.ascontiguousarray(found)
    _turn(vectors, upper)
    return values, vectors


@core
def _eigh_into(a: np.ndarray, values: np.ndarray, vectors: np.ndarray, upper: bool) -> int:
    n = a.shape[0]
    if n == 0:
        return 1
    columns = by_columns(a)
    whole = np.empty(5 * n + 3, np.int64)
    info = np.zeros(1, np.int64)
    size = 2 * n * n + 6 * n + 1
    work = np.empty(size, a.dtype)
    shared = (V, U if upper else L, n, columns, n, values, work, size)
    if found("syevd", (a,)):
        call("syevd", a, (*shared, whole, whole.size, info))
    elif found("heevd", (a,)):
        real_size = 2 * n * n + 5 * n + 1
        real_work = np.empty(real_size, values.dtype)
        call("heevd", a, (*shared, real_work, real_size, whole, whole.size, info))
    else:
        return MISSING
    copy_into(vectors, columns)
    return DIVERGED if info[0] != 0 else 1


def _eig(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    _check_square(a)
    values = np.zeros(a.shape[0], a.dtype) * np.complex64(0)
    vectors = np.empty(a.shape, values.dtype)
    if not np.isfinite(a).all():
        raise np.linalg.LinAlgError("Array must not contain infs or NaNs")
    status = _eig_into(a, values, vectors)
    if status == DIVERGED:
        raise np.linalg.LinAlgError("Eigenvalues did not converge")
    _check(status)
    return values, vectors


@compiled_as(_eig)
def eig(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``np.linalg.eig(a)`` for a real ``a``: values (n,) and vectors in columns (n, n).

    The results are complex even if all values are real. Any layout. Raises LinAlgError if
    LAPACK's geev does not converge or ``a`` is not finite, and ImportError without SciPy, where
    it is compiled.
    """
    values, vectors = np.linalg.eig(a)
    dtype = np.result_type(a.dtype, np.complex64)
    return values.astype(dtype), np.ascontiguousarray(vectors, dtype)


@core
def _eig_into(a: np.ndarray, values: np.ndarray, vectors: np.ndarray) -> int:
    n = a.shape[0]
    if n == 0:
        return 1
    if not found("geev", (a,)):
        return MISSING
    columns = by_columns(a)
    right = np.empty((n, n), a.dtype)  # its rows are what LAPACK calls columns
    real, imaginary = np.empty(n, a.dtype), np.empty(n, a.dtype)
    info = np.zeros(1, np.int64)
    best = np.empty(1, a.dtype)
    shared = (N, V, n, columns, n, real, imaginary, best, 1, right, n)
    call("geev", a, (*shared, best, -1, info))
    work = np.empty(max(int(best[0]), 4 * n), a.dtype)
    call("geev", a, (*shared, work, work.size, info))
    j = 0
    while j < n:
        values[j] = complex(real[j], imaginary[j])
        if imaginary[j] == 0:
            for i in range(n):
                vectors[i, j] = right[j, i]
            j += 1
            continue
        values[j + 1] = complex(real[j], -imaginary[j])
        for i in range(n):  # a pair of conjugates
            vectors[i, j] = complex(right[j, i], right[j + 1, i])
            vectors[i, j + 1] = complex(right[j, i], -right[j + 1, i])
        j += 2
    return DIVERGED if info[0] != 0 else 1
