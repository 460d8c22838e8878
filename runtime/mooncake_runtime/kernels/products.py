"""Matrix products: loops where they are small, BLAS elsewhere.

In a strong product, as with a cotangent or tangent, 0 times infinity is 0. BLAS knows no such
thing, so what it gives is looked at, and loops do it again where it is NaN.
"""

from __future__ import annotations

import numpy as np

from mooncake_runtime.kernels.compiled import compiled_as, part
from mooncake_runtime.kernels.routines import (
    N,
    T,
    call,
    copy_into,
    core,
    found,
    leading,
    readable,
    spacing,
)

# Up to so many multiplications loops are faster than a call of BLAS.
FEW = 512


def _matmul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    c = np.zeros(a.shape[:-1] + b.shape[1:], a.dtype)
    if a.ndim == b.ndim:
        _add_matrix(a, b, c)
    elif a.ndim == 2:
        _add_vector(a, b, c)
    else:
        _add_vector(b.T, a, c)
    return c


@compiled_as(_matmul)
def matmul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """``a @ b`` for ranks 1 and 2, not both 1.

    Any layouts, one dtype. Raises ValueError if the inner sizes differ.
    """
    product: np.ndarray = a @ b
    return product


def _strong_matmul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    c = matmul(a, b)
    is_nan = False
    for x in c.ravel():
        is_nan |= x != x
    if is_nan:
        c = np.zeros(c.shape, c.dtype)
        matmul_add(a, b, c)
    return c


@compiled_as(_strong_matmul)
def strong_matmul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """``matmul(a, b)``, but 0 times infinity or NaN is 0."""
    return _strong_product(a, b)


def _matmul_add(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    if c.ndim == 2:
        if a.ndim == 2:
            _add_matrix_strongly(a, b, c)
        else:
            _add_outer_strongly(a, b, c)
    elif a.ndim == 2:
        _add_vector_strongly(a, b, c)
    else:
        _add_vector_strongly(b.T, a, c)


@compiled_as(_matmul_add)
def matmul_add(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    """``c += a @ b`` in place for ranks 1 and 2, but 0 times infinity or NaN is 0.

    For two vectors, the outer product. Any layouts, one dtype; ``c`` must share no memory with
    ``a`` and ``b``. Raises ValueError if the shapes do not fit.
    """
    product = _strong_product(a, b)
    if product.shape != c.shape:
        raise ValueError("matmul_add: the shapes do not fit")
    c += product


def _strong_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """In plain Python; of two vectors, the outer product."""
    outer = a.ndim == b.ndim == 1
    with np.errstate(invalid="ignore"):
        product: np.ndarray = np.outer(a, b) if outer else a @ b
        if not np.isnan(product).any():
            return product
        rows = a[:, None] if outer else np.atleast_2d(a)
        columns = b[None] if outer else b.reshape(b.shape[0], -1)
        strong = np.zeros((rows.shape[0], columns.shape[1]), product.dtype)
        for left, right in zip(rows.T, columns, strict=True):
            zero = (left == 0)[:, None] | (right == 0)
            strong += np.where(zero, 0, np.outer(left, right))
    return strong.reshape(product.shape)


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


# ---- compiled: 0 times infinity is 0 -------------------------------------------------------------


@part
def _add_matrix_strongly(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    m, k = a.shape
    n = b.shape[1]
    if b.shape[0] != k or c.shape[0] != m or c.shape[1] != n:
        raise ValueError("matmul_add: the shapes do not fit")
    if m * n * k > FEW and _by_looked_at_gemm(a, b, c) > 0:
        return
    for i in range(m):
        for p in range(k):
            factor = a[i, p]
            if factor - factor != 0:
                for j in range(n):
                    if b[p, j] != 0:
                        c[i, j] += factor * b[p, j]
            elif factor != 0:
                for j in range(n):
                    c[i, j] += factor * b[p, j]


@part
def _add_outer_strongly(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    m, n = c.shape
    if a.shape[0] != m or b.shape[0] != n:
        raise ValueError("matmul_add: the shapes do not fit")
    if abs(c.strides[0]) >= abs(c.strides[1]):
        _add_rows(a, b, c)
    else:
        _add_rows(b, a, c.T)


@part
def _add_rows(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    """``c += np.outer(a, b)``."""
    m, n = c.shape
    for i in range(m):
        factor = a[i]
        if factor - factor != 0:
            for j in range(n):
                if b[j] != 0:
                    c[i, j] += factor * b[j]
        elif factor != 0:
            for j in range(n):
                c[i, j] += factor * b[j]


@core
def _by_looked_at_gemm(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> int:
    """0 if nothing is added: there is no BLAS, or strong products may differ from its."""
    if c.size > a.size + b.size:
        return 0 if _has_infinite(a) or _has_infinite(b) else _by_gemm(a, b, c)
    before = c.copy()
    if _by_gemm(a, b, c) == 0:
        return 0
    for i in range(c.shape[0]):
        is_nan = False
        for j in range(c.shape[1]):
            is_nan |= c[i, j] != c[i, j]
        if is_nan:
            copy_into(c, before)
            return 0
    return 1


@part
def _has_infinite(a: np.ndarray) -> bool:
    found = False
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            found |= a[i, j] - a[i, j] != 0
    return found


@part
def _add_vector_strongly(a: np.ndarray, x: np.ndarray, y: np.ndarray) -> None:
    m, k = a.shape
    if x.shape[0] != k or y.shape[0] != m:
        raise ValueError("matmul_add: the shapes do not fit")
    if m * k > FEW and _by_looked_at_gemv(a, x, y) > 0:
        return
    for i in range(m):
        total = y[i]
        for j in range(k):
            total += a[i, j] * x[j]
        if total != total:
            total = y[i]
            for j in range(k):
                if a[i, j] != 0 and x[j] != 0:
                    total += a[i, j] * x[j]
        y[i] = total


@core
def _by_looked_at_gemv(a: np.ndarray, x: np.ndarray, y: np.ndarray) -> int:
    """0 if nothing is added: there is no BLAS, or strong products may differ from its."""
    before = y.copy()
    if _by_gemv(a, x, y) == 0:
        return 0
    is_nan = False
    for i in range(y.shape[0]):
        is_nan |= y[i] != y[i]
    if is_nan:
        for i in range(y.shape[0]):
            y[i] = before[i]
        return 0
    return 1
