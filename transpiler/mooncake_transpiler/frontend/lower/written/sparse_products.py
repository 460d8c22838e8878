"""SciPy's matrices in rows (CSR) that are given by their arrays, written out: their products.

Sums are taken in SciPy's order. Derivatives are those with respect to the numbers that are held and
to what they are multiplied with; where they stand is constant.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from mooncake_transpiler.frontend.lower.written.random_numbers import _unsupported

RowMatrix = namedtuple("RowMatrix", "data shape T toarray dot sum product")
Turned = namedtuple("Turned", "shape toarray dot sum product")


def _other(x: Any, size: int) -> Any:
    """The array behind a matrix with ``size`` columns."""
    if not isinstance(x, np.ndarray):
        _unsupported("MK207", "a product of a sparse matrix with this", "multiply it with an array")
    if not np.issubdtype(x.dtype, np.float64) or np.ndim(x) > 2:
        _unsupported(
            "MK207", "a product of a sparse matrix with this", "a float64 array of rank 1 or 2"
        )
    if len(x) != size:
        raise ValueError("dimension mismatch")
    return x


def _places(given: Any) -> Any:
    """Indices, of 64 bits."""
    if not np.issubdtype(given.dtype, np.int64):
        _unsupported("MK207", "indices of another type", "indices and indptr of int64")
    return given


def _check(data: Any, indices: Any, indptr: Any, rows: int) -> None:
    if len(indptr) != rows + 1:
        raise ValueError("index pointer size should be the number of rows plus 1")
    if indptr[0] != 0:
        raise ValueError("index pointer should start with 0")
    if len(indices) != len(data):
        raise ValueError("indices and data should have the same size")
    if indptr[-1] > len(indices):
        raise ValueError("Last value of index pointer should be less than the size of data")


def _arrays(given: Any, shape: Any, narrows: bool) -> Any:
    """The numbers, the columns that they are in, and where each row begins and ends."""
    if not isinstance(given, tuple) or len(given) != 3 or shape is None:
        _unsupported(
            "MK207",
            "a sparse matrix without its arrays and shape",
            "csr_matrix((data, indices, indptr), shape=(m, n))",
        )
    data, indices, indptr = given[0], _places(given[1]), _places(given[2])
    if not np.issubdtype(data.dtype, np.float64):
        _unsupported("MK207", "a sparse matrix of other numbers", "data of float64")
    if narrows:  # SciPy makes copies of 32 bits
        indices, indptr = np.copy(indices), np.copy(indptr)
    _check(data, indices, indptr, shape[0])
    return data, indices, indptr


def _made(given: Any, shape: Any, narrows: bool) -> Any:
    data, indices, indptr = _arrays(given, shape, narrows)
    rows, columns = shape

    def product(x: Any) -> Any:
        other = _other(x, columns)
        out = np.zeros((rows, *np.shape(other)[1:]))
        for i in range(rows):
            for k in range(indptr[i], indptr[i + 1]):
                out[i] += data[k] * other[indices[k]]
        return out

    def turned_product(x: Any) -> Any:
        other = _other(x, rows)
        out = np.zeros((columns, *np.shape(other)[1:]))
        for i in range(rows):
            for k in range(indptr[i], indptr[i + 1]):
                out[indices[k]] += data[k] * other[i]
        return out

    def toarray() -> Any:
        out = np.zeros((rows, columns))
        for i in range(rows):
            for k in range(indptr[i], indptr[i + 1]):
                out[i, indices[k]] += data[k]
        return out

    def turned() -> Any:
        return toarray().T

    def total() -> Any:
        return np.sum(product(np.ones(columns)))

    back = Turned((columns, rows), turned, turned_product, total, turned_product)
    return RowMatrix(data, (rows, columns), back, toarray, product, total, product)


def scipy_sparse_csr_matrix(arg1: Any, shape: Any = None) -> Any:
    return _made(arg1, shape, True)


def scipy_sparse_csr_array(arg1: Any, shape: Any = None) -> Any:
    return _made(arg1, shape, False)
