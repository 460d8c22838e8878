"""The derivative of the determinant: of singular matrices, too."""

from __future__ import annotations

import numpy as np

from mooncake_runtime.kernels.compiled import compiled_as, part
from mooncake_runtime.kernels.factors import lu
from mooncake_runtime.kernels.orthogonal import svd
from mooncake_runtime.kernels.products import matmul


@part
def _check(a: np.ndarray) -> None:
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")


@part
def _turn(packed: np.ndarray, pivots: np.ndarray) -> complex:
    """The determinant of what has these factors, of which the modulus is 1."""
    turn: complex = packed.dtype.type(1)
    for i in range(pivots.size):
        turn *= packed[i, i] / abs(packed[i, i])
        if pivots[i] != i:
            turn = -turn
    return turn


def _cofactors(a: np.ndarray) -> np.ndarray:
    _check(a)
    if not np.isfinite(a).all():
        return np.full(a.shape, np.nan, a.dtype)
    u, sigma, vt = svd(a)
    (left, moved), (right, turned) = lu(u), lu(vt)
    turn = _turn(left, moved) * _turn(right, turned)
    for i in range(sigma.size):
        others = turn
        for k in range(sigma.size):
            if k != i:
                others *= sigma[k]
        for j in range(sigma.size):
            u[j, i] = np.conj(u[j, i]) * others
            vt[i, j] = np.conj(vt[i, j])
    return matmul(u, vt)


@compiled_as(_cofactors)
def cofactors(a: np.ndarray) -> np.ndarray:
    """The cofactor of each element of ``a`` (n, n), of any layout: ``det(a) inv(a).T``.

    From the singular value decomposition ``U S V``: ``det(U V) conj(U) diag(products of the other
    singular values) conj(V)``. Compiled it raises ImportError without SciPy.
    """
    _check(a)
    if not np.isfinite(a).all():
        return np.full(a.shape, np.nan, a.dtype)
    u, sigma, vt = svd(a)
    others = [np.prod(np.delete(sigma, i)) for i in range(len(sigma))]
    turn = np.linalg.det(u) * np.linalg.det(vt)
    scaled = u.conj() * (turn / abs(turn) * np.array(others, a.dtype)).astype(a.dtype)
    return np.ascontiguousarray(scaled @ vt.conj())
