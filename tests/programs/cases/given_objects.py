"""Lists of objects that are parameters, whose fields the function assigns."""

import math
from dataclasses import dataclass, field

import numpy as np
from kinds import Vec


@dataclass
class Body:
    x: float
    v: float
    m: float

    def drift(self, dt):
        self.x += dt * self.v

    @property
    def kinetic(self):
        return 0.5 * self.m * self.v**2


def pulled(bodies: list[Body], k: float) -> float:
    e = 0.0
    for _ in range(3):
        for b in bodies:
            b.v -= 0.1 * k * b.x / (1.0 + b.m**2)
        for b in bodies:
            b.drift(0.1)
    for b in bodies:
        e += b.kinetic + 0.5 * k * b.x**2
    return e


def in_pairs(bodies: list[Body], dt: float) -> float:
    for i, a in enumerate(bodies):
        for b in bodies[i + 1 :]:
            force = a.m * b.m / (1.0 + (a.x - b.x) ** 2)
            a.v -= dt * force * (a.x - b.x)
            b.v += dt * force * (a.x - b.x)
    for b in bodies:
        b.x += dt * b.v
    return sum(b.x * b.x for b in bodies)


def heaviest(bodies: list[Body], f: float) -> float:
    best = bodies[0]
    for b in bodies:
        if b.m > best.m:
            best = b
    best.v += f
    return sum(b.v**2 * b.m for b in bodies)


def around_another(bodies: list[Body], sun: Body, dt: float) -> float:
    for b in bodies:
        b.v -= dt * (b.x - sun.x) * sun.m
        sun.v += dt * b.m
    return sun.v * sum(b.v for b in bodies)


def until(bodies: list[Body], dt: float) -> float:
    for b in bodies:
        b.v += dt
        if b.v > 1.0:
            return b.v**2
    return dt * sum(b.v for b in bodies)


def beside_new_ones(bodies: list[Body], dt: float) -> float:
    every = [Body(dt, dt, dt), *bodies]
    for b in every:
        b.x += b.v * dt
    return sum(b.x * (k + 1) for k, b in enumerate(every))


def in_order(bodies: list[Body], k: float) -> float:
    s = 0.0
    for b in sorted(bodies, key=lambda b: b.x):
        b.x += s
        s += b.x * k
    return s + bodies[0].x


def _kick(b, dt):
    b.v -= dt * b.x


def _kick_all(bodies, dt):
    for b in bodies:
        _kick(b, dt)


def by_helpers(bodies: list[Body], dt: float) -> float:
    _kick_all(bodies, dt)
    _kick_all(bodies[1:], dt)
    _kick(bodies[0], dt)
    return bodies[0].v * bodies[-1].v


def by_a_helper_for_one(bodies: list[Body], dt: float) -> float:
    _kick(bodies[0], dt)
    return bodies[0].v * bodies[-1].v


def one_by_one(bodies: list[Body], x: Vec) -> float:
    for k in range(min(len(bodies), len(x))):
        bodies[k].x = x[k] * bodies[k].m
    bodies[-1].x *= 2.0
    return sum(b.x**2 for b in bodies)


@dataclass
class Cell:
    concentration: float
    age: int
    is_open: bool
    name: str = "cell"


def open_cells(cells: list[Cell], rate: float) -> float:
    total = 0.0
    for c in cells:
        if c.is_open:
            c.concentration *= math.exp(-rate * c.age)
            c.age += 1
        c.is_open = c.concentration > 0.1
        total += c.concentration * c.age
    return total + sum(c.concentration for c in cells if c.is_open)


@dataclass
class Particle:
    pos: Vec
    vel: Vec
    mass: float
    forces: float = field(default=0.0)


def swarm(ps: list[Particle], dt: float) -> float:
    for p in ps:
        for q in ps:
            if p is not q:
                p.forces += q.mass / (1.0 + p.pos[0] ** 2 + q.pos[0] ** 2)
    for p in ps:
        p.vel = p.vel * (1.0 - dt) + dt * p.forces
        p.pos = np.concatenate([p.pos, p.vel[:1]])
    return sum(p.pos @ p.pos for p in ps) + sum(p.vel.sum() for p in ps)


def only_read(bodies: list[Body], k: float) -> float:
    s = 0.0
    for b in bodies:
        s += b.m * math.sin(k * b.x)
    return s


def from_the_end(bodies: list[Body], dt: float) -> float:
    for i in range(-1, -len(bodies) - 1, -1):
        bodies[i].x += dt * i
    return sum(b.x * (k + 1) for k, b in enumerate(bodies))


def swapped(bodies: list[Body], dt: float) -> float:
    p, q = bodies[0], bodies[-1]
    p.x, q.x = q.x * dt, p.x + dt
    max(bodies, key=lambda b: b.v).v += dt
    by_name = {"first": bodies[0], "last": bodies[-1]}
    by_name["last"].m *= p.x
    return sum(b.x * b.v * b.m for b in bodies)


def handled(bodies: list[Body], dt: float) -> float:
    s = 0.0
    for b in bodies:
        try:
            b.x = dt / b.x
            if b.x > 0.5:
                raise ValueError("large")
            b.v *= 2.0
        except ValueError:
            b.v = -b.v
        finally:
            s += b.v
    return s + sum(b.x for b in bodies)


def before_and_after(bodies: list[Body], dt: float) -> float:
    was = [b.x for b in bodies]
    copies = [Body(b.x, b.v, b.m) for b in bodies]
    for b, c in zip(bodies, copies, strict=True):
        b.x *= dt
        c.x += b.v
    return sum(w * b.x + c.x for w, b, c in zip(was, bodies, copies, strict=True))
