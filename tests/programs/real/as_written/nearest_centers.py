from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]


def dist(A, B):
    if len(A) != len(B):
        raise Exception("sizes differ")
    return np.sqrt(np.sum([(A[i] - B[i]) ** 2 for i in range(len(A))]))


def classes(X, centers):
    m = len(X)
    k = len(centers)
    distances = np.zeros((m, k))
    for i in range(m):
        for j in range(k):
            distances[i, j] = dist(centers[j], X[i])
    return np.argmin(distances, axis=1)


def kmeans(k: int, X: Mat) -> Mat:
    m = X.shape[0]
    n = X.shape[1]
    centers = np.ones(shape=(k, n), dtype=float)
    current = previous = np.zeros(m)
    centers = np.random.uniform(np.min(X, axis=0), np.max(X, axis=0), (k, n))
    current = classes(X, centers)
    while True:
        previous = current
        for i in range(k):
            sub = X[current == i, :]
            if len(sub) > 0:
                centers[i, :] = np.mean(sub, axis=0)
        current = classes(X, centers)
        if np.all(previous == current):
            break
    return centers
