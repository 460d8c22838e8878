import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


def embedded(vectors: Mat, n: int) -> Mat:
    weights = np.zeros((n, n), dtype=float)
    for i in range(n):
        for j in range(i + 1, n):
            weights[i, j] = find_weight(vectors[i], vectors[j])
    weights = weights + weights.T

    degrees = np.zeros((n, n), dtype=float)
    for i in range(n):
        degrees[i, i] = np.sum(weights[i]) ** (-0.5)

    laplacian = np.identity(n) - degrees @ weights @ degrees
    values, vectors = qr_iteration(laplacian)
    order = np.argsort(values)
    k = eigengap(values)
    u = vectors[:, order[0:k]]
    return np.divide(u.T, np.linalg.norm(u, axis=1)).T


def gram_schmidt(a, n):
    u = a.copy()
    r = np.zeros((n, n))
    q = np.zeros((n, n))
    for i in range(n):
        temp = np.linalg.norm(u[:, i])
        r[i, i] = temp
        if temp == 0:
            raise ZeroDivisionError("columns depend on one another")
        col = u[:, i] / temp
        q[:, i] = col
        for j in range(i + 1, n):
            rij = col @ u[:, j]
            r[i, j] = rij
            u[:, j] = u[:, j] - rij * col
    return q, r


def qr_iteration(a: Mat) -> tuple[Vec, Mat]:
    n = a.shape[0]
    q_bar = np.identity(n)
    for i in range(n):
        q, r = gram_schmidt(a, a.shape[0])
        a = r @ q
        new_q_bar = q_bar @ q
        ep = (np.absolute(q_bar) - np.absolute(new_q_bar)).max()
        if ep < 0.0001:
            break
        q_bar = new_q_bar
    values = np.array([a[i, i] for i in range(n)], dtype=np.float64)
    return values, q_bar


def find_weight(x, y):
    dist = np.linalg.norm(x - y)
    return math.exp(-(dist / 2))


def eigengap(values):
    sorted = np.sort(values)
    index = 0
    max = -1
    for i in range(math.ceil(len(sorted) / 2)):
        temp = abs(sorted[i] - sorted[i + 1])
        if temp > max:
            max = temp
            index = i
    return index + 1
