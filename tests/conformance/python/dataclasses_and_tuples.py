"""Dataclasses with their options, and NamedTuples."""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from dataclasses import InitVar, asdict, astuple, dataclass, field, replace
from typing import ClassVar, NamedTuple


@dataclass
class Point:
    a: float
    b: float = 2.0


@dataclass(frozen=True)
class Fixed:
    a: float
    b: float = 2.0


@dataclass(eq=False)
class Loose:
    a: float


@dataclass(frozen=True)
class FixedHolder:
    items: list[float]


@dataclass(frozen=True, eq=False)
class FixedLoose:
    a: float


@dataclass(order=True)
class Ordered:
    a: float
    b: float = 0.0


@dataclass
class Partly:
    a: float
    note: float = field(default=0.0, compare=False)


class Child(Point):
    """Not decorated: it has the __eq__ and the __init__ of its base."""

    c = 5.0

    def total(self):
        return self.a + self.b + self.c


class Other(Point):
    pass


@dataclass
class Decorated(Point):
    c: float = 3.0


@dataclass(eq=False)
class DecoratedLoose(Point):
    c: float = 3.0


@dataclass
class OwnEquality:
    a: float
    b: float

    def __eq__(self, other):
        return self.a == other.a


@dataclass
class OverPlain:
    a: float


class WithEq:
    def __eq__(self, other):
        return True


@dataclass
class DerivedFromEq(WithEq):
    a: float


@dataclass
class Factory:
    xs: list = field(default_factory=list)
    d: dict = field(default_factory=dict)
    p: Point = field(default_factory=lambda: Point(1.0))


@dataclass
class After:
    a: float
    scale: InitVar[float] = 2.0
    b: float = field(init=False)

    def __post_init__(self, scale):
        self.b = self.a * scale


@dataclass
class AfterChild(After):
    c: float = 1.0

    def __post_init__(self, scale):
        super().__post_init__(scale)
        self.c = self.b + 1.0


@dataclass(kw_only=True)
class Keywords:
    a: float
    b: float = 2.0


@dataclass
class Mixed:
    a: float
    _: dataclasses.KW_ONLY
    b: float = 3.0
    c: float


@dataclass
class Counted:
    count: ClassVar[int] = 3
    a: float = 1.0


@dataclass(frozen=True)
class Made:
    a: float
    b: float = 0.0

    def __post_init__(self):
        object.__setattr__(self, "b", self.a * 2)

    def moved(self, d):
        return replace(self, a=self.a + d)

    @property
    def both(self):
        return self.a + self.b

    @classmethod
    def double(cls, a):
        return cls(a * 2)


@dataclass
class Node:
    value: float
    left: Node | None = None
    right: Node | None = None

    def total(self):
        here = self.value
        if self.left is not None:
            here += self.left.total()
        if self.right is not None:
            here += self.right.total()
        return here


@dataclass
class Defaults:
    base = 4.0
    a: float = base * 2
    b: float = a + 1


class Pair(NamedTuple):
    a: float
    b: float = 2.0

    def norm(self):
        return self.a * self.a + self.b

    @property
    def swapped(self):
        return Pair(self.b, self.a)

    @classmethod
    def unit(cls, x):
        return cls(x, x)


class Triple(NamedTuple):
    first: float
    rest: Pair


Old = namedtuple("Old", ["a", "b"])


def equal(x: float, y: float) -> float:
    return x * y if Point(1.0, 2.0) == Point(1.0) else x


def equal_at_run_time(x: float, y: float) -> float:
    return x * y if Point(x, y) == Point(x, y) else x


def not_equal_at_run_time(x: float, y: float) -> float:
    return x * y if Point(x, y) != Point(y, x) else x


def equal_is_not_for_other_classes(x: float, y: float) -> float:
    return x * y if Point(x, y) == Fixed(x, y) else x


def equal_is_not_for_tuples(x: float, y: float) -> float:
    return x * y if Point(x, y) == (x, y) else x


def equal_without_eq(x: float, y: float) -> float:
    return x * y if Loose(1.0) == Loose(1.0) else x


def equal_without_eq_itself(x: float, y: float) -> float:
    p = Loose(x)
    q = p
    return x * y if p == q else x


