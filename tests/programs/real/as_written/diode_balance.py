import numpy as np
import scipy.constants as scc


def balance(
    j: float,
    jl: float,
    j0: float,
    v: float,
    rs: float,
    rsh: float,
    eta: float,
    temp: float,
    n_cells: int = 1,
) -> float:
    vt = scc.k * temp / scc.e
    v = n_cells * v
    rs = n_cells * rs
    rsh = n_cells * rsh
    return jl - j0 * (np.exp((v + j * rs) / (eta * vt)) - 1) - ((v + j * rs) / rsh) - j
