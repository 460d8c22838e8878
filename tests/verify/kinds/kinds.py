"""Parameters of all kinds that can be drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, TypedDict

import numpy as np
from mooncake_runtime import nondiff, stop_gradient

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = Annotated[NDArray[np.float64], "n"]
    Items = Annotated[NDArray[np.int64], "k"]
    Mask = Annotated[NDArray[np.bool_], "n"]
    Waves = Annotated[NDArray[np.complex128], "n"]
    Wider = Annotated[NDArray[np.float64], "n+1 2*n"]


class Shape(Enum):
    ROUND = "round"
    FLAT = "flat"


class Order(IntEnum):
    FIRST = 1
    SECOND = 2


@dataclass
class Material:
    density: float
    name: str
    weights: Vector
    square: float = field(init=False)

    def __post_init__(self) -> None:
        if self.density <= 0.0:
            raise ValueError("a density is positive")
        self.square = self.density * self.density


class Pair(NamedTuple):
    first: float
    rest: tuple[float, int]


def structs(material: Material, pair: Pair) -> float:
    return material.square * float(np.sum(material.weights)) * pair.first + pair.rest[0]


@dataclass
class Lamp:
    shape: Shape
    power: float


def switched(lamp: Lamp) -> float:
    lamp.shape = Shape.FLAT if lamp.power > 0.0 else Shape.ROUND
    return lamp.power * lamp.power


def one_of(x: Vector, shape: Shape, order: Order, kind: Literal["mean", "sum"]) -> float:
    total = float(np.sum(x * x)) if shape is Shape.ROUND else float(np.sum(x))
    if order == Order.SECOND:
        total = total * total
    return total / x.shape[0] if kind == "mean" else total


def optional(
    x: Vector, scale: float | None = None, mode: str = "plain", *, times: int = 2
) -> float:
    factor = 1.0 if scale is None else scale
    if mode == "squared":
        factor = factor * factor
    return factor * times * float(np.sum(x))


def list_before_column(
    pair: tuple[list[float], Annotated[NDArray[np.float64], "n 1"]],
    m: Annotated[NDArray[np.float64], "n m"],
) -> float:
    return np.sum(pair[1] * m) + pair[0][1] ** 2


def lists(xs: list[float], flag: bool, z: complex) -> float:
    total = 0.0
    for x in xs:
        total += x * x if flag else x
    return total * (z * z).real


def gathered(x: Vector, k: Items, m: Mask, w: Waves) -> float:
    return float(np.sum(x[k])) + float(np.sum(np.where(m, x * w.real, w.imag)))


def sized(x: Vector, wide: Wider) -> float:
    return float(np.sum(x)) * float(wide[x.shape[0], 2 * x.shape[0] - 1])


# mooncake: domain=x:(2,3),n:(4,4.5)
def bounded(x: float, n: int) -> float:
    if not 2.0 <= x <= 3.0 or n != 4:
        raise ValueError("out of the domain")
    return x**n


def held(x: Vector) -> float:
    return float(np.sum(x * stop_gradient(x)))


@nondiff
def _weight(x):
    return x * x


def weighed(x: float) -> float:
    return _weight(x) * x


def at_least(x: float) -> float:
    return max(x, 1.0) + x


def smooth_here(x: Vector) -> float:
    y = np.zeros(x.shape[0])
    return float(np.sum(np.maximum(y * x, 0.0 * x) + x))


def raises(x: float) -> float:
    if x < 100.0:
        raise ValueError("too small")
    return x


def has_no_value(x: float) -> float:
    return float(np.log(-x * x))


def of_whole_items(x: Vector) -> float:
    total = 0
    for v in x:
        if v == round(v):
            total += v * v
    return total


# mooncake: domain=x:(0.1,0.9)
def jumps_everywhere(x: float) -> float:
    y = x
    for _ in range(200):
        y = 3.99 * y * (1.0 - y) if 0.0 < y < 1.0 else 0.5
    return y


def shares(x: Annotated[NDArray[np.float32], "n m"]) -> Annotated[NDArray[np.float32], "n m"]:
    """Differences of single precision say nothing here; of double precision they do."""
    e = np.exp(x - np.max(x, axis=1)[:, None])
    return e / np.sum(e, axis=1)[:, None]


def squared_by_turns(
    z: Annotated[NDArray[np.complex128], "n"], out: Annotated[NDArray[np.complex128], "2"]
) -> None:
    out[:] = 0.0
    for k in range(len(z)):
        out[k % 2] += z[k] * z[k]


def scaled_by_keyword(
    x: Annotated[NDArray[np.float64], "2"], *, out: Annotated[NDArray[np.float64], "2"], c: float
) -> None:
    out *= c * x


class Rates(TypedDict):
    growth: float
    decay: float


def by_key(rates: Rates, more: dict[str, float], x: float) -> float:
    return rates["growth"] * x + rates["decay"] * more["base"] * more.get("scale", 2.0)


class Spring:
    """A plain class, whose attributes are no fields of a dataclass."""

    __slots__ = ("_length", "stiffness")

    def __init__(self, stiffness: float, length: float) -> None:
        self.stiffness = stiffness
        self._length = length

    def __call__(self, x: float) -> float:
        return 0.5 * self.stiffness * (x - self._length) ** 2


def plain_class(spring: Spring, x: float) -> float:
    return spring(x)


def pulled(spring: Spring, x: float) -> None:
    spring.stiffness *= x


def singular_to_rounding(a: Annotated[NDArray[np.float64], "n 1"]) -> float:
    m = a @ a.T + 0.1 * (a + 1.0) @ (a.T + 1.0)
    return float(np.sum(np.linalg.inv(m)) if a.shape[0] > 2 else np.sum(m))


class Bells(NamedTuple):
    places: np.ndarray
    widths: np.ndarray


def open_ranks(x: np.ndarray, bells: Bells) -> float:
    return float(np.sum(np.exp(x[1:] - bells.places[0])) * np.sum(bells.widths))