# refused: MK347
def frozen_equal_without_eq(x: float, y: float) -> float:
    return x * y if FixedLoose(1.0) == FixedLoose(1.0) else x


def equal_without_one_field(x: float, y: float) -> float:
    return x * y if Partly(1.0, 2.0) == Partly(1.0, 3.0) else x


def undecorated_children_equal(x: float, y: float) -> float:
    return x * y if Child(1.0, 2.0) == Child(1.0, 2.0) else x


def undecorated_children_differ(x: float, y: float) -> float:
    return x * y if Child(1.0, 2.0) == Child(1.0, 3.0) else x


def undecorated_child_and_base(x: float, y: float) -> float:
    return x * y if Child(1.0, 2.0) == Point(1.0, 2.0) else x


def undecorated_siblings(x: float, y: float) -> float:
    return x * y if Child(1.0, 2.0) == Other(1.0, 2.0) else x


def decorated_child_and_base(x: float, y: float) -> float:
    return x * y if Decorated(1.0, 2.0) == Point(1.0, 2.0) else x


def decorated_child_compares_all(x: float, y: float) -> float:
    return x * y if Decorated(1.0, 2.0, 3.0) == Decorated(1.0, 2.0, 4.0) else x


def loose_child_uses_equality_of_base(x: float, y: float) -> float:
    return x * y if DecoratedLoose(1.0, 2.0, 3.0) == DecoratedLoose(1.0, 2.0, 4.0) else x


def own_equality(x: float, y: float) -> float:
    return x * y if OwnEquality(1.0, 2.0) == OwnEquality(1.0, 3.0) else x


def own_inequality(x: float, y: float) -> float:
    return x * y if OwnEquality(1.0, 2.0) != OwnEquality(1.0, 3.0) else x


def generated_equality_before_inherited(x: float, y: float) -> float:
    return x * y if DerivedFromEq(1.0) == DerivedFromEq(2.0) else x


def in_list(x: float, y: float) -> float:
    return x * y if Point(1.0) in [Point(2.0), Point(1.0, 2.0)] else x


def index_in_list(x: float, y: float) -> float:
    return x * y * [Point(2.0), Point(1.0, 2.0)].index(Point(1.0))


def lists_of_points_equal(x: float, y: float) -> float:
    return x * y if [Point(1.0), Point(2.0)] == [Point(1.0), Point(2.0)] else x


def compared_to_none(x: float, y: float) -> float:
    return x * y if Point(x) != None else x


def is_not_equal(x: float, y: float) -> float:
    p, q = Point(x), Point(x)
    return x * y if p == q and p is not q else x


def order(x: float, y: float) -> float:
    return x * y if Ordered(1.0, 2.0) < Ordered(1.0, 3.0) else x


def sorted_by_order(x: float, y: float) -> float:
    return sorted([Ordered(2.0), Ordered(1.0)])[0].a * x


def factories(x: float, y: float) -> float:
    f, g = Factory(), Factory()
    f.xs.append(x)
    f.d["a"] = y
    f.p.a = x * y
    return f.xs[0] * f.d["a"] + f.p.a + len(g.xs) + len(g.d) + g.p.a


def post_init(x: float, y: float) -> float:
    return After(x).b + After(y, 3.0).b * x


def post_init_of_child(x: float, y: float) -> float:
    return AfterChild(x, 3.0).c * y


def keyword_only(x: float, y: float) -> float:
    return Keywords(a=x).b * x + Keywords(b=y, a=x).b


def keyword_only_from_here(x: float, y: float) -> float:
    m = Mixed(x, c=y)
    return m.a * m.b + m.c


def class_variable(x: float, y: float) -> float:
    return Counted(x).count * x + Counted.count * y


def default_of_class(x: float, y: float) -> float:
    return Point.b * x + Point(x).b * y


def defaults_from_class_names(x: float, y: float) -> float:
    d = Defaults()
    return d.a * x + d.b * y


def frozen_made_in_post_init(x: float, y: float) -> float:
    return Made(x).both * y


def frozen_replace(x: float, y: float) -> float:
    m = Made(x)
    return m.moved(y).both * m.a


