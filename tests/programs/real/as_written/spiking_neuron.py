from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def izhikevich_neuron(
    a: float,
    b: float,
    c: float,
    d: float,
    I: float,
    v_init: float,
    u_init: float,
    num_steps: int,
    dt: float,
) -> tuple[Vec, list[float]]:
    v = np.zeros(num_steps)
    u = np.zeros(num_steps)
    spikes = []
    v[0] = v_init
    u[0] = u_init
    for t in range(1, num_steps):
        dv_dt = 0.04 * v[t - 1] ** 2 + 5 * v[t - 1] + 140 - u[t - 1] + I
        du_dt = a * (b * v[t - 1] - u[t - 1])
        v[t] = v[t - 1] + dt * dv_dt
        u[t] = u[t - 1] + dt * du_dt
        if v[t] >= 30:
            v[t] = c
            u[t] += d
            spikes.append(t * dt)
    return v, spikes
