from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def check_series(x, name):
    arr = np.asarray(x, dtype=float)
    if arr.ndim != 1 or arr.size == 0:
        raise ValueError(f"{name} must be a non-empty 1-D series")
    if not np.all(np.isfinite(arr)):
        raise ValueError(f"{name} contains non-finite values")
    return arr


def muskingum(inflow: Vec, k: float, x: float, dt: float = 1.0) -> Vec:
    infl = check_series(inflow, "inflow")
    if k <= 0 or not (0 <= x <= 0.5) or dt <= 0:
        raise ValueError("bad muskingum params")
    d = k - k * x + dt / 2
    c0 = (-k * x + dt / 2) / d
    c1 = (k * x + dt / 2) / d
    c2 = (k * (1 - x) - dt / 2) / d
    q = np.zeros_like(infl)
    q[0] = infl[0]
    for t in range(1, infl.size):
        q[t] = c0 * infl[t] + c1 * infl[t - 1] + c2 * q[t - 1]
        q[t] = max(q[t], 0.0)
    return q


def efficiency(obs: Vec, sim: Vec) -> float:
    o = check_series(obs, "obs")
    s = check_series(sim, "sim")
    if o.size != s.size:
        raise ValueError("length mismatch")
    den = float(np.sum((o - o.mean()) ** 2))
    if den == 0:
        raise ValueError("constant observations")
    return 1.0 - float(np.sum((o - s) ** 2)) / den
