"""Classes of the program: inheritance, properties, alternative constructors, copies."""

from __future__ import annotations

import abc
import copy
import dataclasses
import enum
import functools
import math
from dataclasses import InitVar, dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
from kinds import Vec


class Shape(abc.ABC):
    scale = 2.0

    def __init__(self, r):
        self.r = r

    @abc.abstractmethod
    def area(self): ...

    def scaled(self):
        return self.area() * self.scale

    @classmethod
    def unit(cls, r):
        return cls(r * 1.5)

    @staticmethod
    def half(v):
        return 0.5 * v


class Circle(Shape):
    def area(self):
        return math.pi * self.r**2


class Ring(Circle):
    scale = 3.0

    def __init__(self, r, inner):
        super().__init__(r)
        self.inner = inner

    def area(self):
        return super().area() - math.pi * self.inner**2

    @classmethod
    def unit(cls, r):
        return cls(r, cls.half(r))


def shapes(x: float, y: float) -> float:
    return Circle.unit(x).scaled() + Ring.unit(y).scaled() * Shape.half(x)


def shape_by_condition(x: float, y: float) -> float:
    shape = Circle(x) if y > 0.5 else Ring(x, y)
    return shape.scaled() * shape.r


def shapes_in_list(x: float, y: float) -> float:
    total = 0.0
    for shape in [Circle(x), Ring(y, x), Circle.unit(y)]:
        total += shape.scaled()
        if isinstance(shape, Ring):
            total *= shape.inner
    return total


class Left:
    def value(self, x):
        return x


class First(Left):
    pass


class Second(Left):
    def value(self, x):
        return x * x


class Both(First, Second):
    def value(self, x):
        return super().value(x) * 3.0


def diamond(x: float) -> float:
    return Both().value(x)


class Damped:
    damping = 0.25

    def force(self, v):
        return super().force(v) - self.damping * v * self.speed


class Spring:
    def __init__(self, k, speed):
        self.k = k
        self.speed = speed

    def force(self, v):
        return -self.k * v


class DampedSpring(Damped, Spring):
    pass


def mixin(x: float, y: float) -> float:
    return DampedSpring(x, y).force(2.0) * Spring(y, x).force(x)


@dataclass
class Base:
    a: float
    scale: InitVar[float] = 2.0
    b: float = field(init=False)
    xs: list = field(default_factory=list)

    def __post_init__(self, scale):
        self.b = self.a * scale


@dataclass
class Derived(Base):
    c: float = 1.0

    def __post_init__(self, scale):
        super().__post_init__(scale)
        self.c = self.c * self.b


def post_init(x: float, y: float) -> float:
    s = Derived(x, y, c=x)
    t = dataclasses.replace(s, a=y, scale=x)
    t.xs.append(x)
    return s.b * s.c + t.c * t.b + len(s.xs)


@dataclass
class Wrapped(Base):
    def __init__(self, x):
        super().__init__(x * x, scale=x)
        self.c = self.b


def own_init_over_dataclass(x: float) -> float:
    w = Wrapped(x)
    return w.a * w.b + w.c


@dataclass(frozen=True)
class Direction:
    x: float
    y: float
    count: ClassVar[int] = 3

    def __post_init__(self):
        n = math.hypot(self.x, self.y)
        object.__setattr__(self, "x", self.x / n)
        object.__setattr__(self, "y", self.y / n)

    @classmethod
    def of_angle(cls, angle: float) -> Direction:
        return cls(2.0 * math.cos(angle), 2.0 * math.sin(angle))


def frozen_post_init(x: float, y: float) -> float:
    n = Direction(x, y)
    a, b = dataclasses.astuple(n)
    d = dataclasses.asdict(Direction.of_angle(x))
    return n.x * 2.0 + a * b + d["x"] * n.count


@dataclass
class Body:
    position: Vec
    velocity: Vec
    mass: float = 1.0

    @property
    def momentum(self):
        return self.mass * np.sum(self.velocity)

    @momentum.setter
    def momentum(self, value):
        self.velocity = self.velocity * (value / self.momentum)

    def swap(self):
        self.position, self.velocity = self.velocity, self.position

    def share(self):
        self.position = self.velocity

    def grown(self):
        self.position = self.position * 2.0
        return self


def property_setter(x: Vec, a: float) -> float:
    body = Body(x, x + 2.0, a)
    body.momentum = a * a
    body.momentum *= x[0]
    return np.sum(body.velocity * body.position)


def fields_share_array(x: Vec) -> float:
    body = Body(x * 1.0, x * x)
    body.share()
    body.position[0] = 5.0 * x[1]
    body.velocity[1] += x[0]
    return np.sum(body.position * body.velocity)


def fields_swap(x: Vec, n: int) -> float:
    body = Body(x * 1.0, x * x)
    for i in range(n):
        body.position[0] += body.velocity[1] * x[i]
        body.swap()
    return np.sum(body.position) * body.velocity[0]


