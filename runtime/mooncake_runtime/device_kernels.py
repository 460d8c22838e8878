"""Kernels that generated code over CuPy's arrays calls: as ``mooncake_runtime.kernels``, by CuPy.

Nothing here waits for the device, but LU factors do: CuPy looks at how that went. What fails on the
device does not raise: the factor of a matrix that is not positive definite, and the solution for a
singular one, have NaNs or infinities in them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

cupy: Any = import_module("cupy")


def _triangular() -> Any:
    return import_module("cupyx.scipy.linalg").solve_triangular


# ---- products and systems ------------------------------------------------------------------------


def matmul(a: Any, b: Any) -> Any:
    """``a @ b`` for ranks 1 and 2, not both 1."""
    return a @ b


def strong_matmul(a: Any, b: Any) -> Any:
    """``a @ b``; for two vectors, the outer product.

    0 times infinity is NaN here: to look for that in the product would wait for the device.
    """
    return cupy.outer(a, b) if a.ndim == b.ndim == 1 else a @ b


def matmul_add(a: Any, b: Any, c: Any) -> None:
    """``c += strong_matmul(a, b)``."""
    c += strong_matmul(a, b)


def solve(a: Any, b: Any) -> Any:
    """The ``x`` with ``a @ x = b``, for ``b`` of rank 1 or 2."""
    return cupy.linalg.solve(a, b)


def inv(a: Any) -> Any:
    """The inverse of ``a``."""
    return cupy.linalg.inv(a)


def solve_triangular(a: Any, b: Any, lower: bool, trans: bool, unit: bool) -> Any:
    """The ``x`` with ``a @ x = b``, or ``a.T @ x = b`` if ``trans``, of the shape of ``b``."""
    options = {"lower": lower, "trans": int(trans), "unit_diagonal": unit, "check_finite": False}
    return _triangular()(a, b, **options)


solve_triangular_any = solve_triangular


# ---- factors -------------------------------------------------------------------------------------


def lu(a: Any) -> tuple[Any, Any]:
    """The packed factors of ``a``, and the rows exchanged, one after the other, as int64."""
    packed, pivots = import_module("cupyx.scipy.linalg").lu_factor(a, check_finite=False)
    return cupy.ascontiguousarray(packed), pivots.astype(cupy.int64)


def pivots(a: Any) -> Any:
    """The rows exchanged, as ``lu`` gives them."""
    return lu(a)[1]


def lu_solve(packed: Any, pivots: Any, b: Any, trans: bool) -> Any:
    """The ``x`` with ``a @ x = b``, or ``a.T @ x = b`` if ``trans``, from the factors of ``a``."""
    factors = packed, pivots.astype(cupy.int32)
    found = import_module("cupyx.scipy.linalg").lu_solve(
        factors, b, trans=int(trans), check_finite=False
    )
    return cupy.ascontiguousarray(found)


lu_solve_any = lu_solve


def singular(a: Any) -> bool:
    """True if a factor of ``a`` has a 0 on its diagonal; that waits for the device."""
    return a.size > 0 and float(cupy.min(abs(cupy.diagonal(lu(a)[0])))) == 0.0


def cholesky(a: Any) -> Any:
    """The lower triangular factor of ``a``."""
    return cupy.linalg.cholesky(a)


def _half(a: Any) -> Any:
    """The lower triangle, its diagonal halved."""
    return cupy.tril(a) - 0.5 * cupy.diag(cupy.diagonal(a))


def _adjoint(a: Any) -> Any:
    """The conjugate transpose."""
    return a.T.conj() if a.dtype.kind == "c" else a.T


def _solve_adjoint(factor: Any, b: Any) -> Any:
    """The ``x`` with ``factor^H @ x = b``."""
    return _triangular()(factor, b, lower=True, trans=2, check_finite=False)


def cholesky_push(factor: Any, a_dot: Any) -> Any:
    """The tangent of the factor; of ``a_dot`` only the lower triangle is read."""
    half = _half(a_dot)
    left = solve_triangular(factor, half + _adjoint(half), True, False, False)
    inner = solve_triangular(factor, _adjoint(left), True, False, False)
    return factor @ _half(inner)


def cholesky_pull(factor: Any, factor_bar: Any) -> Any:
    """The cotangent of the matrix, a lower triangle, for that of the factor."""
    inner = _half(_adjoint(factor) @ cupy.tril(factor_bar))
    whole = _solve_adjoint(factor, _adjoint(_solve_adjoint(factor, inner)))
    return _half(whole + _adjoint(whole))


def qr(a: Any) -> tuple[Any, Any]:
    """``q`` and ``r`` of ``a``."""
    q, r = cupy.linalg.qr(a)
    return cupy.ascontiguousarray(q), cupy.ascontiguousarray(r)


def svd(a: Any) -> tuple[Any, Any, Any]:
    """``u``, ``s`` and ``vt`` of ``a``, the reduced ones."""
    u, s, vt = cupy.linalg.svd(a, full_matrices=False)
    return cupy.ascontiguousarray(u), s, cupy.ascontiguousarray(vt)


def eigh(a: Any, upper: bool = False) -> tuple[Any, Any]:
    """The eigenvalues and eigenvectors of the symmetric ``a``."""
    values, vectors = cupy.linalg.eigh(a, UPLO="U" if upper else "L")
    return values, cupy.ascontiguousarray(vectors)


def cofactors(a: Any) -> Any:
    """The cofactor of each element of ``a``: ``det(a) inv(a).T``, of singular matrices, too."""
    u, sigma, vt = cupy.linalg.svd(a, full_matrices=False)
    before, after = cupy.ones_like(sigma), cupy.ones_like(sigma)
    before[1:] = cupy.cumprod(sigma[:-1])
    after[:-1] = cupy.cumprod(sigma[:0:-1])[::-1]
    turn = cupy.linalg.det(u @ vt)
    scaled = u.conj() * (turn / abs(turn) * (before * after)).astype(a.dtype)
    return cupy.ascontiguousarray(scaled @ vt.conj())


# ---- transforms and orders -----------------------------------------------------------------------


def fft(a: Any, inverse: bool) -> Any:
    """The Fourier transform along the last axis, or the inverse one without its factor."""
    return cupy.fft.ifft(a, norm="forward") if inverse else cupy.fft.fft(a)


def argsort(a: Any) -> Any:
    """The int64 indices that sort ``a`` along its last axis; equal elements keep their order."""
    return cupy.argsort(a, axis=-1)


def searchsorted(a: Any, v: Any, right: bool) -> Any:
    """The places of the elements of ``v`` in the sorted ``a``."""
    return cupy.searchsorted(a, v, side="right" if right else "left")
