from typing import Annotated

import numpy as np
from scipy.integrate import solve_ivp
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


G, L = 9.8, 1.0


def derivative(t, state, L1, L2, m1, m2, g):
    theta1, omega1, theta2, omega2 = state
    delta = theta2 - theta1
    den1 = (m1 + m2) * L1 - m2 * L1 * np.cos(delta) ** 2
    den2 = (L2 / L1) * den1
    num1 = (
        m2 * L1 * omega1**2 * np.sin(delta) * np.cos(delta)
        + m2 * g * np.sin(theta2) * np.cos(delta)
        + m2 * L2 * omega2**2 * np.sin(delta)
        - (m1 + m2) * g * np.sin(theta1)
    )
    num2 = -m2 * L2 * omega2**2 * np.sin(delta) * np.cos(delta) + (m1 + m2) * (
        g * np.sin(theta1) * np.cos(delta) - L1 * omega1**2 * np.sin(delta) - g * np.sin(theta2)
    )
    return [omega1, num1 / den1, omega2, num2 / den2]


def separation(start: Vec, m1: float, m2: float, shift: float) -> Vec:
    t_eval = np.linspace(0, 0.4, 5)
    args = (L, L, m1, m2, G)
    first = solve_ivp(derivative, (0, 0.4), start, t_eval=t_eval, args=args, rtol=1e-12, atol=1e-12)
    moved = start + np.array([shift, 0, 0, 0])
    second = solve_ivp(
        derivative, (0, 0.4), moved, t_eval=t_eval, args=args, rtol=1e-12, atol=1e-12
    )
    return np.abs(first.y[2] - second.y[2])
