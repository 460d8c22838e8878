import numpy as np
from scipy.integrate import odeint

N = 1000


def deriv(y, t, N, beta, sigma, gamma):
    S, E, I, R = y
    dS = -beta * S * I / N
    dE = beta * S * I / N - sigma * E
    dI = sigma * E - gamma * I
    dR = gamma * I
    return dS, dE, dI, dR


def infected(beta: float, sigma: float, gamma: float, I0: float) -> float:
    E0 = 2 * I0
    R0 = 0
    S0 = N - I0 - E0 - R0
    t = np.linspace(0, 16, 16)
    y0 = S0, E0, I0, R0
    ret = odeint(deriv, y0, t, args=(N, beta, sigma, gamma))
    S, E, I, R = ret.T
    return I.max() + R[-1]
