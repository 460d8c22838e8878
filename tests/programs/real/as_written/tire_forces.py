import numpy as np


def fiala(alpha: float, Ca: float, mu: float, fz: float) -> float:
    alpha_slide = np.abs(np.arctan(3 * mu * fz / Ca))
    if np.abs(alpha) < alpha_slide:
        fy = (
            -Ca * np.arctan(alpha)
            + ((Ca**2) / (3 * mu * fz)) * (np.abs(np.arctan(alpha))) * np.arctan(alpha)
            - ((Ca**3) / (9 * (mu**2) * (fz**2)))
            * (np.arctan(alpha) ** 3)
            * (1 - 2 * mu / (3 * mu))
        )
    else:
        fy = -mu * fz * np.sign(alpha)
    return fy


def magic(a: float, b: float, c: float, e: float, alpha: float, Fz: float) -> float:
    return (
        -c
        / b
        / a
        * Fz
        * np.sin(b * np.arctan(a * (1 - e) * np.tan(alpha) + e * np.arctan(a * np.tan(alpha))))
    )
