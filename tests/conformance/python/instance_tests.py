"""Results of ``isinstance`` and ``issubclass``."""

from __future__ import annotations

import abc
import enum
import numbers
from collections import abc as collections_abc
from collections.abc import (
    Callable,
    Collection,
    Container,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    MutableSequence,
    Reversible,
    Sequence,
    Sized,
)
from dataclasses import dataclass
from typing import Annotated, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]


class Level(enum.IntEnum):
    LOW = 0
    HIGH = 3


class Word(enum.StrEnum):
    EMPTY = ""
    FULL = "full"


class Shade(enum.Enum):
    RED = 1
    BLUE = 2


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Rights(enum.IntFlag):
    READ = 1
    WRITE = 2


@runtime_checkable
class HasArea(Protocol):
    def area(self): ...


@runtime_checkable
class HasSide(Protocol):
    side: float


class NotChecked(Protocol):
    def area(self): ...


class Square:
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side


class Cube(Square):
    def volume(self):
        return self.side**3


class Bag:
    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items)

    def __contains__(self, item):
        return item in self.items


class Getter:
    def __init__(self, a):
        self.a = a

    def __getitem__(self, k):
        return self.a * k

    def __call__(self, b):
        return self.a * b


class Base(abc.ABC):
    @abc.abstractmethod
    def run(self, x): ...


class Derived(Base):
    def run(self, x):
        return 2 * x


@dataclass
class Point:
    a: float
    b: float


@dataclass(frozen=True)
class Fixed:
    a: float
    b: float


@dataclass(eq=False)
class Loose:
    a: float


class Pair(NamedTuple):
    a: float
    b: float


class Own:
    def __init__(self, a):
        self.a = a

    def __eq__(self, other):
        return True


def list_is_iterable(x: float, y: float) -> float:
    xs = [x, y]
    return x * y if isinstance(xs, Iterable) else x


def tuple_is_iterable(x: float, y: float) -> float:
    return x * y if isinstance((x, y), Iterable) else x


def dict_is_iterable(x: float, y: float) -> float:
    return x * y if isinstance({"a": x}, Iterable) else x


def text_is_iterable(x: float, y: float) -> float:
    return x * y if isinstance("ab", Iterable) else x


def range_is_iterable(x: float, y: float) -> float:
    return x * y if isinstance(range(3), Iterable) else x


def array_is_iterable(v: Vec) -> float:
    return float(np.sum(v) * v[0]) if isinstance(v, Iterable) else v[0]


def array_is_sized(v: Vec) -> float:
    return float(np.sum(v) * v[0]) if isinstance(v, Sized) else v[0]


def array_is_sequence(v: Vec) -> float:
    return float(np.sum(v) * v[0]) if isinstance(v, Sequence) else v[0]


def array_is_array(v: Vec) -> float:
    return float(np.sum(v) * v[0]) if isinstance(v, np.ndarray) else v[0]


def array_is_list_or_array(v: Vec) -> float:
    return float(np.sum(v) * v[0]) if isinstance(v, (list, np.ndarray)) else v[0]


def array_is_generic(v: Vec) -> float:
    return float(np.sum(v) * v[0]) if isinstance(v, np.generic) else v[0]


def array_is_hashable(v: Vec) -> float:
    return float(np.sum(v) * v[0]) if isinstance(v, Hashable) else v[0]


def float_is_iterable(x: float, y: float) -> float:
    return x * y if isinstance(x, Iterable) else x


def float_is_sized(x: float, y: float) -> float:
    return x * y if isinstance(x, Sized) else x


def float_is_hashable(x: float, y: float) -> float:
    return x * y if isinstance(x, Hashable) else x


def float_is_real(x: float, y: float) -> float:
    return x * y if isinstance(x, numbers.Real) else x


def float_is_number(x: float, y: float) -> float:
    return x * y if isinstance(x, numbers.Number) else x


def float_is_complex_number(x: float, y: float) -> float:
    return x * y if isinstance(x, numbers.Complex) else x


def float_is_integral(x: float, y: float) -> float:
    return x * y if isinstance(x, numbers.Integral) else x


def float_is_rational(x: float, y: float) -> float:
    return x * y if isinstance(x, numbers.Rational) else x


