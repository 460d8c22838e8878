from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]


def pendulum(x, u):
    return np.array([x[1], np.sin(x[0]) - 0.1 * x[1] + u[0]])


def running(x):
    return 5.0 * x[0] ** 2 + 0.1 * x[1] ** 2


def rollout(x0, T, dt, F, Ubar, noise, C, sigma_inv, lambda_, final):
    xt = x0
    cost = np.zeros((1, 1))
    for t in range(T):
        u = Ubar[:, t : t + 1]
        eps = noise[:, t : t + 1]
        xt = xt + F(xt, u + eps) * dt
        cost += C(xt) + lambda_ * u.T @ sigma_inv @ eps
    cost += final(xt)
    return cost


def cost(x0: Mat, T: int, dt: float, controls: Mat, noise: Mat, sigma_inv: Mat) -> float:
    found = rollout(
        x0, T, dt, pendulum, controls, noise, running, sigma_inv, 0.3, lambda x: 10.0 * x[0] ** 2
    )
    return found.item()