def method_chain(x: Vec) -> float:
    body = Body(x, x * x)
    body.grown().grown().velocity[0] = x[1]
    return np.sum(body.position) + np.sum(body.velocity) * body.velocity[0]


def object_looked_up_once(x: float) -> float:
    n = 0
    body = Body(np.zeros(2), np.ones(2))

    def get():
        nonlocal n
        n += 1
        return body

    get().position[0] += x
    get().velocity += x * n
    get().mass *= x
    return body.position[0] * body.velocity[1] * n * body.mass


def object_in_closure(x: float, n: int) -> float:
    body = Body(np.zeros(2), np.ones(2))

    def go(i):
        body.position[i % 2] += x * i
        body.velocity = body.position * body.velocity

    for i in range(n):
        go(i)
    return np.sum(body.position) + np.sum(body.velocity)


def bound_method_passed_on(x: Vec, n: int) -> float:
    body = Body(x * 1.0, x * x)

    def repeat(f, times):
        for _ in range(times):
            f()

    repeat(body.swap, n)
    repeat(body.grown, 2)
    return np.sum(body.position * body.velocity)


def copies(x: Vec, a: float) -> float:
    one = Body(x * 1.0, x * x, a)
    same, apart = copy.copy(one), copy.deepcopy(one)
    same.mass *= 2.0
    same.position[0] = 3.0 * a
    apart.position[1] = a * a
    return one.mass * same.mass + np.sum(one.position) * np.sum(apart.position)


def copies_share_inside(x: Vec) -> float:
    shared = x * 2.0
    one = copy.deepcopy(Body(shared, shared))
    one.position[0] = x[1]
    return np.sum(one.velocity) * np.sum(shared)


class Point(NamedTuple):
    x: float
    y: float = 1.0

    def norm(self):
        return math.hypot(*self)


def named_tuple_methods(x: float, y: float) -> float:
    p = Point(x)
    q = p._replace(y=y)
    d = q._asdict()
    s = q.norm()
    for name in Point._fields:
        s += getattr(q, name) * d[name]
    return s + p.y * q.x + Point._make((x, y)).y


class Model:
    rate = 0.5
    table = (0.1, 0.2)
    portions = np.array([1.0, 2.0])

    def __init__(self, w, act=math.tanh):
        self.w = w
        self.act = act

    def __call__(self, v):
        return self.act(self.w * v) * self.rate * self.table[1] * self.portions[1]


def callable_instances(x: float, y: float) -> float:
    models = [Model(x), Model(y, act=lambda v: v * v)]
    return sum(m(2.0) for m in models) + Model(x, math.sin)(y)


def instances_as_callbacks(x: Vec, a: float) -> float:
    return sum(map(Model(a), x)) * functools.reduce(lambda t, v: t + v, map(Model(a), x), a)


class Settings:
    def __init__(self, **options):
        for name in options:
            setattr(self, name, options[name])
        self.scale = getattr(self, "scale", 2.0)

    def has_bias(self):
        return hasattr(self, "bias")


def static_attributes(x: float, y: float) -> float:
    one, other = Settings(bias=x), Settings(scale=y)
    s = one.scale * other.scale
    for settings in (one, other):
        if settings.has_bias():
            s += settings.bias * y
    return s


class Node:
    def __init__(self, value, child=None):
        self.value = value
        self.child = child

    def total(self):
        if self.child is None:
            return self.value
        return self.value * self.child.total()

    def same_kind(self, value):
        return type(self)(value, self)

    @functools.cached_property
    def squared(self):
        return self.value * self.value


def tree(x: float, y: float) -> float:
    node = Node(x, Node(y, Node(2.0)))
    return node.total() + node.same_kind(y).total()


def cached_once(x: float) -> float:
    node = Node(x)
    first = node.squared
    node.value = 10.0 * x
    return first + node.squared * node.value


class Annuity:
    def __init__(self, rate, years):
        self.rate = rate
        self.years = years
        self.paid = 0.0

    @functools.cached_property
    def v(self):
        return 1 / (1 + self.rate)

    @functools.cached_property
    def doubled(self):
        return 2 * self.paid

    def value(self):
        return sum(self.v**t for t in range(self.years))

    def pay(self, x):
        for k in range(self.years):
            if k > 1:
                self.paid += x * self.v
        return self.paid


def cached_in_loops(x: float) -> float:
    one, other = Annuity(x, 3), Annuity(2.0 * x, 4)
    first = other.doubled
    other.pay(x)
    return one.value() * other.value() + one.pay(x) + other.doubled + first


def class_of_instance(x: float) -> float:
    s = 0.0
    for shape in (Circle(x), Ring(x, 0.5 * x)):
        if type(shape) is Circle:
            s += shape.r
        if shape.__class__ is Ring and isinstance(shape, Shape | Model):
            s += shape.inner * 3.0
        if isinstance(shape.r, float):
            s *= 2.0
    return s


