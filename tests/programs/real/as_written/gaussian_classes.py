from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Labels = Annotated[NDArray[np.int64], "_"]
Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


class NaiveBayes:
    def __init__(self, var_smoothing=1e-9):
        self.var_smoothing = var_smoothing
        self._classes = None
        self._mean = None
        self._var = None
        self._priors = None

    def fit(self, X, y):
        X = np.asarray(X)
        y = np.asarray(y).ravel()
        n_samples, n_features = X.shape
        self._classes = np.unique(y)
        n_classes = len(self._classes)
        self._mean = np.zeros((n_classes, n_features), dtype=np.float64)
        self._var = np.zeros((n_classes, n_features), dtype=np.float64)
        self._priors = np.zeros(n_classes, dtype=np.float64)
        for idx, c in enumerate(self._classes):
            X_c = X[y == c]
            self._mean[idx, :] = X_c.mean(axis=0)
            self._var[idx, :] = X_c.var(axis=0) + self.var_smoothing
            self._priors[idx] = X_c.shape[0] / float(n_samples)
        return self

    def predict(self, X):
        if self._classes is None:
            raise ValueError("Model has not been fitted yet.")
        X = np.asarray(X)
        return np.array([self._predict(x) for x in X])

    def scores(self, x):
        posteriors = []
        for idx, _ in enumerate(self._classes):
            prior = np.log(self._priors[idx])
            likelihood = np.sum(np.log(self._pdf(idx, x)))
            posteriors.append(prior + likelihood)
        return posteriors

    def _predict(self, x):
        return self._classes[np.argmax(self.scores(x))]

    def _pdf(self, idx, x):
        mean = self._mean[idx]
        var = self._var[idx]
        numerator = np.exp(-((x - mean) ** 2) / (2 * var))
        denominator = np.sqrt(2 * np.pi * var)
        return numerator / denominator


def best_score(X: Mat, y: Labels, new: Mat) -> float:
    model = NaiveBayes(0.1).fit(X, y)
    labels = model.predict(new)
    return max(model.scores(new[0])) + 0.1 * np.sum(labels)
