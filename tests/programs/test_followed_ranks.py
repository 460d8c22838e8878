"""Ranks that annotations leave open: told by methods, local names, loops and library functions."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Modules

SOURCE = """
from dataclasses import dataclass
import numpy as np
from scipy import linalg
from scipy.stats import multivariate_normal

class Scales:
    def __init__(self, kind="log", strength=0.5):
        self.kind = kind
        self.strength = strength

    def rates(self, params, X):
        *coefs, last = params
        return np.exp(X @ np.array(coefs)) * last

    def loss(self, params, X):
        return np.mean(self.rates(params, X)) * self.strength

def by_a_method(params: np.ndarray, X: np.ndarray) -> float:
    return Scales(strength=0.3).loss(params, X)

class Mixture:
    def __init__(self, weights, means, covs):
        self.weights = weights
        self.means = means
        self.covs = covs

    def density(self, x):
        parts = [
            w * multivariate_normal.pdf(x, mean=m, cov=c)
            for w, m, c in zip(self.weights, self.means, self.covs)
        ]
        return sum(parts)

def of_fields(weights: np.ndarray, means: np.ndarray, covs: np.ndarray, X: np.ndarray) -> float:
    return np.sum(np.log(Mixture(weights, means, covs).density(X)))

class Table:
    def __init__(self, data):
        self.data = np.array(data, dtype=float)

    @classmethod
    def summed(cls, steps):
        return cls(np.cumsum(steps, axis=1))

    @staticmethod
    def scaled(table, by):
        return table[:, 0] * by

def by_a_class_method(steps: np.ndarray) -> float:
    n = len(steps)
    keep = np.add.outer(np.arange(n), np.arange(n)) < n
    return np.sum(Table.summed(np.where(keep, steps, 0.0)).data ** 2)

def by_a_static_method(table: np.ndarray, by: float) -> float:
    return np.sum(Table.scaled(table, by) ** 2)

def by_subscripts(counts: np.ndarray, background: np.ndarray, pseudo: float = 0.5) -> float:
    shares = (counts + pseudo) / (counts + pseudo).sum(axis=0, keepdims=True)
    return np.einsum("ij,ij->", shares, np.log(shares / background.reshape(-1, 1)))

def of_several(x: np.ndarray, Wq: np.ndarray, Wk: np.ndarray) -> float:
    n, d = x.shape
    q, k = (np.tanh(x @ W) for W in (Wq, Wk))
    return np.sum(q.reshape(n, d) * k.reshape(n, d))

def by_an_axis(x: np.ndarray) -> float:
    logs = np.log(1.0 + np.exp(x))
    return np.sum(np.linalg.norm(logs, axis=1))

def by_frobenius(a: np.ndarray, b: np.ndarray) -> float:
    return np.linalg.norm(a - b, "fro") ** 2

def by_a_form(weights: np.ndarray, cov: np.ndarray) -> float:
    marginal = np.dot(cov, weights)
    variance = np.dot(weights.T, np.dot(cov, weights))
    return np.sum((weights * marginal / variance) ** 2)

def of_a_shape(x: np.ndarray, centres: np.ndarray) -> float:
    near = ((x[:, None, :] - centres[None]) ** 2).sum(-1)
    return np.sum(near * np.exp(-near))

def beside_a_matrix(y: np.ndarray, X: np.ndarray) -> np.ndarray:
    beta = np.linalg.inv(X.T @ X) @ X.T @ y
    return y - X @ beta

def settled(F: np.ndarray, q: np.ndarray) -> float:
    return np.trace(linalg.solve_discrete_lyapunov(0.2 * F, q))

def of_items(factors: np.ndarray) -> float:
    covs = [L @ L.T + 0.1 * np.eye(L.shape[0]) for L in factors]
    return sum(np.linalg.det(cov) for cov in covs)

def of_a_sum(x: np.ndarray, w: np.ndarray, b: float) -> float:
    return np.mean(np.log1p(np.exp(x @ w + b)))

def either_way(returns: np.ndarray, weights: np.ndarray) -> float:
    losses = -(returns @ weights)
    return losses[losses > -1.0].mean()

def _spread(rows, halflife=None):
    w = np.ones(rows.shape[0]) if halflife is None else 0.5 ** (np.arange(rows.shape[0]) / halflife)
    centred = rows - np.average(rows, axis=0, weights=w)
    return (centred * w[:, None]).T @ centred

def with_more_axes(weights: np.ndarray, rows: np.ndarray) -> float:
    cov = _spread(rows, halflife=3)
    spreads = np.sqrt(np.diag(cov))
    return weights @ spreads / np.sqrt(weights @ cov @ weights)

