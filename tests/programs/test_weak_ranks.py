"""Ranks that annotations leave open, and of which the text of a function says little."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Modules, refusals

HEAD = "import numpy as np\n"
SOURCE = (
    HEAD
    + """
def kernel(x: np.ndarray, width: float) -> float:
    gaps = np.zeros((len(x), len(x)))
    gaps[:] = x
    gaps.T[:] -= x.T
    return np.sum(np.exp(-0.5 * gaps**2 / width**2))

def unpacked(points: np.ndarray) -> float:
    x, y = points.T
    return np.sum(x * y)

def columns(points: np.ndarray) -> float:
    return np.sum(points.T[0] * points.T[1])

def symmetric(m: np.ndarray) -> float:
    return np.sum((m + m.T) ** 2 * 0.5)

def quadratic(x: np.ndarray, A: np.ndarray) -> float:
    return x.T @ A @ x

def counted(A: np.ndarray, x: np.ndarray) -> float:
    return np.sum(A @ x) / len(A)

def row(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    h = x[0][None].dot(w)
    return h[:, 0:2]

def _gaps(atoms: np.ndarray):
    return atoms[:, np.newaxis, :] - atoms[np.newaxis, :, :]

def cluster(atoms: np.ndarray) -> float:
    if atoms.ndim == 1:
        atoms = atoms.reshape(-1, 3)
    return np.sum(_gaps(atoms) ** 4)

def first_column(x: np.ndarray, k: int) -> float:
    if x.ndim > 1:
        x = x[:, 0]
    return x[k] ** 2 + x[0]

def either(x: np.ndarray) -> float:
    y = x[:, None] if len(x.shape) == 1 else x
    return np.sum(y * y) + x[0, 1]

def misfit(p: np.ndarray, seen: np.ndarray) -> np.ndarray:
    return (p.reshape((2, 3)) - seen).ravel()

def _bent(p: np.ndarray):
    return np.outer(p, p) * 2.0

def bent_misfit(p: np.ndarray, seen: np.ndarray) -> float:
    return np.sum((seen - _bent(p)) ** 2)

def centred(x: np.ndarray, mean: np.ndarray) -> float:
    return np.sum((x - mean)[:, 0] ** 2) + x[0, 1]

def never_turned(tau: np.ndarray) -> float:
    if tau.shape[0] == 1 and tau.ndim > 1 and tau.shape[1] > 1:
        tau = tau.T
    return np.sum(np.exp(-tau)) * tau[0]

class Cell:
    def __init__(self, hidden: int, wx: np.ndarray, wh: np.ndarray) -> None:
        self.hidden = hidden
        self.wx = wx
        self.wh = wh
        self.start = np.zeros((1, self.hidden))

    def unroll(self, x: np.ndarray, wh: np.ndarray):
        h = self.start
        for i in range(x.shape[0]):
            h = np.tanh(x[i][None].dot(self.wx[:, :2]) + h.dot(wh))
        return h

    def last(self, x: np.ndarray):
        return self.unroll(x, self.wh)[:, 0]

def unrolled(x: np.ndarray, wx: np.ndarray, wh: np.ndarray) -> np.ndarray:
    cell = Cell(2, wx, wh)
    return cell.unroll(x, cell.wh)

def of_last(x: np.ndarray, wx: np.ndarray, wh: np.ndarray) -> float:
    return np.sum(Cell(2, wx, wh).last(x))

def standardised(X: np.ndarray, mu: np.ndarray, sd: np.ndarray) -> float:
    z = (X - mu) / sd
    return np.sum(z[:, 0] * z[:, 1])

def logistic(theta: np.ndarray, X: np.ndarray) -> float:
    return np.sum(1.0 / (1.0 + np.exp(-X @ theta)))

def updated(P: np.ndarray, H: np.ndarray, R: np.ndarray) -> float:
    return np.sum(np.linalg.inv(H @ P @ H.T + R))

def potential(x: np.ndarray, eps: float) -> float:
    if x.ndim == 1:
        x = x.reshape(-1, 2)
    e = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            d = x[i] - x[j]
            e += eps / np.sqrt(d @ d)
    return e

def chosen(points: np.ndarray, idx: np.ndarray) -> float:
    return np.sum(points[idx] ** 2)

def masked(x: np.ndarray, mask: np.ndarray, go: np.ndarray) -> float:
    total = np.sum(x[mask]) + np.sum(x[~go] ** 2)
    for i in range(len(x)):
        total += x[i] if mask[i] else 0.0
    return total
"""
)
RNG = np.random.default_rng(5)
M, X = RNG.normal(size=(3, 3)), RNG.normal(size=3)
ARGUMENTS: dict[str, tuple[object, ...]] = {
    "kernel": (X, 0.7),
    "unpacked": (M[:, :2].copy(),),
    "columns": (M,),
    "symmetric": (M,),
    "quadratic": (X, M),
    "counted": (M, X),
    "row": (M, M),
    "cluster": (M,),
    "first_column": (X, 1),
    "either": (M,),
    "misfit": (RNG.normal(size=6), M[:2]),
    "bent_misfit": (X, M),
    "centred": (M, X),
    "never_turned": (X,),
    "unrolled": (M, M, M[:2, :2].copy()),
    "of_last": (M, M, M[:2, :2].copy()),
    "standardised": (M, X, X * X + 1.0),
    "logistic": (X, M),
    "updated": (M @ M.T, M, np.eye(3)),
    "potential": (M[:, :2].copy(), 0.5),
    "masked": (X, X > 0.0, X < 0.3),
    "chosen": (X, np.array([2, 0, 2])),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_gradients(name: str, modules: Modules) -> None:
    primal, generated = modules
    check_gradients(getattr(primal, name), generated, ARGUMENTS[name])


UNKNOWN = {
    "def f(x: np.ndarray) -> float:\n"
    "    if x.ndim == 1:\n        x = x[None, :]\n    return np.sum(x * x)\n": "x",
    "def f(x: np.ndarray) -> float:\n"
    "    return np.sum(x) if x.ndim == 1 else np.sum(x[:, 0])\n": "x",
    "def f(a: np.ndarray, b: np.ndarray) -> float:\n"
    "    return np.sum(np.outer(a @ b, b @ a))\n": "a",
}


@pytest.mark.parametrize("text", UNKNOWN)
def test_ranks_that_nothing_tells(text: str) -> None:
    found = refusals(HEAD + text)[0]
    assert found.code == "MK203"
    assert found.message.startswith(f"parameter {UNKNOWN[text]} of f")
