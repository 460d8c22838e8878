from typing import Annotated

import numpy as np
from numpy import diag, dot, size, zeros
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


def negative(theta, data, scale):
    omega, alpha = theta
    s = omega
    total = 0.0
    for t in range(1, len(data)):
        s = omega + alpha * data[t - 1] ** 2 + 0.3 * s
        total += np.log(s) + scale * data[t] ** 2 / s
    return total


def hessian_2sided(fun, theta, args):
    f = fun(theta, *args)
    h = 1e-2 * np.abs(theta)
    moved = theta + h
    h = moved - theta
    K = size(theta, 0)
    h = np.diag(h)
    fp = zeros(K)
    fm = zeros(K)
    for i in range(K):
        fp[i] = fun(theta + h[i], *args)
        fm[i] = fun(theta - h[i], *args)
    fpp = zeros((K, K))
    fmm = zeros((K, K))
    for i in range(K):
        for j in range(i, K):
            fpp[i, j] = fun(theta + h[i] + h[j], *args)
            fpp[j, i] = fpp[i, j]
            fmm[i, j] = fun(theta - h[i] - h[j], *args)
            fmm[j, i] = fmm[i, j]
    hh = diag(h)
    hh = hh.reshape((K, 1))
    hh = dot(hh, hh.T)
    H = zeros((K, K))
    for i in range(K):
        for j in range(i, K):
            H[i, j] = (fpp[i, j] - fp[i] - fp[j] + f + f - fm[i] - fm[j] + fmm[i, j]) / hh[i, j] / 2
            H[j, i] = H[i, j]
    return H


def curvature(theta: Vec, data: Vec, scale: float) -> Mat:
    return hessian_2sided(negative, theta, (data, scale))
