"""Ranks that annotations leave open, of functions that others call: told by calls, or what fits."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import gradient_text, transpiled

SOURCE = """
from typing import Annotated, NamedTuple
import numpy as np
from numpy.typing import NDArray
Matrix = Annotated[NDArray[np.float64], "n m"]

class Bells(NamedTuple):
    weights: np.ndarray
    places: np.ndarray

def size(signal: np.ndarray) -> float:
    return float(np.sqrt(np.mean(signal**2)))

def loudness(x: Matrix) -> float:
    return 20.0 * np.log(size(np.sin(x)) + 1.0)

def shares(raw: np.ndarray) -> np.ndarray:
    e = np.exp(raw - raw.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

def entropy(raw: np.ndarray, labels: np.ndarray) -> float:
    return -np.mean(np.log(shares(raw)[np.arange(len(labels)), labels]))

def density(bells: Bells, x: np.ndarray) -> np.ndarray:
    return np.exp(-((x[:, None] - bells.places) ** 2)) * bells.weights

def likelihood(bells: Bells, x: np.ndarray) -> float:
    return float(np.sum(np.log(density(bells, x).sum(axis=1))))

def _twice(x):
    return 2.0 * likelihood(Bells(x, x * x), x)

def of_a_private_one(x: Matrix) -> float:
    return _twice(x[0])

def on_both_sides(a: np.ndarray, b: np.ndarray) -> float:
    return np.sum(np.tanh(a * b))

def of_vectors(x: Matrix) -> float:
    return on_both_sides(x[0], x[1])

def of_matrices(x: Matrix) -> float:
    return on_both_sides(x, x * x)

def growth(contacts: np.ndarray, rate: float) -> float:
    assert contacts.ndim == 2
    return np.trace(rate * contacts @ contacts)

def infections(people: np.ndarray, contacts: np.ndarray, rate: float) -> float:
    force = rate * contacts @ people
    return np.sum(people * (1.0 - np.exp(-force)))

def through_another(x: Matrix) -> float:
    return _passed_on(x * 0.5)

def _passed_on(x):
    return last(np.cos(x))

def last(x: np.ndarray) -> float:
    return np.sum(x * x) / x.size
"""
RNG = np.random.default_rng(5)
M, X = RNG.normal(size=(3, 3)), RNG.uniform(0.2, 1.0, size=3)
ARGUMENTS: dict[str, tuple[object, ...]] = {
    "size": (M,),
    "loudness": (M,),
    "shares": (M,),
    "entropy": (M, np.array([0, 2, 1])),
    "growth": (M, 0.4),
    "infections": (X, M**2, 0.4),
    "of_a_private_one": (np.abs(M),),
    "on_both_sides": (X, X * X),
    "of_vectors": (M,),
    "of_matrices": (M,),
    "through_another": (M,),
    "last": (M,),
}


@pytest.fixture(scope="module")
def made() -> tuple[ModuleType, ModuleType]:
    return transpiled(SOURCE)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_derivatives(made: tuple[ModuleType, ModuleType], name: str) -> None:
    source, gradients = made
    check_gradients(getattr(source, name), gradients, ARGUMENTS[name])


def test_objects(made: tuple[ModuleType, ModuleType]) -> None:
    source, gradients = made
    bells = source.Bells(X, X * X)
    for function in (source.density, source.likelihood):
        check_gradients(function, gradients, (bells, X))


NOT_TOLD = """
import numpy as np

def f(x: np.ndarray) -> float:
    return np.sum(x**2)

def f_value_and(x: float) -> float:
    return f(np.array([x, 1.0])) * 2.0

def weighed(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    return np.sum(a @ b @ c)

def _one(a, b, c):
    return weighed(a, b, c)
"""


def test_what_nothing_tells_stays_a_helper() -> None:
    """So does what has derivatives by names that are taken."""
    text = gradient_text(NOT_TOLD)
    assert "def f_value_and_vjp" in text
    assert "def f_vjp" not in text
    assert "def weighed_vjp" not in text
