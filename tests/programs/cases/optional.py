"""Parameters and fields that are one of several things: None or not, texts, members of enums."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Annotated, Literal, Optional, Union

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Kind = Literal["linear", "square", "cube"]


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 3


@dataclass(frozen=True)
class Circle:
    r: float


@dataclass(frozen=True)
class Box:
    a: float
    b: float


@dataclass
class Options:
    gain: float
    kind: Kind = "square"
    offset: float | None = None
    color: Color = Color.RED


def _power(x: float, kind: Kind) -> float:
    match kind:
        case "linear":
            return x
        case "square":
            return x * x
        case _:
            return x * x * x


def text(x: float, kind: Kind) -> float:
    return _power(x, kind) * 2.0


def text_in_loop(x: Vector, kind: Kind) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        total += _power(x[i], kind)
    return total


def text_in_tuple(x: float, mode: Literal["sin", "cos", "tan"]) -> float:
    if mode in ("sin", "cos"):
        return np.sin(x) if mode == "sin" else np.cos(x)
    return np.tan(x)


def text_as_key(x: float, name: Literal["half", "double"]) -> float:
    factors = {"half": 0.5, "double": 2.0}
    return factors[name] * x * x


def member(x: float, color: Color) -> float:
    if color is Color.RED:
        return x * x
    return x * x * x


def member_by_match(x: float, color: Color) -> float:
    match color:
        case Color.RED:
            return np.exp(x)
        case Color.BLUE:
            return np.exp(-x)
    return x


def two_of_them(x: float, color: Color, kind: Kind) -> float:
    y = _power(x, kind)
    return y if color == Color.BLUE else np.sin(y)


def optional_array(x: Vector, w: Vector | None = None) -> float:
    if w is None:
        return np.sum(x * x)
    return np.sum(w * x * x)


def optional_given(x: Vector, w: Optional[Vector]) -> float:  # noqa: UP045
    y = x if w is None else x * w
    return np.sum(y**3)


def optional_number(x: float, a: float | None = None) -> float:
    if a is not None:
        x = x * a
    return np.sin(x)


def optional_both(x: float, a: float | None, b: Optional[float]) -> float:  # noqa: UP045
    t = x
    if a is not None:
        t *= a
    if b is not None:
        t += b * a if a is not None else b
    return t * t


def optional_is_written(x: Vector, work: Vector | None) -> float:
    if work is not None:
        work[0] = x[0] * x[1]
        work[1] *= 3.0
        return np.sum(work * x)
    return x[0]


def optional_struct(x: float, box: Box | None) -> float:
    if box is None:
        return x * x
    return x * box.a * box.b


def union_of_classes(shape: Circle | Box, h: float) -> float:
    if isinstance(shape, Circle):
        return np.pi * shape.r**2 * h
    return shape.a * shape.b * h


def union_with_none(shape: Union[Circle, Box, None], h: float) -> float:  # noqa: UP007
    if shape is None:
        return h
    if isinstance(shape, Box):
        return shape.a * h * h
    return shape.r * h


def number_or_array(x: float | Vector, s: float) -> float:
    if isinstance(x, float):
        return x * x * s
    return np.sum(x * x) * s


def of_options(options: Options, x: Vector) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        total += options.gain * _power(x[i], options.kind)
    if options.offset is not None:
        total += options.offset * options.offset
    return total if options.color is Color.RED else -total


def assigns_beside_options(options: Options, x: float) -> float:
    options.gain *= x
    if options.offset is None:
        options.gain += 1.0
    return options.gain * _power(x, options.kind)


def gives_options(options: Options, by: float) -> Box:
    if options.offset is None:
        return Box(options.gain * by, by)
    return Box(options.gain * by, options.offset)


def integer_or_number(x: float, n: int | float) -> float:
    return x * n


def level(x: float, at: Level) -> float:
    return x**2 if at is Level.LOW else x**3


def passes_none(x: float, nothing: None) -> float:
    return x * x


def text_selects(x: float, mode: str) -> float:
    if mode == "square":
        return x * x
    if mode in ("sine", "text"):
        return math.sin(x)
    return x


def _shaped(x: float, kind: str, power: int) -> float:
    return x**power if kind == "power" else _other_shape(power, kind=kind, y=x)


def _other_shape(power, y, kind):
    if kind in ("sine", "cosine"):
        return math.sin(y) if kind == "sine" else math.cos(y)
    return y * power


def text_passed_on(x: float, mode: str) -> float:
    return _shaped(x, mode, 3)


def text_seen_by_nested_functions(x: float, mode: str) -> float:
    def shaped(y):
        return _shaped(y, mode, 2)

    try:
        return shaped(x) * shaped(2.0 * x)
    except ValueError:
        return x


def text_by_default(x: float, kind: str = "cube") -> float:
    match kind:
        case "square" | "double":
            return x * x
        case "cube":
            return x**3
        case _:
            return x if kind != "other" else 2.0 * x
