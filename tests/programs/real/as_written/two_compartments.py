from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Vec = Annotated[NDArray[np.float64], "_"]


def two_compartment_ode(t, y, CL, Q, V1, V2):
    A1, A2 = y
    dA1_dt = -CL / V1 * A1 - Q * A1 / V1 + Q * A2 / V2
    dA2_dt = Q * A1 / V1 - Q * A2 / V2
    return np.array([dA1_dt, dA2_dt])


def residuals(theta: Vec, observed_time: Vec, observed_concentration: Vec) -> Vec:
    CL, Q, V1, V2 = theta
    y0 = np.array([100, 0])
    predicted_solution = solve_ivp(
        two_compartment_ode,
        [0, 4],
        y0,
        args=(CL, Q, V1, V2),
        t_eval=observed_time,
        rtol=1e-10,
        atol=1e-10,
    )
    A1 = predicted_solution.y[0]
    predicted_concentration = A1 / V1
    return observed_concentration - predicted_concentration
