"""Lists of objects of several classes, as long as the run makes them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from kinds import Vec


class Op:
    def fwd(self, x):
        raise NotImplementedError


class Scale(Op):
    def __init__(self, k):
        self.k = k

    def fwd(self, x):
        return self.k * x


class Shift(Op):
    def __init__(self, k):
        self.k = k
        self.calls = 0

    def fwd(self, x):
        self.calls += 1
        return x + self.k


class Square(Op):
    def fwd(self, x):
        return x * x


class Weighted(Op):
    def __init__(self, w):
        self.w = w

    def fwd(self, x):
        return np.tanh(self.w * x)


class Chain:
    def __init__(self):
        self.ops = []

    def add(self, op):
        self.ops.append(op)

    def fwd(self, x):
        for op in self.ops:
            x = op.fwd(x)
        return x


class Instrument(ABC):
    @abstractmethod
    def price(self, s: float) -> float: ...


@dataclass
class Bond(Instrument):
    face: float

    def price(self, s):
        return self.face * math.exp(-0.1 * s)


@dataclass
class Future(Instrument):
    strike: float
    months: int

    def price(self, s):
        return (s - self.strike) * self.months


@dataclass(frozen=True)
class Circle:
    r: float

    def area(self) -> float:
        return math.pi * self.r**2


@dataclass(frozen=True)
class Rect:
    w: float
    h: float

    def area(self) -> float:
        return self.w * self.h


@dataclass(frozen=True)
class Point:
    pass


def layers(x: Vec, n: int) -> float:
    net = Chain()
    for i in range(n):
        net.add(Weighted(x * i))
        if i < n - 1:
            net.add(Square())
    return float(np.sum(net.fwd(x)))


def book(x: Vec, s: float) -> float:
    held: list[Instrument] = []
    for i, v in enumerate(x):
        if i % 2:
            held.append(Bond(v))
        else:
            held.append(Future(v, i + 1))
    return sum(one.price(s) for one in held)


def made_by_helper(x: Vec, s: float) -> float:
    def make(v):
        if v > x[0]:
            return Bond(v)
        return Scale(v) if v > x[1] else Future(v, 2)

    held = [make(v) for v in x]
    return sum(one.fwd(s) if isinstance(one, Scale) else one.price(s) for one in held)


def changed_in_place(x: Vec, s: float) -> float:
    ops = []
    for v in x:
        ops.append(Scale(v))
        ops.append(Shift(v * 0.5))
        ops.append(Square())
    for op in ops:
        s = 0.5 * op.fwd(s)
    for op in reversed(ops):
        if isinstance(op, Square):
            continue
        s += op.k
        if isinstance(op, Shift):
            s += op.calls
            op.k *= 2.0
    return s + sum(op.k * op.calls for op in ops if isinstance(op, Shift))


def best_and_sorted(x: Vec, s: float) -> float:
    ops = [Scale(v) if v > x[1] else Shift(v) for v in x]
    best = ops[0]
    for op in ops:
        if op.fwd(s) > best.fwd(s):
            best = op
    ops.sort(key=lambda op: op.k)
    last = max(ops, key=lambda op: op.k * s)
    return best.k * best.fwd(s) + ops[0].fwd(2.0) - last.fwd(s)


def other_class_later(x: Vec, s: float) -> float:
    ops = []
    for v in x:
        ops.append(Scale(v))
    ops.append(Square())
    return sum(op.fwd(s) for op in ops)


def carried(x: Vec, s: float) -> float:
    op = Scale(s)
    for v in x:
        s += op.fwd(s)
        op = Shift(v) if v > x[1] else Scale(v)
    return s * op.fwd(s)


def by_number(x: Vec, s: float) -> float:
    held = {}
    for i, v in enumerate(x):
        held[i] = Scale(v) if v > x[1] else Shift(v)
    return sum(op.fwd(s) * (i + 1) for i, op in held.items())


def matched(x: Vec, s: float) -> float:
    shapes = []
    for i, v in enumerate(x):
        if i % 3 == 0:
            shapes.append(Circle(v))
        elif i % 3 == 1:
            shapes.append(Rect(v, 2.0))
        else:
            shapes.append(Point())
    for shape in shapes:
        match shape:
            case Rect(h=2.0, w=w) if w > x[0]:
                s += 3.0 * w
            case Rect(w, h):
                s += w * h
            case Circle(r):
                s *= r
            case _:
                s -= 1.0
    return s


def matched_objects(x: Vec, s: float) -> float:
    held = []
    for i, v in enumerate(x):
        held.append(Bond(v) if i % 2 else Future(v, i))
    for one in held:
        match one:
            case Future(months=0):
                s += 1.0
            case Future(strike, months):
                s += strike * months
            case Bond(face=f):
                s *= f
    return s


def picked(x: Vec) -> float:
    shapes = [Circle(v) if v > x[1] else Rect(v, 3.0) for v in x]
    circles = [one for one in shapes if isinstance(one, Circle)]
    shapes += [Rect(v, 1.0) for v in x]
    return sum(one.r for one in circles) + sum(one.area() for one in shapes) * len(circles)


def no_such_attribute(x: Vec) -> float:
    shapes = [Circle(v) if v > x[1] else Rect(v, 3.0) for v in x]
    total = 0.0
    for one in shapes:
        try:
            total += one.r
        except AttributeError:
            total += one.h * one.w
    return total


class Portfolio:
    def __init__(self, weight: float):
        self.weight = weight
        self.legs: list[Instrument] = []

    def add(self, leg):
        self.legs.append(leg)

    def value(self, s):
        return self.weight * sum(leg.price(s) for leg in self.legs)


def in_lists_of_lists(x: Vec, s: float) -> float:
    portfolios = [Portfolio(1.0), Portfolio(2.0)]
    for i, v in enumerate(x):
        portfolios[i % 2].add(Bond(v))
        if v > x[0]:
            portfolios[(i + 1) % 2].add(Future(v, i))
    return sum(one.value(s) for one in portfolios)


def in_tuples(x: Vec, s: float) -> float:
    rows = []
    for i, v in enumerate(x):
        rows.append((i, Scale(v)))
    rows.append((7, Square()))
    return sum((i + 1) * op.fwd(s) for i, op in rows)


@dataclass
class Hen:
    age: float


@dataclass
class Hare:
    age: float
    kits: int = 9


def assigned_through_one_name(x: Vec) -> float:
    animals = []
    for i, v in enumerate(x):
        animals.append(Hen(v) if i % 2 == 0 else Hare(v))
    first = animals[0]
    first.age += 10.0
    best = max(animals, key=lambda one: one.age)
    best.age = best.age**2
    for one in animals:
        one.age *= 0.5
    return sum(k * one.age for k, one in enumerate(animals))


def assigned_where_one_has_it(x: Vec) -> float:
    animals = [Hen(v) if v > 0.0 else Hare(v) for v in x]
    for one in animals:
        if isinstance(one, Hare):
            one.kits -= 1
            one.age = one.age * one.kits
    return sum(one.age for one in animals)


def assigned_to_one_of_two(x: float, s: float) -> float:
    one = Hen(x) if s > 0.0 else Hare(x)
    one.age = one.age * s
    one.age += 1.0
    return one.age


def assigned_to_one_of_three(x: float, s: float) -> float:
    one = Hen(x) if s > 0.0 else Hare(x)
    other = one
    if x > 0.5:
        one = Hen(s)
    one.age *= 3.0
    return one.age + other.age