def float_is_float(x: float, y: float) -> float:
    return x * y if isinstance(x, float) else x


def float_is_int(x: float, y: float) -> float:
    return x * y if isinstance(x, int) else x


def float_is_bool(x: float, y: float) -> float:
    return x * y if isinstance(x, bool) else x


def float_is_str(x: float, y: float) -> float:
    return x * y if isinstance(x, str) else x


def float_is_list_or_tuple(x: float, y: float) -> float:
    return x * y if isinstance(x, (list, tuple)) else x


def float_is_int_or_float(x: float, y: float) -> float:
    return x * y if isinstance(x, int | float) else x


def float_is_in_nested_tuples(x: float, y: float) -> float:
    return x * y if isinstance(x, (str, (int, (list, float)))) else x


def float_is_none_or_float(x: float, y: float) -> float:
    return x * y if isinstance(x, float | None) else x


def float_is_array(x: float, y: float) -> float:
    return x * y if isinstance(x, np.ndarray) else x


def float_is_numpy_floating(x: float, y: float) -> float:
    return x * y if isinstance(x, np.floating) else x


def element_is_float(v: Vec) -> float:
    return v[0] * v[1] if isinstance(v[0], float) else v[0]


def element_is_array(v: Vec) -> float:
    return v[0] * v[1] if isinstance(v[0], np.ndarray) else v[0]


def sum_is_float(v: Vec) -> float:
    s = np.sum(v)
    return s * v[1] if isinstance(s, float) else v[0]


def size_is_int(v: Vec) -> float:
    n = len(v)
    return n * v[1] if isinstance(n, (int, np.integer)) else v[0]


def constant_is_int(x: float, y: float) -> float:
    return x * y if isinstance(3, int) else x


def constant_is_float(x: float, y: float) -> float:
    return x * y if isinstance(3, float) else x


def constant_is_bool(x: float, y: float) -> float:
    return x * y if isinstance(1, bool) else x


def constant_is_integral(x: float, y: float) -> float:
    return x * y if isinstance(3, numbers.Integral) else x


def constant_is_rational(x: float, y: float) -> float:
    return x * y if isinstance(3, numbers.Rational) else x


def constant_is_real(x: float, y: float) -> float:
    return x * y if isinstance(2.5, numbers.Real) else x


def constant_is_number(x: float, y: float) -> float:
    return x * y if isinstance(2.5, numbers.Number) else x


def constant_is_hashable(x: float, y: float) -> float:
    return x * y if isinstance(2.5, Hashable) else x


def bool_is_int(x: float, y: float) -> float:
    return x * y if isinstance(True, int) else x


def bool_is_integral(x: float, y: float) -> float:
    return x * y if isinstance(False, numbers.Integral) else x


def bool_is_float(x: float, y: float) -> float:
    return x * y if isinstance(True, float) else x


def loop_index_is_int(x: float, y: float) -> float:
    total = 0.0
    for i in range(3):
        if isinstance(i, int):
            total += i * x
        else:
            total += y
    return total


def text_is_str(x: float, y: float) -> float:
    return x * y if isinstance("a", str) else x


def text_is_hashable(x: float, y: float) -> float:
    return x * y if isinstance("a", Hashable) else x


def text_is_container(x: float, y: float) -> float:
    return x * y if isinstance("a", Container) else x


def text_is_collection(x: float, y: float) -> float:
    return x * y if isinstance("a", Collection) else x


def text_is_sequence_not_list(x: float, y: float) -> float:
    value = "ab"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return x
    return x * y


def list_is_sized(x: float, y: float) -> float:
    return x * y if isinstance([x], Sized) else x


def list_is_sequence(x: float, y: float) -> float:
    xs = [x, y]
    return x * y if isinstance(xs, Sequence) else x


def list_is_mutable_sequence(x: float, y: float) -> float:
    xs = [x, y]
    return x * y if isinstance(xs, MutableSequence) else x


def tuple_is_mutable_sequence(x: float, y: float) -> float:
    return x * y if isinstance((x, y), MutableSequence) else x


def list_is_hashable(x: float, y: float) -> float:
    return x * y if isinstance([x], Hashable) else x


def dict_is_hashable(x: float, y: float) -> float:
    return x * y if isinstance({"a": x}, Hashable) else x


