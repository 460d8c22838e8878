import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


class Sigmoid:
    def function(self, x):
        return 1 / (1 + np.exp(-x))

    def gradient(self, x):
        return self.function(x) * (1 - self.function(x))


def make_diagonal(x):
    m = np.zeros((len(x), len(x)))
    for i in range(len(m[0])):
        m[i, i] = x[i]
    return m


class LogisticRegression:
    def __init__(self, learning_rate=0.1, gradient_descent=True):
        self.param = None
        self.learning_rate = learning_rate
        self.gradient_descent = gradient_descent
        self.sigmoid = Sigmoid()

    def fit(self, X, y, n_iterations=4000):
        X = np.insert(X, 0, 1, axis=1)
        n_samples, n_features = np.shape(X)
        limit = 1 / math.sqrt(n_features)
        self.param = np.random.uniform(-limit, limit, (n_features,))
        for i in range(n_iterations):
            y_pred = self.sigmoid.function(X.dot(self.param))
            if self.gradient_descent:
                self.param -= self.learning_rate * -(y - y_pred).dot(X)
            else:
                diag_gradient = make_diagonal(self.sigmoid.gradient(X.dot(self.param)))
                self.param = (
                    np.linalg.pinv(X.T.dot(diag_gradient).dot(X))
                    .dot(X.T)
                    .dot(diag_gradient.dot(X).dot(self.param) + y - y_pred)
                )


def trained(X: Mat, y: Vec, rate: float) -> Vec:
    model = LogisticRegression(learning_rate=rate)
    model.fit(X, y, n_iterations=5)
    return model.param
