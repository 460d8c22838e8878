"""The same two functions of an object and of its parts: what taking it apart costs."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]


@dataclass(frozen=True)
class Parabola:
    a: float
    b: float
    c: float


@dataclass
class State:
    x: Vector
    v: Vector
    t: float


def parabola(p: Parabola, x: float) -> float:
    return p.a * x * x + p.b * x + p.c


def parabola_flat(a: float, b: float, c: float, x: float) -> float:
    return a * x * x + b * x + c


def power(state: State, k: float) -> float:
    total = 0.0
    for i in range(state.x.shape[0]):
        total += state.x[i] * state.v[i] * k
    return total * state.t


def power_flat(x: Vector, v: Vector, t: float, k: float) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i] * v[i] * k
    return total * t
