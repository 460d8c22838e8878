"""Tangents and cotangents of the Cholesky factor, by halves: BLAS for blocks, loops where small.

After I. Murray, "Differentiation of the Cholesky decomposition" (2016), with blocks that are halved
until they are small. About 0.8 n^3 multiplications, while triangular solves from both sides and a
product take 4 n^3.
"""

from __future__ import annotations

import numpy as np

from mooncake_runtime.kernels.compiled import compiled_as, part
from mooncake_runtime.kernels.routines import L, N, R, T, U, call, core, found, leading, readable

FEW = 8  # up to so many rows: loops


@part
def _check(factor: np.ndarray, given: np.ndarray) -> None:
    n = factor.shape[0]
    if factor.shape[1] != n or given.shape[0] != n or given.shape[1] != n:
        raise ValueError("the derivative of cholesky: the shapes do not fit")


def _phi(a: np.ndarray) -> np.ndarray:
    """The lower triangle, its diagonal halved and real."""
    return np.tril(a, -1) + 0.5 * np.diag(np.diag(a).real)


# ---- tangents ------------------------------------------------------------------------------------


def _cholesky_push(factor: np.ndarray, a_dot: np.ndarray) -> np.ndarray:
    _check(factor, a_dot)
    dot = np.empty(a_dot.shape, a_dot.dtype)
    if _push_into(factor, a_dot, dot) <= 0:
        raise MemoryError("cholesky_push failed")
    return dot


@compiled_as(_cholesky_push)
def cholesky_push(factor: np.ndarray, a_dot: np.ndarray) -> np.ndarray:
    """The tangent of ``L = cholesky(a)``: the lower triangular ``L_dot`` with
    ``L_dot @ L.T.conj() + L @ L_dot.T.conj() = a_dot``.

    Both (n, n), of one dtype, any layout; of ``a_dot``, which is Hermitian, only the lower triangle
    is read.
    """
    _check(factor, a_dot)
    half = _phi(a_dot)
    whole = half + half.T.conj()
    inner = np.linalg.solve(factor, np.linalg.solve(factor, whole).T.conj())
    return np.ascontiguousarray(factor @ _phi(inner))


@core
def _push_into(factor: np.ndarray, a_dot: np.ndarray, dot: np.ndarray) -> int:
    """``dot`` is C-contiguous."""
    _copy_lower(a_dot, dot)
    few = dot.shape[0] <= FEW or np.iscomplexobj(dot)
    if few or not (found("syr2k", (factor, dot)) and found("trsm", (dot,))):
        _push_by_loops(factor, dot)
    elif leading(factor) > 0:
        _push_by_blocks(factor, dot)
    else:
        _push_by_blocks(np.ascontiguousarray(factor)[:, :], dot)
    return 1


@part
def _copy_lower(source: np.ndarray, target: np.ndarray) -> None:
    for i in range(target.shape[0]):
        for j in range(target.shape[1]):
            target[i, j] = source[i, j] if j <= i else 0


@part
def _push_by_blocks(factor: np.ndarray, dot: np.ndarray) -> None:
    """Overwrite the lower triangle of ``dot``; above are zeros, and remain."""
    n = dot.shape[0]
    if n <= FEW:
        _push_by_loops(factor, dot)
        return
    m = n // 2
    head, low, tail = factor[:m, :m], factor[m:, :m], factor[m:, m:]
    head_dot, low_dot, tail_dot = dot[:m, :m], dot[m:, :m], dot[m:, m:]
    one = dot.dtype.type(1)
    _push_by_blocks(head, head_dot)
    _subtract_product(low, head_dot.T, low_dot)
    # BLAS sees the transposes of matrices that are stored by rows. low_dot := low_dot head^-T
    call("trsm", dot, (L, U, T, N, m, n - m, one, head, leading(head), low_dot, leading(low_dot)))
    # tail_dot -= low_dot low^T + low low_dot^T, its lower triangle
    ends = (low_dot, leading(low_dot), low, leading(low), one, tail_dot, leading(tail_dot))
    call("syr2k", dot, (U, T, n - m, m, -one, *ends))
    _push_by_blocks(tail, tail_dot)


