"""Functions whose derivatives are broken on purpose."""

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Matrix = Annotated[NDArray[np.float64], "n m"]


class Spring(NamedTuple):
    stiffness: float
    length: float


def energy(x: Vector, spring: Spring) -> float:
    total = 0.0
    for i in range(x.shape[0] - 1):
        stretch = x[i + 1] - x[i] - spring.length
        total += 0.5 * spring.stiffness * stretch * stretch
    return total


def mapped(m: Matrix, v: Annotated[NDArray[np.float64], "m"]) -> Vector:
    y = np.zeros(m.shape[0])
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            y[i] += m[i, j] * v[j]
    return y


def advance(x: Vector, dt: float) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        x[i] = x[i] + dt * x[i] * x[i]
        total += x[i]
    return total


# mooncake: modes=reverse,forward,hvp,hessian
def quartic(x: Vector) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i] ** 4
    return total


def chosen(x: Vector, k: int) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        if x[i] > 0.0:
            total += k * np.sqrt(x[i])
    return total


def halved(x: Annotated[NDArray[np.float32], "n"]) -> Annotated[NDArray[np.float32], "n"]:
    return 0.5 * x * x


# mooncake: domain=low:(-0.5,0.3)
def bounded(x: Vector, low: float) -> float:
    return float(np.sum(np.clip(x, low, 0.9) ** 2))


def either(x: Vector, y: Vector) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        if x[i] > 0.0 or y[i] > 0.0:
            total += x[i] * y[i]
    return total


def scaled_down(a: float, n: int) -> float:
    return a * a * float(n) ** -1


def column(m: Matrix) -> float:
    first = m[:, 0]
    first[0] = 3.0
    return float(np.sum(m * m))


def counted(x: Vector, n: int) -> float:
    return float(np.sum(x)) * (n % 3)


def pairs(x: Vector) -> float:
    energy = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            distance = x[i] - x[j]
            if i != j:
                energy += 1.0 / (distance * distance)
    return energy


# mooncake: modes=reverse,reverse-over-reverse
def cube(x: float) -> float:
    return x * x * x


# mooncake: modes=reverse,jacobian
def swapped(x: Vector) -> Vector:
    y = np.empty(x.shape[0])
    for i in range(x.shape[0]):
        y[i] = x[i] * x[0]
    return y
