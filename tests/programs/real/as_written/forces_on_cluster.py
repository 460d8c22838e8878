from typing import Annotated

import numpy as np
from numpy.linalg import norm
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]


def force(r, eps, sigma, rc):
    mag_dr = norm(r)
    f = 4 * eps * (-6 / mag_dr**8 + 12 / mag_dr**14) * r if mag_dr < rc else np.zeros(3)
    return f


def force_list(pos: Mat, eps: float, sigma: float, rc: float) -> Mat:
    N = pos.shape[0]
    force_mat = np.zeros((N, N, 3))
    for i in range(N):
        for j in range(0, i):
            force_mat[i, j, :] = force(pos[i, :] - pos[j, :], eps, sigma, rc)
            force_mat[j, i, :] -= force_mat[i, j, :]
    return np.sum(force_mat, axis=1)
