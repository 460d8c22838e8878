"""Sparse matrices of SciPy that are given by their arrays: products, and what is in them."""

import numpy as np
from kinds import Vec
from scipy.sparse import csr_array, csr_matrix


def _matrix(x: Vec):
    data = np.concatenate((x[:3], np.array([0.5, x[0] * x[1]])))
    return csr_matrix((data, np.array([0, 2, 1, 3, 3]), np.array([0, 2, 4, 5])), shape=(3, 4))


def sparse_product(x: Vec, s: float) -> float:
    return np.sum((_matrix(x) @ np.array([s, 1.0, s * s, 2.0])) ** 2)


def sparse_normal_equations(x: Vec, s: float) -> float:
    m, z = _matrix(x), np.full(4, s)
    for _ in range(3):
        z = z - 0.1 * m.T.dot(np.tanh(m @ z) - x[:3])
    return np.sum(z**2) + m.sum() * m.shape[1]


def sparse_columns(x: Vec, s: float) -> float:
    m = _matrix(x)
    many = m @ np.outer(np.arange(4.0) * s, x[:2])
    return np.sum(many * m.toarray()[:, :2]) + m.T.toarray()[2, 0] * np.sum(m.data)


def sparse_repeated_and_empty(x: Vec, s: float) -> float:
    places, starts = np.array([1, 1, 0]), np.array([0, 2, 2, 3])
    m = csr_array((x[:3], places, starts), shape=(3, 2))
    same = csr_matrix((x[:3], places, starts), shape=(3, 2))
    places[0] = 0  # SciPy's matrix has a copy of these, its array has not
    return (
        np.sum(same.toarray()) * s
        + np.sum((m @ np.array([s, 1.5])) ** 2)
        + np.sum(m.toarray() ** 3)
    )
