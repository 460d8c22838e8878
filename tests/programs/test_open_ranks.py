"""Ranks that annotations leave open, in tuples, lists, dicts and objects, and of factors of @."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Modules, refusals

HEAD = """
from __future__ import annotations
from dataclasses import dataclass
from typing import Annotated, NamedTuple, Optional
import numpy as np
from numpy.typing import NDArray
V = NDArray[np.float64]
Vector = Annotated[V, "n"]
Matrix = Annotated[V, "n m"]

"""
SOURCE = (
    HEAD
    + """
@dataclass
class Layer:
    w: np.ndarray
    b: np.ndarray

    def size(self) -> int:
        n, m = self.w.shape
        return n * m

class Model:
    def __init__(self, slopes: V, scale: float) -> None:
        self.slopes = slopes
        self.scale = scale

class Network(NamedTuple):
    layers: list[Layer]
    last: V

def weight(model: Model) -> float:
    return model.slopes[0, 1] * model.scale

def of_tuple(pair: tuple[V, V]) -> float:
    a, b = pair
    return np.sum(a * b[:, 0])

def of_optional(x: V, state: Optional[tuple[V, V]] = None) -> float:
    if state is None:
        mean, spread = x.mean(axis=0), x.std(axis=0)
    else:
        mean, spread = state
    return np.sum(((x - mean) / spread) ** 3 * np.arange(3.0))

def of_list(ws: list[V], x: V) -> float:
    total = 0.0
    for w in ws:
        for row in w:
            total += row[0] * x[0]
    return total

def of_pairs(layers: list[tuple[V, V]], x: V) -> float:
    for w, b in layers:
        x = np.tanh(w.T @ x + b)
    return np.sum(x)

def of_dict(params: dict[str, V], x: V) -> float:
    h = np.tanh(params["W"] @ x + params["b"])
    return np.sum(h * h)

def of_dict_by_items(params: dict[str, np.ndarray]) -> float:
    return params["table"][1, 0] * params["v"][2]

def of_object(layer: Layer, x: V) -> float:
    return np.sum(np.tanh(x @ layer.w + layer.b)) / layer.size()

def of_objects(net: Network, x: V) -> float:
    for layer in net.layers:
        x = np.tanh(x @ layer.w + layer.b)
    return np.sum(x * net.last)

def of_plain(model: Model, x: V) -> float:
    return np.sum(model.slopes * x) * model.scale

def quadratic(x: V, a: V, b: V) -> float:
    return 0.5 * x @ a @ x - np.dot(b, x)

def in_capitals(A: V, x: V) -> float:
    return np.sum((A @ x - 1.0) ** 2)

def returned(m: Matrix, v: Vector) -> Layer:
    return Layer(m * 2.0, v * v)

def mean(layer: Layer) -> float:
    return np.mean(layer.w) * layer.b[0]

def of_other_ranks(m: Matrix, v: Vector) -> float:
    return mean(Layer(m, v)) + mean(Layer(v * v, v))

def joined(rows: V, w: V) -> float:
    total = 0.0
    for row in rows:
        total += np.sum(np.concatenate([row, w]) ** 2)
    return total

def sizes_in_indices(W: np.ndarray, X: np.ndarray, labels: NDArray[np.int64]) -> float:
    p = np.tanh(X.dot(W))
    return -np.mean(p[np.arange(X.shape[0]), labels]) + p[len(X) - 1, 0]

def found_for_indices(xs: np.ndarray, ts: np.ndarray, t: float) -> float:
    near = xs[np.argmin(np.abs(ts - t)), 0] * ts[0]
    return near + xs[int(ts[0]), 1] + xs[np.argmax(xs[0]), 0]

def whole_indices(xs: Matrix, rows: np.ndarray, columns: np.ndarray) -> float:
    return np.sum(xs[rows + 1, columns[:]]) + np.sum(xs[np.ix_(rows, columns)] ** 2)

def of_bits(data: np.ndarray, w: float) -> float:
    total = 0.0
    for one in data:
        total += w**2 * (0xFF & one) + (one ^ 3) * w
    return total
"""
)
RNG = np.random.default_rng(3)
M, X = RNG.normal(size=(3, 3)), RNG.normal(size=3)
LAYERS = [(RNG.normal(size=(3, 4)), RNG.normal(size=4)), (RNG.normal(size=(4, 2)), np.ones(2))]
ARGUMENTS: dict[str, Callable[[ModuleType], tuple[object, ...]]] = {
    "weight": lambda m: (m.Model(M, 2.0),),
    "of_tuple": lambda m: ((X, M),),
    "of_optional": lambda m: (M, (X * 0.5, X * X + 1.0)),
    "of_list": lambda m: ([M, M[:2]], X),
    "of_pairs": lambda m: (LAYERS, X),
    "of_dict": lambda m: ({"W": M[:2], "b": X[:2]}, X),
    "of_dict_by_items": lambda m: ({"table": M, "v": X},),
    "of_object": lambda m: (m.Layer(*LAYERS[0]), X),
    "of_objects": lambda m: (m.Network([m.Layer(w, b) for w, b in LAYERS], X[:2]), X),
    "of_plain": lambda m: (m.Model(M, 2.0), X),
    "quadratic": lambda m: (X, M, X * X),
    "in_capitals": lambda m: (M[:2], X),
    "returned": lambda m: (M, X),
    "of_other_ranks": lambda m: (M, X),
    "joined": lambda m: (M, X),
    "sizes_in_indices": lambda m: (M, M[:2] * 2.0, np.array([2, 0])),
    "found_for_indices": lambda m: (M, np.array([1.2, 0.3, 2.4]), 0.5),
    "of_bits": lambda m: (np.array([260, 3]), 0.5),
    "whole_indices": lambda m: (M, np.array([1, 0]), np.array([2, 1])),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_gradients(name: str, modules: Modules) -> None:
    primal, generated = modules
    check_gradients(getattr(primal, name), generated, ARGUMENTS[name](primal))


def test_optional_arrays_that_are_not_there(modules: Modules) -> None:
    primal, generated = modules
    check_gradients(primal.of_optional, generated, (M, None))


UNKNOWN = {
    "def f(x: V, w: V) -> float:\n    return np.sum(np.tanh(w @ x) + np.tanh(x @ w))\n": "x",
    "def f(pair: tuple[V, V]) -> float:\n    return np.sum(pair[0] @ pair[1])\n": "pair",
    "class P(NamedTuple):\n    w: V\n\ndef f(p: P, x: V) -> V:\n    return p.w @ x\n": "p",
}


@pytest.mark.parametrize("text", UNKNOWN)
def test_factors_that_may_be_vectors_or_matrices(text: str) -> None:
    found = refusals(HEAD + text)[0]
    assert found.code == "MK203"
    assert found.message.startswith(f"parameter {UNKNOWN[text]} of f")