def tuple_is_hashable(x: float, y: float) -> float:
    return x * y if isinstance((x,), Hashable) else x


def list_is_reversible(x: float, y: float) -> float:
    return x * y if isinstance([x], Reversible) else x


def list_is_container(x: float, y: float) -> float:
    return x * y if isinstance([x], Container) else x


def list_is_collection(x: float, y: float) -> float:
    return x * y if isinstance([x], Collection) else x


def list_is_iterator(x: float, y: float) -> float:
    return x * y if isinstance([x], Iterator) else x


def list_is_callable(x: float, y: float) -> float:
    return x * y if isinstance([x], Callable) else x


def list_is_mapping(x: float, y: float) -> float:
    return x * y if isinstance([x], Mapping) else x


def dict_is_mapping(x: float, y: float) -> float:
    d = {"a": x, "b": y}
    return x * y if isinstance(d, Mapping) else x


def dict_is_mutable_mapping(x: float, y: float) -> float:
    d = {"a": x, "b": y}
    return x * y if isinstance(d, MutableMapping) else x


def dict_is_sequence(x: float, y: float) -> float:
    return x * y if isinstance({"a": x}, Sequence) else x


def dict_is_dict(x: float, y: float) -> float:
    return x * y if isinstance({"a": x}, dict) else x


def tuple_is_list(x: float, y: float) -> float:
    return x * y if isinstance((x, y), list) else x


def list_is_tuple(x: float, y: float) -> float:
    xs = [x, y]
    return x * y if isinstance(xs, tuple) else x


def by_module_alias(x: float, y: float) -> float:
    return x * y if isinstance([x], collections_abc.Sequence) else x


def everything_is_an_object(x: float, y: float) -> float:
    total = 0.0
    for value in (x, [x], (x,), {"a": x}, "a", None, Point(x, y), Level.LOW):
        if isinstance(value, object):
            total += x * y
    return total


def none_is_none_type(x: float, y: float) -> float:
    return x * y if isinstance(None, type(None)) else x


def none_is_hashable(x: float, y: float) -> float:
    return x * y if isinstance(None, Hashable) else x


def none_is_float(x: float, y: float) -> float:
    return x * y if isinstance(None, (int, float)) else x


def int_enum_is_int(x: float, y: float) -> float:
    return x * y if isinstance(Level.HIGH, int) else x


def int_enum_is_integral(x: float, y: float) -> float:
    return x * y if isinstance(Level.HIGH, numbers.Integral) else x


def int_enum_is_number(x: float, y: float) -> float:
    return x * y if isinstance(Level.HIGH, numbers.Number) else x


def int_enum_is_float(x: float, y: float) -> float:
    return x * y if isinstance(Level.HIGH, float) else x


def int_enum_is_enum(x: float, y: float) -> float:
    return x * y if isinstance(Level.HIGH, enum.Enum) else x


def int_enum_is_int_enum(x: float, y: float) -> float:
    return x * y if isinstance(Level.HIGH, enum.IntEnum) else x


def int_enum_is_own_class(x: float, y: float) -> float:
    return x * y if isinstance(Level.HIGH, Level) else x


def int_enum_is_other_enum(x: float, y: float) -> float:
    return x * y if isinstance(Level.HIGH, Shade) else x


def str_enum_is_str(x: float, y: float) -> float:
    return x * y if isinstance(Word.FULL, str) else x


def str_enum_is_sequence(x: float, y: float) -> float:
    return x * y if isinstance(Word.FULL, Sequence) else x


def str_enum_is_int(x: float, y: float) -> float:
    return x * y if isinstance(Word.FULL, int) else x


def enum_is_int(x: float, y: float) -> float:
    return x * y if isinstance(Shade.RED, int) else x


def enum_is_enum(x: float, y: float) -> float:
    return x * y if isinstance(Shade.RED, enum.Enum) else x


def enum_is_hashable(x: float, y: float) -> float:
    return x * y if isinstance(Shade.RED, Hashable) else x


# refused: MK321
def flag_is_enum(x: float, y: float) -> float:
    return x * y if isinstance(Access.READ, enum.Enum) else x


# refused: MK321
def flag_is_int(x: float, y: float) -> float:
    return x * y if isinstance(Access.READ, int) else x


