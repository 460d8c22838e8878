from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


class hp:
    learning_rate = 0.1
    learning_rate_decay = 0.01
    adam_beta1 = 0.9
    adam_beta2 = 0.999
    epsilon = 1e-8


class AdamOptimizer(object):
    def __init__(self, weights, bias):
        self.weights = weights
        self.bias = bias
        self.t = 0
        self.weight_ms = [np.zeros_like(w) for w in self.weights]
        self.weight_vs = [np.zeros_like(w) for w in self.weights]
        self.bias_ms = [np.zeros_like(b) for b in self.bias]
        self.bias_vs = [np.zeros_like(b) for b in self.bias]

    def update_params(self, weight_grads, bias_grads):
        learning_rate = hp.learning_rate / (1 + hp.learning_rate_decay * self.t)
        self.t += 1

        self.weight_ms = [
            hp.adam_beta1 * m + (1 - hp.adam_beta1) * grad
            for m, grad in zip(self.weight_ms, weight_grads)
        ]
        self.weight_vs = [
            hp.adam_beta2 * v + (1 - hp.adam_beta2) * (grad**2)
            for v, grad in zip(self.weight_vs, weight_grads)
        ]
        self.bias_ms = [
            hp.adam_beta1 * m + (1 - hp.adam_beta1) * grad
            for m, grad in zip(self.bias_ms, bias_grads)
        ]
        self.bias_vs = [
            hp.adam_beta2 * v + (1 - hp.adam_beta2) * (grad**2)
            for v, grad in zip(self.bias_vs, bias_grads)
        ]

        weight_mhats = [m / (1 - hp.adam_beta1**self.t) for m in self.weight_ms]
        weight_vhats = [v / (1 - hp.adam_beta2**self.t) for v in self.weight_vs]
        bias_mhats = [m / (1 - hp.adam_beta1**self.t) for m in self.bias_ms]
        bias_vhats = [v / (1 - hp.adam_beta2**self.t) for v in self.bias_vs]

        for weight, m, v in zip(self.weights, weight_mhats, weight_vhats):
            weight -= learning_rate * m / (np.sqrt(v) + hp.epsilon)
        for bias, m, v in zip(self.bias, bias_mhats, bias_vhats):
            bias -= learning_rate * m / (np.sqrt(v) + hp.epsilon)
        return self.weights, self.bias


def fitted(w1: Mat, w2: Mat, b1: Vec, b2: Vec, x: Vec, steps: int) -> float:
    weights, bias = [w1.copy(), w2.copy()], [b1.copy(), b2.copy()]
    optimizer = AdamOptimizer(weights, bias)
    for _ in range(steps):
        hidden = np.tanh(weights[0] @ x + bias[0])
        delta = weights[1] @ hidden + bias[1]
        back = (weights[1].T @ delta) * (1 - hidden**2)
        weights, bias = optimizer.update_params(
            [np.outer(back, x), np.outer(delta, hidden)], [back, delta]
        )
    return float(np.sum(delta**2))
