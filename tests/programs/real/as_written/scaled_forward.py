from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


class SimpleHMM(object):
    def __init__(self, N, M, A, B, pi):
        self.N = N
        self.M = M
        self.A = A
        self.B = B
        self.pi = pi


class NumPyHMM(SimpleHMM):
    def __init__(self, N, M, A, B, pi):
        super(NumPyHMM, self).__init__(N, M, A, B, pi)

    def forward(self, obs):
        T, N = len(obs), self.N
        alpha = np.zeros((T, N), dtype=np.double)
        self.scale = np.zeros(T, dtype=np.double)
        alpha[0] = self.pi * self.B[:, obs[0]]
        self.scale[0] = alpha[0].sum()
        alpha[0] /= self.scale[0]
        for t in range(T - 1):
            alpha[t + 1] = self.A.T.dot(alpha[t]) * self.B[:, obs[t + 1]]
            self.scale[t + 1] = alpha[t + 1].sum()
            alpha[t + 1] /= self.scale[t + 1]
        return (np.sum(np.log(self.scale)), alpha)


def evidence(A: Mat, B: Mat, pi: Vec, obs: list[int]) -> float:
    model = NumPyHMM(A.shape[0], B.shape[1], A, B, pi)
    logp, alpha = model.forward(obs)
    return logp
