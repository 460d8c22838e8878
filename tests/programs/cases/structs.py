"""Dataclasses and NamedTuples: made, read, changed, chosen between, carried by loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]


@dataclass(frozen=True)
class Spring:
    k: float
    rest: float = 1.0

    def force(self, r: float) -> float:
        return -self.k * (r - self.rest)

    @property
    def doubled(self) -> float:
        return 2.0 * self.k


@dataclass
class State:
    x: Vector
    v: Vector
    t: float = 0.0

    def kinetic(self) -> float:
        return 0.5 * np.sum(self.v**2)

    def step(self, spring: Spring, dt: float) -> None:
        for i in range(self.x.shape[0]):
            self.v[i] += dt * spring.force(self.x[i])
        self.x += dt * self.v
        self.t += dt


class Point(NamedTuple):
    x: float
    y: float


def stepping(state: State, spring: Spring, dt: float, steps: int) -> float:
    for _ in range(steps):
        state.step(spring, dt)
    p = Point(state.kinetic(), y=state.t)
    return p.x + spring.doubled * p.y


def new_in_each_step(state: State, spring: Spring, dt: float, steps: int) -> float:
    s = state
    for _ in range(steps):
        v = s.v - dt * spring.k * (s.x - spring.rest)
        s = State(s.x + dt * v, v, s.t + dt)
    return s.kinetic() * s.t


def chosen(a: float, b: float, c: float) -> float:
    s = Spring(a)
    state = State(np.zeros(2), np.ones(2), a)
    if c > 0.5:
        s = Spring(b, rest=c)
        state.t = b * c
    else:
        state = State(np.ones(2), np.ones(2) * b)
    return s.force(3.0) + state.t * state.kinetic()


def gives_struct(state: State, dt: float) -> State:
    return State(state.x + dt * state.v, state.v * 2.0, state.t * dt)


def gives_point(p: Point, q: Point) -> Point:
    return Point(p.x * q.y, p.y + q.x)
