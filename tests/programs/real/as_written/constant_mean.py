from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


class GaussianProcess(object):
    def __init__(self, kernel, noise):
        self.kernel = kernel
        self.noise = noise
        self.cache = {}
        self.trained = False


class ConstantMean(GaussianProcess):
    def __init__(self, mean, kernel, noise):
        super().__init__(kernel, noise)
        self.mean = mean

    def fit(self, x_tr, y_tr, eval_gradient=False):
        m, n = x_tr.shape
        y_tr = y_tr - self.mean
        k_tr = self.kernel(x_tr, x_tr) + self.noise * np.eye(m)
        jac_k_tr = self.kernel.jacobian() if eval_gradient else None
        l_tr = np.linalg.cholesky(k_tr)
        alpha = np.linalg.solve(l_tr.T, np.linalg.solve(l_tr, y_tr))
        self.cache.update({"x_tr": x_tr, "l_tr": l_tr, "alpha": alpha})
        self.trained = True
        loglik = (-np.sum(np.log(np.diag(l_tr))) - 0.5 * (y_tr @ alpha + m * np.log(2 * np.pi))) / m
        if not eval_gradient:
            return loglik
        A = np.outer(alpha, alpha) - np.linalg.inv(k_tr)
        grad = 0.5 * np.trace(A @ jac_k_tr, axis1=1, axis2=2) / m
        return loglik, grad

    def predict(self, x_te):
        m, n = x_te.shape
        if not self.trained:
            return self.mean * np.ones(m), self.kernel(x_te, x_te)
        k_tr_te = self.kernel(self.cache["x_tr"], x_te)
        k_te = self.kernel(x_te, x_te) + self.noise * np.eye(m)
        mean = k_tr_te.T @ self.cache["alpha"]
        v = np.linalg.solve(self.cache["l_tr"], k_tr_te)
        var = k_te - v.T @ v
        return self.mean + mean, var


class Squared:
    def __init__(self, scale):
        self.scale = scale

    def __call__(self, a, b):
        d = np.sum(a**2, axis=1)[:, None] + np.sum(b**2, axis=1)[None, :] - 2 * a @ b.T
        return np.exp(-0.5 * d / self.scale**2)


def fit_and_predict(x: Mat, y: Vec, x_te: Mat, mean: float, scale: float, noise: float) -> float:
    process = ConstantMean(mean, Squared(scale), noise)
    loglik = process.fit(x, y)
    means, var = process.predict(x_te)
    return loglik + np.sum(means) + np.trace(var)