# refused: MK321
def int_flag_is_int(x: float, y: float) -> float:
    return x * y if isinstance(Rights.READ, int) else x


def enum_parameter(x: float, level: Level) -> float:
    return x * x if isinstance(level, int) else x


def instance_of_protocol(x: float, y: float) -> float:
    return x * y if isinstance(Square(x), HasArea) else x


def instance_of_no_protocol(x: float, y: float) -> float:
    return x * y if isinstance(Point(x, y), HasArea) else x


def instance_of_data_protocol(x: float, y: float) -> float:
    return x * y if isinstance(Square(x), HasSide) else x


def number_of_protocol(x: float, y: float) -> float:
    return x * y if isinstance(x, HasArea) else x


def inherited_of_protocol(x: float, y: float) -> float:
    return x * y if isinstance(Cube(x), HasArea) else x


# refused: MK343
def protocol_that_is_not_checkable(x: float, y: float) -> float:
    try:
        return x * y if isinstance(Square(x), NotChecked) else x
    except TypeError:
        return y


def instance_is_sized(x: float, y: float) -> float:
    return x * y if isinstance(Bag(x, y), Sized) else x


def instance_is_iterable(x: float, y: float) -> float:
    return x * y if isinstance(Bag(x, y), Iterable) else x


def instance_is_collection(x: float, y: float) -> float:
    return x * y if isinstance(Bag(x, y), Collection) else x


def instance_is_container(x: float, y: float) -> float:
    return x * y if isinstance(Bag(x, y), Container) else x


def instance_is_sequence(x: float, y: float) -> float:
    return x * y if isinstance(Bag(x, y), Sequence) else x


def instance_with_getitem_is_iterable(x: float, y: float) -> float:
    return x * y if isinstance(Getter(x), Iterable) else x


def instance_is_callable(x: float, y: float) -> float:
    return x * y if isinstance(Getter(x), Callable) else x


def instance_is_not_callable(x: float, y: float) -> float:
    return x * y if isinstance(Square(x), Callable) else x


def instance_is_hashable(x: float, y: float) -> float:
    return x * y if isinstance(Square(x), Hashable) else x


def instance_with_eq_is_hashable(x: float, y: float) -> float:
    return x * y if isinstance(Own(x), Hashable) else x


def dataclass_is_hashable(x: float, y: float) -> float:
    return x * y if isinstance(Point(x, y), Hashable) else x


def frozen_is_hashable(x: float, y: float) -> float:
    return x * y if isinstance(Fixed(x, y), Hashable) else x


def loose_is_hashable(x: float, y: float) -> float:
    return x * y if isinstance(Loose(x), Hashable) else x


def instance_of_base(x: float, y: float) -> float:
    c = Cube(x)
    return c.volume() if isinstance(c, Square) else y


def base_is_no_derived(x: float, y: float) -> float:
    s = Square(x)
    return s.area() if not isinstance(s, Cube) else y


def instance_of_abstract(x: float, y: float) -> float:
    d = Derived()
    return d.run(x) if isinstance(d, Base) else y


def instance_of_abc(x: float, y: float) -> float:
    return x * y if isinstance(Derived(), abc.ABC) else x


def instance_is_float(x: float, y: float) -> float:
    return x * y if isinstance(Point(x, y), (float, int)) else x


def dataclass_is_tuple(x: float, y: float) -> float:
    return x * y if isinstance(Fixed(x, y), tuple) else x


def named_tuple_is_tuple(x: float, y: float) -> float:
    return x * y if isinstance(Pair(x, y), tuple) else x


def named_tuple_is_sequence(x: float, y: float) -> float:
    return x * y if isinstance(Pair(x, y), Sequence) else x


def named_tuple_is_sized(x: float, y: float) -> float:
    return x * y if isinstance(Pair(x, y), Sized) else x


def named_tuple_is_iterable(x: float, y: float) -> float:
    return x * y if isinstance(Pair(x, y), Iterable) else x


def named_tuple_is_list(x: float, y: float) -> float:
    return x * y if isinstance(Pair(x, y), list) else x


def named_tuple_is_own_class(x: float, y: float) -> float:
    p = Pair(x, y)
    return p.a * p.b if isinstance(p, Pair) else x


