"""The quality of penalties: what the weights that they lead to say about other data."""

import numpy as np
from ridge import Matrix, Targets, Vector
from ridge_grad import penalised_error_grad


def descended(penalties: Vector, step: float, x: Matrix, y: Targets, steps: int) -> Vector:
    """The weights after some steps of gradient descent."""
    weights = np.zeros(x.shape[1])
    for _ in range(steps):
        weights = weights - step * penalised_error_grad(weights, penalties, x, y)
    return weights


# mooncake: wrt=log_penalties,log_step
def held_out_error(
    log_penalties: Vector,
    log_step: float,
    x: Matrix,
    y: Targets,
    x_other: Matrix,
    y_other: Targets,
    steps: int,
) -> float:
    """The mean square error on data that the weights were not fitted to."""
    weights = descended(np.exp(log_penalties), np.exp(log_step), x, y, steps)
    error = 0.0
    for i in range(x_other.shape[0]):
        residual = -y_other[i]
        for j in range(x_other.shape[1]):
            residual += x_other[i, j] * weights[j]
        error += residual * residual
    return float(error / x_other.shape[0])
