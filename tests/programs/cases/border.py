"""Objects as parameters and results: what of them is assigned, passed on, shared, derived."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, NamedTuple

import numpy as np
import places
from numpy.typing import NDArray
from places import Part
from places import Point as Pair

Vector = Annotated[NDArray[np.float64], "n"]

SCALE = 1.5


@dataclass(frozen=True)
class Point:
    x: float
    y: float = 2.0


@dataclass
class Inner:
    a: float
    w: Vector


@dataclass
class State:
    x: Vector
    v: Vector
    t: float
    label: str = "state"
    steps: int = 0


@dataclass
class Outer:
    inner: Inner
    gain: float
    origin: Point


@dataclass
class Base:
    k: float

    def energy(self, x: float) -> float:
        return 0.5 * self.k * x * x


@dataclass
class Damped(Base):
    c: float = field(default=0.1, kw_only=True)


class Window(NamedTuple):
    lo: float
    hi: float
    at: Point


def advances_time(state: State, dt: float) -> float:
    state.t += dt
    return state.t * state.x[0]


def counts_steps(state: State, dt: float, steps: int) -> float:
    for _ in range(steps):
        state.t = state.t * (1.0 + dt)
        state.steps += 1
    return state.t * state.steps


def swaps_buffers(state: State, dt: float, steps: int) -> float:
    for _ in range(steps):
        state.v[:] = state.x + dt * state.v
        state.x, state.v = state.v, state.x
    return np.sum(state.x * state.x)


def rebinds_to_new_array(state: State, dt: float) -> float:
    state.x = state.x + dt * state.v
    state.x[0] *= 2.0
    return np.sum(state.x**2)


def rebinds_in_a_branch(state: State, dt: float) -> float:
    if dt > 10.0:
        state.t = dt
    elif dt > 0.0:
        state.v = state.x * dt
    return state.t + np.sum(state.v)


def shares_an_array(state: State, dt: float) -> float:
    state.v = state.x
    state.v[0] += dt
    return np.sum(state.x**2)


def rebinds_a_frozen_field(outer: Outer) -> float:
    outer.origin = Point(outer.origin.x * 2.0, outer.gain)
    return outer.origin.x * outer.origin.y


def rebinds_of_inner(outer: Outer, dt: float) -> float:
    outer.inner.a += dt
    outer.inner.w[1] = outer.inner.a
    outer.gain *= outer.inner.a
    return outer.gain * np.sum(outer.inner.w)


def replaces_inner(outer: Outer, dt: float) -> float:
    outer.inner.a = 3.0 * dt
    outer.inner = Inner(outer.inner.a * dt, outer.inner.w * 2.0)
    return outer.inner.a * outer.inner.w[0]


def renames(state: State, dt: float) -> float:
    state.label = "advanced"
    state.t -= dt
    return state.t * state.t


def assigns_and_returns(state: State, dt: float) -> Vector:
    state.t += dt
    state.x = state.t * state.v
    return state.x


def two_objects(a: State, b: State, dt: float) -> float:
    a.t += dt * b.t
    b.t -= dt * a.t
    return a.t * b.t


def gives_state(state: State, dt: float) -> State:
    return State(state.x + dt * state.v, state.v, state.t + dt, state.label, state.steps + 1)


def gives_same_state(state: State, dt: float) -> State:
    state.t += dt
    return state


def gives_named_window(window: Window, by: float) -> Window:
    return Window(window.lo * by, window.hi - by, Point(window.at.y * by))


def gives_pair_of_points(p: Point, q: Point) -> tuple[Point, tuple[float, Point]]:
    return Point(p.x * q.x), (p.y, Point(q.y, p.x * p.y))


def points_in_a_tuple(points: tuple[Point, Point], by: float) -> float:
    return points[0].x * points[1].y * by


def of_two_modules(p: Point, q: places.Point, part: Part) -> float:
    return p.x * q.y + q.x * p.y * part.mass


def gives_of_two_modules(p: Point, q: Pair) -> tuple[Point, Pair]:
    return Point(q.x * p.x, q.y), Pair(p.y, q.x)


def of_derived_class(spring: Damped, x: float) -> float:
    return spring.energy(x) + spring.c * x


def gives_derived_class(k: float, c: float) -> Damped:
    return Damped(k * c, c=c * c)


def default_point(x: float, p: Point = Point(0.7)) -> float:
    return x * p.x * p.y


def default_constant(x: float, k: float = SCALE, n: int = 2 + 1) -> float:
    return k * x**n


def passes_text(x: float, label: str = "none") -> float:
    return x * x


@dataclass
class Shape:
    r: float

    def area(self) -> float:
        return self.r * self.r


@dataclass
class Circle(Shape):
    def area(self) -> float:
        return 3.0 * self.r * self.r


def area_of(shape: Shape, h: float) -> float:
    return shape.area() * h


def area_of_any(shape: Shape | Circle, h: float) -> float:
    return shape.area() * h


def names_of_ours(instance: State, border: float, assign: float) -> State:
    instance.t += border
    return State(instance.x * assign, instance.v, instance.t)