def replace_of_mutable(x: float, y: float) -> float:
    p = Point(x, y)
    q = replace(p, a=3.0)
    q.b = 7.0
    return p.a * p.b + q.a * q.b


def replace_runs_post_init(x: float, y: float) -> float:
    return replace(Made(x), a=y).b * x


def frozen_classmethod(x: float, y: float) -> float:
    return Made.double(x).a * y


# refused: MK322
def frozen_assigned(x: float, y: float) -> float:
    m = Made(x)
    m.a = y
    return m.a


# refused: MK322
def frozen_list_extended(x: float, y: float) -> float:
    h = FixedHolder([x])
    h.items += [y]
    return h.items[1]


def as_dict(x: float, y: float) -> float:
    d = asdict(Point(x, y))
    return d["a"] * d["b"] + len(d)


def as_tuple(x: float, y: float) -> float:
    a, b = astuple(Point(x, y))
    return a * b * b


def as_dict_is_deep(x: float, y: float) -> float:
    n = Node(x, Node(y))
    d = asdict(n)
    n.left.value = 100.0
    return d["left"]["value"] * d["value"]


# refused: MK343
def fields_of(x: float, y: float) -> float:
    p = Point(x, y)
    return sum(getattr(p, f.name) for f in dataclasses.fields(p))


def tree(x: float, y: float) -> float:
    return Node(x, Node(y), Node(x * y, Node(2.0))).total() * x


def shared_default_is_made_anew(x: float, y: float) -> float:
    f, g = Factory(), Factory()
    return x * y if f.xs is not g.xs else x


def mutated_through_alias(x: float, y: float) -> float:
    p = Point(x, y)
    q = p
    q.a *= 2
    return p.a * p.b


def matched(x: float, y: float) -> float:
    p = Pair(x, y)
    match p:
        case (a, b):
            return a * b * b


def unpacked(x: float, y: float) -> float:
    a, b = Pair(x, y)
    return a * b * b


def by_index(x: float, y: float) -> float:
    p = Pair(x, y)
    return p[0] * p[-1] + p[1]


def sliced(x: float, y: float) -> float:
    return sum(Pair(x, y)[::-1]) * Pair(x, y)[:1][0]


def named_length(x: float, y: float) -> float:
    return len(Pair(x, y)) * x


def named_sum(x: float, y: float) -> float:
    return sum(Pair(x, y)) * x


def named_loop(x: float, y: float) -> float:
    total = 0.0
    for v in Pair(x, y):
        total = total * 2 + v
    return total


def named_in(x: float, y: float) -> float:
    return x * y if x in Pair(x, y) else x


def named_equal(x: float, y: float) -> float:
    return x * y if Pair(x, y) == Pair(x, y) else x


def named_equals_tuple(x: float, y: float) -> float:
    return x * y if Pair(x, y) == (x, y) else x


def tuple_equals_named(x: float, y: float) -> float:
    return x * y if (x, y) == Pair(x, y) else x


def named_equals_other_named(x: float, y: float) -> float:
    return x * y if Pair(x, y) == Old(x, y) else x


def named_not_equals_list(x: float, y: float) -> float:
    return x * y if Pair(x, y) == [x, y] else x


def named_truth(x: float, y: float) -> float:
    return x * y if Pair(0.0, 0.0) else x


# refused: MK213
def named_added(x: float, y: float) -> float:
    t = Pair(x, y) + (3.0,)
    return t[0] * t[1] * t[2]


# refused: MK213
def named_repeated(x: float, y: float) -> float:
    return sum(Pair(x, y) * 2) * x


def named_replace(x: float, y: float) -> float:
    p = Pair(x)._replace(b=y)
    return p.norm() * p.b


def named_asdict(x: float, y: float) -> float:
    d = Pair(x, y)._asdict()
    return d["a"] * d["b"] * len(d)


def named_fields(x: float, y: float) -> float:
    return x * y if Pair._fields == ("a", "b") else x


def named_make(x: float, y: float) -> float:
    return Pair._make([x, y]).norm()


# refused: MK305
def named_index_method(x: float, y: float) -> float:
    return x * Pair(1.0, 2.0).index(2.0)


# refused: MK305
def named_count_method(x: float, y: float) -> float:
    return x * Pair(2.0, 2.0).count(2.0)


