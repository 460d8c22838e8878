"""Members of enums: their truth, values, names, order, and what they are equal to."""

from __future__ import annotations

import enum
from enum import Enum, Flag, IntEnum, IntFlag, StrEnum, auto


class Level(IntEnum):
    NONE = 0
    LOW = 1
    HIGH = 3


class Word(StrEnum):
    EMPTY = ""
    FAST = "fast"
    SLOW = "slow"


class Shade(Enum):
    BLACK = 0
    RED = 1
    BLUE = 2
    CRIMSON = 1


class Mode(Enum):
    A = auto()
    B = auto()
    C = 7
    D = auto()


class Tag(StrEnum):
    ALPHA = auto()
    Beta = auto()


class Text(str, Enum):
    ONE = "one"
    EMPTY = ""


class Number(int, Enum):
    ZERO = 0
    TWO = 2


class Switch(Enum):
    OFF = 0
    ON = 1

    def __bool__(self):
        return self.value == 1


class Count(Enum):
    FEW = 2
    MANY = 9

    @property
    def doubled(self):
        return self.value * 2

    def scaled(self, x):
        return self.value * x

    @classmethod
    def default(cls):
        return cls.MANY


class Planet(Enum):
    MERCURY = (3.3, 2.4)
    EARTH = (5.9, 6.3)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius


class Access(Flag):
    NO = 0
    READ = 1
    WRITE = 2


class Rights(IntFlag):
    READ = 1
    WRITE = 2


class Empty(Enum):
    pass


def zero_int_enum_is_false(x: float, y: float) -> float:
    return x * y if Level.NONE else x


def int_enum_is_true(x: float, y: float) -> float:
    return x * y if Level.LOW else x


def zero_enum_is_true(x: float, y: float) -> float:
    return x * y if Shade.BLACK else x


def not_zero_int_enum(x: float, y: float) -> float:
    return x * y if not Level.NONE else x


def zero_or(x: float, y: float) -> float:
    return x * (Level.NONE or 5)


def one_and(x: float, y: float) -> float:
    return x * (Level.LOW and 5)


def zero_and(x: float, y: float) -> float:
    return x * y + (Level.NONE and 5)


def empty_str_enum_is_false(x: float, y: float) -> float:
    return x * y if Word.EMPTY else x


def str_enum_is_true(x: float, y: float) -> float:
    return x * y if Word.FAST else x


def own_bool(x: float, y: float) -> float:
    return x * y if Switch.OFF else x


def own_bool_on(x: float, y: float) -> float:
    return x * y if Switch.ON else x


def not_own_bool(x: float, y: float) -> float:
    return x * y if not Switch.OFF else x


def bool_of_member(x: float, y: float) -> float:
    return x * y if bool(Level.NONE) else x


def bool_of_own(x: float, y: float) -> float:
    return x * y if bool(Switch.OFF) else x


def any_of_members(x: float, y: float) -> float:
    return x * y if any([Level.NONE, Word.EMPTY, Switch.OFF]) else x


def all_of_members(x: float, y: float) -> float:
    return x * y if all((Level.LOW, Level.NONE)) else x


def any_in_generator(x: float, y: float) -> float:
    return x * y if any(m for m in (Level.NONE, Switch.OFF)) else x


def filter_members(x: float, y: float) -> float:
    return x * y * len(list(filter(None, [Level.NONE, Level.LOW, Level.HIGH])))


def filter_own_bool(x: float, y: float) -> float:
    return x * y * len(list(filter(None, [Switch.OFF, Switch.ON, Switch.OFF])))


def while_member(x: float, y: float) -> float:
    level = Level.NONE
    while level:
        x = x * y
        level = Level.NONE
    return x


def if_expression(x: float, y: float) -> float:
    return sum(x if m else y for m in Level)


def comprehension_condition(x: float, y: float) -> float:
    return sum([x * m.value for m in Level if m])


def assert_member(x: float, y: float) -> float:
    try:
        assert Level.NONE
    except AssertionError:
        return x * y
    return x


def truth_of_mixed_text(x: float, y: float) -> float:
    return x * y if Text.EMPTY else x


def truth_of_mixed_int(x: float, y: float) -> float:
    return x * y if Number.ZERO else x


def parameter_truth(x: float, level: Level) -> float:
    return x * x if level else x * 3


def parameter_truth_own(x: float, switch: Switch) -> float:
    return x * x if not switch else x * 3


# refused: MK321
def flag_zero(x: float, y: float) -> float:
    return x * y if Access.NO else x


# refused: MK321
def flag_or(x: float, y: float) -> float:
    return x * y if Access.READ | Access.WRITE else x


# refused: MK321
def flag_and(x: float, y: float) -> float:
    return x * y if Access.READ & Access.WRITE else x


