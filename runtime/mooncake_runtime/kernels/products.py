"""Matrix products: loops where they are small, BLAS elsewhere."""

from __future__ import annotations

import numpy as np

from mooncake_runtime.kernels.compiled import compiled_as, part
from mooncake_runtime.kernels.routines import N, T, call, core, found, leading, readable, spacing

# Up to so many multiplications loops are faster than a call of BLAS.
FEW = 512


def _matmul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    c = np.zeros(a.shape[:-1] + b.shape[1:], a.dtype)
    matmul_add(a, b, c)
    return c


@compiled_as(_matmul)
def matmul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """``a @ b`` for ranks 1 and 2, not both 1.

    Any layouts, one dtype. Raises ValueError if the inner sizes differ.
    """
    product: np.ndarray = a @ b
    return product


def _matmul_add(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    if c.ndim == 2:
        if a.ndim == 2:
            _add_matrix(a, b, c)
        else:
            _add_outer(a, b, c)
    elif a.ndim == 2:
        _add_vector(a, b, c)
    else:
        _add_vector(b.T, a, c)


@compiled_as(_matmul_add)
def matmul_add(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    """``c += a @ b`` in place for ranks 1 and 2; for two vectors, the outer product.

    Any layouts, one dtype; ``c`` must share no memory with ``a`` and ``b``. Nothing is copied if
    rows or columns are contiguous. Raises ValueError if the shapes do not fit.
    """
    product = np.outer(a, b) if a.ndim == b.ndim == 1 else a @ b
    if product.shape != c.shape:
        raise ValueError("matmul_add: the shapes do not fit")
    c += product


# ---- compiled: matrices --------------------------------------------------------------------------


@part
def _add_matrix(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    m, k = a.shape
    n = b.shape[1]
    if b.shape[0] != k or c.shape[0] != m or c.shape[1] != n:
        raise ValueError("matmul_add: the shapes do not fit")
    if m * n * k > FEW and _by_gemm(a, b, c) > 0:
        return
    for i in range(m):
        for p in range(k):
            factor = a[i, p]
            for j in range(n):
                c[i, j] += factor * b[p, j]


@core
def _by_gemm(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> int:
    if not found("gemm", (a, b, c)):
        return 0
    if leading(c) == 0 and leading(c.T) > 0:
        a, b, c = b.T, a.T, c.T
    product = c if leading(c) > 0 else np.zeros(c.shape, c.dtype)[:, :]
    _gemm(a, b, product)
    if leading(c) == 0:
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                c[i, j] += product[i, j]
    return 1


@part
def _gemm(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    """``c += a @ b`` where the rows of ``c`` are contiguous: its transpose is ``b.T @ a.T``."""
    m, k = a.shape
    n = b.shape[1]
    a, transpose_a, lead_a = readable(a)
    b, transpose_b, lead_b = readable(b)
    one = c.dtype.type(1)
    left, right = (b, lead_b), (a, lead_a)
    call("gemm", c, (transpose_b, transpose_a, n, m, k, one, *left, *right, one, c, leading(c)))


# ---- compiled: vectors ---------------------------------------------------------------------------


@part
def _add_vector(a: np.ndarray, x: np.ndarray, y: np.ndarray) -> None:
    """``y += a @ x``."""
    m, k = a.shape
    if x.shape[0] != k or y.shape[0] != m:
        raise ValueError("matmul_add: the shapes do not fit")
    if m * k > FEW and _by_gemv(a, x, y) > 0:
        return
    for i in range(m):
        total = y[i]
        for j in range(k):
            total += a[i, j] * x[j]
        y[i] = total


@core
def _by_gemv(a: np.ndarray, x: np.ndarray, y: np.ndarray) -> int:
    if not found("gemv", (a, x, y)):
        return 0
    a, transpose, lead = readable(a)
    if spacing(x) == 0:
        x = x.copy()[:]
    product = y if spacing(y) > 0 else np.zeros(y.shape, y.dtype)[:]
    one = y.dtype.type(1)
    ends = (one, a, lead, x, spacing(x), one, product, spacing(product))
    if transpose == N:
        call("gemv", y, (T, a.shape[1], a.shape[0], *ends))
    else:
        call("gemv", y, (N, a.shape[0], a.shape[1], *ends))
    if spacing(y) == 0:
        for i in range(y.shape[0]):
            y[i] += product[i]
    return 1


@part
def _add_outer(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    m, n = c.shape
    if a.shape[0] != m or b.shape[0] != n:
        raise ValueError("matmul_add: the shapes do not fit")
    if abs(c.strides[0]) >= abs(c.strides[1]):
        for i in range(m):
            for j in range(n):
                c[i, j] += a[i] * b[j]
    else:
        for j in range(n):
            for i in range(m):
                c[i, j] += a[i] * b[j]
