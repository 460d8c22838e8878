import numpy as np


def replicator(
    payoff: np.ndarray, x0: np.ndarray | None = None, dt: float = 0.05, n_steps: int = 4000
) -> np.ndarray:
    n = payoff.shape[0]
    x = np.full(n, 1.0 / n) if x0 is None else np.asarray(x0, dtype=float)
    path = np.empty((n_steps + 1, n))
    path[0] = x
    for s in range(n_steps):
        f = payoff @ x
        w = x * np.exp(dt * (f - f.max()))
        x = w / w.sum()
        path[s + 1] = x
    return path
