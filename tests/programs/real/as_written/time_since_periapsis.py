import numpy as np
from numba import njit as jit


@jit
def to_E(nu, ecc):
    return 2 * np.arctan(np.sqrt((1 - ecc) / (1 + ecc)) * np.tan(nu / 2))


@jit
def to_F(nu, ecc):
    return 2 * np.arctanh(np.sqrt((ecc - 1) / (ecc + 1)) * np.tan(nu / 2))


@jit
def elapsed(nu: float, ecc: float, k: float = 1.0, q: float = 1.0, delta: float = 1e-2) -> float:
    assert -np.pi <= nu < np.pi
    if ecc < 1 - delta:
        E = to_E(nu, ecc)
        M = E - ecc * np.sin(E)
        n = np.sqrt(k * (1 - ecc) ** 3 / q**3)
    elif 1 - delta <= ecc < 1:
        E = to_E(nu, ecc)
        if delta <= 1 - ecc * np.cos(E):
            M = E - ecc * np.sin(E)
            n = np.sqrt(k * (1 - ecc) ** 3 / q**3)
        else:
            D = np.tan(nu / 2)
            M = D + D**3 / 3
            n = np.sqrt(k / (2 * q**3))
    elif ecc == 1:
        D = np.tan(nu / 2)
        M = D + D**3 / 3
        n = np.sqrt(k / (2 * q**3))
    elif 1 + ecc * np.cos(nu) < 0:
        return np.nan
    elif 1 + delta < ecc:
        F = to_F(nu, ecc)
        M = ecc * np.sinh(F) - F
        n = np.sqrt(k * (ecc - 1) ** 3 / q**3)
    else:
        raise RuntimeError
    return M / n
