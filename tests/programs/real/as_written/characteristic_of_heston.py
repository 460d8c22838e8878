import numpy as np


def characteristic(
    u: float,
    T: float,
    kappa: float,
    theta: float,
    sigma: float,
    rho: float,
    v0: float,
    r: float,
    q: float,
    S0: float,
) -> complex:
    i = 1j
    lambda_ = rho * sigma * i * u
    d = np.sqrt((kappa - lambda_) ** 2 + (sigma**2) * (u**2 + i * u))
    g = (kappa - lambda_ - d) / (kappa - lambda_ + d)

    D = (kappa - lambda_ - d) / (sigma**2) * ((1 - np.exp(-d * T)) / (1 - g * np.exp(-d * T)))
    C = (r * i * u * T) + (kappa * theta / sigma**2) * (
        (kappa - lambda_ - d) * T - 2 * np.log((1 - g * np.exp(-d * T)) / (1 - g))
    )
    return np.exp(C + D * v0 + i * u * np.log(S0 * np.exp((r - q) * T)))
