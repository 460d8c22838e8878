from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


class Kalman:
    def __init__(self, x: np.ndarray, P: np.ndarray, H: np.ndarray):
        self.x = x
        self.P = P
        self.H = H

    def predict(self, F: np.ndarray, Q: np.ndarray):
        self.x = F @ self.x
        self.P = F @ self.P @ F.T + Q

    def update(self, z: np.ndarray, R: np.ndarray):
        y = z - self.H @ self.x
        S = self.H @ self.P @ self.H.T + R
        K = self.P @ self.H.T @ np.linalg.inv(S)
        self.x = self.x + K @ y
        self.P = self.P - K @ self.H @ self.P


def run(x: Vec, P: Mat, H: Mat, F: Mat, Q: Mat, R: Mat, zs: Mat) -> Vec:
    k = Kalman(x, P, H)
    out = []
    for i in range(len(zs)):
        k.predict(F, Q)
        k.update(zs[i], R)
        out.append(k.x[0])
    return np.array(out)
