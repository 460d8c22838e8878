import numpy as np
from numpy.typing import NDArray


class ReverseRates:
    """Reverse rate coefficients from NASA polynomials."""

    def __init__(self, nu, table):
        self.nu = np.array(nu)
        self.table = np.array(table)
        self.p0 = 1.0e5
        self.R = 8.3144598
        self.surplus = np.sum(self.nu, axis=0)

    def enthalpies(self, T):
        a = self.table
        return (
            a[:, 0]
            + a[:, 1] * T / 2.0
            + a[:, 2] * T**2.0 / 3.0
            + a[:, 3] * T**3.0 / 4.0
            + a[:, 4] * T**4.0 / 5.0
            + a[:, 5] / T
        )

    def entropies(self, T):
        a = self.table
        return (
            a[:, 0] * np.log(T)
            + a[:, 1] * T
            + a[:, 2] * T**2.0 / 2.0
            + a[:, 3] * T**3.0 / 3.0
            + a[:, 4] * T**4.0 / 4.0
            + a[:, 6]
        )

    def coefficients(self, kf, T):
        delta_H = np.dot(self.nu.T, self.enthalpies(T))
        delta_S = np.dot(self.nu.T, self.entropies(T))
        delta_G = delta_S - delta_H
        fact = self.p0 / self.R / T
        kb = fact**self.surplus * np.exp(delta_G)
        return kf / kb


def progress_rate(
    vp: NDArray[np.float64],
    vpp: NDArray[np.float64],
    coeffs: NDArray[np.float64],
    conc: NDArray[np.float64],
    A: NDArray[np.float64],
    E: NDArray[np.float64],
    T: float,
) -> NDArray[np.float64]:
    if np.any(conc < 0):
        raise ValueError("concentrations must be nonnegative")
    if T <= 0:
        raise ValueError("T = {0:18.16e}:  Negative temperature!".format(T))
    kf = A * np.exp(-E / (8.3144598 * T))
    kb = ReverseRates(vpp - vp, coeffs).coefficients(kf, T)
    progress = kf.copy()
    for jdx, rj in enumerate(progress):
        rev = kb[jdx]
        for idx, xi in enumerate(conc):
            nu_ij = vp[idx, jdx]
            progress[jdx] *= xi**nu_ij
            rev *= xi ** vpp[idx, jdx]
        progress[jdx] -= rev
    return np.dot(vpp - vp, progress)
