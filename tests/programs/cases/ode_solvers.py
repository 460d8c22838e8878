"""Initial value problems by SciPy's solvers: the derivative is that of the steps they take."""

from functools import partial

import numpy as np
import scipy.integrate as spi
from kinds import Vec
from scipy import integrate
from scipy.integrate import odeint, solve_ivp


def decay(k: float, y0: float) -> float:
    sol = solve_ivp(lambda t, y: -k * y, [0, 2], [y0], rtol=1e-11, atol=1e-12)
    return sol.y[0, -1]


def driven(k: float, y0: float) -> float:
    """Steps of one size, whatever the tolerance: they are the same in differences."""
    t = np.linspace(0, 2, 5)
    sol = solve_ivp(
        lambda t, y: -k * y[0] + t, [0, 2], [y0], t_eval=t, first_step=0.1, max_step=0.1
    )
    return np.sum(sol.y[0] * sol.t) + sol.t[-1]


def _lotka_volterra(t, z, a, b, c, d):
    x, y = z
    return a * x - b * x * y, -c * y + d * x * y


def prey(a: float, b: float) -> Vec:
    rates = (1.0 + 0.1 * a, 0.1, 1.5, 0.05 + 0.01 * b)
    sol = solve_ivp(
        _lotka_volterra, (0, 3), (10, 5), "RK45", np.arange(0, 3, 0.5),
        args=rates, rtol=1e-11, atol=[1e-11, 1e-12], vectorized=False, events=None,
    )  # fmt: skip
    if not sol.success:
        raise RuntimeError(sol.message)
    return sol.y[0]


def backwards(a: float) -> float:
    def oscillator(t, y):
        return np.array([y[1], -a * y[0]])

    span = 2.0, 0.5
    sol = integrate.solve_ivp(
        oscillator, span, np.array([1.0, a]), method="RK23", first_step=0.1, max_step=0.1
    )
    return sol.y[:, -1].sum()


def ends_that_move(a: float, b: float) -> float:
    def forced(t, y):
        dydt = np.zeros(2)
        dydt[0] = y[1]
        dydt[1] = -a * y[0] + np.sin(t)
        return dydt

    sol = solve_ivp(forced, (b, 1.0 + a * b), [1.0, b], atol=1e-12, rtol=1e-12)
    return sol.y[0, -1] + sol.t[0] * sol.t[-1]


def times_that_move(a: float, b: float) -> Vec:
    t = np.array([0.0, 0.3, 1.0]) + b
    sol = solve_ivp(lambda t, y: -a * y * t, (0, 2), [1.0], t_eval=t, atol=1e-13, rtol=1e-13)
    return sol.y[0]


def on_a_ring(y: Vec) -> float:
    def diffusion(t, u):
        return np.roll(u, 1) - 2 * u + np.roll(u, -1) if t < 0.5 else 0.0 * u

    sol = solve_ivp(diffusion, (0.0, 0.4), np.tanh(y), rtol=1e-11, atol=1e-12)
    return np.sum(sol.y[:, -1] ** 2)


def _solved(k):
    return solve_ivp(lambda t, y: -k * y, [0, 1], [1.0, 2.0], first_step=0.25, max_step=0.25)


def at_any_time(a: float, t: float) -> float:
    """The solution as a function, of a number and of an array."""

    def rates(t, y):
        return [y[1], -a * y[0]]

    sol = solve_ivp(rates, (0, 2), [1.0, a], first_step=0.125, max_step=0.125, dense_output=True)
    many = sol.sol(np.linspace(0.0, 1.9, 3) + 0.01 * t)
    total = sol.sol(t)[0] + np.sum(many[0])
    for k in range(2):
        total += sol.sol(0.3 * k)[1]
    return total


def of_high_order(a: float, b: float) -> Vec:
    """Two bodies, for a while."""

    def rates(t, z):
        r3 = (z[0] ** 2 + z[1] ** 2) ** 1.5
        return [z[2], z[3], -z[0] / r3, -z[1] / r3]

    sol = solve_ivp(rates, (0, 1), [1.0, 0.0, 0.1 * b, 1.0 + a], "DOP853", rtol=1e-12, atol=1e-12)
    return sol.y[:, -1]


def _typed(t: float, y: Vec, k: float) -> Vec:
    return -k * y


def by_keywords(k: float, x: Vec, span: Vec) -> float:
    rates = partial(_typed, k=k)
    ends = span[:2]
    sol = solve_ivp(fun=rates, t_span=ends, y0=x, t_eval=ends, rtol=1e-12, atol=1e-13)
    return sol.y[:, -1].sum()


def arguments_of_all_kinds(k: float, x: Vec) -> float:
    named = {"k": k, "w": x[0]}
    sol = solve_ivp(
        lambda t, y, p, q: -p["k"] * y + q[0] * p["w"], [0, 1], x, args=(named, [k, 2.0]),
        rtol=1e-12, atol=1e-13,
    )  # fmt: skip
    return sol.y[0][-1] + sol.y[-1][-1]


def by_helper(k: float) -> float:
    sol = _solved(k)
    final = sol.y[:, -1]
    return final[0] * final[1] + sol.nfev * k + sol.status + len(sol.t)


class Pendulum:
    def __init__(self, length: float, damping: float) -> None:
        self.length = length
        self.damping = damping

    def rates(self, t: float, state: Vec) -> list[float]:
        angle, speed = state
        return [speed, -9.81 / self.length * np.sin(angle) - self.damping * speed]

    def swing(self, angle: float) -> Vec:
        sol = solve_ivp(self.rates, (0, 1), [angle, 0], rtol=1e-11, atol=1e-12)
        return sol.y[:, -1]


def pendulum(length: float, damping: float) -> Vec:
    return Pendulum(length, damping).swing(0.3)


def _logistic(y, t, r, k):
    return r * y * (1 - y / k)


def growth(r: float, y0: float) -> Vec:
    t = np.linspace(0, 3, 7)
    return odeint(_logistic, y0, t, args=(r, 2.0), rtol=1e-13, atol=1e-13)[:, 0]


def spring(k: float, y0: float) -> float:
    """Times that are repeated, and a state that is unpacked."""

    def rates(t, state):
        x, v = state
        return [v, -k * x]

    times = [0, 1, 1, 2.5]
    x, v = spi.odeint(rates, [y0, 0], times, tfirst=True, rtol=1e-13, atol=1e-13).T
    return x[-1] + v[1] * v[2]


def back_to_the_start(k: float, end: float) -> float:
    t = np.linspace(end, 0.0, 4)
    y = odeint(lambda y, t: -k * y + t, np.array([k]), t, mxstep=5000, rtol=1e-13, atol=1e-13)
    return y[-1, 0]


def fitted(k: float, seen: Vec) -> float:
    """Least squares, as rates are estimated."""
    t = np.arange(len(seen)) * 0.5
    y = odeint(lambda y, t: -k * y, 1.0, t, rtol=1e-13, atol=1e-13)
    return np.sum((y.flatten() - seen) ** 2)


def result_by_text(k: float, y0: float) -> float:
    """Results of SciPy are dicts; the solution is a list of lists that a lambda makes."""
    times = np.linspace(0.0, 1.0, 5)
    sol = solve_ivp(
        lambda t, y: [np.array([[k, 1.0]])[0][0] * y[0]], (0.0, 1.0), [y0],
        t_eval=times, rtol=1e-13, atol=1e-13,
    )  # fmt: skip
    return (
        np.sum(sol["y"][0]) * sol["t"][1]
        + [[sol["y"][j][i] for j in range(1)] for i in (1, 2)][1][0]
    )
