from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]
Ints = Annotated[NDArray[np.int64], "_"]


def likelihood(beta: Vec, X: Mat, times: Vec, events: Ints) -> float:
    n_obs = len(times)
    risk_scores = X @ beta

    order = np.argsort(-times)
    sorted_scores = risk_scores[order]
    sorted_events = events[order]

    log_lik = 0.0
    grad = np.zeros(len(beta))
    hess = np.zeros((len(beta), len(beta)))

    exp_scores = np.exp(sorted_scores - np.max(sorted_scores))
    cum_exp = np.cumsum(exp_scores)

    for i in range(n_obs):
        if sorted_events[i] == 1:
            xi = X[order[i]]
            log_lik += sorted_scores[i] - np.max(sorted_scores) - np.log(cum_exp[i] + 1e-10)
            weights = exp_scores[: i + 1] / cum_exp[i]
            x_bar = weights @ X[order[: i + 1]]
            grad += xi - x_bar
            diff = X[order[: i + 1]] - x_bar
            hess -= (weights[:, None] * diff).T @ diff
    return -log_lik + 0.1 * np.sum(grad**2) + 0.01 * np.trace(hess)
