"""Random programs of functions that call themselves, and change arrays or the objects of a tree."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

HEAD = """\
from __future__ import annotations
from dataclasses import dataclass
from typing import Annotated
import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]

@dataclass
class Tree:
    x: float
    y: float
    low: Tree | None = None
    high: Tree | None = None
    k: int = 1

def planted(x):
    root = Tree(x[0], 0.5)
    for v in x[1:]:
        p = root
        while True:
            p.k += 1
            if v < p.x:
                if p.low is None:
                    p.low = Tree(v, p.y - v)
                    break
                p = p.low
            else:
                if p.high is None:
                    p.high = Tree(v, p.y * v)
                    break
                p = p.high
    return root
"""
TERMS = ("({0} + {1})", "({0} * {1})", "({0} - {1})", "np.sin({0})", "np.tanh({0})",
         "({0} * {k})", "({0} if {k} % 2 == 0 else {1})")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of function: its parameters before ``c``, when it ends, and what it may do.

    ``places`` are numbers that it reads and writes, ``k`` an integer; ``starts`` lines of ``f``
    that make ``first``, the arguments of the first call; ``shown`` is read after it.
    """

    params: str
    ends: str
    places: tuple[str, ...]
    k: str
    inner: tuple[str, ...]  # arguments of the calls of itself
    integers: tuple[str, ...]  # statements that change integers
    starts: Sequence[str]
    first: str
    shown: str


ARRAYS = Kind(
    "v, w, n", "n < 0", ("v[n]", "v[0]", "v[n - 1]"), "w[n]",
    ("v, w, n - 1", "v, w, n - 1", "v, w, n - 2"),
    ("w[n] += 1", "w[n] = w[n] * 2 % 3", "w[0] += 1"),
    ("v = x[:3] * a", "v = x[:3].copy()", "v = x[:3]", "v = np.ones(3)"), "v, w, 2", "v[0] * w[2]",
)  # fmt: skip
TREES = Kind(
    "t", "t is None", ("t.x", "t.y"), "t.k", ("t.low", "t.high"),
    ("t.k += 1", "t.k = t.k * 2 % 3", "t.low, t.high = t.high, t.low"),
    ("t = planted(x)",), "t", "t.x * t.k",
)  # fmt: skip
CALLS = (
    "for i in range(2):\n    s += {call} * (i + 1)",
    "for i in range(2):\n    s = np.sin(s + {call})",
    "if a > -0.2:\n    s += {call} * x[0]",
    "i = 0\nwhile i < 2:\n    s += {call}\n    i += 1",
    "s += {call} * {shown}",
)


def program(seed: int) -> str:
    """The text of program number ``seed``."""
    return _Writer(random.Random(seed), TREES if seed % 2 else ARRAYS).text()


class _Writer:
    def __init__(self, rng: random.Random, kind: Kind) -> None:
        self.rng, self.kind = rng, kind
        self.names = ("_r", "_q") if rng.random() < 0.3 else ("_r",)

    def text(self) -> str:
        lines = [self.rng.choice(self.kind.starts)]
        if self.kind is ARRAYS:
            lines.append("w = np.ones(3, dtype=np.int64)")
        lines.append("s = 0.0")
        for _ in range(self.rng.randint(1, 2)):
            call = f"{self.rng.choice(self.names)}({self.kind.first}, a + 0.1 * s)"
            lines += self.rng.choice(CALLS).format(call=call, shown=self.kind.shown).split("\n")
        lines.append(f"return s + {self.kind.shown}")
        main = _function("f(x: Vec, a: float) -> float", lines)
        return HEAD + "".join(map(self.function, self.names)) + main

    def function(self, name: str) -> str:
        seen = [*self.kind.places, "c"]
        lines = [f"if {self.kind.ends}:", f"    return {self.rng.choice(('0.0', 'c', '0.5 * c'))}"]
        for k in range(self.rng.randint(1, 4)):
            lines += self.statement(f"u{k}", seen)
        ends = [self.call(seen) for _ in range(self.rng.randint(1, 2))]
        lines.append(f"return 0.5 * {self.number(seen)} + {' * '.join(ends)}")
        return _function(f"{name}({self.kind.params}, c)", lines)

    def statement(self, name: str, seen: list[str]) -> list[str]:
        place = self.rng.choice(self.kind.places)
        match self.rng.randrange(7):
            case 0:
                return [f"{place} = 0.5 * {self.number(seen)}"]
            case 1:
                return [f"{place} += 0.3 * {self.number(seen)}"]
            case 2:
                return [f"{place} *= {self.number(seen, 1)}"]
            case 3:
                return [self.rng.choice(self.kind.integers)]
            case 4:
                return [f"if {self.number(seen, 1)} > 0.2:", f"    {place} = {self.call(seen)}",
                        f"    {self.rng.choice(self.kind.integers)}"]  # fmt: skip
            case kind:
                made = self.call(seen) if kind == 5 else self.number(seen)
                seen.append(name)
                return [f"{name} = {made}"]

    def call(self, seen: Sequence[str]) -> str:
        args = self.rng.choice(self.kind.inner)
        return f"{self.rng.choice(self.names)}({args}, {self.number(seen, 1)})"

    def number(self, seen: Sequence[str], depth: int = 2) -> str:
        if depth == 0 or self.rng.random() < 0.25:
            return self.rng.choice((*seen, "0.7", "1.3"))
        parts = [self.number(seen, depth - 1) for _ in range(2)]
        return self.rng.choice(TERMS).format(*parts, k=self.kind.k)


def _function(head: str, lines: Sequence[str]) -> str:
    return f"\ndef {head}:\n" + "".join(f"    {line}\n" for line in lines)
