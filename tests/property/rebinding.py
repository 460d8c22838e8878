"""Random programs about which array a name stands for: bound anew, aliased, written, in loops.

Many loops run once or not at all, so that what they would have bound is what it was before. Names
are variables in one third of the programs, fields of an object or items of a list in the others.
"""

from __future__ import annotations

import random
import re

HEAD = """\
from dataclasses import dataclass
from typing import Annotated
import numpy as np
from numpy.typing import NDArray
Vec = Annotated[NDArray[np.float64], 'n']
@dataclass
class Held:
    p: Vec
    q: Vec
    r: Vec

def f(x: Vec, y: Vec, a: float, k: int) -> float:
"""
INDENT = "    "
STARTS = ("np.zeros(len(x))", "x", "x * a", "np.sin(y)", "y")
COUNTS = ("k % 2", "k % 3", "2", "0", "k % 2 - 1", "1, k % 3", "2, -1 + k % 2, -1")
BOUNDS = ("k % 2", "k % 3", "2")
KINDS = ("new", "new", "new", "alias", "store", "store", "sum", "shift", "update", "leave")
NESTED = ("if", "for", "for", "while")
SPELLINGS = (
    ("", {"p": "p", "q": "q", "r": "r"}),
    ("h = Held(x, x, x)", {"p": "h.p", "q": "h.q", "r": "h.r"}),
    ("h = [x, x, x]", {"p": "h[0]", "q": "h[1]", "r": "h[2]"}),
)


def program(seed: int) -> str:
    """The text of program number ``seed``."""
    w = Writer(random.Random(seed))
    lines = ["p = x", "q = y.copy()", f"r = {w.rng.choice(STARTS)}", "s = 0.0"]
    for _ in range(w.rng.randint(3, 6)):
        lines += w.statement(3, loop="")
    lines.append("return s + np.sum(p * x) + np.sum(q) + np.sum(r * r) + y[0]")
    first, names = SPELLINGS[seed % len(SPELLINGS)]
    spelled = [re.sub(r"\b[pqr]\b", lambda found: names[found[0]], line) for line in lines]
    return HEAD + "".join(f"{INDENT}{line}\n" for line in (first, *spelled) if line)


class Writer:
    """Writes blocks of statements of ``kinds``, which ``simple`` writes."""

    kinds = KINDS

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.loops = 0

    def statement(self, depth: int, loop: str) -> list[str]:
        """A statement, perhaps with blocks; ``loop``: the kind of loop that it stands in."""
        kind = self.rng.choice((*self.kinds, *NESTED) if depth else self.kinds)
        return self.nested(kind, depth, loop) if kind in NESTED else self.simple(kind, loop)

    def simple(self, kind: str, loop: str) -> list[str]:
        name, other = self.rng.choice("pqr"), self.rng.choice("pqrxy")
        i, j = self.rng.randrange(3), self.rng.randrange(3)
        match kind:
            case "new":
                return [f"{name} = {self.expression()}"]
            case "alias":
                return [f"{name} = {other}"]
            case "store":
                item = self.rng.choice(("a", f"0.7 * {other}[{j}]", f"np.sin({other}[{j}])"))
                return [f"{self.rng.choice('pqrx')}[{i}] = {item}"]
            case "shift":
                return [f"{name}[1:] = 0.5 * {other}[:-1]"]
            case "update":
                sign = self.rng.choice(("+=", "*="))
                return [f"{name} {sign} {self.rng.choice(('a', '0.5', other))}"]
            case "leave" if loop:
                bound = self.rng.choice(("0.5", "-10.0", "10.0"))
                jump = "continue" if loop == "for" and self.rng.random() < 0.3 else "break"
                return [f"if {other}[{i}] > {bound}:", INDENT + jump]
            case _:
                return [
                    f"s += {self.rng.choice((f'{other}[{i}] * a', f'np.sum({other} * {name})'))}"
                ]

    def expression(self) -> str:
        a, b, c = (self.rng.choice("pqrxy") for _ in range(3))
        forms = (f"a * {a}", f"np.sin({a})", f"0.5 * {a} + {b}", f"{a} - 0.3", f"{a}.copy()",
                 f"{b} * {c}")  # fmt: skip
        return self.rng.choice(forms)

    def nested(self, kind: str, depth: int, loop: str) -> list[str]:
        if kind == "if":
            test = self.rng.choice(("k % 2 == 0", "a > 0.0", "k > 100", "x[1] > 0.2"))
            orelse = ["else:", *self.block(depth, loop)] if self.rng.random() < 0.5 else []
            return [f"if {test}:", *self.block(depth, loop), *orelse]
        self.loops += 1
        index = f"i{self.loops}"
        if kind == "for":
            head = f"for {index} in range({self.rng.choice(COUNTS)}):"
            if self.rng.random() < 0.2:
                return self.started_again(index, head)
            return [head, *self.block(depth, "for")]
        test = f"while {index} < {self.rng.choice(BOUNDS)}:"
        return [f"{index} = 0", test, f"{INDENT}{index} += 1", *self.block(depth, "while")]

    def started_again(self, index: str, head: str) -> list[str]:
        """A loop, with ``head`` a loop inside that starts from the same array each time."""
        name, start = self.rng.sample("pqr", 2)
        body = [f"{name} = {start}", head, f"{INDENT}{name} = {self.expression()}",
                f"{name}[0] = {name}[1] - 0.5 * {name}[0]", *self.simple("sum", "")]  # fmt: skip
        outer = f"for again_{index} in range({self.rng.choice(('2', '3', 'k % 3'))}):"
        return [outer, *(INDENT + line for line in body)]

    def block(self, depth: int, loop: str) -> list[str]:
        lines: list[str] = []
        for _ in range(self.rng.randint(1, 3)):
            lines += self.statement(depth - 1, loop)
        return [INDENT + line for line in lines]