def named_method(x: float, y: float) -> float:
    return Pair(x, y).norm() * Pair(x, y).swapped.norm()


def named_classmethod(x: float, y: float) -> float:
    return Pair.unit(x).norm() * y


def named_nested(x: float, y: float) -> float:
    t = Triple(x, Pair(y))
    first, (a, b) = t
    return first * a * b * t.rest.a


def named_keywords(x: float, y: float) -> float:
    p = Pair(b=x, a=y)
    return p.a - p.b


def old_named_tuple(x: float, y: float) -> float:
    p = Old(x, y)
    return p.a * p.b * p[0]


def named_star(x: float, y: float) -> float:
    def f(a, b):
        return a - 2 * b

    return f(*Pair(x, y))


def named_zip(x: float, y: float) -> float:
    return sum(a * b for a, b in zip(Pair(x, y), Pair(y, x)))


def named_sorted(x: float, y: float) -> float:
    return sorted([Pair(2.0, 1.0), Pair(1.0, 5.0)])[0].b * x


def named_max_by_key(x: float, y: float) -> float:
    best = max([Pair(1.0, 7.0), Pair(2.0, 3.0)], key=lambda p: p.b)
    return best.a * x + best.b * y


# refused: MK347
def frozen_without_eq_itself(x: float, y: float) -> float:
    p = FixedLoose(x)
    return x * y if p == p else x


def replaced_equality_of_child(x: float, y: float) -> float:
    class_of = DerivedFromEqChild
    return x * y if class_of(1.0) == class_of(2.0) else x


class DerivedFromEqChild(DerivedFromEq):
    pass


@dataclass(order=True)
class Task:
    rank: float = field(init=False)
    cost: float = field(compare=False)

    def __post_init__(self):
        self.rank = -self.cost


@dataclass(order=True, frozen=True)
class Version:
    major: float
    minor: float


class Patched(Version):
    pass


def order_by_a_computed_field(x: float, y: float) -> float:
    a, b = Task(x), Task(y)
    return x * y if a < b else (x * x if a >= b else 0.0)


def best_of_ordered(x: float, y: float) -> float:
    best = max(Version(x, y), Version(y, x), Version(x, 2 * y))
    return best.major * best.minor * best.minor


def order_is_inherited(x: float, y: float) -> float:
    return x * y if Patched(x, y) < Patched(x, 2 * y) else x


# refused: MK213
def order_of_other_classes(x: float, y: float) -> float:
    return x * y if Patched(x, y) < Version(x, 2 * y) else x


def order_of_named_tuples(x: float, y: float) -> float:
    p, q = Pair(x, y), Pair(y, x)
    best = p if p > q else q
    return best.a * best.a * best.b


class Ranked(NamedTuple):
    a: float
    b: float

    def __lt__(self, other):
        return self.b < other.b

    def __eq__(self, other):
        return self.a == other.a


class OrderedChild(Ordered):
    def __lt__(self, other):
        return self.a > other.a


def own_comparisons_of_named(x: float, y: float) -> float:
    p, q = Ranked(x, y), Ranked(x, 2.0)
    return x * y if p == q and (p < q) == (y < 2.0) else x


# refused: MK343
def order_of_tuple_beside_own(x: float, y: float) -> float:
    return max(Ranked(x, y), Ranked(y, x)).a


# refused: MK343
def inequality_of_tuple_beside_own(x: float, y: float) -> float:
    return x if Ranked(x, y) != Ranked(x, 2.0 * y) else y


# refused: MK343
def order_of_dataclass_beside_own(x: float, y: float) -> float:
    return x if OrderedChild(x) > OrderedChild(y) else y


class Longer(Pair):
    scale: float = 3.0

    def scaled(self):
        return self.a * self.scale


class Replaced(Pair):
    b = 50.0


def child_of_named_has_no_other_fields(x: float, y: float) -> float:
    p = Longer(x, y)
    return p.scaled() * len(p) + Longer.scale + (2.0 if p == Pair(x, y) else 0.0)


# refused: MK321
def child_of_named_with_value_for_field(x: float, y: float) -> float:
    return Replaced(x, y).b + x
