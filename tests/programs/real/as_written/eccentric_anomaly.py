import numpy as np


def solve(mean: float, e: float, tol: float = 1e-10, most: int = 100) -> float:
    E = mean if e < 0.8 else np.pi
    for _ in range(most):
        f = E - e * np.sin(E) - mean
        slope = 1 - e * np.cos(E)
        delta = f / slope
        E -= delta
        if abs(delta) < tol:
            return E
    raise RuntimeError("Kepler's equation: no convergence")
