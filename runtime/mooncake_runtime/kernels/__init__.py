"""Kernels that generated code calls: products, factorisations, FFT, sorting, random numbers."""

from mooncake_runtime.kernels.cholesky_derivatives import cholesky_pull, cholesky_push
from mooncake_runtime.kernels.cofactors import cofactors
from mooncake_runtime.kernels.draws import (
    next_bounded,
    next_double,
    next_exponential,
    next_normal,
    pcg64,
)
from mooncake_runtime.kernels.factors import (
    cholesky,
    indefinite,
    inv,
    lu,
    lu_solve,
    lu_solve_any,
    pivots,
    singular,
    solve,
)
from mooncake_runtime.kernels.fourier import fft
from mooncake_runtime.kernels.mersenne import mt19937, next_word
from mooncake_runtime.kernels.orthogonal import eig, eigh, qr, svd
from mooncake_runtime.kernels.products import matmul, matmul_add, strong_matmul
from mooncake_runtime.kernels.sorting import argsort, searchsorted
from mooncake_runtime.kernels.sylvester import sylvester
from mooncake_runtime.kernels.triangular import solve_triangular, solve_triangular_any
from mooncake_runtime.overlap import same_overlap

__all__ = [
    "argsort",
    "cholesky",
    "cholesky_pull",
    "cholesky_push",
    "cofactors",
    "eig",
    "eigh",
    "fft",
    "indefinite",
    "inv",
    "lu",
    "lu_solve",
    "lu_solve_any",
    "matmul",
    "matmul_add",
    "mt19937",
    "next_bounded",
    "next_double",
    "next_exponential",
    "next_normal",
    "next_word",
    "pcg64",
    "pivots",
    "qr",
    "same_overlap",
    "searchsorted",
    "singular",
    "solve",
    "solve_triangular",
    "solve_triangular_any",
    "strong_matmul",
    "svd",
    "sylvester",
]