# refused: MK321
def flag_contains(x: float, y: float) -> float:
    mode = Access.READ | Access.WRITE
    return x * y if Access.READ in mode else x


# refused: MK321
def int_flag_value(x: float, y: float) -> float:
    return x * (Rights.READ | Rights.WRITE)


def int_enum_arithmetic(x: float, y: float) -> float:
    return x * Level.HIGH + y * (Level.HIGH + Level.LOW)


def int_enum_power(x: float, y: float) -> float:
    return x**Level.HIGH * y


def int_enum_negative(x: float, y: float) -> float:
    return x * -Level.HIGH


def int_enum_divided(x: float, y: float) -> float:
    return x * (Level.HIGH // 2) + y * (Level.HIGH % 2) + Level.HIGH / 2 * x


def int_enum_compared(x: float, y: float) -> float:
    return x * y if Level.HIGH > Level.LOW else x


def int_enum_compared_to_int(x: float, y: float) -> float:
    return x * y if Level.HIGH >= 3 else x


def int_enum_equals_int(x: float, y: float) -> float:
    return x * y if Level.HIGH == 3 else x


def int_enum_equals_float(x: float, y: float) -> float:
    return x * y if Level.HIGH == 3.0 else x


def int_equals_int_enum(x: float, y: float) -> float:
    return x * y if 1 == Level.LOW else x


def int_enum_equals_bool(x: float, y: float) -> float:
    return x * y if Level.LOW == True else x


def int_enum_equals_other_enum(x: float, y: float) -> float:
    return x * y if Level.LOW == Shade.RED else x


def int_enum_equals_other_int_enum(x: float, y: float) -> float:
    return x * y if Level.NONE == Number.ZERO else x


def enum_equals_int(x: float, y: float) -> float:
    return x * y if Shade.RED == 1 else x


def enum_differs_from_int(x: float, y: float) -> float:
    return x * y if Shade.RED != 1 else x


def enum_alias(x: float, y: float) -> float:
    return x * y if Shade.CRIMSON is Shade.RED else x


def enum_alias_equal(x: float, y: float) -> float:
    return x * y if Shade.CRIMSON == Shade.RED else x


def enum_alias_name(x: float, y: float) -> float:
    return x * y if Shade.CRIMSON.name == "RED" else x


def str_enum_equals_text(x: float, y: float) -> float:
    return x * y if Word.FAST == "fast" else x


def text_equals_str_enum(x: float, y: float) -> float:
    return x * y if "slow" == Word.SLOW else x


def str_enum_in_tuple_of_text(x: float, y: float) -> float:
    return x * y if Word.FAST in ("slow", "fast") else x


def text_in_tuple_of_str_enum(x: float, y: float) -> float:
    return x * y if "fast" in (Word.SLOW, Word.FAST) else x


def int_in_tuple_of_members(x: float, y: float) -> float:
    return x * y if 3 in (Level.LOW, Level.HIGH) else x


def str_enum_order(x: float, y: float) -> float:
    return x * y if Word.FAST < Word.SLOW else x


def str_enum_order_text(x: float, y: float) -> float:
    return x * y if Word.FAST < "zebra" else x


def str_enum_length(x: float, y: float) -> float:
    return x * len(Word.FAST)


def str_enum_upper(x: float, y: float) -> float:
    return x * y if Word.FAST.upper() == "FAST" else x


def str_enum_startswith(x: float, y: float) -> float:
    return x * y if Word.FAST.startswith("fa") else x


def str_enum_joined(x: float, y: float) -> float:
    return x * y if Word.FAST + "er" == "faster" else x


def str_enum_item(x: float, y: float) -> float:
    return x * y if Word.FAST[0] == "f" else x


def str_enum_contains(x: float, y: float) -> float:
    return x * y if "as" in Word.FAST else x


def str_enum_iterated(x: float, y: float) -> float:
    return x * sum(1 for _ in Word.FAST)


def mixed_text_equals(x: float, y: float) -> float:
    return x * y if Text.ONE == "one" else x


def mixed_int_adds(x: float, y: float) -> float:
    return x * (Number.TWO + 1)


def value_attribute(x: float, y: float) -> float:
    return x * Level.HIGH.value + y * Shade.BLUE.value


def name_attribute(x: float, y: float) -> float:
    return x * y if Level.HIGH.name == "HIGH" else x


def auto_values(x: float, y: float) -> float:
    return x * Mode.A.value + y * Mode.B.value + x * y * Mode.D.value


def auto_text(x: float, y: float) -> float:
    return x * y if Tag.ALPHA == "alpha" and Tag.Beta.value == "beta" else x


def by_value(x: float, y: float) -> float:
    return x * y if Level(3) is Level.HIGH else x


def by_value_of_alias(x: float, y: float) -> float:
    return x * y if Shade(1) is Shade.CRIMSON else x


def by_text(x: float, y: float) -> float:
    return x * y if Word("slow") == Word.SLOW else x


def by_name(x: float, y: float) -> float:
    return x * Level["HIGH"]


def by_member(x: float, y: float) -> float:
    return x * y if Level(Level.HIGH) is Level.HIGH else x


def by_equal_value(x: float, y: float) -> float:
    return x * y if Level(True) is Level.LOW else x


def by_float_value(x: float, y: float) -> float:
    return x * y if Level(3.0) is Level.HIGH else x


# refused: MK333
def by_missing_value(x: float, y: float) -> float:
    try:
        return x * Level(17)
    except ValueError:
        return x * y


def iterate_enum(x: float, y: float) -> float:
    total = 0.0
    for level in Level:
        total += level.value * x + y
    return total


def iterate_enum_without_aliases(x: float, y: float) -> float:
    return x * len(list(Shade)) + y * len(Shade)


# refused: MK305
def members_by_name(x: float, y: float) -> float:
    return x * len(Shade.__members__)


def list_comprehension(x: float, y: float) -> float:
    return sum([m.value * x for m in Shade])


def sorted_members(x: float, y: float) -> float:
    first = sorted([Level.HIGH, Level.NONE, Level.LOW])[0]
    return x * y if first is Level.NONE else x


def max_member(x: float, y: float) -> float:
    return x * max(Level.LOW, Level.HIGH)


# refused: MK110
def member_in_enum(x: float, y: float) -> float:
    return x * y if Level.LOW in Level else x


def list_of_enum(x: float, y: float) -> float:
    return x * list(Level).index(Level.HIGH)


def method_of_member(x: float, y: float) -> float:
    return Count.FEW.scaled(x) + Count.MANY.scaled(y)


def property_of_member(x: float, y: float) -> float:
    return Count.FEW.doubled * x


def classmethod_of_enum(x: float, y: float) -> float:
    return Count.default().value * x


def member_with_init(x: float, y: float) -> float:
    return Planet.EARTH.mass * x + Planet.MERCURY.radius * y


def tuple_value(x: float, y: float) -> float:
    return Planet.EARTH.value[0] * x


def f_string_of_int_enum(x: float, y: float) -> float:
    return x * y if f"{Level.HIGH}" == "3" else x


def f_string_of_str_enum(x: float, y: float) -> float:
    return x * y if f"{Word.FAST}!" == "fast!" else x


def f_string_of_enum(x: float, y: float) -> float:
    return x * y if f"{Shade.RED}" == "Shade.RED" else x


def f_string_of_mixed_text(x: float, y: float) -> float:
    return x * y if f"{Text.ONE}" == "Text.ONE" else x


def f_string_of_mixed_int(x: float, y: float) -> float:
    return x * y if f"{Number.TWO}" == "Number.TWO" else x


def f_string_with_width(x: float, y: float) -> float:
    return x * y if f"{Level.HIGH:3d}" == "  3" else x


def f_string_enum_with_width(x: float, y: float) -> float:
    return x * y if f"{Shade.RED:>10}" == " Shade.RED" else x


def f_string_str_enum_with_width(x: float, y: float) -> float:
    return x * y if f"{Word.FAST:>6}" == "  fast" else x


def f_string_name(x: float, y: float) -> float:
    return x * y if f"{Level.HIGH.name}={Level.HIGH.value}" == "HIGH=3" else x


def str_of_int_enum(x: float, y: float) -> float:
    return x * y if str(Level.HIGH) == "3" else x


def str_of_str_enum(x: float, y: float) -> float:
    return x * y if str(Word.FAST) == "fast" else x


def str_of_enum(x: float, y: float) -> float:
    return x * y if str(Shade.RED) == "Shade.RED" else x


# refused: MK301
def repr_of_member(x: float, y: float) -> float:
    return x * y if repr(Level.HIGH) == "<Level.HIGH: 3>" else x


def format_of_member(x: float, y: float) -> float:
    return x * y if "{}-{}".format(Word.FAST, Level.HIGH) == "fast-3" else x


def join_of_members(x: float, y: float) -> float:
    return x * y if ",".join([Word.FAST, Word.SLOW]) == "fast,slow" else x


def key_of_dict(x: float, y: float) -> float:
    d = {Level.LOW: x, Level.HIGH: y}
    return d[Level.LOW] * d[Level.HIGH] * d[Level.HIGH]


def int_enum_key_by_int(x: float, y: float) -> float:
    d = {Level.LOW: x, Level.HIGH: y}
    return d[1] * d[3] * d[3]


def int_key_by_int_enum(x: float, y: float) -> float:
    d = {1: x, 3: y}
    return d[Level.LOW] * d[Level.HIGH] * x


def str_enum_key_by_text(x: float, y: float) -> float:
    d = {Word.FAST: x, Word.SLOW: y}
    return d["fast"] * d["slow"] * x


def text_key_by_str_enum(x: float, y: float) -> float:
    d = {"fast": x, "slow": y}
    return d[Word.FAST] * d[Word.SLOW] * x


def same_key_twice(x: float, y: float) -> float:
    d = {Level.LOW: x, 1: y}
    return len(d) * d[1]


def first_key_stays(x: float, y: float) -> float:
    d = {Level.LOW: x, 1: y}
    return x * y if list(d)[0] is Level.LOW else x


def str_enum_overwritten(x: float, y: float) -> float:
    d = {"fast": x}
    d[Word.FAST] = y * y
    return d["fast"] * len(d)


def key_in_dict(x: float, y: float) -> float:
    d = {Level.LOW: x}
    return x * y if 1 in d else x


def text_key_in_dict(x: float, y: float) -> float:
    d = {"slow": x}
    return x * y if Word.SLOW in d else x


def enum_key_not_int(x: float, y: float) -> float:
    d = {Shade.RED: x}
    return x * y if 1 in d else x


def dict_get_by_value(x: float, y: float) -> float:
    return {Level.HIGH: x * y}.get(3, x)


def dict_by_parameter(x: float, level: Level) -> float:
    return {Level.NONE: x, Level.LOW: x * x, Level.HIGH: x * 3}[level]


def dict_of_enum(x: float, y: float) -> float:
    table = {m: m.value * x for m in Level}
    return sum(table.values()) + table[Level.HIGH] * y


def list_index_by_member(x: float, y: float) -> float:
    return [x, y, x * y][Level.LOW]


def tuple_index_by_member(x: float, y: float) -> float:
    return (x, y, x * y, 3 * x)[Level.HIGH]


def range_of_member(x: float, y: float) -> float:
    total = 0.0
    for i in range(Level.HIGH):
        total += x * i
    return total


def match_member(x: float, level: Level) -> float:
    match level:
        case Level.NONE:
            return x * x
        case Level.LOW:
            return 2 * x
        case _:
            return 3 * x


def match_member_by_int(x: float, y: float) -> float:
    match Level.HIGH:
        case 3:
            return x * y
        case _:
            return x


def match_str_enum_by_text(x: float, y: float) -> float:
    match Word.SLOW:
        case "slow":
            return x * y
        case _:
            return x


def match_enum_by_int(x: float, y: float) -> float:
    match Shade.RED:
        case 1:
            return x * y
        case _:
            return x


def is_of_members(x: float, y: float) -> float:
    return x * y if Level.LOW is Level.LOW and Level.LOW is not Level.HIGH else x


def is_of_equal_enums(x: float, y: float) -> float:
    return x * y if Level.NONE is Number.ZERO else x


def member_is_not_int(x: float, y: float) -> float:
    one = 1
    return x * y if Level.LOW is not one else x


def min_of_member_and_int(x: float, y: float) -> float:
    return x * min(Level.HIGH, 2)


def sum_of_members(x: float, y: float) -> float:
    return x * sum(Level)


def abs_of_member(x: float, y: float) -> float:
    return x * abs(Level.HIGH)


def float_of_member(x: float, y: float) -> float:
    return x * float(Level.HIGH)


def int_of_member(x: float, y: float) -> float:
    return x * int(Level.HIGH)


def round_of_member(x: float, y: float) -> float:
    return round(x * 10.0, Level.NONE) * y


def member_plus_array_of_floats(x: float, y: float) -> float:
    return sum([x, y]) + Level.HIGH


def hash_of_member_as_default(x: float, y: float) -> float:
    def scaled(v, level=Level.HIGH):
        return v * level

    return scaled(x) + scaled(y, Level.LOW)


def extremes_are_members(x: float, y: float) -> float:
    levels = [Level.LOW, Level.HIGH, Level.NONE]
    found = x if max(levels) is Level.HIGH else y
    found *= 3.0 if min(Level.HIGH, Level.LOW) is Level.LOW else y
    return found * (2.0 if max(tuple(levels)).name == "HIGH" else x)


# refused: MK347
def extreme_of_member_and_number(x: float, y: float) -> float:
    return x if max(Level.HIGH, int(3.0 * x)) is Level.HIGH else y


class Sized(IntEnum):
    ONE = 1

    def __len__(self):
        return 0

    def __lt__(self, other):
        return True


def truth_of_int_is_no_length(x: float, y: float) -> float:
    return x * y if Sized.ONE and len(Sized.ONE) == 0 and Sized.ONE < 0 else x


# refused: MK343
def order_of_int_beside_own(x: float, y: float) -> float:
    return x if Sized.ONE > Sized.ONE else y


@enum.unique
class Distinct(Enum):
    A = 1.5
    B = 2.5


def unique_members(x: float, y: float) -> float:
    return Distinct.A.value * x + Distinct(2.5).value * y