@part
def _subtract_product(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    """``c -= a @ b`` where the rows of ``c`` are contiguous."""
    m, k = a.shape
    a, transpose_a, lead_a = readable(a)
    b, transpose_b, lead_b = readable(b)
    one = c.dtype.type(1)
    sizes = (transpose_b, transpose_a, b.shape[1], m, k)
    call("gemm", c, (*sizes, -one, b, lead_b, a, lead_a, one, c, leading(c)))


@part
def _push_by_loops(factor: np.ndarray, dot: np.ndarray) -> None:
    """The tangent of: take the root of the pivot, divide its column, subtract the outer square."""
    n = dot.shape[0]
    for j in range(n):
        pivot = factor[j, j].real
        dot[j, j] = dot[j, j].real / (2 * pivot)
        for i in range(j + 1, n):
            dot[i, j] = (dot[i, j] - factor[i, j] * dot[j, j]) / pivot
        for i in range(j + 1, n):
            for k in range(j + 1, i + 1):
                one = dot[i, j] * np.conj(factor[k, j])
                dot[i, k] -= one + factor[i, j] * np.conj(dot[k, j])


# ---- cotangents ----------------------------------------------------------------------------------


def _cholesky_pull(factor: np.ndarray, factor_bar: np.ndarray) -> np.ndarray:
    _check(factor, factor_bar)
    bar = np.empty(factor_bar.shape, factor_bar.dtype)
    if _pull_into(factor, factor_bar, bar) <= 0:
        raise MemoryError("cholesky_pull failed")
    return bar


@compiled_as(_cholesky_pull)
def cholesky_pull(factor: np.ndarray, factor_bar: np.ndarray) -> np.ndarray:
    """The cotangent of ``a`` for that of the lower triangle of ``L = cholesky(a)``.

    Both (n, n), of one dtype, any layout. ``a`` counts as the matrix that its lower triangle
    stands for: above the diagonal are zeros. Only the lower triangle of ``factor_bar`` is read.
    """
    _check(factor, factor_bar)
    adjoint = factor.T.conj()
    inner = np.linalg.solve(adjoint, _phi(adjoint @ np.tril(factor_bar)))
    whole = np.linalg.solve(adjoint, inner.T.conj())
    return np.ascontiguousarray(_phi(whole + whole.T.conj()))


@core
def _pull_into(factor: np.ndarray, factor_bar: np.ndarray, bar: np.ndarray) -> int:
    """``bar`` is C-contiguous."""
    _copy_lower(factor_bar, bar)
    few = bar.shape[0] <= FEW or np.iscomplexobj(bar)
    if few or not (found("symm", (factor, bar)) and found("trsm", (bar,))):
        _pull_by_loops(factor, bar)
        return 1
    if leading(factor) > 0:
        _pull_by_blocks(factor, bar)
    else:
        _pull_by_blocks(np.ascontiguousarray(factor)[:, :], bar)
    _copy_lower(bar, bar)
    return 1


@part
def _pull_by_blocks(factor: np.ndarray, bar: np.ndarray) -> None:
    """Overwrite the lower triangle of ``bar``; what is above it is not read, and may change."""
    n = bar.shape[0]
    if n <= FEW:
        _pull_by_loops(factor, bar)
        return
    m = n // 2
    head, low, tail = factor[:m, :m], factor[m:, :m], factor[m:, m:]
    head_bar, low_bar, tail_bar = bar[:m, :m], bar[m:, :m], bar[m:, m:]
    one = bar.dtype.type(1)
    _pull_by_blocks(tail, tail_bar)
    # low_bar -= (tail_bar + tail_bar^T) low: the diagonal counts twice
    for i in range(n - m):
        tail_bar[i, i] *= 2
    ends = (tail_bar, leading(tail_bar), low, leading(low), one, low_bar, leading(low_bar))
    call("symm", bar, (R, U, m, n - m, -one, *ends))
    for i in range(n - m):
        tail_bar[i, i] /= 2
    # low_bar := low_bar head^-1
    call("trsm", bar, (L, U, N, N, m, n - m, one, head, leading(head), low_bar, leading(low_bar)))
    _subtract_product(low_bar.T, low, head_bar)
    _pull_by_blocks(head, head_bar)


@part
def _pull_by_loops(factor: np.ndarray, bar: np.ndarray) -> None:
    """The steps of ``_push_by_loops``, transposed."""
    n = bar.shape[0]
    for j in range(n - 1, -1, -1):
        pivot, total = factor[j, j].real, bar[j, j].real
        for i in range(j + 1, n):
            for k in range(j + 1, i + 1):
                bar[i, j] -= bar[i, k] * factor[k, j]
                bar[k, j] -= np.conj(bar[i, k]) * factor[i, j]
        for i in range(j + 1, n):
            bar[i, j] /= pivot
            total -= (bar[i, j] * np.conj(factor[i, j])).real
        bar[j, j] = total / (2 * pivot)
