import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def radial(n: int, m: int, rho: np.ndarray) -> np.ndarray:
    m = abs(m)
    if (n - m) % 2 != 0:
        return np.zeros_like(rho, dtype=float)
    radial = np.zeros_like(rho, dtype=float)
    max_k = (n - m) // 2
    for k in range(max_k + 1):
        num = math.factorial(n - k)
        den = (
            math.factorial(k) * math.factorial((n + m) // 2 - k) * math.factorial((n - m) // 2 - k)
        )
        radial = radial + ((-1) ** k) * (num / den) * rho ** (n - 2 * k)
    return radial


def zernike(n: int, m: int, rho: Vec, theta: Vec, normalize: bool = True) -> Vec:
    r = radial(n, m, rho)
    if m > 0:
        z = r * np.cos(m * theta)
    elif m < 0:
        z = r * np.sin(abs(m) * theta)
    else:
        z = r
    if normalize:
        norm = math.sqrt(2 * (n + 1)) if m != 0 else math.sqrt(n + 1)
        z = z * norm
    return z
