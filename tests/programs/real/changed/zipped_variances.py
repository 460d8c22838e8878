from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


class Garch:
    def __init__(self, mu=2.0, omega=1e-7, alpha=1e-7, beta=0.8, gamma=100.0):
        self.mu = mu
        self.omega = omega
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma

    def check(self, h):
        if h <= self.omega:
            raise ValueError("the variance is too small")

    def filter(self, returns, first):
        self.check(first)
        returns = np.ascontiguousarray(returns)
        s = returns.shape
        innovations = np.empty(s, order="C")
        variances = np.empty((s[0] + 1,) + s[1:], order="C")
        variances[0] = first
        for t, (r, h) in enumerate(zip(returns, variances)):
            e = (r - self.mu * h) / np.sqrt(h)
            variances[t + 1] = (
                self.omega + self.beta * h + self.alpha * (e - self.gamma * np.sqrt(h)) ** 2
            )
            innovations[t] = e
        return innovations, variances


def filtered(returns: Vec, first: float, omega: float) -> tuple[Vec, Vec]:
    model = Garch(0.3, omega, 0.1, 0.5, 0.2)
    return model.filter(returns, first)
