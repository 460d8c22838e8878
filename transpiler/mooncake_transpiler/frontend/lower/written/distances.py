"""Distances of ``scipy.spatial``, written out as loops over pairs of points."""

from typing import Any

import numpy as np


def _metric(metric: Any) -> Any:
    """The name of a metric that is written out here."""
    if metric == "manhattan":
        return "cityblock"
    if metric not in ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine"):
        raise ValueError(f"Unknown Distance Metric: {metric}")
    return metric


def _between(u: Any, v: Any, metric: str) -> Any:
    """The distance of two points, by the name of the metric."""
    total = 0.0
    if metric == "cosine":
        across, one, other = 0.0, 0.0, 0.0
        for k in range(u.shape[0]):
            across += u[k] * v[k]
            one += u[k] * u[k]
            other += v[k] * v[k]
        return 1.0 - across / (np.sqrt(one) * np.sqrt(other))
    for k in range(u.shape[0]):
        step = u[k] - v[k]
        if metric == "cityblock":
            total += np.abs(step)
        elif metric == "chebyshev":
            total = np.maximum(total, np.abs(step))
        else:
            total += step * step
    return np.sqrt(total) if metric == "euclidean" else total


def _points(points: Any, name: str) -> Any:
    found = np.asarray(points, dtype=np.float64)
    if np.ndim(found) != 2:
        raise ValueError(f"{name} must be a 2-dimensional array.")
    return found


def _pairs(XA: Any, XB: Any, metric: str) -> Any:
    a, b, of = _points(XA, "XA"), _points(XB, "XB"), _metric(metric)
    if a.shape[1] != b.shape[1]:
        raise ValueError("XA and XB must have the same number of columns (i.e. feature dimension.)")
    found = np.empty((a.shape[0], b.shape[0]))
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            found[i, j] = _between(a[i], b[j], of)
    return found


def scipy_spatial_distance_cdist(XA: Any, XB: Any, metric: str = "euclidean") -> Any:
    return _pairs(XA, XB, metric)


def scipy_spatial_distance_pdist(X: Any, metric: str = "euclidean") -> Any:
    x, of = _points(X, "X"), _metric(metric)
    n = x.shape[0]
    found = np.empty(n * (n - 1) // 2)
    k = 0
    for i in range(n):
        for j in range(i + 1, n):
            found[k] = _between(x[i], x[j], of)
            k += 1
    return found


def scipy_spatial_distance_matrix(x: Any, y: Any) -> Any:
    return _pairs(x, y, "euclidean")


def scipy_spatial_distance_squareform(X: Any) -> Any:
    x = np.asarray(X)
    if np.ndim(x) == 1:
        n = int(np.ceil(np.sqrt(2.0 * x.shape[0])))
        if n * (n - 1) != 2 * x.shape[0]:
            raise ValueError(
                "Incompatible vector size. It must be a binomial coefficient n choose 2 "
                "for some integer n >= 2."
            )
        whole = np.zeros((max(n, 1), max(n, 1)))
        k = 0
        for i in range(n):
            for j in range(i + 1, n):
                whole[i, j] = x[k]
                whole[j, i] = x[k]
                k += 1
        return whole
    if np.ndim(x) != 2 or x.shape[0] != x.shape[1]:
        raise ValueError("The matrix argument must be square.")
    m = x.shape[0]
    upper = np.empty(m * (m - 1) // 2)
    k = 0
    for i in range(m):
        for j in range(i + 1, m):
            upper[k] = x[i, j]
            k += 1
    return upper


def _vectors(u: Any, v: Any, metric: str) -> Any:
    a, b = np.asarray(u, dtype=np.float64), np.asarray(v, dtype=np.float64)
    if np.ndim(a) != 1 or np.ndim(b) != 1:
        raise ValueError("Input vector should be 1-D.")
    if a.shape[0] != b.shape[0]:
        raise ValueError("the vectors have different lengths")
    return _between(a, b, metric)


def scipy_spatial_distance_euclidean(u: Any, v: Any) -> Any:
    return _vectors(u, v, "euclidean")


def scipy_spatial_distance_sqeuclidean(u: Any, v: Any) -> Any:
    return _vectors(u, v, "sqeuclidean")


def scipy_spatial_distance_cityblock(u: Any, v: Any) -> Any:
    return _vectors(u, v, "cityblock")


def scipy_spatial_distance_chebyshev(u: Any, v: Any) -> Any:
    return _vectors(u, v, "chebyshev")


def scipy_spatial_distance_cosine(u: Any, v: Any) -> Any:
    return _vectors(u, v, "cosine")
