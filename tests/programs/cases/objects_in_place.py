"""Arrays in fields of objects in lists, changed in place: nobody else may miss the change."""

from dataclasses import dataclass, field

import numpy as np
from kinds import Mat, Vec


@dataclass
class Body:
    pos: Vec
    vel: Vec
    mass: float

    def pushed(self) -> Vec:
        self.pos += 1.0
        return self.pos

    def momentum(self) -> Vec:
        return self.vel[1:]

    @property
    def speed(self) -> Vec:
        return self.vel

    @speed.setter
    def speed(self, value: Vec) -> None:
        self.vel[:] = value


@dataclass
class Layer:
    w: Mat
    b: Vec
    moments: Vec = field(default_factory=lambda: np.zeros(2))


def _kick(body: Body, force: Vec, dt: float) -> None:
    body.vel += dt * force
    body.pos[0] *= 1.5


def _made(x: Mat) -> list[Body]:
    return [Body(row.copy(), 2.0 * row, 1.0 + row[0] ** 2) for row in x]


# ---- made here ----------------------------------------------------------------------------------


def stepped(x: Mat, dt: float, steps: int) -> float:
    bodies = _made(x)
    for _ in range(steps):
        for body in bodies:
            body.vel -= dt * np.sin(body.pos)
        for body in bodies:
            body.pos += dt * body.vel
    return sum(body.mass * np.sum(body.pos**3) for body in bodies)


def elements(x: Mat, dt: float) -> float:
    bodies = _made(x)
    for body in bodies:
        for k in range(len(body.vel)):
            body.vel[k] += dt * body.pos[k] ** 2
        body.pos[:] = body.pos * body.vel
    return sum(np.sum(body.pos) for body in bodies)


def named_before(x: Mat) -> float:
    """The view shows the change."""
    total = 0.0
    for body in _made(x):
        vel = body.vel
        body.vel *= body.pos
        total += np.sum(vel**2)
    return total


def through_the_name(x: Mat) -> float:
    bodies = _made(x)
    for body in bodies:
        vel = body.vel
        vel += body.pos
        vel[0] *= 2.0
    return sum(np.sum(body.vel**3) for body in bodies)


def operand_from_before(x: Mat) -> float:
    """The left operand is the array that the method changes."""
    return sum(np.sum(body.pos * body.pushed()) for body in _made(x))


def item_of_a_tuple(x: Mat) -> float:
    total = 0.0
    for body in _made(x):
        first, second = body.pos, body.pushed()[0]
        total += np.sum(first) * second
    return total


def by_a_property(x: Mat) -> float:
    bodies = _made(x)
    for body in bodies:
        body.speed = body.pos**2
        body.speed[0] += 1.0
        body.speed *= 0.5
    return sum(np.sum(body.vel**3) for body in bodies)


def part_of_a_method(x: Mat) -> float:
    total = 0.0
    for body in _made(x):
        part = body.momentum()
        body.vel *= 1.5
        total += np.sum(part**2)
    return total


def iterator_over_it(x: Mat) -> float:
    total = 0.0
    for body in _made(x):
        numbers = iter(body.pos)
        first = next(numbers)
        body.pos *= 1.5
        total += next(numbers) * first
    return total


def generator_over_it(x: Mat) -> float:
    total = 0.0
    for body in _made(x):
        later = (v * 2 for v in body.pos)
        body.pos *= 1.5
        total += sum(later)
    return total


def default_of_it(x: Mat) -> float:
    total = 0.0
    for body in _made(x):

        def first(pos=body.pos):
            return pos[0] ** 2

        body.pos *= 1.5
        total += first()
    return total


def born_later(x: Mat) -> float:
    """The table grows between changes."""
    bodies = _made(x)
    for row in x:
        bodies[0].pos += row
        bodies.append(Body(row * 2.0, row.copy(), 1.0))
        bodies[-1].pos *= bodies[0].pos
    return sum(np.sum(body.pos**2) for body in bodies)


def while_it_is_small(x: Mat, limit: float) -> float:
    bodies = _made(x)
    k = 0
    while k < len(bodies) and np.sum(bodies[k].vel ** 2) < 50.0 + limit:
        bodies[k].vel *= 1.5
        bodies[k].vel[0] *= bodies[k].vel[1]
        if bodies[k].vel[0] > 0.3:
            bodies[k].pos -= bodies[k].vel
        k += 1
    return sum(np.sum(body.vel * body.pos) for body in bodies)


# ---- the caller's -------------------------------------------------------------------------------


def given(bodies: list[Body], dt: float) -> float:
    for body in bodies:
        body.vel += dt * np.cos(body.pos)
    for body in bodies:
        body.pos += dt * body.vel
    return sum(body.mass * np.sum(body.pos**3) for body in bodies)


def given_elements(bodies: list[Body], dt: float) -> float:
    for k in range(len(bodies)):
        bodies[k].pos[0] += dt * bodies[k].vel[0]
        bodies[k].pos[0], bodies[k].pos[1] = bodies[k].pos[1], bodies[k].pos[0]
    return sum(body.pos[0] * body.pos[1] * body.mass for body in bodies)


def given_in_many_ways(bodies: list[Body], x: Vec) -> float:
    total = 0.0
    for body in bodies:
        body.vel[body.vel < 0.0] = 0.5
        body.vel[[0, 1]] += x[:2]
        np.multiply(body.vel, 1.5, out=body.vel)
        body.vel[::-1] *= x[0]
        total += np.sum(body.vel**2)
        body.vel.fill(2.0)
        body.pos[1:] -= body.vel[:1] * x[0]
        total += np.sum(body.pos**2)
    return total


def given_to_a_helper(bodies: list[Body], dt: float) -> float:
    for body in bodies:
        _kick(body, np.sin(body.pos), dt)
    return sum(np.sum(body.pos**3 * body.vel) for body in bodies)


def pair_forces(bodies: list[Body], dt: float) -> float:
    for i in range(len(bodies)):
        for j in range(i + 1, len(bodies)):
            gap = bodies[j].mass - bodies[i].mass
            force = gap / (gap * gap + 0.5)
            bodies[i].vel += dt * force
            bodies[j].vel -= dt * force
    return sum(body.mass * np.sum(body.vel**2) for body in bodies)


def trained(layers: list[Layer], x: Vec, rate: float) -> float:
    h = np.array([x[0], x[1]])
    for layer in layers:
        layer.b[:] = layer.b * (1.0 - rate)
        layer.w -= rate * np.mean(layer.w**2)
        layer.w[0] *= 1.5
        layer.w.T[0] += np.sum(h)
    return sum(np.sum(np.tanh(layer.w)) * np.sum(layer.b) for layer in layers)


def nothing_returned(out: list[Body], dt: float) -> None:
    """The results are the objects `out`."""
    for body in out:
        body.vel += dt * body.pos[0]
    for body in out:
        body.pos += dt * body.vel[0]


def fields_assigned(out: list[Body], dt: float) -> None:
    for body in out:
        body.pos = body.pos + dt * np.sin(body.pos)


def returned(bodies: list[Body], dt: float) -> list[Body]:
    for body in bodies:
        body.pos *= dt
    return bodies