def tuple_is_named_tuple(x: float, y: float) -> float:
    return x * y if isinstance((x, y), Pair) else x


def function_is_callable(x: float, y: float) -> float:
    def inner(a):
        return a

    return x * y if isinstance(inner, Callable) else x


def lambda_is_hashable(x: float, y: float) -> float:
    return x * y if isinstance(lambda a: a, Hashable) else x


def class_is_callable(x: float, y: float) -> float:
    return x * y if isinstance(Square, Callable) else x


def class_is_type(x: float, y: float) -> float:
    return x * y if isinstance(Square, type) else x


def caught_is_class(x: float, y: float) -> float:
    try:
        raise KeyError("a")
    except LookupError as e:
        if not isinstance(e, KeyError):
            raise
        return x * y


def caught_is_base(x: float, y: float) -> float:
    try:
        raise ValueError("a")
    except Exception as e:
        if isinstance(e, ArithmeticError):
            return x
        if isinstance(e, Exception):
            return x * y
    return y


def caught_is_tuple(x: float, y: float) -> float:
    try:
        raise IndexError("a")
    except Exception as e:
        return x * y if isinstance(e, (KeyError, IndexError)) else y


def caught_is_object(x: float, y: float) -> float:
    try:
        raise IndexError("a")
    except Exception as e:
        return x * y if isinstance(e, BaseException) else y


class OwnError(ValueError):
    pass


class WorseError(OwnError):
    def __init__(self, amount):
        super().__init__("worse")
        self.amount = amount


def own_exception(x: float, y: float) -> float:
    try:
        raise WorseError(x * y)
    except ValueError as e:
        if isinstance(e, WorseError):
            return e.amount * x
        return y


def own_exception_is_value_error(x: float, y: float) -> float:
    try:
        raise WorseError(x * y)
    except Exception as e:
        return x * y if isinstance(e, ValueError) else y


def own_exception_is_no_key_error(x: float, y: float) -> float:
    try:
        raise OwnError("no")
    except Exception as e:
        return x * y if not isinstance(e, KeyError) else y


def caught_by_condition(x: float, y: float) -> float:
    try:
        if x > 0.5:
            raise KeyError("a")
        raise ValueError("b")
    except (KeyError, ValueError) as e:
        if isinstance(e, KeyError):
            return x * y
        return x + y * y


def divided_by_zero(x: float, n: int) -> float:
    try:
        return x / (n - 3)
    except ArithmeticError as e:
        return x * 2 if isinstance(e, ZeroDivisionError) else x


def subclass_of_base(x: float, y: float) -> float:
    return x * y if issubclass(Cube, Square) else x


def subclass_of_itself(x: float, y: float) -> float:
    return x * y if issubclass(Square, Square) else x


def subclass_not_of_derived(x: float, y: float) -> float:
    return x * y if issubclass(Square, Cube) else x


def subclass_in_tuple(x: float, y: float) -> float:
    return x * y if issubclass(Cube, (Point, Square)) else x


def subclass_of_object(x: float, y: float) -> float:
    return x * y if issubclass(Cube, object) else x


def subclass_bool_int(x: float, y: float) -> float:
    return x * y if issubclass(bool, int) else x


def subclass_int_float(x: float, y: float) -> float:
    return x * y if issubclass(int, float) else x


def subclass_error(x: float, y: float) -> float:
    return x * y if issubclass(OwnError, ValueError) else x


def subclass_key_error(x: float, y: float) -> float:
    return x * y if issubclass(KeyError, LookupError) else x


def subclass_int_enum(x: float, y: float) -> float:
    return x * y if issubclass(Level, int) else x


def subclass_enum(x: float, y: float) -> float:
    return x * y if issubclass(Shade, enum.Enum) else x


def subclass_named_tuple(x: float, y: float) -> float:
    return x * y if issubclass(Pair, tuple) else x


# refused: MK343
def subclass_protocol(x: float, y: float) -> float:
    return x * y if issubclass(Square, HasArea) else x


def subclass_sized(x: float, y: float) -> float:
    return x * y if issubclass(Bag, Sized) else x


def subclass_list_sequence(x: float, y: float) -> float:
    return x * y if issubclass(list, Sequence) else x


