import numpy as np


def anomaly(
    t: float, t0: float, mu: float, a: float, e: float, nloop: int = 5
) -> tuple[float, float]:
    n = np.sqrt(mu / a**3)
    M = n * (t - t0)
    E = M
    for i in range(nloop):
        E = M + e * np.sin(E)
    theta = 2 * np.arctan(np.sqrt((1 + e) / (1 - e)) * np.tan(E / 2))
    r = a * (1 - e * np.cos(E))
    return theta, r
