"""Classes: attributes of classes and instances, inheritance, properties, private names, dunders."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property, total_ordering
from typing import ClassVar


class Base:
    rate = 2.0
    count = 0

    def __init__(self, a):
        self.a = a
        self.__hidden = a * 3
        self._half = a / 2

    def __step(self, x):
        return x + 1.0

    def run(self, x):
        return self.__step(x) * self.rate

    def hidden(self):
        return self.__hidden

    def describe(self):
        return self.name() * 2

    def name(self):
        return self.a


class Derived(Base):
    rate = 3.0

    def __init__(self, a, b):
        super().__init__(a)
        self.b = b
        self.__hidden = b * 5

    def __step(self, x):
        return x * 100.0

    def own(self, x):
        return self.__step(x)

    def own_hidden(self):
        return self.__hidden

    def name(self):
        return super().name() + self.b


class Private:
    __factor = 4.0
    __table = (1.0, 2.0)

    def __init__(self, a):
        self.__a = a

    @property
    def a(self):
        return self.__a

    @a.setter
    def a(self, value):
        self.__a = value * 2

    @staticmethod
    def __twice(x):
        return 2 * x

    @classmethod
    def __made(cls, x):
        return cls(x)

    def get(self):
        return self.__twice(self.__a) * self.__factor + self.__table[1]

    @classmethod
    def make(cls, x):
        return cls.__made(x)

    def __call__(self, x):
        return self.__a * x

    def helper(self, xs):
        return sum(self.__twice(x) for x in xs)


class PrivateChild(Private):
    __factor = 40.0

    def factor(self):
        return self.__factor


@dataclass
class Hidden:
    __a: float
    b: float

    def total(self):
        return self.__a + self.b


class Left(Base):
    def name(self):
        return super().name() * 2


class Right(Base):
    def name(self):
        return super().name() + 5


class Diamond(Left, Right):
    def name(self):
        return super().name() * 10


class OverridesByConstant(Base):
    name = None
    rate = 7.0


class WithProperty:
    def __init__(self, a):
        self.a = a

    @property
    def area(self):
        return self.a**2


class PropertyReplaced(WithProperty):
    area = 5.0


class ConstantBase:
    area = 5.0
    scale = 1.5


class PropertyOverConstant(ConstantBase):
    def __init__(self, a):
        self.a = a

    @property
    def area(self):
        return self.a * 3

    def scale(self):
        return self.a * 7


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


class SlottedChild(Slotted):
    __slots__ = ("c",)

    def __init__(self, a, c):
        super().__init__(a)
        self.c = c


class SlottedOpen(Slotted):
    pass


@dataclass(slots=True)
class SlottedData:
    a: float
    b: float = 1.0


class Truth:
    def __init__(self, on):
        self.on = on

    def __bool__(self):
        return self.on


class Sized:
    def __init__(self, items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, k):
        return self.items[k]

    def __contains__(self, x):
        return any(x == item for item in self.items)

    def __iter__(self):
        return iter(self.items)


class Getter:
    def __init__(self, a, n):
        self.a = a
        self.n = n

    def __getitem__(self, k):
        if k >= self.n:
            raise IndexError(k)
        return self.a * (k + 1)


class Vector:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __add__(self, other):
        return Vector(self.a + other.a, self.b + other.b)

    def __radd__(self, other):
        return self if other == 0 else NotImplemented

    def __mul__(self, k):
        return Vector(self.a * k, self.b * k)

    def __rmul__(self, k):
        return Vector(k * self.a, k * self.b)

    def __neg__(self):
        return Vector(-self.a, -self.b)

    def __abs__(self):
        return (self.a**2 + self.b**2) ** 0.5

    def __eq__(self, other):
        return isinstance(other, Vector) and self.a == other.a and self.b == other.b

    def __iadd__(self, other):
        self.a += other.a
        self.b += other.b
        return self

    def __matmul__(self, other):
        return self.a * other.a + self.b * other.b

    def __iter__(self):
        return iter((self.a, self.b))

    def __float__(self):
        return self.a


@total_ordering
class Ranked:
    def __init__(self, a):
        self.a = a

    def __lt__(self, other):
        return self.a < other.a

    def __eq__(self, other):
        return self.a == other.a


class Ordered:
    def __init__(self, a):
        self.a = a

    def __lt__(self, other):
        return self.a < other.a

    def __le__(self, other):
        return self.a <= other.a


class Abstract(ABC):
    @abstractmethod
    def f(self, x): ...

    def twice(self, x):
        return self.f(x) * 2


class Concrete(Abstract):
    def f(self, x):
        return x * x


class Counter:
    total: ClassVar[float] = 0.0
    names = ("a", "b")

    def __init__(self):
        self.n = 0

    def add(self, x):
        self.n += 1
        self.total = self.total + x
        return self


class Cached:
    def __init__(self, a):
        self.a = a

    @cached_property
    def square(self):
        return self.a**2


class Named:
    value = 1.0

    def __init__(self, a):
        self.a = a

    def __repr__(self):
        return f"Named({self.value})"


class Mixin:
    def scaled(self):
        return self.base() * self.factor


class Mixed(Mixin):
    factor = 3.0

    def __init__(self, x):
        self.x = x

    def base(self):
        return self.x


class Chain:
    def __init__(self, v):
        self.v = v

    def add(self, x):
        self.v = self.v + x
        return self

    def mul(self, x):
        self.v = self.v * x
        return self


class WithDefault:
    def __init__(self, a, items=()):
        self.a = a
        self.items = items


class Outer:
    class_level = 2.0
    derived_level = class_level * 3

    def get(self, x):
        return self.derived_level * x


def private_of_base(x: float, y: float) -> float:
    return Derived(x, y).run(x)


def private_of_derived(x: float, y: float) -> float:
    return Derived(x, y).own(x)


def private_attributes_apart(x: float, y: float) -> float:
    d = Derived(x, y)
    return d.hidden() + d.own_hidden() * 10


def private_class_attribute(x: float, y: float) -> float:
    return PrivateChild(x).get() + PrivateChild(x).factor() * y


def private_property(x: float, y: float) -> float:
    p = Private(x)
    p.a = y
    return p.a * x


def private_static_method(x: float, y: float) -> float:
    return Private(x).get() * y


def private_class_method(x: float, y: float) -> float:
    return Private.make(x).a * y


def private_in_call(x: float, y: float) -> float:
    return Private(x)(y)


def private_in_generator(x: float, y: float) -> float:
    return Private(x).helper([x, y])


def mangled_from_outside(x: float, y: float) -> float:
    return Base(x)._Base__hidden * y


# refused: MK305
def private_from_outside(x: float, y: float) -> float:
    return Base(x).__hidden * y


def has_private(x: float, y: float) -> float:
    return x * y if hasattr(Base(x), "__hidden") else x


def getattr_mangled(x: float, y: float) -> float:
    return getattr(Base(x), "_Base__hidden") * y


def private_field(x: float, y: float) -> float:
    return Hidden(x, y).total() * x


def virtual_call(x: float, y: float) -> float:
    return Derived(x, y).describe()


def diamond(x: float, y: float) -> float:
    return Diamond(x).name() * y


def override_class_attribute(x: float, y: float) -> float:
    return Base(x).rate * x + Derived(x, y).rate * y


def constant_over_property(x: float, y: float) -> float:
    return PropertyReplaced(x).area * y


def property_over_constant(x: float, y: float) -> float:
    return PropertyOverConstant(x).area * y


def method_over_constant(x: float, y: float) -> float:
    return PropertyOverConstant(x).scale() * y


def constant_over_method(x: float, y: float) -> float:
    return x * y if OverridesByConstant(x).name is None else x


def class_attribute_by_class(x: float, y: float) -> float:
    return Derived.rate * x + Base.rate * y


def instance_shadows_class(x: float, y: float) -> float:
    b = Base(x)
    b.rate = y
    return b.rate * x + Base.rate * y


def instance_attribute_set_late(x: float, y: float) -> float:
    b = Base(x)
    first = b.rate
    b.rate = 10.0
    return first * x + b.run(y)


def augmented_class_attribute(x: float, y: float) -> float:
    b = Base(x)
    b.count += 2
    return b.count * x + Base.count * y


# refused: MK341
def assigned_class_attribute(x: float, y: float) -> float:
    Base.count = 3
    return x * Base.count


def attribute_by_name_of_instance(x: float, y: float) -> float:
    return getattr(Base(x), "rate") * y


def counter(x: float, y: float) -> float:
    c = Counter().add(x).add(y)
    return c.total * c.n + Counter.total * x


def class_tuple(x: float, y: float) -> float:
    return x * len(Counter.names)


def slots_assigned(x: float, y: float) -> float:
    s = Slotted(x)
    s.b = y
    return s.a * s.b


# refused: MK355
def slots_missing(x: float, y: float) -> float:
    s = Slotted(x)
    s.c = y
    return s.a * s.c


def slots_inherited(x: float, y: float) -> float:
    s = SlottedChild(x, y)
    s.b = 2.0
    return s.a * s.c * s.b


# refused: MK355
def slots_missing_in_both(x: float, y: float) -> float:
    s = SlottedChild(x, y)
    s.d = 2.0
    return s.a * s.c * s.d


def slots_open_child(x: float, y: float) -> float:
    s = SlottedOpen(x)
    s.z = y
    return s.a * s.z


# refused: MK355
def slots_of_dataclass(x: float, y: float) -> float:
    s = SlottedData(x, y)
    s.z = y
    return s.a * s.z


def slots_of_dataclass_used(x: float, y: float) -> float:
    s = SlottedData(x)
    s.b = y
    return s.a * s.b


def slots_by_setattr(x: float, y: float) -> float:
    s = Slotted(x)
    setattr(s, "b", y)
    return s.a * s.b


def slots_hasattr(x: float, y: float) -> float:
    return x * y if hasattr(Slotted(x), "b") else x


def own_truth(x: float, y: float) -> float:
    return x * y if Truth(False) else x


def own_truth_at_run_time(x: float, y: float) -> float:
    return x * y if Truth(x > 0.5) else x


def truth_by_length(x: float, y: float) -> float:
    return x * y if Sized([]) else x


def truth_by_length_not_empty(x: float, y: float) -> float:
    return x * y if Sized([x]) else x


def truth_of_plain_instance(x: float, y: float) -> float:
    return x * y if Base(x) else x


def not_instance(x: float, y: float) -> float:
    return x * y if not Sized([]) else x


def instance_or(x: float, y: float) -> float:
    s = Sized([]) or Sized([x, y])
    return s[0] * s[1]


def bool_of_instance(x: float, y: float) -> float:
    return x * y if bool(Truth(False)) else x


def any_of_instances(x: float, y: float) -> float:
    return x * y if any([Truth(False), Sized([])]) else x


def filter_instances(x: float, y: float) -> float:
    return x * y * len(list(filter(None, [Truth(False), Truth(True)])))


def own_contains(x: float, y: float) -> float:
    return x * y if x in Sized([x, y]) else x


def own_contains_false(x: float, y: float) -> float:
    return x * y if x not in Sized([y]) else x


def own_iteration(x: float, y: float) -> float:
    total = 0.0
    for item in Sized([x, y, x]):
        total += item * item
    return total


# refused: MK306
def own_getitem_iteration(x: float, y: float) -> float:
    total = 0.0
    for item in Getter(x, 3):
        total += item
    return total * y


# refused: MK110
def own_getitem_contains(x: float, y: float) -> float:
    return x * y if 5.0 in Getter(x, 3) else x


def own_sum(x: float, y: float) -> float:
    return sum(Sized([x, y]))


def own_list(x: float, y: float) -> float:
    a, b = list(Sized([x, y]))
    return a * b * b


def own_unpacking(x: float, y: float) -> float:
    a, b = Vector(x, y)
    return a * b * b


def own_star(x: float, y: float) -> float:
    return max(*Vector(x, y)) * x


def own_length(x: float, y: float) -> float:
    return len(Sized([x, y])) * x


def vector_sum(x: float, y: float) -> float:
    v = sum([Vector(x, y), Vector(y, x), Vector(x, x)])
    return v.a * v.b


def vector_reflected(x: float, y: float) -> float:
    v = 3.0 * Vector(x, y) * 2.0
    return v.a * v.b


def vector_augmented(x: float, y: float) -> float:
    v = Vector(x, y)
    w = v
    v += Vector(1.0, 2.0)
    return w.a * v.b


def vector_augmented_by_product(x: float, y: float) -> float:
    v = Vector(x, y)
    w = v
    v *= 3.0
    return w.a * v.b


def vector_equal(x: float, y: float) -> float:
    return x * y if Vector(1.0, 2.0) == Vector(1.0, 2.0) else x


def vector_not_equal(x: float, y: float) -> float:
    return x * y if Vector(1.0, 2.0) != Vector(1.0, 2.0) else x


def vector_equal_number(x: float, y: float) -> float:
    return x * y if Vector(1.0, 2.0) == 3.0 else x


def vector_in_list(x: float, y: float) -> float:
    return x * y if Vector(1.0, 2.0) in [Vector(3.0, 4.0), Vector(1.0, 2.0)] else x


def vector_index(x: float, y: float) -> float:
    return x * y * [Vector(3.0, 4.0), Vector(1.0, 2.0)].index(Vector(1.0, 2.0))


def vector_abs_neg(x: float, y: float) -> float:
    return abs(-Vector(x, y)) * x


def vector_float(x: float, y: float) -> float:
    return float(Vector(x, y)) * y


def vector_matmul(x: float, y: float) -> float:
    return Vector(x, y) @ Vector(y, x)


def plain_equality_is_identity(x: float, y: float) -> float:
    a, b = Base(x), Base(x)
    return x * y if a == b else x


def plain_equality_of_one(x: float, y: float) -> float:
    a = Base(x)
    b = a
    return x * y if a == b else x


def plain_in_list(x: float, y: float) -> float:
    a, b = Base(x), Base(y)
    return x * y if a in [b, a] else x


def plain_not_in_list(x: float, y: float) -> float:
    a, b = Base(x), Base(y)
    return x * y if Base(x) in [b, a] else x


def plain_compared_to_none(x: float, y: float) -> float:
    return x * y if Base(x) == None else x


def reflected_order(x: float, y: float) -> float:
    return x * y if Ordered(2.0) > Ordered(1.0) else x


def reflected_order_at_run_time(x: float, y: float) -> float:
    return x * y if Ordered(x) >= Ordered(y) else x


def total_order(x: float, y: float) -> float:
    return x * y if Ranked(x) >= Ranked(y) else x


def min_of_instances(x: float, y: float) -> float:
    return min(Ordered(x), Ordered(y)).a * y


def sorted_instances(x: float, y: float) -> float:
    return sorted([Ordered(2.0), Ordered(1.0)])[0].a * x


def abstract_method(x: float, y: float) -> float:
    return Concrete().twice(x) * y


def cached(x: float, y: float) -> float:
    c = Cached(x)
    first = c.square
    c.a = y
    return first + c.square * 2


def plain_property_is_fresh(x: float, y: float) -> float:
    c = WithProperty(x)
    first = c.area
    c.a = y
    return first + c.area * 2


# refused: MK110
def property_without_setter(x: float, y: float) -> float:
    w = WithProperty(x)
    w.area = y
    return w.area


def mixin(x: float, y: float) -> float:
    return Mixed(x).scaled() * y


def chained_methods(x: float, y: float) -> float:
    return Chain(x).add(y).mul(x).add(1.0).v


def bound_method_kept(x: float, y: float) -> float:
    c = Chain(x)
    f = c.add
    f(y)
    f(y)
    return c.v * x


def bound_method_of_rebound(x: float, y: float) -> float:
    c = Chain(x)
    f = c.mul
    c = Chain(y)
    f(3.0)
    return c.v * x


def unbound_method(x: float, y: float) -> float:
    return Chain.add(Chain(x), y).v * x


def base_method_unbound(x: float, y: float) -> float:
    return Base.name(Derived(x, y)) * y


def class_in_variable(x: float, y: float) -> float:
    cls = Derived
    return cls(x, y).name()


def classes_in_dict(x: float, y: float) -> float:
    table = {"base": Base, "left": Left}
    return table["left"](x).name() * table["base"](y).name()


def class_level_expression(x: float, y: float) -> float:
    return Outer().get(x) * y


def object_is_shared(x: float, y: float) -> float:
    a = Chain(x)
    b = a
    b.add(y)
    return a.v * x


def object_in_list_is_shared(x: float, y: float) -> float:
    a = Chain(x)
    xs = [a, a]
    xs[0].add(y)
    return xs[1].v * a.v


def object_passed_is_changed(x: float, y: float) -> float:
    def change(c):
        c.v = c.v * y

    c = Chain(x)
    change(c)
    return c.v * x


def is_of_objects(x: float, y: float) -> float:
    a, b = Chain(x), Chain(x)
    c = a
    return x * y if a is c and a is not b else x


def swap_attributes(x: float, y: float) -> float:
    v = Vector(x, y)
    v.a, v.b = v.b, v.a * 2
    return v.a * v.b


def nested_objects(x: float, y: float) -> float:
    outer = Chain(Chain(x))
    outer.v.add(y)
    return outer.v.v * x


# refused: MK112
def str_of_instance(x: float, y: float) -> float:
    return x * y if f"{Named(x)}" == "Named(1.0)" else x


def class_name(x: float, y: float) -> float:
    return x * y if type(Derived(x, y)).__name__ == "Derived" else x


def class_name_of_list(x: float, y: float) -> float:
    return x * y if type([x]).__name__ == "list" else x


def qualified_name(x: float, y: float) -> float:
    return x * y if Derived.__qualname__ == "Derived" else x


# refused: MK305
def function_name(x: float, y: float) -> float:
    def inner(a):
        return a

    return inner(x) if inner.__name__ == "inner" else y


# refused: MK305
def instance_dict(x: float, y: float) -> float:
    return sum(Vector(x, y).__dict__.values())


# refused: MK301
def vars_of_instance(x: float, y: float) -> float:
    return vars(Vector(x, y))["a"] * y


class Settable:
    def __init__(self, v):
        self._v = v

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self._v = 2.0 * value


class SettableChild(Settable):
    @Settable.v.setter
    def v(self, value):
        self._v = 5.0 * value


class GetterAndDeleter(Settable):
    @property
    def w(self):
        return self._v

    @w.getter
    def w(self):
        return 3.0 * self._v

    @w.deleter
    def w(self):
        self._v = 0.0


class OtherName:
    def __init__(self, v):
        self._v = v

    @property
    def v(self):
        return self._v

    @v.setter
    def w(self, value):
        self._v = 2.0 * value


class NeverTrue:
    __bool__ = lambda self: False


class EqualToAll:
    __eq__ = NeverTrue.__bool__


def setter_of_base(x: float, y: float) -> float:
    one, other = Settable(x), SettableChild(x)
    one.v = other.v = y
    return one.v * other.v + x


def getter_and_deleter_are_properties(x: float, y: float) -> float:
    one, none = GetterAndDeleter(x), GetterAndDeleter(0.0)
    return one.w * y if one.w and not none.w else x


# refused: MK321
def setter_under_another_name(x: float, y: float) -> float:
    one = OtherName(x)
    one.w = y
    return one.v


# refused: MK321
def special_method_that_is_a_lambda(x: float, y: float) -> float:
    return x if NeverTrue() else y


# refused: MK321
def special_method_of_another_class(x: float, y: float) -> float:
    return x if EqualToAll() == EqualToAll() else y


class Reversible:
    def __init__(self, v):
        self.v = v

    def __iter__(self):
        return iter([self.v, 1.0])

    def __reversed__(self):
        return iter([3.0, self.v])


class OnlyIterable(Vector):
    pass


def own_reversal(x: float, y: float) -> float:
    total = 0.0
    for v in reversed(Reversible(x)):
        total = total * y + v
    return total


# refused: MK306
def reversal_of_what_has_none(x: float, y: float) -> float:
    return sum(reversed(OnlyIterable(x, y)))


SEEN = 10.0


class OwnScope:
    SEEN = 2.0
    count = 3
    scaled = [SEEN * i for i in range(count)]
    first = [i for i in (SEEN, 1.0)]
    hidden = [SEEN for SEEN in (7.0, 8.0)]
    outer = lambda self, v: v * SEEN


class OwnScopeInDefault:
    SEEN = 2.0

    def scaled(self, v, k=SEEN):
        return v * k


class Stepper:
    rate = 0.5
    scale = 2 * rate
    NAMES = ("a", "b")

    def step(self, v, rate=rate, k=-scale):
        return v * rate + k * v**2

    @staticmethod
    def counted(v, n=len(NAMES)):
        return v * n

    rate2 = scale


class ListInDefault:
    parts = [1.0, 2.0]

    def first(self, parts=parts):
        return parts[0]


class Inner:
    rate = 5.0


class WithNested:
    class Inner:
        rate = 3.0

    class Derived(Inner):
        pass


class BoundTwice:
    v: float = 1.0

    @property
    def v(self):
        return 3.0


def comprehension_sees_no_names_of_class(x: float, y: float) -> float:
    return x * OwnScope.scaled[1] + OwnScope.first[0] * y + OwnScope.hidden[1]


def lambda_sees_no_names_of_class(x: float, y: float) -> float:
    return OwnScope().outer(x) * y


def default_sees_names_of_class(x: float, y: float) -> float:
    return OwnScopeInDefault().scaled(x) * y


def defaults_are_values_of_the_class(x: float, y: float) -> float:
    one = Stepper()
    return one.step(x) * one.step(y, k=3.0) + Stepper.counted(x) * Stepper.rate2


# refused: MK321
def default_is_a_list_of_the_class(x: float, y: float) -> float:
    return ListInDefault().first() * x * y


# refused: MK321
def nested_base_is_the_own_one(x: float, y: float) -> float:
    return WithNested.Derived.rate * x


# refused: MK321
def property_over_value(x: float, y: float) -> float:
    return BoundTwice().v * x
