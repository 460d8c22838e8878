from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


def implied_returns(cov: Mat, weights: Vec, aversion: float = 2.5) -> Vec:
    return aversion * cov @ np.asarray(weights, float)


def posterior(
    cov: Mat, pi: Vec, p: Mat, q: Vec, omega: Mat | None = None, tau: float = 0.05
) -> Vec:
    scaled = tau * cov
    if omega is None:
        omega = np.diag(np.diag(p @ scaled @ p.T))
    inv_scaled = np.linalg.inv(scaled)
    inv_omega = np.linalg.inv(omega)
    a = inv_scaled + p.T @ inv_omega @ p
    b = inv_scaled @ np.asarray(pi, float) + p.T @ inv_omega @ np.asarray(q, float)
    return np.linalg.solve(a, b)


def absolute_views(scores: Vec, confidence: float = 1.0) -> tuple[Mat, Vec, Mat]:
    n = len(scores)
    p = np.eye(n)
    q = np.asarray(scores, float)
    omega = np.eye(n) / max(confidence, 1e-6)
    return p, q, omega
