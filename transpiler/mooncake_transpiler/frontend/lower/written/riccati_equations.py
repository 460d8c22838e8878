"""``scipy.linalg.solve_continuous_are``, ``solve_discrete_are`` and ``solve_discrete_lyapunov``.

Solutions are found detached: the continuous one by the sign of the Hamiltonian (Roberts, 1980), the
discrete one by doubling (Chu, Fan and Lin, 2005). Two of Newton's steps behind that, which are
Lyapunov equations (Kleinman, 1968), make them as accurate as numbers are, and give them the
derivatives of the solution: after the first one these are right, after the second one second
derivatives are, too.
"""

from typing import Any

import numpy as np
from mooncake_runtime import stop_gradient

from mooncake_transpiler.frontend.lower.written.random_numbers import _unsupported

linalg: Any = None  # of SciPy, where these are lowered, or tested


def _check_symmetric(m: Any, name: str) -> None:
    size = np.max(np.sum(np.abs(m), axis=0))
    if np.max(np.sum(np.abs(m - m.T), axis=0)) > 100 * (np.nextafter(size, np.inf) - size):
        raise ValueError(f"Matrix {name} should be symmetric/hermitian.")


def _check_equation(a: Any, b: Any, q: Any, r: Any, e: Any, s: Any, name: str) -> None:
    if e is not None or s is not None:
        _unsupported("MK303", f"{name} with e= or s=", "bring the equation to the form without")
    if a.shape[0] != a.shape[1] or a.shape[0] != b.shape[0] or a.shape != q.shape:
        raise ValueError("Matrix a, q and b should have the same number of rows.")
    if r.shape != (b.shape[1], b.shape[1]):
        raise ValueError("Matrix b and r should have the same number of cols.")
    _check_symmetric(q, "q")
    _check_symmetric(r, "r")


def _refined(x: Any, step: Any) -> Any:
    """``x`` after two of Newton's steps; an error if it moves, which a solution does not."""
    before = x
    for _ in range(2):
        before = x
        x = step(x)
        x = 0.5 * (x + x.T)
    if not np.max(np.abs(x - before)) <= 1e-6 * np.max(np.abs(x)):
        raise np.linalg.LinAlgError("Failed to find a finite solution.")
    return x


def _sign(z: Any) -> Any:
    """The matrix sign function, by Newton's steps with scaling."""
    n = z.shape[0]
    for _ in range(100):
        inverse = np.linalg.inv(z)
        scale = np.exp(-np.linalg.slogdet(z)[1] / n)
        after = 0.5 * (scale * z + inverse / scale)
        change = np.max(np.abs(after - z))
        z = after
        if change <= 1e-13 * np.max(np.abs(z)):
            return z
    raise np.linalg.LinAlgError("Failed to find a finite solution.")


def _continuous(a: Any, b: Any, q: Any, r: Any) -> Any:
    """The stabilising solution, near to rounding."""
    n = a.shape[0]
    both = np.zeros((2 * n, 2 * n))
    both[:n, :n] = a
    both[:n, n:] = -b @ np.linalg.solve(r, b.T)
    both[n:, :n] = -q
    both[n:, n:] = -a.T
    sign = _sign(both) + np.eye(2 * n)
    left, right = sign[:, n:], -sign[:, :n]
    return np.linalg.solve(left.T @ left, left.T @ right)


def _doubled(a: Any, b: Any, q: Any, r: Any) -> Any:
    """The stabilising solution of the discrete equation, near to rounding."""
    one = np.eye(a.shape[0])
    step, spread, x = a * 1.0, b @ np.linalg.solve(r, b.T), q * 1.0
    for _ in range(60):
        if not np.max(np.abs(x)) <= 1e100:
            break  # without end
        inverse = np.linalg.inv(one + spread @ x)
        more = step.T @ x @ inverse @ step
        spread = spread + step @ inverse @ spread @ step.T
        step, x = step @ inverse @ step, x + more
        if np.max(np.abs(step)) <= 1e-15:  # it vanishes if the solution stabilises
            return x
    raise np.linalg.LinAlgError("Failed to find a finite solution.")


def scipy_linalg_solve_continuous_are(
    a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None, balanced: bool = True
) -> Any:
    a, b, q, r = np.asarray(a) * 1.0, np.asarray(b) * 1.0, np.asarray(q) * 1.0, np.asarray(r) * 1.0
    _check_equation(a, b, q, r, e, s, "solve_continuous_are")
    x = _continuous(stop_gradient(a), stop_gradient(b), stop_gradient(q), stop_gradient(r))

    def step(x: Any) -> Any:
        gain = np.linalg.solve(r, b.T @ x)
        return linalg.solve_continuous_lyapunov((a - b @ gain).T, -q - gain.T @ r @ gain)

    return _refined(x, step)


def scipy_linalg_solve_discrete_are(
    a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None, balanced: bool = True
) -> Any:
    a, b, q, r = np.asarray(a) * 1.0, np.asarray(b) * 1.0, np.asarray(q) * 1.0, np.asarray(r) * 1.0
    _check_equation(a, b, q, r, e, s, "solve_discrete_are")
    x = _doubled(stop_gradient(a), stop_gradient(b), stop_gradient(q), stop_gradient(r))

    def step(x: Any) -> Any:
        gain = np.linalg.solve(r + b.T @ x @ b, b.T @ x @ a)
        return linalg.solve_discrete_lyapunov((a - b @ gain).T, q + gain.T @ r @ gain)

    return _refined(x, step)


def scipy_linalg_solve_discrete_lyapunov(a: Any, q: Any, method: Any = None) -> Any:
    a, q = np.asarray(a), np.asarray(q)
    n = a.shape[0]
    if method is None:
        method = "direct" if n < 10 else "bilinear"
    if method == "direct":
        rest = np.eye(n * n) - np.kron(a, a.conj())
        return np.linalg.solve(rest, q.reshape(n * n)).reshape((n, n))
    if method != "bilinear":
        raise ValueError(f"Unknown solver {method}")
    one = np.eye(n)
    turned = a.conj().T
    inverse = np.linalg.inv(turned + one)
    other = 2.0 * np.linalg.inv(a + one) @ q @ inverse
    return linalg.solve_continuous_lyapunov(((turned - one) @ inverse).conj().T, -other)
