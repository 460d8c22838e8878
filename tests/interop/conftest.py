"""A generated module that the adapters are tried on."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.transpile import Modules, transpiled

SOURCE = """
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]


@dataclass
class Params:
    w: Vec
    b: float


# mooncake: modes=reverse,forward,hvp
def misfit(w: Vec, b: float, n: int, t: Vec) -> float:
    return np.sum((np.sin(w) * b - t) ** 2) * n


# mooncake: wrt=b
def scaled(w: Vec, b: float = 2.0) -> tuple[float, Vec]:
    return np.sum(w) * b, w * b


def sines(x: Vec) -> Vec:
    return np.sin(x)


def written(x: Vec) -> Vec:
    x *= x
    return x * 3.0


def rooted(x: Vec) -> float:
    return np.sqrt(np.sum(x))


def decay(t: Vec, a: float, b: float) -> Vec:
    return a * np.exp(-b * t)


# mooncake: modes=reverse,forward,hvp
def energy(p: Params, t: Vec) -> float:
    return np.sum((p.w * p.b - t) ** 2)


def chosen(
    a: Annotated[NDArray[np.float32], "n m"], use: Annotated[NDArray[np.bool_], "n"], *, k: int = 2
) -> tuple[np.float32, Annotated[NDArray[np.float32], "n m"]]:
    if k < 0:
        raise ValueError("k is negative")
    out = np.zeros_like(a)
    for i in range(a.shape[0]):
        if use[i]:
            out[i] = a[i] ** k
    return out[0, 1], out


def widths(z: Annotated[NDArray[np.complex128], "n"]) -> float:
    return np.sum(np.abs(z) ** 2)
"""
W, T = np.array([0.3, 0.7, 1.1]), np.array([0.1, 0.2, 0.4])


@pytest.fixture(scope="session")
def modules() -> Modules:
    """The module of the program, and the generated one, compiled."""
    return transpiled(SOURCE, jit=True)
