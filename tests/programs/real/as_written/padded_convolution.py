from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]


def kernel(size, sigma=1.0):
    size = int(size) // 2
    x, y = np.mgrid[-size : size + 1, -size : size + 1]
    normal = 1 / (2.0 * np.pi * sigma**2)
    g = np.exp(-((x**2 + y**2) / (2.0 * sigma**2))) * normal
    return g


def convolution(image: Mat, sigma: float) -> Mat:
    k = kernel(3, sigma)
    hi, wi = image.shape
    hk, wk = k.shape
    padded = np.zeros(shape=(hi + hk - 1, wi + wk - 1))
    padded[hk // 2 : -(hk // 2), wk // 2 : -(wk // 2)] = image
    out = np.zeros(shape=image.shape)
    for row in range(hi):
        for col in range(wi):
            for i in range(hk):
                for j in range(wk):
                    out[row, col] += padded[row + i, col + j] * k[i, j]
    return out
