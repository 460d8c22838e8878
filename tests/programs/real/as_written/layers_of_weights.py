from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]


class NeuralNetwork(object):
    def __init__(self, weights):
        self.weights = weights
        self.z = []

    def activate(self, s):
        return 1 / (1 + np.exp(-s))

    def forward(self, x):
        self.z = [x]
        for W_i in self.weights:
            self.z.append(self.activate(np.dot(self.z[-1], W_i)))
        return self.z[-1]


def loss(weights: list[Mat], X: Mat, y: Mat) -> float:
    net = NeuralNetwork(weights)
    out = net.forward(X)
    return np.mean(np.square(y - out))
