from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]

WEIGHTS = np.array([1.0, 2.0, 0.5])


class Kind(Enum):
    SOFT = 1
    HARD = 2


@dataclass
class State:
    pos: Vec
    vel: Vec
    t: float
    name: str = "a"


@dataclass(frozen=True)
class Params:
    k: float
    c: float


class Box(NamedTuple):
    lo: Vec
    width: float


def energy(state: State, params: Params) -> float:
    e = 0.0
    for i in range(state.pos.shape[0]):
        e += 0.5 * params.k * state.pos[i] ** 2 + state.vel[i] ** 2 * np.exp(-params.c * state.t)
    return e


def stepped(state: State, h: float) -> float:
    state.t += h
    state.pos = state.pos + h * state.vel
    return float(np.sum(state.pos * np.sin(state.t)))


def boxed(box: Box, a: float) -> float:
    return float(np.sum(np.cos(box.lo * a) * box.width))


def maybe(x: float, y: float | None, mode: Literal["sin", "cos"], kind: Kind = Kind.SOFT) -> float:
    r = np.sin(x) if mode == "sin" else np.cos(x)
    if y is not None:
        r *= y
    return r * r if kind is Kind.HARD else r


def weighted(x: Vec) -> float:
    if x.shape[0] != 3:
        raise ValueError("three")
    return float(np.sum(WEIGHTS * x * x * x))


def moved(state: State, h: float) -> State:
    return State(state.pos + h * state.vel, state.vel * 0.9, state.t + h, state.name)


def bounded(state: State, h: float) -> float:
    for i in range(state.pos.shape[0]):
        state.t += h * state.pos[i] ** 2
        if state.t > 1.5:
            raise ValueError("late")
    return state.t**2
