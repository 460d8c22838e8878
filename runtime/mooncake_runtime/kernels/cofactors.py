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
def _sign(packed: np.ndarray, pivots: np.ndarray) -> float:
    """The sign of the determinant of what has these factors."""
    sign = 1.0
    for i in range(pivots.size):
        if (packed[i, i] < 0) != (pivots[i] != i):
            sign = -sign
    return sign


def _cofactors(a: np.ndarray) -> np.ndarray:
    _check(a)
    u, sigma, vt = svd(a)
    (left, moved), (right, turned) = lu(u), lu(vt)
    sign = _sign(left, moved) * _sign(right, turned)
    for i in range(sigma.size):
        others = sign
        for k in range(sigma.size):
            if k != i:
                others *= sigma[k]
        for j in range(sigma.size):
            u[j, i] *= others
    return matmul(u, vt)


@compiled_as(_cofactors)
def cofactors(a: np.ndarray) -> np.ndarray:
    """The cofactor of each element of ``a`` (n, n), of any layout, real: ``det(a) inv(a).T``.

    From the singular value decomposition ``U S V``: ``det(U V) U diag(products of the other
    singular values) V``. Compiled it raises ImportError without SciPy.
    """
    _check(a)
    u, sigma, vt = np.linalg.svd(a)
    others = [np.prod(np.delete(sigma, i)) for i in range(len(sigma))]
    signs = np.sign(np.linalg.det(u)) * np.sign(np.linalg.det(vt))
    return np.ascontiguousarray((u * (signs * np.array(others, a.dtype)).astype(a.dtype)) @ vt)