# mooncake: wrt=beta
def of_conditions(beta: np.ndarray, events: np.ndarray) -> float:
    total = 0.0
    for i in range(len(beta)):
        if not events[i]:
            continue
        total += np.exp(beta[i])
    return total

def _picked(p, labels):
    return -np.log(p[np.arange(labels.shape[0]), labels]).sum()

# mooncake: wrt=p
def of_casts(p: np.ndarray, y: np.ndarray) -> float:
    return _picked(p, y.astype(int))

def of_rows_in_zip(controls: np.ndarray, ranges: np.ndarray, bearings: np.ndarray) -> float:
    total = 0.0
    for u, rs, bs in zip(controls, ranges, bearings):
        seen = [(r, b, i) for i, (r, b) in enumerate(zip(rs, bs)) if r < 5.0]
        for r, b, i in seen:
            total += r * b * (i + 1) * u
    return total

DOWN = np.array([0.0, -9.8])

@dataclass
class Disease:
    beta: float
    gamma: float

    @property
    def ratio(self) -> float:
        return self.beta / self.gamma

def beside_numbers_of_an_object(d: Disease, contacts: np.ndarray) -> float:
    K = d.ratio * contacts / d.gamma
    v = np.ones(len(K))
    for _ in range(5):
        w = K @ v
        growth = np.linalg.norm(w)
        v = w / growth
    return growth

def by_a_method_of_arrays(b: float, links: np.ndarray) -> float:
    v = np.ones(3)
    for _ in range(2):
        v = (links * b) @ v
    return v.sum()

# a name that holds arrays of several ranks is not what people write
def by_a_name(b: float, contacts: np.ndarray) -> float:
    k = b * contacts
    v = np.ones(len(k))
    for _ in range(4):
        w = k @ v
        v = w / np.linalg.norm(w)
    return np.dot(v, v * v)

def by_a_parameter(pos: np.ndarray, vel: np.ndarray, steps: int = 3) -> float:
    for _ in range(steps):
        apart = pos[:, None, :] - pos[None, :, :]
        near = (apart**2).sum(-1) < 4.0
        vel = vel + 0.1 * (near @ vel / near.sum(axis=1)[:, None])
        pos = pos + 0.1 * vel
    return np.sum(pos**2) + np.sum(np.linalg.norm(vel, axis=1))

# a number in an array can't take a vector
def by_a_row(positions: np.ndarray, dt: float) -> float:
    moved = positions.copy()
    for k in range(len(moved)):
        moved[k] += dt * DOWN
    return np.sum(moved**2)
"""
RNG = np.random.default_rng(5)
M, X = RNG.normal(size=(3, 3)), RNG.normal(size=3)
ARGUMENTS: dict[str, tuple[object, ...]] = {
    "by_a_method_of_arrays": (0.3, M),
    "by_a_name": (0.3, np.abs(M)),
    "by_a_parameter": (M, M * 0.3, 3),
    "by_a_method": (RNG.normal(size=4), M),
    "of_fields": (X * X, M[:, :2].copy(), np.stack([np.eye(2)] * 3) * 1.5, M[:, 1:].copy()),
    "by_a_class_method": (M,),
    "by_a_static_method": (M, 1.3),
    "by_subscripts": (M * M, X * X + 0.1, 0.4),
    "of_several": (M[:2], M, M.T.copy()),
    "by_an_axis": (M,),
    "by_frobenius": (M, M * M),
    "by_a_form": (X, M @ M.T),
    "of_a_shape": (M, M[:2] * 0.5),
    "beside_a_matrix": (RNG.normal(size=5), RNG.normal(size=(5, 2))),
    "settled": (M, M @ M.T),
    "of_items": (np.stack([M, M * M]),),
    "of_a_sum": (M[:2], X, 0.3),
    "either_way": (RNG.normal(size=(5, 3)) * 0.1, X),
    "with_more_axes": (X * X, RNG.normal(size=(6, 3))),
    "of_conditions": (X, np.array([1.0, 0.0, 1.0])),
    "of_rows_in_zip": (X, M, M.T.copy()),
    "of_casts": (M * M + 0.1, np.array([1.0, 0.0, 1.0])),
    "by_a_row": (M[:, :2].copy(), 0.1),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_gradients(name: str, modules: Modules) -> None:
    primal, generated = modules
    check_gradients(getattr(primal, name), generated, ARGUMENTS[name])


def test_numbers_of_objects(modules: Modules) -> None:
    primal, generated = modules
    disease = primal.Disease(0.4, 0.3)
    function = primal.beside_numbers_of_an_object
    check_gradients(function, generated, (disease, np.abs(M)))
