"""Gaussian process regression with a squared exponential kernel.

``theta`` holds the logarithms of the kernel's length scale and amplitude and of the noise, so that
all three stay positive. Rasmussen and Williams, "Gaussian Processes for Machine Learning" (2006),
chapters 2 and 5.
"""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

Theta = Annotated[NDArray[np.float64], "3"]


# mooncake: skip
def covariance(
    theta: Theta, x: Annotated[NDArray[np.float64], "n"], z: Annotated[NDArray[np.float64], "m"]
) -> Annotated[NDArray[np.float64], "n m"]:
    """The kernel between all points of ``x`` and all of ``z``."""
    distance = (x[:, None] - z[None, :]) / np.exp(theta[0])
    return np.exp(2.0 * theta[1] - 0.5 * distance**2)


# mooncake: wrt=theta modes=reverse,forward,hessian
def negative_log_likelihood(
    theta: Theta, x: Annotated[NDArray[np.float64], "n"], y: Annotated[NDArray[np.float64], "n"]
) -> float:
    """Minus the log marginal likelihood of the observations ``y`` at ``x``."""
    n = x.shape[0]
    noise = np.exp(2.0 * theta[2])
    lower = np.linalg.cholesky(covariance(theta, x, x) + noise * np.eye(n))
    white = solve_triangular(lower, y, lower=True)
    log_det = np.sum(np.log(np.diag(lower)))
    return float(0.5 * white @ white + log_det + 0.5 * n * np.log(2.0 * np.pi))
