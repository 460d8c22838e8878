import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp


class GMM:
    def __init__(self, k: int, n_iter: int = 4, tol: float = 1e-6):
        self.k = k
        self.n_iter = n_iter
        self.tol = tol
        self.means_: np.ndarray | None = None
        self.covs_: np.ndarray | None = None
        self.weights_: np.ndarray | None = None

    def _init(self, X):
        n, d = X.shape
        self.means_ = X[: self.k].copy()
        self.covs_ = np.stack([np.eye(d)] * self.k)
        self.weights_ = np.full(self.k, 1.0 / self.k)

    def _log_prob(self, X):
        n, d = X.shape
        out = np.empty((n, self.k))
        for j in range(self.k):
            L = np.linalg.cholesky(self.covs_[j] + 1e-6 * np.eye(d))
            y = np.linalg.solve(L, (X - self.means_[j]).T)
            out[:, j] = (
                -0.5 * (d * np.log(2 * np.pi) + np.sum(y**2, axis=0)) - np.log(np.diag(L)).sum()
            )
        return out + np.log(self.weights_)

    def fit(self, X):
        self._init(X)
        prev = -np.inf
        for it in range(self.n_iter):
            lp = self._log_prob(X)
            norm = logsumexp(lp, axis=1, keepdims=True)
            resp = np.exp(lp - norm)
            Nk = resp.sum(axis=0)
            self.weights_ = Nk / len(X)
            self.means_ = (resp.T @ X) / Nk[:, np.newaxis]
            for j in range(self.k):
                diff = X - self.means_[j]
                self.covs_[j] = (resp[:, j, None] * diff).T @ diff / Nk[j]
            ll = norm.mean()
            if abs(ll - prev) < self.tol:
                break
            prev = ll
        return self

    def score(self, X):
        return logsumexp(self._log_prob(X), axis=1).mean()


def held_out_score(X: NDArray[np.float64], Y: NDArray[np.float64], k: int = 2) -> float:
    return GMM(k).fit(X).score(Y)
