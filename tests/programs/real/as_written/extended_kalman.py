import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]

Q = np.diag([0.1, 0.1, math.radians(1.0), 1.0]) ** 2
R = np.diag([1.0, math.radians(40.0)]) ** 2
DT = 0.1


def motion(x, u):
    F = np.matrix([[1.0, 0, 0, 0], [0, 1.0, 0, 0], [0, 0, 1.0, 0], [0, 0, 0, 0]])
    B = np.matrix([[DT * math.cos(x[2, 0]), 0], [DT * math.sin(x[2, 0]), 0], [0.0, DT], [1.0, 0.0]])
    x = F * x + B * u
    return x


def observed(x):
    H = np.matrix([[1, 0, 0, 0], [0, 1, 0, 0]])
    z = H * x
    return z


def jacob_f(x, u):
    yaw = x[2, 0]
    u1 = u[0, 0]
    jF = np.matrix(
        [
            [1.0, 0.0, -DT * u1 * math.sin(yaw), DT * u1 * math.cos(yaw)],
            [0.0, 1.0, DT * math.cos(yaw), DT * math.sin(yaw)],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )
    return jF


def estimated(x: Mat, P: Mat, z: Mat, u: Mat) -> tuple[Mat, Mat]:
    xPred = motion(x, u)
    jF = jacob_f(xPred, u)
    PPred = jF * P * jF.T + Q
    jH = np.matrix([[1, 0, 0, 0], [0, 1, 0, 0]])
    zPred = observed(xPred)
    y = z.T - zPred
    S = jH * PPred * jH.T + R
    K = PPred * jH.T * np.linalg.inv(S)
    x = xPred + K * y
    P = (np.eye(len(x)) - K * jH) * PPred
    return x, P
