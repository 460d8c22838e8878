from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def value_at_risk(returns: np.ndarray, level: float = 0.95) -> float:
    return float(-np.percentile(returns, 100 * (1 - level)))


def shortfall(returns: Vec, level: float = 0.95) -> float:
    var = value_at_risk(returns, level)
    tail = returns[returns <= -var]
    return float(-tail.mean()) if len(tail) > 0 else var


def yields(taus: Vec, beta0: float, beta1: float, beta2: float, lambda_: float = 0.5) -> Vec:
    taus = np.asarray(taus)
    f1 = (1 - np.exp(-lambda_ * taus)) / (lambda_ * taus + 1e-10)
    f2 = f1 - np.exp(-lambda_ * taus)
    return beta0 + beta1 * f1 + beta2 * f2
