from typing import Annotated

import numpy as np
from numpy import append, arange, diag, dot, linspace, size, zeros
from numpy.linalg import solve
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def spline(x: Vec, h: float, U: Vec) -> Vec:
    n = size(U)
    X = arange(0, n + 1) * h
    i = zeros(len(x), dtype=int)
    for j in range(1, n):
        i[X[j] <= x] = j
    matrix = (
        diag(linspace(4, 4, n), 0)
        + diag(linspace(1, 1, n - 1), -1)
        + diag(linspace(1, 1, n - 1), 1)
    )
    matrix[0][n - 1] = 1
    matrix[n - 1][0] = 1
    matrixU = matrix - diag(linspace(6, 6, n), 0)
    ddU = solve(matrix * (h**2) / 6, dot(matrixU, U))
    ddU = append(ddU, ddU[0])
    U = append(U, U[0])
    b = X[i + 1] - x
    a = x - X[i]
    return b * (ddU[i] / 6 * ((b * b) / h - h) + U[i] / h) + a * (
        (ddU[i + 1] / 6) * ((a * a) / h - h) + U[i + 1] / h
    )
