from typing import Annotated

import numpy as np
from scipy.optimize import minimize
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


def solved(objective, n, extra_constraints=None):
    x0 = np.ones(n) / n
    bounds = [(0.0, 1.0)] * n
    constraints = [{"type": "eq", "fun": lambda w: np.sum(w) - 1}]
    if extra_constraints:
        constraints += extra_constraints
    result = minimize(objective, x0, method="SLSQP", bounds=bounds, constraints=constraints)
    if not result.success:
        return x0
    return result.x


def volatilities(means: Vec, cov: Mat, n_points: int = 5) -> list[float]:
    n = cov.shape[0]
    lo, hi = float(means.min()), float(means.max())
    frontier = []
    for target in np.linspace(lo, hi, n_points):
        extra = [{"type": "eq", "fun": lambda w, t=target: w @ means - t}]
        w = solved(lambda w: w @ cov @ w, n, extra_constraints=extra)
        frontier.append({"return": float(target), "volatility": float(np.sqrt(w @ cov @ w))})
    return [point["volatility"] for point in frontier]
