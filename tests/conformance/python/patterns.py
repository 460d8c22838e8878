"""``match``: literals, captures, alternatives, guards, sequences, and identity of True and None."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Literal, NamedTuple


class Kind(Enum):
    ROUND = 1
    FLAT = 2


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Limits:
    TOP = 3


@dataclass
class Point:
    a: float
    b: float


class Pair(NamedTuple):
    a: float
    b: float


def literal(x: float, n: int) -> float:
    match n:
        case 1:
            return x
        case 3:
            return x * x
        case _:
            return 2 * x


def literal_float_matches_int(x: float, n: int) -> float:
    match n:
        case 3.0:
            return x * x
        case _:
            return 2 * x


def text(x: float, mode: Literal["a", "b"]) -> float:
    match mode:
        case "b":
            return x
        case "a":
            return x * x


def none_is_identity(x: float, y: float) -> float:
    def f(v):
        match v:
            case None:
                return x * y
            case _:
                return x

    return f(None) + 2 * f(0.0) + 3 * f(())


def optional_none(x: float, y: float) -> float:
    best = None
    for v in (x, y):
        if v > 0.5:
            best = v
    match best:
        case None:
            return x
        case _:
            return best * y


def true_is_identity(x: float, y: float) -> float:
    match 1:
        case True:
            return x
        case 1:
            return x * y
        case _:
            return y


def false_is_identity(x: float, y: float) -> float:
    match 0:
        case False:
            return x
        case _:
            return x * y


def true_of_true(x: float, y: float) -> float:
    match True:
        case True:
            return x * y
        case _:
            return x


def one_matches_true(x: float, y: float) -> float:
    match True:
        case 1:
            return x * y
        case _:
            return x


def float_against_true(x: float, y: float) -> float:
    match x:
        case True:
            return x
        case _:
            return x * y


def int_against_true(x: float, n: int) -> float:
    match n - 2:
        case True:
            return x
        case 1:
            return x * x
        case _:
            return 3 * x


def bool_parameter(x: float, flag: bool) -> float:
    match flag:
        case True:
            return x * x
        case _:
            return x


def bool_by_value(x: float, flag: bool) -> float:
    match flag:
        case 1:
            return x * x
        case 0:
            return x
        case _:
            return 5.0 * x


def alternatives(x: float, n: int) -> float:
    match n:
        case 1 | 2:
            return x
        case 3 | 4:
            return x * x
        case _:
            return 2 * x


def guard(x: float, n: int) -> float:
    match n:
        case k if k < 2:
            return x
        case k if k * x > 0:
            return x * k
        case _:
            return 2 * x


def guard_falls_through(x: float, y: float) -> float:
    match 3:
        case 3 if x < -100:
            return x
        case 3:
            return x * y
        case _:
            return y


def capture(x: float, y: float) -> float:
    match (x, y):
        case (a, b):
            return a * b * b


def capture_stays_bound(x: float, y: float) -> float:
    match (x, 3):
        case (a, 4):
            return a
        case (_, b):
            pass
    return b * x * y


def sequence_of_literals(x: float, y: float) -> float:
    match (1, x):
        case (0, v):
            return v
        case (1, v):
            return v * y
        case _:
            return y


def sequence_lengths(x: float, y: float) -> float:
    def f(v):
        match v:
            case ():
                return 1.0
            case (a,):
                return a
            case (a, b):
                return a * b
            case _:
                return 0.0

    return f(()) + f((x,)) * 10 + f((x, y)) * 100 + f((x, y, x))


def list_matches_sequence(x: float, y: float) -> float:
    match [x, y]:
        case (a, b):
            return a * b


def text_is_no_sequence(x: float, y: float) -> float:
    match "ab":
        case (a, b):
            return x
        case _:
            return x * y


def number_is_no_sequence(x: float, y: float) -> float:
    match x:
        case (a, b):
            return a
        case _:
            return x * y


def star(x: float, y: float) -> float:
    match (x, y, 3.0):
        case (a, *rest):
            return a * sum(rest)


def nested(x: float, y: float) -> float:
    match ((x, 2.0), y):
        case ((a, b), c):
            return a * b * c


def as_pattern(x: float, y: float) -> float:
    match (x, y):
        case (a, b) as both:
            return a * both[1] * b


def value_of_class(x: float, n: int) -> float:
    match n:
        case Limits.TOP:
            return x * x
        case _:
            return x


def enum(x: float, kind: Kind) -> float:
    match kind:
        case Kind.FLAT:
            return x
        case Kind.ROUND:
            return x * x


def enum_value(x: float, y: float) -> float:
    match Kind.FLAT.value:
        case 1:
            return x
        case 2:
            return x * y


def int_enum_by_member(x: float, y: float) -> float:
    match 2:
        case Level.LOW:
            return x
        case Level.HIGH:
            return x * y


def named_tuple_as_sequence(x: float, y: float) -> float:
    match Pair(x, y):
        case (a, b):
            return a * b * b


def class_pattern(x: float, y: float) -> float:
    match Point(x, y):
        case Point(a=a, b=b):
            return a * b


def class_pattern_of_type(x: float, y: float) -> float:
    match x:
        case float():
            return x * y
        case _:
            return x


def mapping_pattern(x: float, y: float) -> float:
    match {"a": x, "b": y}:
        case {"a": a}:
            return a * y
        case _:
            return x


def negative_literal(x: float, n: int) -> float:
    match -n:
        case -3:
            return x * x
        case _:
            return x


def no_case_fits(x: float, y: float) -> float:
    total = x
    match 7:
        case 1:
            total = 0.0
    return total * y


def match_in_loop(x: float, y: float) -> float:
    total = 0.0
    for k in range(5):
        match k:
            case 0 | 4:
                continue
            case 3:
                break
            case _:
                total += k * x
    return total * y


def match_on_expression_once(x: float, y: float) -> float:
    xs = [x, y, 3.0]
    match xs.pop():
        case 1.0:
            return x
        case 2.0:
            return y
        case 3.0:
            return len(xs) * x


def nan_matches_nothing(x: float, y: float) -> float:
    v = float("nan")
    match v:
        case 1.0:
            return x
        case _:
            return x * y


def wildcard_in_sequence(x: float, y: float) -> float:
    match (x, y, 2.0):
        case (_, b, _):
            return b * x


def alternatives_with_capture(x: float, y: float) -> float:
    match (2, x):
        case (1, v) | (2, v):
            return v * y
        case _:
            return y


def tuple_of_mode_and_size(x: float, y: float) -> float:
    match ("mean", 2):
        case ("sum", _):
            return x + y
        case ("mean", n):
            return (x + y) / n


def literal_against_tuple(x: float, y: float) -> float:
    match (x, y):
        case 3:
            return x
        case _:
            return x * y


def literal_against_text(x: float, y: float) -> float:
    match "3":
        case 3:
            return x
        case _:
            return x * y


def none_against_list(x: float, y: float) -> float:
    match [x]:
        case None:
            return x
        case _:
            return x * y


def capture_of_what_does_not_fit(x: float, y: float) -> float:
    a = x
    match (y, 3):
        case (a, 4):
            return a
        case _:
            return a * 10.0


def capture_at_run_time(x: float, n: int) -> float:
    a = x
    match (2.0 * x, n):
        case (a, 4):
            return a
        case _:
            return a * 10.0


def capture_under_another_name(x: float, n: int) -> float:
    match (2.0 * x, n):
        case (a, 4):
            return a
        case (b, 3):
            return b * b
        case _:
            return x * 10.0


def comparison_of_numbers_is_true(x: float, y: float) -> float:
    match x > 0.5:
        case True:
            return x * y
        case _:
            return x


def bool_is_true(x: float, flag: bool) -> float:
    return x * x if flag is True else x


def bool_is_not_false(x: float, flag: bool) -> float:
    return x * x if flag is not False else x


@dataclass(frozen=True)
class Disc:
    r: float


@dataclass(frozen=True)
class Box:
    w: float
    h: float


class Tile:
    def __init__(self, side):
        self.side = side

    @property
    def area(self):
        return self.side**2


class Slab(Tile):
    pass


def _area(s):
    match s:
        case Disc(r=r):
            return 3.0 * r * r
        case Box(w=w, h=h) if w > h:
            return w * h * 2
        case Box(w, h):
            return w * h
        case Slab(side=a):
            return a
        case Tile(side=a):
            return a * a
        case _:
            return 7.0


def class_patterns(x: float, y: float) -> float:
    total = _area(Disc(x)) + _area(Box(x, y)) * _area(Box(y, x))
    return total + _area(Slab(x)) + _area(Tile(y)) * _area("text")


def class_patterns_nest(x: float, y: float) -> float:
    match (Box(x, 2.0), {"k": Disc(y), "n": 3}):
        case (Box(w=w, h=1.0), _):
            return w
        case (Box(h=2.0) as b, {"k": Disc(r), "n": int(n), **rest}):
            return b.w * r * n + len(rest)
        case _:
            return 0.0


# refused: MK343
def class_pattern_of_a_property(x: float, y: float) -> float:
    match Tile(x):
        case Tile(area=a):
            return a * y
    return 0.0


# refused: MK343
def class_pattern_at_run_time(x: float, y: float) -> float:
    s = Disc(x) if x > y else Box(x, y)
    match s:
        case Box(w, h):
            return w * h
    return x


# refused: MK110
def positions_that_are_not_known(x: float, y: float) -> float:
    match Tile(x):
        case Tile(a):
            return a * y
    return 0.0


def mapping_patterns(x: float, y: float) -> float:
    settings = {"kind": "square", "scale": x, 3: y}
    match settings:
        case {"kind": "linear", "scale": s}:
            return s
        case {"other": s}:
            return s
        case {"kind": "square", "scale": s, **rest}:
            rest[4] = 2.0
            return s * s * rest[3] * rest[4] * len(settings)
    return 0.0


def _ends(t):
    match t:
        case [a]:
            return a
        case [a, *rest, b] if len(rest) > 1:
            return a * b * rest[0]
        case [a, *_]:
            return a
    return 5.0


def stars(x: float, y: float) -> float:
    return _ends((x,)) + _ends([x, y, 2.0, y]) * _ends((y, x)) + _ends(())


def the_same_capture(x: float, y: float, n: int) -> float:
    total = 0.0
    for k in range(n + 2):
        match (k, x + k):
            case (0, v):
                total += v
            case (1 | 2, v) if v > 100.0:
                total += 5.0
            case (1, v) if v > y:
                total += v * v
            case (_, v):
                total -= v
    return total * v


def captured_where_the_guard_fails(x: float, y: float, n: int) -> float:
    v = 2.0
    match (n, x * y):
        case (3, v) if v > 100.0:
            return v
        case (2, v):
            return v * v
        case (k, w):
            return k * w * v
    return v


def captured_as_something_else(x: float, n: int) -> float:
    v = "text"
    match (n, x):
        case (2, v) if v > 0.0:
            return v
        case (3, v):
            return v * v
    return 3.0 * x


# refused: MK210
def never_captured(x: float, n: int) -> float:
    match (x, n):
        case (v, 2):
            return v
    return v * 2.0


def _tops(x, n):
    found = [x * k for k in range(n)]
    match found:
        case []:
            return 1.0
        case [one]:
            return one * one + x
        case [first, *_, last] if last > first + 3.0 * x:
            return last * first + last
        case [first, *between, last]:
            return first + last * len(between) + sum(between)
    return 0.0


def lists_of_run_time_length(x: float, n: int) -> float:
    return _tops(x, n) + _tops(x * x, n + 1) + _tops(x, n + 4) + _tops(x, 0)


# refused: MK110
def item_of_a_list_of_run_time_length(x: float, n: int) -> float:
    match [x * k for k in range(n)]:
        case [0.0, b, *_]:
            return b
    return x
