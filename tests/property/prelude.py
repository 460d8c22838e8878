"""The head of random programs: imports, classes, helper functions."""

from __future__ import annotations

import re

HEADER = """\
import math
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "r c"]
Wide = Annotated[NDArray[np.float64], "n c"]
"""

# Each may use those before it.
PARTS = {
    "State": """\
@dataclass
class State:
    x: Vec
    v: Vec
    t: float
    n: int = 0

    def push(self, i: int, d: float) -> float:
        self.v[i] += d
        self.t += 0.1 * d
        self.n += 1
        return self.x[i] * d

    def turn(self) -> None:
        self.x, self.v = self.v, self.x

    def drift(self, c: float) -> None:
        self.x += 0.3 * self.v
        self.v *= math.cos(c)

    def grown(self, c: float) -> "State":
        return State(self.x * 0.5 + c, self.v, self.t)

    @property
    def energy(self) -> float:
        return 0.5 * np.sum(self.v * self.x) + self.t
""",
    "Spring": """\
@dataclass(frozen=True)
class Spring:
    k: float
    w: Vec

    def force(self, r: float) -> float:
        return math.sin(self.k * r) + 0.3 * self.w[1]
""",
    "Pair": "class Pair(NamedTuple):\n    first: float\n    second: Vec\n",
    "Pack": """\
@dataclass
class Pack:
    inner: State
    spring: Spring
    total: float = 0.0

    def step(self, d: float) -> None:
        self.inner.t += self.spring.k * d
        self.inner.x[1:] += 0.2 * self.inner.v[:-1]
        self.total = self.total * 0.5 + self.inner.t
""",
    "_poly": "def _poly(v, w=0.5):\n    return 0.3 * v * v + w * v\n",
    "_late": """\
def _late(v: float, n: int) -> float:
    for q in range(n):
        v = math.sin(v) + 0.2
        if v > 0.9:
            return v * v
    return 0.5 * v
""",
    "_checked": """\
def _checked(v: float) -> float:
    if v > 0.4:
        raise ValueError("large")
    return math.sin(v)
""",
    "_bump": """\
def _bump(z: Vec, at: int, v: float) -> float:
    old = z[at]
    z[at] = 0.5 * old + math.sin(v)
    return old * v
""",
    "_deep": """\
def _deep(n: int, v: float) -> float:
    if n <= 0:
        return math.cos(v)
    return 0.5 * v * _deep(n - 1, math.sin(v)) + 0.1
""",
    "_pair": "def _pair(v, w):\n    return math.sin(w), 0.5 * v + w * w * 0.1\n",
    "_smear": """\
def _smear(z: Vec, n: int) -> None:
    if n <= 0:
        return
    for q in range(1, z.shape[0]):
        z[q] = 0.5 * z[q] + 0.4 * math.sin(z[q - 1])
    _smear(z, n - 1)
""",
    "_kick": """\
def _kick(o, c):
    o.t = 0.5 * o.t + c
    o.x[1:] *= 0.7
    return o
""",
    "_lend": "def _lend(z, o, c):\n    o.x = z\n    return State(z, o.v, c)\n",
    "_twice": "def _twice(h, v):\n    return math.sin(h(math.sin(h(v))))\n",
    "_scaled": "def _scaled(c):\n    return lambda v: math.sin(v * c) + 0.1 * c\n",
    "_counter": """\
def _counter(c):
    seen = 0.3

    def add(v):
        nonlocal seen
        seen = 0.7 * seen + math.sin(v * c)
        return seen

    return add
""",
    "_shift": """\
def _shift(values, v):
    values[0], values[-1] = values[-1], math.sin(v)
    return values[1] * 0.5
""",
}


def complete(text: str) -> str:
    """A program of ``text`` and all that it uses."""
    for name in reversed(PARTS):
        if re.search(rf"\b{name}\b", text):
            text = f"{PARTS[name]}\n\n{text}"
    return f"{HEADER}\n\n{text}"
