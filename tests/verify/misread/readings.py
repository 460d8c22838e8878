"""Programs that version 0.1 took those of ``defects`` for."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated

import numpy as np
from mooncake_runtime import stop_gradient
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Matrix = Annotated[NDArray[np.float64], "n m"]
Single = Annotated[NDArray[np.float32], "n"]


def masked(x: Vector) -> float:
    return float(np.sum(x[-1 - (x > 0.0).astype(np.int64)] ** 2))


def counted_masks(x: Vector, y: Vector) -> float:
    return float(np.sum(((x > 0.0).astype(np.int64) + (y > 0.0)) * x * y))


def inverse(a: float, n: int) -> float:
    return a * a * float(1 // (n + 1))


def contiguous(a: float) -> float:
    m = np.full((3, 2), a * a)
    first = m[:, 0]
    first[0] = a
    return float(np.sum(m * m)) + first[0]


def reshaped(m: Matrix, a: float) -> float:
    first = m[:, 1].copy().reshape(-1, 1)
    first[0, 0] = a
    return float(np.sum(m * m))


def flat(m: Matrix, a: float) -> float:
    m[:, ::2].copy().flat[1] = a
    return float(np.sum(m * m))


def transposed(a: float) -> float:
    m = np.full((3, 2), a * a)
    doubled = np.ascontiguousarray(m.T) * 2.0
    items = doubled.ravel()
    items[1] = a
    return float(np.sum(doubled * doubled)) + items[1]


def clipped(x: Vector) -> float:
    return float(np.sum(np.clip(x, stop_gradient(x.mean()), 9.0) ** 2))


def summed(x: Single) -> float:
    return float(np.cumsum(x)[-1])


def rounded(a: float) -> float:
    return float(np.round(a, 2)) * a


def both(a: float, b: float) -> float:
    return ((a * a > 0) or (b * b > 0)) * a


def underscore(x: float, n: int) -> float:
    total = 0.0
    for _ in range(n + 3):
        for _ in range(2):
            pass
        total += x * x * _
    return total


def _powers(a: float) -> dict[int, float]:
    return {1: a * 2.0, 0: a * a}


def powers(a: float) -> float:
    return list(_powers(a).values())[0]  # noqa: RUF015


class Level(IntEnum):
    LOW = 0
    HIGH = 1


def weighed(a: float) -> float:
    return a * a if Level.LOW is not None else 2.0 * a


def number(a: float, level: bool) -> float:
    return a * a if isinstance(level, Level) else 2.0 * a


class Base:
    def __init__(self, a: float) -> None:
        self._step = a * a

    def base(self) -> float:
        return self._step


class Derived(Base):
    def __init__(self, a: float) -> None:
        super().__init__(a)
        self._step = 3.0

    def both(self) -> float:
        return self.base() * self._step


def mangled(a: float) -> float:
    return Derived(a).both()


@dataclass
class Point:
    x: float
    tag: int = 0


def compared(a: float) -> float:
    return a * a if Point(a, 1) == Point(a, 2) else 2.0 * a


def ordered(a: float) -> float:
    seen = [1.0]

    def key(k: int) -> int:
        seen.append(seen[-1] * a)
        return k

    def value() -> float:
        seen.append(seen[-1] + a)
        return seen[-1]

    second = value()
    found = {key(1): second}
    return found[1]


def inverted(a: float) -> float:
    return a * a * float(not (a * a > 0))


def remainder(a: float, n: int) -> float:
    return a * a * (7 % n if n else 0)


def shifted(a: float, n: int) -> float:
    return a * a * (1 << n if n >= 0 else 0)


def whole(a: float, b: float) -> float:
    return a * a * (int(b) if b == b else -2 * 2**62)
