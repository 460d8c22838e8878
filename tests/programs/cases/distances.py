"""Distances of ``scipy.spatial`` between points."""

import numpy as np
from kinds import Mat, Vec
from scipy.spatial import distance, distance_matrix
from scipy.spatial.distance import cdist, pdist, squareform


def kernel(p: Mat, width: float) -> float:
    d = cdist(p, p[:3] + 0.1)
    return np.sum(np.exp(-0.5 * (d / width) ** 2))


def to_itself(p: Mat) -> float:
    return np.sum(squareform(pdist(p)) ** 2) + np.sum(cdist(p, p, "sqeuclidean") ** 0.5)


def in_steps(p: Mat) -> float:
    return np.sum(np.cos(pdist(p, metric="cityblock"))) + np.max(cdist(p, -p, "chebyshev"))


def of_vectors(x: Vec, y: Vec) -> float:
    return distance.euclidean(x, y) + distance.cosine(x, y) * distance.cityblock(x, 2.0 * y)


def of_all(p: Mat, q: Mat) -> float:
    return np.sum(distance_matrix(p, q)[0]) + distance.sqeuclidean(p[0], q[1])


def condensed(p: Mat) -> float:
    d = distance_matrix(p, p)
    return np.sum(squareform(d + d.T) ** 3)
