from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]
Ints = Annotated[NDArray[np.int64], "_"]


class SimpleHMM:
    def __init__(self, N, M, A, B, pi):
        self.N = N
        self.M = M
        self.A = A
        self.B = B
        self.pi = pi


class PyHMM(SimpleHMM):
    def __init__(self, N, M, A, B, pi):
        super(PyHMM, self).__init__(N, M, A, B, pi)

    def forward(self, obs):
        T, N = len(obs), self.N
        alpha = np.zeros((T, N), dtype=np.float64)
        self.scale = np.zeros(T, dtype=np.float64)
        for i in range(N):
            alpha[0, i] = self.pi[i] * self.B[i, obs[0]]
            self.scale[0] += alpha[0, i]
        for i in range(N):
            alpha[0, i] /= self.scale[0]
        for t in range(T - 1):
            for j in range(N):
                alpha[t + 1, j] = 0.0
                for i in range(N):
                    alpha[t + 1, j] += alpha[t, i] * self.A[i, j]
                alpha[t + 1, j] *= self.B[j, obs[t + 1]]
                self.scale[t + 1] += alpha[t + 1, j]
            for j in range(N):
                alpha[t + 1, j] /= self.scale[t + 1]
        return np.log(self.scale).sum(), alpha


def smoothed(A: Mat, B: Mat, pi: Vec, obs: Ints) -> Mat:
    model = PyHMM(len(pi), B.shape[1], A, B, pi)
    return model.forward(obs)[1]
