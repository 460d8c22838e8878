from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


DIFFUSIVITY = 0.01


def right_side(u, k_sq, diffusivity=DIFFUSIVITY):
    u_hat = np.fft.fft(u)
    u_xx = np.fft.ifft(-k_sq * u_hat).real
    return diffusivity * u_xx - 5.0 * u**3 + 5.0 * u


def solved(
    t_data: float, t_target: float, dt: float, nx: int, x_min: float, x_max: float
) -> tuple[Vec, Vec]:
    if t_target <= t_data:
        raise ValueError("t_target must be larger than t_data.")
    length = x_max - x_min
    x = np.linspace(x_min, x_max, nx, endpoint=False)
    k = 2.0 * np.pi * np.fft.fftfreq(nx, d=length / nx)
    k_sq = k**2
    n_target = int(round(t_target / dt))
    if n_target < 1:
        raise ValueError("dt is too large for the requested target time.")
    dt = t_target / n_target
    n_data = int(round(t_data / dt))
    t_data_actual = n_data * dt
    if abs(t_data_actual - t_data) > 1e-12:
        print(f"Warning: t_data adjusted from {t_data:.6f} to {t_data_actual:.6f}")
    u = x**2 * np.cos(np.pi * x)
    u_data = u.copy() if n_data == 0 else None
    for step in range(1, n_target + 1):
        k1 = right_side(u, k_sq)
        k2 = right_side(u + 0.5 * dt * k1, k_sq)
        k3 = right_side(u + 0.5 * dt * k2, k_sq)
        k4 = right_side(u + dt * k3, k_sq)
        u = u + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        if step == n_data:
            u_data = u.copy()
    if u_data is None:
        raise RuntimeError("no data")
    return u_data, u