class _Pump:
    rate, loss = 2.0, 0.25
    level, most = 0, None
    runs = 0

    def run(self, inflow):
        if inflow > 0.3:
            self.level = self.level + self.rate * inflow - self.loss * self.level
            self.runs += 1
        if self.most is None or self.level > self.most:
            self.most = self.level


class _Faster(_Pump):
    rate = 3.0


def numbers_of_class_and_instance(v: Vec, x: float) -> float:
    pump, other = _Pump(), _Faster()
    for inflow in v:
        pump.run(inflow * x)
        other.run(inflow)
    return pump.most * pump.level + other.level + pump.runs * x + _Pump().level + _Pump.rate


class Rates:
    """It holds lists and dicts that nobody writes."""

    paces = [0.1, 0.2, 0.4]  # noqa: RUF012
    table = {"a": 1.5, 2: [1.0, 2.0]}  # noqa: RUF012
    pair = ([1.0, 2.0], (3.0, 4.0))
    couples = [np.array([1.0, 2.0]), np.array([3.0, 4.0])]  # noqa: RUF012
    halves = [0.5 * step for step in (0.2, 0.6)]  # noqa: RUF012
    both = [*halves, 0.1]  # noqa: RUF012
    items = []  # noqa: RUF012

    def __init__(self, x: float) -> None:
        self.x = x
        self.items = []

    def first(self) -> float:
        return self.paces[0] * self.x

    def at(self, key: str) -> float:
        return self.table.get(key, 0.5) * self.x

    @classmethod
    def total(cls) -> float:
        return sum(cls.paces)

    def gathered(self) -> float:
        for step in self.paces:
            self.items.append(step * self.x)
        return sum(self.items) * len(self.items)


class SlowRates(Rates):
    paces = [0.3, 0.5]  # noqa: RUF012

    def first(self) -> float:
        return self.paces[1] * self.x + super().paces[1] + super().first()


@dataclass
class Polynomial:
    scale: float
    coefficients: ClassVar[list[float]] = [0.5, 0.25, 2.0]

    def __call__(self, x: float) -> float:
        value = 0.0
        for c in self.coefficients:
            value = value * x + c
        return value * self.scale


class Weighted(NamedTuple):
    x: float
    portions: list[float] = [1.0, 2.0]  # noqa: RUF012


def lists_of_class(x: float, y: float) -> float:
    slow = SlowRates(x)
    return slow.first() * y + Rates(y).first() + SlowRates.total() * x + sum(Rates.both) * y


def dicts_of_class(x: float, y: float) -> float:
    rates = Rates(x)
    chosen = rates.at("a") * y + rates.at("b") + Rates.table[2][1] * x * x
    return chosen * len(rates.table) + sum(rates.pair[0]) * rates.pair[1][1] * y


def class_list_by_index(x: float, i: int) -> float:
    rates = SlowRates(x)
    total = 0.0
    for k in range(i - 1):
        total += rates.paces[k] * x + Rates.paces[-1 - k] * rates.couples[k][1] * x * x
    return total + Rates.paces[i - 1] * x


def class_list_hidden(x: float, y: float) -> float:
    return Rates(x).gathered() * y


def class_variable_list(x: float, y: float) -> float:
    return Polynomial(x)(y) + len(Polynomial.coefficients) * y


def default_list_of_tuple(x: float, y: float) -> float:
    one = Weighted(x)
    return sum(w * one.x for w in one.portions) * y


class _Fit:
    class Kind(enum.Enum):
        AREA = 1
        NEAR = 2

    class Weights(NamedTuple):
        a: float
        b: float

    @dataclass
    class State:
        x: float
        n: int = 0

        def step(self, d: float) -> None:
            self.x += d * self.x
            self.n += 1

    def __init__(self, kind=None):
        self.kind = kind or self.Kind.NEAR

    def cost(self, x):
        if self.kind == self.Kind.AREA:
            return x * x
        elif self.kind is _Fit.Kind.NEAR:
            w = self.Weights(2.0, b=x)
            return w.a * x + w.b**3
        return 0.0


class _Better(_Fit):
    def cost(self, x):
        s = self.State(x)
        for _ in range(3):
            s.step(0.1)
        return s.x * s.n + super().cost(x)


def classes_in_classes(x: float) -> float:
    total = _Fit().cost(x) + _Fit(_Fit.Kind.AREA).cost(x) + _Better().cost(x)
    return total * isinstance(_Fit.State(x), _Better.State)


class _Checked:
    def __init__(self):
        self.gain = 1.5
        self.kind = _Fit.Kind.AREA

    @property
    def kind(self):
        return self._kind

    @kind.setter
    def kind(self, value):
        if not isinstance(value, _Fit.Kind):
            raise TypeError("kind must be one of those of _Fit")
        self._kind = value


_CHECKED = _Checked()


def checked_when_made(x: float) -> float:
    return _CHECKED.gain * x**2 if _CHECKED.kind is _Fit.Kind.AREA else x
