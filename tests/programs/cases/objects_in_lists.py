"""Objects that can't be told apart ahead of time: in lists, chosen, linked, None at first."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]


@dataclass
class Atom:
    x: float
    v: float
    m: float = 1.0

    def kick(self, by: float) -> None:
        self.v += by / self.m

    @property
    def energy(self) -> float:
        return 0.5 * self.m * self.v**2


class Account:
    def __init__(self, balance: float) -> None:
        self.balance = balance
        self.count = 0

    def deposit(self, amount: float) -> None:
        self.balance += amount
        self.count += 1


@dataclass
class Place:
    x: float
    y: float


@dataclass
class Body:
    at: Place
    speed: Place
    m: float


@dataclass
class Order:
    price: float
    size: float


@dataclass
class State:
    mean: float
    n: int


class Link:
    def __init__(self, value: float) -> None:
        self.value = value
        self.before = None
        self.after = None


@dataclass
class Node:
    value: float
    rest: Node | None = None


class System:
    def __init__(self, q: Vector) -> None:
        self.atoms = []
        self.time = 0.0
        for x in q:
            self.atoms.append(Atom(x, 0.0))

    def step(self, h: float) -> None:
        for a in self.atoms:
            a.kick(-h * a.x)
            a.x += h * a.v
        self.time += h


def springs(q: Vector, dt: float) -> float:
    atoms = [Atom(q[i], 0.1 * i) for i in range(len(q))]
    for _ in range(3):
        for a in atoms:
            force = 0.0
            for b in atoms:
                force += (b.x - a.x) * 0.3
            a.v += dt * force / a.m
        for a in atoms:
            a.x += a.v * dt
    return sum(a.energy + a.x**2 for a in atoms)


def appended(q: Vector, dt: float) -> float:
    atoms = []
    for i in range(len(q)):
        atoms.append(Atom(q[i], 1.0))
    for i in range(len(atoms)):
        atoms[i].v += atoms[i].x * dt
    atoms[0].x = atoms[1].v * 2
    atoms[-1] = atoms[0]
    atoms[0].m = 3.0 * dt
    return sum(a.x * a.v * a.m for a in atoms)


def _step(bodies: list[Atom], h: float) -> None:
    for b in bodies:
        b.x += h * b.v
        b.v -= h * b.x


def in_a_helper(q: Vector, h: float) -> float:
    bodies = [Atom(x, x * x) for x in q]
    for _ in range(4):
        _step(bodies, h)
    return sum(b.energy for b in bodies) + bodies[-1].x


def accounts(q: Vector) -> float:
    found = [Account(x) for x in q]
    for a in found:
        a.deposit(1.0)
    for i in range(len(found)):
        amount = 0.1 * found[i].balance
        found[i].deposit(-amount)
        found[(i + 1) % len(found)].deposit(amount * found[0].balance)
    return sum(a.balance**2 + a.count for a in found)


def bodies_of_places(q: Vector, h: float) -> float:
    bodies = [Body(Place(q[i], 0.0), Place(0.0, q[i]), 1.0 + i) for i in range(len(q))]
    for a in bodies:
        for b in bodies:
            if a is not b:
                dx, dy = b.at.x - a.at.x, b.at.y - a.at.y
                r = dx * dx + dy * dy + 0.1
                a.speed.x += h * b.m * dx / r
                a.speed.y += h * b.m * dy / r
    shared = bodies[0].speed
    bodies[-1].speed = shared
    shared.x *= 2.0
    return sum(b.m * (b.speed.x**2 + b.speed.y**2) for b in bodies)


def object_with_a_list(q: Vector, h: float) -> float:
    system = System(q)
    for _ in range(3):
        system.step(h)
    return sum(a.energy for a in system.atoms) + system.time


def book(q: Vector, demand: float) -> float:
    orders = [Order(1.0 + 0.1 * i, q[i] * q[i]) for i in range(len(q))]
    cost, left = 0.0, demand * demand
    for order in orders:
        taken = min(order.size, left)
        order.size -= taken
        left -= taken
        cost += taken * order.price
        if left <= 0.0:
            break
    return cost + sum(o.size for o in orders) * 0.1


def chosen(q: Vector) -> float:
    a, b = Place(q[0], 1.0), Place(q[1], 2.0)
    best = a if q[0] > q[1] else b
    best.x = best.x * 2.0
    return a.x * 3 + b.x**2


def bound_by_a_loop(q: Vector) -> float:
    places = [Place(x, 1.0) for x in q]
    best = places[0]
    for p in places:
        if p.x > best.x:
            best = p
    best.y = 3.0 * best.x
    return sum(p.x * p.y for p in places)


def none_at_first(q: Vector) -> float:
    state = None
    for x in q:
        if state is None:
            state = State(x, 1)
        else:
            state.mean = 0.9 * state.mean + 0.1 * x
            state.n += 1
    return 0.0 if state is None else state.mean * state.n


def linked(q: Vector) -> float:
    head = None
    for x in q:
        head = Node(x, head)
    total = 0.0
    node = head
    while node is not None:
        total = total * 0.5 + node.value
        node = node.rest
    return total


def doubly_linked(q: Vector) -> float:
    head = Link(q[0])
    tail = head
    for x in q:
        link = Link(x)
        tail.after = link
        link.before = tail
        tail = link
    total, weight = 0.0, 1
    while tail:
        total += weight * tail.value
        weight += 1
        tail = tail.before
    return total + head.value


def one_or_other(q: Vector) -> float:
    places = [Place(x, 1.0) for x in q]
    first = places[0]
    total = 0.0
    for p in places:
        if p is first:
            total += 2.0 * p.x
        if p == Place(q[1], 1.0):
            total += 10.0 * p.x
        if p != first:
            total += p.x**2
    return total


def copied(q: Vector) -> float:
    places = [Place(x, 1.0) for x in q]
    others = [copy.copy(p) for p in places]
    changed = [replace(p, y=p.x) for p in places]
    same = list(places)
    for p in places:
        p.x *= 3.0
    return sum(
        a.x * b.x + c.x * c.y + d.x**2
        for a, b, c, d in zip(places, others, changed, same, strict=True)
    )


def whole_numbers_at_first(q: Vector) -> float:
    places = [Place(0, 1) for _ in q]
    for i in range(len(places)):
        places[i].x += q[i]
        places[i].y = q[i] * places[i].x
    return sum(p.x * p.y for p in places)


def caught(q: Vector) -> float:
    places = [Place(x, 1.0) for x in q]
    total = 0.0
    for p in places:
        try:
            if p.x > 0.4:
                raise ValueError("x")
            p.x *= 2.0
        except ValueError:
            p.x = 0.5 * p.x
        total += p.x
    return total


def swapped(q: Vector, n: int) -> float:
    a, b = Place(q[0], 1.0), Place(q[1], 2.0)
    held = [a, b]
    for _ in range(n):
        a, b = b, a
        a.x += 0.3 * b.y
        held[0].y *= 1.1
    return a.x * b.y + held[0].x


def sorted_by_a_field(q: Vector) -> float:
    places = [Place(x, np.cos(x)) for x in q]
    places.sort(key=lambda p: p.y)
    places[0].x *= 3.0
    others = sorted(places, key=lambda p: p.x, reverse=True)
    others[0].y = 2.0
    return sum(p.x * p.y * (i + 1) for i, p in enumerate(places))


def events(q: Vector) -> float:
    waiting = []
    for i in range(len(q)):
        waiting.append(State(q[i] * q[i], i))
    total, n = 0.0, 0
    while waiting:
        waiting.sort(key=lambda e: e.mean)
        first = waiting.pop(0)
        total += first.mean * (first.n + 1)
        n += 1
        if n < 6:
            waiting.append(State(first.mean * 1.3, first.n))
    return total


def those_left(q: Vector) -> float:
    atoms = [Atom(x, x * x) for x in q]
    total = 0.0
    for _ in range(4):
        for a in atoms:
            a.v -= 0.17
            a.x *= 1.1
        atoms = [a for a in atoms if a.v > 0.0]
        total += sum(a.x for a in atoms)
    return total


UNIT = Atom(2.0, 0.5)


def beside_one_of_the_module(x: Vector, n: int) -> float:
    atoms = [Atom(x[0], x[1] * k) for k in range(n)]
    total = 0.0
    for atom in atoms:
        atom.v += UNIT.x * x[1]
        total += atom.v * atom.x * UNIT.v
    return total


def told(q: Vector, dt: float) -> list[Place]:
    """A list of objects is a result; they hold what they do at the end."""
    places = [Place(x, x * dt) for x in q]
    first = places[0]
    for k in range(len(places)):
        if places[k].x > 0.0:
            places[k].x = places[k].x ** 2
            first.y += places[k].x
    places.append(first)
    return places


class Arrow:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Arrow(self.x + other.x, self.y + other.y)


NOWHERE = Arrow(0, 0)


def from_one_of_the_module(x: Vector, n: int) -> float:
    """Variables that hold what all calls share at first, and then objects of the list."""
    arrows = [Arrow(x[0] * k, x[1] + k) for k in range(n)]
    total, longest = NOWHERE, NOWHERE
    for arrow in arrows:
        total = total + arrow
        if arrow.x * arrow.y > longest.x * longest.y:
            longest = arrow
    return total.x * total.y + 3.0 * longest.x + NOWHERE.y


def first_above(q: Vector, low: float) -> float:
    atoms = [Atom(x, 0.0) for x in q]
    found = next(atom for atom in atoms if atom.x > low)
    found.v = 2.0 * found.x
    return sum(atom.v * atom.x for atom in atoms)
