from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import cumulative_trapezoid

Vec = Annotated[NDArray[np.float64], "_"]

C_LIGHT = 299792.458
OMEGA_M_PHYSICAL = 0.143


def omega_m_from_h0(H0):
    h = H0 / 100.0
    return OMEGA_M_PHYSICAL / (h * h)


def e_z(z, H0):
    om = omega_m_from_h0(H0)
    ol = 1.0 - om
    z = np.asarray(z, dtype=float)
    return np.sqrt(om * (1.0 + z) ** 3 + ol)


def luminosity_distance(z_values: Vec, H0: float) -> Vec:
    z_values = np.asarray(z_values, dtype=float)
    zmax = max(float(np.max(z_values)), 0.001)
    grid = np.linspace(0.0, zmax, 50)
    inv_e = 1.0 / e_z(grid, H0)
    integral = cumulative_trapezoid(inv_e, grid, initial=0.0)
    dc_grid = (C_LIGHT / H0) * integral
    dc = np.interp(z_values, grid, dc_grid)
    return (1.0 + z_values) * dc


def distance_modulus(z_values: Vec, H0: float) -> Vec:
    dl_mpc = np.asarray(luminosity_distance(z_values, H0), dtype=float)
    return 5.0 * np.log10(dl_mpc) + 25.0
