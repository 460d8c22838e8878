"""Instances of classes that are no dataclasses: their `__init__` tells what attributes are."""

from dataclasses import dataclass

import numpy as np
from kinds import Vec


class Spring:
    def __init__(self, stiffness: float, length: float, steps: int = 3) -> None:
        self.stiffness = stiffness
        self._length = length
        self.half = 0.5 * stiffness
        self.steps = steps
        self.uses = 0

    def energy(self, x: float) -> float:
        self.uses += 1
        return self.half * (x + self._length) ** 2


class Damped(Spring):
    """More attributes, private ones, arrays, annotations behind `self`."""

    def __init__(self, start: Vec, stiffness: float, damping: float) -> None:
        super().__init__(stiffness, 2.0 * damping)
        self.start, self.__damping = start, damping
        self.place = start.copy()
        self.time: float = 0.0

    def step(self, dt: float) -> None:
        force = -self.stiffness * self.place - self.__damping * self.start
        self.place = self.place + dt * force
        self.time += dt


class Stiff(Spring):
    """All of it is inherited."""

    def energy(self, x: float) -> float:
        return super().energy(x) * self.stiffness


class Slotted:
    __slots__ = ("_x", "y")

    def __init__(self, x: float, y: float) -> None:
        self._x = x
        self.y = y

    @property
    def x(self) -> float:
        return self._x

    @x.setter
    def x(self, value: float) -> None:
        self._x = 2.0 * value


class Layer:
    """A layer whose activation is told by text."""

    def __init__(self, weights: Vec, activation: str = "tanh", name: str = "") -> None:
        self.weights = weights
        self.activation = activation
        self.name = name

    def __call__(self, x):
        if self.activation == "tanh":
            return np.tanh(self.weights * x)
        if self.activation == "relu":
            return np.maximum(self.weights * x, 0.0)
        return self.weights * x


def one(spring: Spring, x: float) -> float:
    return spring.energy(x) * spring.energy(2.0 * x) * spring.uses


def derived(spring: Damped, x: float) -> float:
    spring.step(x)
    spring.step(0.1)
    return float(np.sum(spring.place**2)) * spring.time + spring.energy(x)


def inherited(spring: Stiff, x: float) -> float:
    return spring.energy(x)


def in_place(out: Damped, dt: float) -> None:
    out.step(dt)
    out._length *= dt


def returned(x: float, y: float) -> Slotted:
    made = Slotted(x * y, y)
    made.x = made.x * made.y
    return made


def slotted(held: Slotted, x: float) -> float:
    held.x += x
    return held.x * held.y


def in_list(springs: list[Spring], x: float) -> float:
    return sum(spring.energy(x * k) for k, spring in enumerate(springs))


def all_moved(out: list[Slotted], x: float) -> None:
    for each in out:
        each.y *= x * each.x


def made_inside(x: Vec) -> float:
    springs = [Spring(v, v * x[0]) for v in x]
    return sum(spring.energy(1.5) for spring in springs)


def layered(first: Layer, second: Layer, x: float) -> float:
    return float(np.sum(second(first(x))))


class _Rated:
    scale = 1.7

    def __init__(self, rating):
        self.set_rating(rating)
        self.asked = 0

    def get_rating(self):
        return self.__rating * self.scale + 1.5

    def set_rating(self, rating):
        self.__rating = (rating - 1.5) / self.scale

    def _twice(self):
        self.asked += 1
        return 2.0 * self.rating

    rating = property(get_rating, set_rating)
    double = property(fget=_twice)


class _Unrated(_Rated):
    def get_rating(self):
        return 0.0


class _Renamed(_Unrated):
    @property
    def rating(self):
        return super().rating + 1.0


def property_of_methods(r: float, n: int) -> float:
    """The methods that the class has where it is made, whatever derived classes call so."""
    one, other = _Unrated(r), _Renamed(r)
    one.rating += 3.0
    players = [_Rated(r + i) for i in range(n)]
    for p in players:
        p.rating *= 2.0
    total = sum(p.rating * p.double + p.asked for p in players)
    return total + one.rating * one.double + one.get_rating() + other.rating * other.double


class _Bounded:
    __epsilon__ = 1e-5

    def __init__(self, value: float):
        self.value = value

    def is_zero(self):
        return abs(self.value) < _Bounded.__epsilon__


def number_between_underscores(x: float) -> float:
    return x if _Bounded(x).is_zero() else x * x + _Bounded.__epsilon__


@dataclass(init=False)
class Schedule:
    rate: float
    growth: float

    def __init__(self, p: float) -> None:
        self.rate = p
        self.growth = p * p
        self._sum = self.rate + self.growth


def init_that_a_dataclass_leaves(p: float) -> float:
    made = Schedule(p)
    return made.rate * made.growth + made._sum + (2.0 * p if made == Schedule(p) else 0.0)


def result_with_an_init_of_its_own(p: float) -> Schedule:
    return Schedule(p)


class _Turn:
    def __init__(self, angle, axis=None):
        self.angle = angle
        self.axis = axis


class _Gimbal:
    turn = _Turn(1.0)
    gain = 2.0

    def __init__(self, turn=None, gain=None):
        if turn is not None:
            self.turn = turn
        if gain is not None:
            self.gain = gain

    def move(self, by: float):
        self.turn = _Turn(self.turn.angle + self.gain * by)


def object_of_the_class_that_none_asks_for(x: float, y: float) -> float:
    one, other = _Gimbal(_Turn(x)), _Gimbal(_Turn(x * y), y)
    one.move(y)
    other.move(x)
    return one.turn.angle * other.turn.angle


class _Place:
    def __init__(self, x: float = 0.0) -> None:
        self.x = x


class _Body:
    def __init__(self, mass: float = 1.0, at: _Place = None, weights: Vec = None) -> None:
        self.mass = mass
        self.at = at if at else _Place()
        self.weights = weights

    def far(self, other: "_Body" = None, scale: float = None) -> float:  # noqa: RUF013
        far = self.at.x if other is None else self.at.x - other.at.x
        return far if scale is None else far * scale


def parameters_of_methods_that_are_none_by_default(x: float, w: Vec) -> float:
    bodies = [_Body(x), _Body(at=_Place(x * x)), _Body(x, weights=w)]
    a, b, c = bodies
    total = a.far() + b.far(a, x) * c.mass
    return total if c.weights is None else total * np.sum(c.weights)


class _Thrown:
    pull = _Place(-9.81)

    def __init__(self, at: _Place, speed: _Place) -> None:
        self.at = at
        self.speed = speed

    def step(self, dt: float) -> None:
        self.speed.x += self.pull.x * dt
        self.at = _Place(self.at.x + self.speed.x * dt)


def objects_that_classes_hold(x: float, n: int) -> float:
    thrown = _Thrown(_Place(x), _Place(x * x))
    for _ in range(n):
        thrown.step(0.1 * x)
    where = thrown.at if x > 0.1 else _Thrown.pull
    return where.x * thrown.speed.x + _Thrown.pull.x * x
