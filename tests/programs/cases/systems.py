"""Roots of systems of equations by SciPy, whose derivatives are those of the roots."""

import numpy as np
from kinds import Vec
from scipy import linalg, optimize
from scipy.optimize import fsolve, root


def circle_and_line(a: float, b: float) -> float:
    def equations(v):
        x, y = v
        return [x * x + y * y - a - 1.0, x - b * y]

    x, y = fsolve(equations, [1.0, 1.0])
    return x * y + x


def one_unknown(a: float) -> float:
    return fsolve(lambda x, c: x**3 - c, 1.0, args=a)[0] + optimize.fsolve(np.tanh, 0.3)[0]


def steady_state(k: Vec) -> Vec:
    """Of a network whose size is that of its parameters."""

    def rates(x):
        return np.tanh(k) - x - 0.1 * x**3 - 0.1 * np.roll(x, 1)

    return root(rates, np.zeros(len(k)), tol=1e-13).x


def _forces(x, a, b):
    bond = 0.5 * (x[0] - x[1]) ** 3
    return np.array([x[0] + bond - a, x[1] - bond - b])


def _stiffness(x, a, b):
    bond = 1.5 * (x[0] - x[1]) ** 2
    return np.array([[1.0 + bond, -bond], [-bond, 1.0 + bond]])


def with_jacobian(a: float, b: float) -> float:
    sol = root(_forces, [0, 0], args=(a, b), jac=_stiffness, method="hybr", callback=None)
    if not sol.success:
        raise RuntimeError(sol.message)
    return sol.x[0] * sol.x[1] ** 2 + np.sum(sol.fun) + sol.status


def implicit_steps(k: float, y: float) -> float:
    """Backward Euler, for a pair of unknowns."""
    state = np.array([y, 0.0])
    for _ in range(3):
        before = state

        def residual(new):
            rates = np.array([new[1], -k * new[0] ** 3])
            return new - before - 0.1 * rates  # noqa: B023

        state = fsolve(residual, before, xtol=1e-13)
    return state[0] + state[1]


def result_by_text(a: float) -> float:
    sol = root(lambda x: x**3 - a, [1.0], tol=1e-13)
    return sol["x"][0] if sol["success"] else 0.0


def banded(k: Vec, q: Vec, steps: int) -> float:
    """Implicit steps of heat in a rod."""
    n = len(q)
    flow = np.concatenate((k, np.ones(n + 1 - len(k))))
    ab = np.zeros((3, n))
    ab[0, 1:] = ab[2, :-1] = -flow[1:-1]
    ab[1] = 3.0 + flow[:-1] + flow[1:]
    heat = q
    for _ in range(steps):
        heat = linalg.solve_banded((1, 1), ab, heat)
    return np.sum(heat * np.arange(n))


def banded_with_swaps(a: float, b: float) -> float:
    """Of which the largest elements are below the diagonal."""
    bands = [[0.0, a, b, 1.0], [0.1, a * b, 0.2, b], [2.0, 3.0, -2.0, 0.0], [a, 4.0, 0.0, 0.0]]
    x = linalg.solve_banded((2, 1), bands, np.array([[1.0, a], [2.0, b], [0.5, 0.0], [b, 1.0]]))
    return np.sum(x * np.arange(8.0).reshape(4, 2))


def regulated(a: float, b: float, q: float, r: float) -> float:
    """Gains of regulators, continuous and discrete."""
    slopes, pushes = np.array([[0.0, 1.0], [a, -0.2]]), np.array([[0.0], [b]])
    weights, effort = np.diag([q, 1.0]), r * np.eye(1)
    found = linalg.solve_continuous_are(slopes, pushes, weights, effort)
    gain = np.linalg.solve(effort, pushes.T @ found)
    steps, kicks = np.eye(2) + 0.1 * slopes, 0.1 * pushes
    also = linalg.solve_discrete_are(steps, kicks, weights, effort)
    spread = linalg.solve_discrete_lyapunov(0.5 * steps, weights)
    return np.sum(found) + gain[0, 1] + also[0, 1] * also[1, 1] + np.sum(spread**2)
