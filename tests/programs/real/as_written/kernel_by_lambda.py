from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.signal import convolve2d

Mat = Annotated[NDArray[np.float64], "_ _"]

gx = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
gy = np.array([[1, 2, 1], [0, 0, 0], [-1, -2, -1]])


def gaussian_kernel(size: int) -> Mat:
    assert size % 2 != 0, "Size has to be odd"
    g_s = lambda s: np.exp(-(s**2) / (2 * sig**2))
    kernel = np.zeros(size)
    a = (size - 1) / 2
    sig = a / 3
    for i in range(size):
        kernel[i] = g_s(i - a)
    kernel = kernel.reshape(-1, 1) @ kernel.reshape(1, -1)
    return kernel / np.sum(kernel)


def edges(img: Mat) -> Mat:
    smooth = convolve2d(img, gaussian_kernel(3), mode="same", boundary="symm")
    Gx = convolve2d(smooth, gx, mode="same", boundary="symm")
    Gy = convolve2d(smooth, gy, mode="same", boundary="symm")
    return np.sqrt(Gx**2 + Gy**2)
