from typing import Annotated, NamedTuple, Tuple

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


class Mixture(NamedTuple):
    mu: Mat
    var: Vec
    p: Vec


def estep(X: Mat, mixture: Mixture) -> Tuple[Mat, float]:
    n, d = X.shape
    mu, var, pi = mixture
    K = mu.shape[0]
    pre_exp = (2 * np.pi * var) ** (d / 2)
    post = np.linalg.norm(X[:, None] - mu, ord=2, axis=2) ** 2
    post = np.exp(-post / (2 * var))
    post = post / pre_exp
    numerator = post * pi
    denominator = np.sum(numerator, axis=1).reshape(-1, 1)
    post = numerator / denominator
    log_lh = np.sum(np.log(denominator), axis=0).item()
    return post, log_lh
