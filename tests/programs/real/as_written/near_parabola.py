import numpy as np
from numba import njit as jit


@jit
def series(ecc, x, atol=1e-12):
    assert abs(x) < 1
    S = 0
    k = 0
    while True:
        before = S
        S += (ecc - 1 / (2 * k + 3)) * x**k
        k += 1
        if abs(S - before) < atol:
            return S


@jit
def mean_anomaly(D: float, ecc: float) -> float:
    x = (ecc - 1.0) / (ecc + 1.0) * (D**2)
    assert abs(x) < 1
    S = series(ecc, x)
    return np.sqrt(2.0 / (1.0 + ecc)) * D + np.sqrt(2.0 / (1.0 + ecc) ** 3) * (D**3) * S
