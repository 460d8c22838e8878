import warnings
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


class Model:
    def __init__(self, cov, pi=None, Q=None, P=None, omega=None, tau=0.05, **kwargs):
        self.cov = cov
        self.n_assets = len(cov)
        self.Q = Q.reshape(-1, 1)
        self.P = P
        self._set_tau(tau)
        self._set_pi(pi, **kwargs)
        self._set_omega(omega)
        self._A = None
        self._b = None

    def _set_tau(self, tau):
        if tau <= 0 or tau > 1:
            raise ValueError("tau should be between 0 and 1")
        self.tau = tau

    def _set_pi(self, pi, **kwargs):
        if pi is None:
            warnings.warn("no prior is given.")
            self.pi = np.zeros((self.n_assets, 1))
        elif isinstance(pi, np.ndarray):
            self.pi = pi.reshape(-1, 1)
        elif pi == "equal":
            self.pi = np.ones((self.n_assets, 1)) / self.n_assets
        else:
            raise TypeError("pi must be an array")

    def _set_omega(self, omega):
        if isinstance(omega, np.ndarray):
            self.omega = omega
        elif omega is None or omega == "default":
            self.omega = np.diag(np.diag(self.tau * self.P @ self.cov @ self.P.T))
        else:
            raise TypeError("omega must be a square array")
        K = len(self.Q)
        assert self.omega.shape == (K, K), "omega must have dimensions KxK"

    def returns(self):
        if self._A is None:
            self._A = (self.P @ (self.tau * self.cov) @ self.P.T) + self.omega
        if self._b is None:
            self._b = self.Q - self.P @ self.pi
        solution = np.linalg.solve(self._A, self._b)
        return self.pi + (self.tau * self.cov) @ self.P.T @ solution


def posterior(cov: Mat, pi: Vec, Q: Vec, P: Mat, tau: float) -> Mat:
    model = Model(cov, pi=pi, Q=Q, P=P, tau=tau)
    return model.returns()
