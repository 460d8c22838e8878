from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


class Mixture(NamedTuple):
    mu: Mat
    var: Vec
    p: Vec


def mstep(X: Mat, post: Mat) -> Mixture:
    n_data, dim = X.shape
    n_data, k = post.shape
    n_clusters = np.einsum("ij -> j", post)
    weight = n_clusters / n_data
    mu = post.T @ X / n_clusters.reshape(k, 1)
    var = np.zeros(k)
    for i in range(k):
        var[i] = np.sum(post[:, i].T @ (X - mu[i]) ** 2 / (n_clusters[i] * dim))
    return Mixture(mu, var, weight)