def subclass_float64_float(x: float, y: float) -> float:
    return x * y if issubclass(np.float64, float) else x


def type_is_class(x: float, y: float) -> float:
    return x * y if type(Square(x)) is Square else x


def type_is_not_base(x: float, y: float) -> float:
    return x * y if type(Cube(x)) is Square else x


def type_equals(x: float, y: float) -> float:
    return x * y if type(Cube(x)) == Cube else x


def type_differs(x: float, y: float) -> float:
    return x * y if type(Cube(x)) != Square else x


def type_of_both(x: float, y: float) -> float:
    a, b = Square(x), Cube(y)
    return a.area() if type(a) is type(b) else b.volume()


def type_of_list(x: float, y: float) -> float:
    return x * y if type([x]) is list else x


def type_of_tuple(x: float, y: float) -> float:
    return x * y if type((x, y)) is tuple else x


def type_of_named_tuple(x: float, y: float) -> float:
    return x * y if type(Pair(x, y)) is tuple else x


def type_of_text(x: float, y: float) -> float:
    return x * y if str is str else x


def type_of_none(x: float, y: float) -> float:
    return x * y if type(None) is type(None) else x


def type_of_bool(x: float, y: float) -> float:
    return x * y if bool is int else x


def type_of_int(x: float, y: float) -> float:
    return x * y if int is int else x


def type_of_enum(x: float, y: float) -> float:
    return x * y if type(Level.LOW) is Level else x


def type_name(x: float, y: float) -> float:
    return x * y if type(Cube(x)).__name__ == "Cube" else x


def type_of_caught(x: float, y: float) -> float:
    try:
        raise OwnError("a")
    except ValueError as e:
        return x * y if type(e) is OwnError else x


def class_attribute(x: float, y: float) -> float:
    return x * y if Cube(x).__class__ is Cube else x


def has_attribute(x: float, y: float) -> float:
    return x * y if hasattr(Cube(x), "volume") else x


def has_no_attribute(x: float, y: float) -> float:
    return x * y if hasattr(Square(x), "volume") else x


def has_len(x: float, y: float) -> float:
    return x * y if hasattr(Bag(x), "__len__") else x


def has_iter_of_list(x: float, y: float) -> float:
    return x * y if hasattr([x], "__iter__") else x


def has_attribute_of_base_object(x: float, y: float) -> float:
    return x * y if hasattr(Square(x), "__class__") else x


def callable_of_things(x: float, y: float) -> float:
    total = 0.0
    if callable(Square):
        total += x
    if callable(Getter(x)):
        total += y * x
    if callable(Square(x).area):
        total += 3 * x
    if callable(x):
        total += 100 * y
    return total


def dispatch_on_type(x: float, y: float) -> float:
    total = 0.0
    for value in (x, (x, y), [x, y, x], "skip", None, Point(x, y)):
        if isinstance(value, float):
            total += value
        elif isinstance(value, (tuple, list)):
            total += sum(value) * len(value)
        elif isinstance(value, str):
            continue
        elif value is None:
            total *= 2
        elif isinstance(value, Point):
            total += value.a * value.b
    return total


def flatten(x: float, y: float) -> float:
    def total(value):
        if isinstance(value, Iterable):
            return sum(total(v) for v in value)
        return value * value

    return total([x, (y, [x, y]), x])


def helper_with_optional(x: float, y: float) -> float:
    def norm(value, scale=None):
        if isinstance(scale, float):
            return value * scale
        return value

    return norm(x) + norm(x, y)


def _int_on_one_path(v, n):
    return n if v > 0 else v


def _is_int(v):
    return isinstance(v, int)


@dataclass
class FloatField:
    v: float


# refused: MK343
def result_that_may_be_an_int(x: float, y: float) -> float:
    return y if isinstance(_int_on_one_path(x, len("ab")), int) else x


# refused: MK343
def argument_that_may_be_an_int(x: float, y: float) -> float:
    return y if _is_int(3 if x > 0 else x) else x


# refused: MK343
def int_in_a_field_of_floats(x: float, y: float) -> float:
    return y if isinstance(FloatField(int(x)).v, int) else x


def result_that_is_used_as_a_number(x: float, y: float) -> float:
    return _int_on_one_path(x, len("ab")) * y + FloatField(int(x)).v
