from typing import Annotated

import numpy as np
from numpy import dot
from numpy.typing import NDArray
from scipy.linalg import inv

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


class Filter:
    def __init__(self, A, G, Q, R):
        self.A, self.G, self.Q, self.R = list(map(self.convert, (A, G, Q, R)))
        self.k, self.n = self.G.shape

    def convert(self, x):
        return np.atleast_2d(np.asarray(x, dtype="float64"))

    def set_state(self, x_hat, Sigma):
        self.Sigma = self.convert(Sigma)
        self.x_hat = self.convert(x_hat)
        self.x_hat.shape = self.n, 1

    def filtered(self, y):
        G, R = self.G, self.R
        x_hat, Sigma = self.x_hat, self.Sigma
        y = self.convert(y)
        y.shape = self.k, 1
        A = dot(Sigma, G.T)
        B = dot(dot(G, Sigma), G.T) + R
        M = dot(A, inv(B))
        self.x_hat = x_hat + dot(M, (y - dot(G, x_hat)))
        self.Sigma = Sigma - dot(M, dot(G, Sigma))

    def forecast(self):
        A, Q = self.A, self.Q
        x_hat, Sigma = self.x_hat, self.Sigma
        self.x_hat = dot(A, x_hat)
        self.Sigma = dot(A, dot(Sigma, A.T)) + Q

    def update(self, y):
        self.filtered(y)
        self.forecast()


def posterior(A: Mat, G: Mat, Q: Mat, R: Mat, x0: Vec, S0: Mat, y: Vec) -> Mat:
    kalman = Filter(A, G, Q, R)
    kalman.set_state(x0, S0)
    for value in y:
        kalman.update(value)
    return kalman.x_hat
