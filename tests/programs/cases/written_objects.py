"""Functions that return None: their results are the objects and lists `out…` that they change."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from kinds import Vec


@dataclass
class Particle:
    place: float
    speed: float

    def drift(self, dt: float) -> None:
        self.place += self.speed * dt


@dataclass
class Charged(Particle):
    charge: float

    def turn(self, angle: float) -> None:
        self.charge, self.speed = self.speed * angle, self.charge


@dataclass
class State:
    q: Vec
    time: float
    last: Particle

    def kick(self, dt: float) -> None:
        self.q += dt * np.sin(self.q)
        self.time += dt


class Pair(NamedTuple):
    left: Vec
    right: Vec


def step(out: Particle, dt: float) -> None:
    out.place += out.speed * dt
    out.speed = out.speed - dt * np.sin(out.place)


def leaves_early(out: Particle, dt: float) -> None:
    """`out` is another object behind the change of the caller's."""
    if dt < 0.0:
        return
    out.drift(dt)
    out = Particle(0.0, 0.0)
    out.place = dt


def by_methods(out: Charged, dt: float) -> None:
    """One that is inherited, and one that is not."""
    out.drift(dt)
    out.turn(dt)


def kicked(out: State, dt: float) -> None:
    out.kick(dt)
    last = out.last
    last.place = out.q[0] * out.time


def parts(out: State, x: Vec) -> None:
    q = out.q
    q[1:] = x[1:] * out.time
    out.last.drift(x[0])


def several(out_state: State, out_particle: Particle, out: Vec) -> None:
    out_state.time += out_particle.place
    out_particle.place = out_state.time * out[0]
    out *= out_particle.speed


def all_of(out: list[Particle], dt: float) -> None:
    for particle in out:
        particle.drift(dt)


def all_numbered(out: list[Particle], dt: float) -> None:
    for k, particle in enumerate(out):
        particle.speed *= dt * k


def appended(out: list[float], v: float) -> None:
    out.append(v * out[0])


def list_by_item(out: list[float], v: float) -> None:
    out[0] *= v
    out[-1] = v * v


def held_arrays(out: Pair, x: Vec) -> None:
    out.left[:] = x * out.right
    out.right[0] = 2.0 * x[0]


def held_by_tuple(out: tuple[Vec, Vec], x: Vec) -> None:
    first, second = out
    first[:] = x
    second += x[0] * first[0]


def by_helper(out: Particle, dt: float) -> None:
    _pushed(dt, particle=out)


def _pushed(dt, particle):
    particle.speed += dt * particle.place


def by_nested(out: Particle, x: Vec) -> None:
    def one(v: float) -> None:
        out.place *= v

    for v in x:
        one(v)


# mooncake: modes=reverse,forward
def asked_for(out: Particle, dt: float) -> None:
    out.drift(dt * out.speed)


def calls_that(particle: Particle, x: Vec) -> float:
    for v in x:
        asked_for(particle, v)
    return particle.place
