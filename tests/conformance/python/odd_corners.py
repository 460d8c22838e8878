"""Rules of Python that are easily forgotten."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import NamedTuple

import numpy as np

SCALE = 10.0
a = 100.0


class Scope:
    SCALE = 2.0
    double = SCALE * 2
    both = (SCALE, double)


class Level(IntEnum):
    LOW = 1
    MIDDLE = LOW + 1
    HIGH = MIDDLE * 2


class Ratio(Enum):
    HALF = 1 / 2
    THIRD = 1 / 3
    OTHER_HALF = 0.5


class Constant(Enum):
    PI = math.pi
    TAU = 2 * math.pi
    NEGATIVE = -1.5


class Annotated(Enum):
    A: int = 1
    B: int = 2


class Underscore(Enum):
    _low = 1
    high = 2


class Named(Enum):
    NAME = "n"
    VALUE = "v"


class Operation(Enum):
    ADD = "+"
    MUL = "*"

    def __call__(self, p, q):
        return p + q if self is Operation.ADD else p * q


class EqualToAll(Enum):
    A = 1
    B = 2

    def __eq__(self, other):
        return True

    __hash__ = None


class Setting:
    def __init__(self, v):
        self._v = v

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, new):
        self._v = new * 2


class Silent(Setting):
    @property
    def v(self):
        return self._v + 1


@dataclass
class Box:
    v: float

    def __bool__(self):
        return self.v > 0.5


@dataclass
class Bag:
    items: list

    def __len__(self):
        return len(self.items)


class Row(NamedTuple):
    p: float
    q: float

    def __len__(self):
        return 7


class Switch(NamedTuple):
    on: float

    def __bool__(self):
        return False


class Base:
    kind = "base"
    v: float = 1.0


class Changed(Base):
    v: float = 3.0


class ChangedPlain(Base):
    v = 4.0


class Meter:
    unit = 2.0

    def total(self, p):
        unit = 5.0
        return p * self.unit + unit


def class_scope_hides_module(x: float, y: float) -> float:
    return Scope.double * x + Scope.both[1] * y + SCALE


def enum_values_from_names(x: float, y: float) -> float:
    return Level.HIGH * x + Level.MIDDLE * y


def enum_alias_by_computed_value(x: float, y: float) -> float:
    return x * y if Ratio.OTHER_HALF is Ratio.HALF else x


def enum_computed_values(x: float, y: float) -> float:
    return Ratio.THIRD.value * x + len(Ratio) * y


def enum_constant_values(x: float, y: float) -> float:
    return Constant.TAU.value * x + Constant.NEGATIVE.value * y + len(Constant)


def enum_annotated_members(x: float, y: float) -> float:
    return Annotated.B.value * x + len(Annotated) * y


def enum_underscored_member(x: float, y: float) -> float:
    return Underscore._low.value * x + len(Underscore) * y


def enum_members_called_name(x: float, y: float) -> float:
    return x * y if Named.NAME.name == "NAME" and Named.VALUE.value == "v" else x


def enum_called(x: float, y: float) -> float:
    return Operation.MUL(x, y) + Operation.ADD(x, y)


def enum_own_equality(x: float, y: float) -> float:
    return x * y if EqualToAll.A == EqualToAll.B else x


def enum_own_equality_in_tuple(x: float, y: float) -> float:
    return x * y if EqualToAll.A in (3, 4) else x


def setter_of_replaced_property(x: float, y: float) -> float:
    s = Setting(x)
    s.v = y
    return s.v * Silent(x).v


# refused: MK110
def setter_is_gone(x: float, y: float) -> float:
    s = Silent(x)
    s.v = y
    return s.v


def dataclass_truth(x: float, y: float) -> float:
    return x * y if Box(0.1) else x


def dataclass_truth_at_run_time(x: float, y: float) -> float:
    return x * y if Box(x) else x


def dataclass_truth_by_length(x: float, y: float) -> float:
    return x * y if not Bag([]) else x


def named_tuple_own_length(x: float, y: float) -> float:
    return len(Row(x, y)) * x


def named_tuple_own_length_is_truth(x: float, y: float) -> float:
    return x * y if Row(x, y) else x


def named_tuple_own_truth(x: float, y: float) -> float:
    return x * y if Switch(x) else x


def annotated_class_attribute(x: float, y: float) -> float:
    return Changed().v * x + ChangedPlain().v * y + Base().v


def annotated_class_attribute_of_class(x: float, y: float) -> float:
    return Changed.v * x + ChangedPlain.v * y + Base.v


def class_attribute_is_not_a_local(x: float, y: float) -> float:
    return Meter().total(x) * y


def module_name_and_pattern(x: float, y: float) -> float:
    match (x, y):
        case (a, _):
            return a * y
    return 0.0


def module_name_and_walrus(x: float, y: float) -> float:
    return (a := x) * y + a


def module_name_and_loop(x: float, y: float) -> float:
    total = 0.0
    for a in (x, y):
        total += a
    return total * a


def module_name_and_comprehension(x: float, y: float) -> float:
    return sum([a * 2 for a in (x, y)]) + a * x


def module_name_and_handler(x: float, y: float) -> float:
    try:
        raise ValueError(3)
    except ValueError as a:
        return x * y * len(a.args)


def module_name_and_parameter(x: float, a: float) -> float:
    return x * a


def module_name_and_lambda(x: float, y: float) -> float:
    return (lambda a: a * 2)(x) + a * y


def bool_is_subclass_in_dispatch(x: float, y: float) -> float:
    def scale(v):
        if isinstance(v, bool):
            return 10.0
        if isinstance(v, int):
            return 2.0
        return 3.0

    return scale(True) * x + scale(1) * y + scale(1.0)


def float_is_not_int(x: float, y: float) -> float:
    return x * y if isinstance(2.0, int) else x


def none_is_falsy_default(x: float, y: float) -> float:
    def f(v, k=None):
        k = k or 2.0
        return v * k

    return f(x) + f(y, 0.0) + f(x, 3.0)


def zero_is_falsy_default(x: float, y: float) -> float:
    def f(v, k=None):
        k = 2.0 if k is None else k
        return v * k

    return f(x) + f(y, 0.0)


def string_keys_with_spaces(x: float, y: float) -> float:
    d = {"a b": x, "a.b": y, "": 2.0, "a:b": 3.0, "'": 4.0}
    return d["a b"] * d["a.b"] * d[""] * d["a:b"] * d["'"]


def numpy_number_is_not_python_float(x: float, y: float) -> float:
    return x * y if isinstance(np.float32(2.5), float) else x


def numpy_types_alias(x: float, y: float) -> float:
    return x * y if np.double is np.float64 else x


def builtin_type_compared(x: float, y: float) -> float:
    return x * y if type([]) is list and type(()) is not list and type("") == str else x


def unbound_after_del_item(x: float, y: float) -> float:
    d = {"a": x, "b": y}
    del d["a"]
    return d.get("a", 5.0) * d["b"]


def try_in_loop_with_else(x: float, y: float) -> float:
    total = 0.0
    for k in (1, 0, 2):
        try:
            v = 6 // k
        except ZeroDivisionError:
            total += y
        else:
            total += v * x
    return total


def negative_zero(x: float, y: float) -> float:
    return math.copysign(1.0, -0.0) * x + math.copysign(1.0, 0.0) * y


def min_with_nan_keeps_first(x: float, y: float) -> float:
    nan = float("nan")
    return (x if math.isnan(min(nan, 1.0)) else y) * (x if math.isnan(min(1.0, nan)) else y)


def _verdict(v: float) -> bool | None:
    return None if v > 1.0 else v > 0.0


def optional_is_true(x: float, y: float) -> float:
    v = _verdict(x)
    w = None if y > 0.4 else x > 5.0
    if v is True and w is not True:
        return x * y
    return x if w is False else y


def optional_number_is_no_bool(x: float, y: float) -> float:
    v = None
    if x > 0.5:
        v = x * y
    return 2 * x if v is True or v is False else x * y


def _told_apart(flag, x):
    if flag is True:
        return x
    return x * x if flag is False else x * x * x


def only_bools_are_true(x: float, y: float) -> float:
    given = [
        None,
        True,
        False,
        1,
        1.0,
        x,
        (x, y),
        [x],
        {"a": x},
        "a",
        np.sum,
        np.ones(2),
        Level.LOW,
    ]
    total = _told_apart(np.ones(2) > 0, y) + _told_apart(np.ones(2)[0] > 0, y)
    for k, one in enumerate(given):
        total += k * _told_apart(one, x)
    return total


def _is_said(flag, x, y):
    return x * y if flag is True else x


def helper_asks_for_true(x: float, y: float) -> float:
    return _is_said(x > y, x, y) + _is_said(np.float64(x) > y, x, y)


# refused: MK250
def bool_of_either_is_true(x: float, y: float) -> float:
    flag = x > y
    if y > 0.4:
        flag = np.ones(2)[0] > y
    return x * y if flag is True else x
