"""Random programs about which object or list a name stands for: bound anew, shared, changed."""

from __future__ import annotations

import random

from tests.property.rebinding import INDENT, Writer

HEAD = """\
from dataclasses import dataclass
from typing import Annotated
import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]

@dataclass
class Cell:
    t: float
    u: float = 1.0

@dataclass
class Holder:
    item: Cell

def f(x: Vec, a: float, k: int) -> float:
"""
# A new one, changes of one, its two numbers, what holds one.
KINDS = {
    "object": ("Cell({})", ("{}.t = {}", "{}.u += {}"), ("{}.t", "{}.u"), "Holder({})", "h.item"),
    "list": ("[{}, 1.0]", ("{}[0] = {}", "{}[1] += {}"), ("{}[0]", "{}[1]"), "[{}]", "h[0]"),
    "longer list": (
        "[{}, 1.0]",
        ("{}.append({})", "{}[0] = {}", "{}[-1] += {}", "{}.insert(1, {})", "{}.extend([{}, 2.0])"),
        ("{}[0]", "{}[-1]", "len({})", "sum({})"), "[{}]", "h[0]",
    ),
}  # fmt: skip
STATEMENTS = ("new", "alias", "alias", "change", "change", "sum", "sum", "swap", "put", "take",
              "call", "held", "leave")  # fmt: skip


def program(seed: int) -> str:
    """The text of program number ``seed``."""
    kind = tuple(KINDS)[seed % 3]
    w = _Writer(random.Random(seed), kind)
    new, changes, _, holder, _ = KINDS[kind]
    lines = [f"p = {new.format('x[0]')}", f"q = {new.format('a')}", "r = p", "s = 0.0",
             f"h = {holder.format(w.rng.choice('pq'))}", "def change(v):",
             f"{INDENT}{w.rng.choice(changes).format(w.rng.choice('pqr'), 'v')}",
             f"{INDENT}return v * 0.5"]  # fmt: skip
    for _ in range(w.rng.randint(3, 6)):
        lines += w.statement(3, loop="")
    lines.append("return s + " + " + ".join(f"{w.number(name)} * a" for name in (*"pqr", w.held)))
    return HEAD + "".join(f"{INDENT}{line}\n" for line in lines)


class _Writer(Writer):
    kinds = STATEMENTS

    def __init__(self, rng: random.Random, kind: str) -> None:
        super().__init__(rng)
        self.new, self.changes, self.numbers, self.holder, self.held = KINDS[kind]

    def number(self, name: str) -> str:
        return self.rng.choice(self.numbers).format(name)

    def value(self) -> str:
        name = self.rng.choice((*"pqr", self.held))
        return self.rng.choice((f"0.7 * {self.number(name)}", f"np.sin({self.number(name)})",
                                f"x[{self.rng.randrange(3)}]", "a"))  # fmt: skip

    def simple(self, kind: str, loop: str) -> list[str]:
        name, other = self.rng.choice("pqr"), self.rng.choice("pqr")
        match kind:
            case "new":
                return [f"{name} = {self.new.format(self.value())}"]
            case "alias":
                return [f"{name} = {other}"]
            case "change":
                target = self.rng.choice((name, name, self.held))
                return [self.rng.choice(self.changes).format(target, self.value())]
            case "swap":
                return [f"{name}, {other} = {other}, {name}"]
            case "put":
                new = f"h = {self.holder.format(name)}"
                return [self.rng.choice((new, f"{self.held} = {name}"))]
            case "take":
                return [f"{name} = {self.held}"]
            case "call":
                return [f"s += change({self.value()})"]
            case "held" if self.new.startswith("["):
                rows = f"[{name} for _ in range(k + 1)]"
                return [f"rows = {rows}", *self.statement(0, loop), f"s += rows[0][0] * {other}[1]"]
            case "leave" if loop:
                jump = "continue" if loop == "for" and self.rng.random() < 0.3 else "break"
                return [f"if {self.number(other)} > {self.rng.choice(('0.5', '10.0'))}:",
                        INDENT + jump]  # fmt: skip
            case _:
                return [f"s += {self.value()} * {self.number(other)}"]

    def started_again(self, index: str, head: str) -> list[str]:
        """Or a loop that hands on what it changes."""
        name, other = self.rng.sample("pqr", 2)
        if self.rng.random() < 0.5:
            body = [f"{name} = {other}", head, *(INDENT + line for line in self.simple("new", "")),
                    *self.simple("change", ""), *self.simple("sum", "")]  # fmt: skip
        else:
            target = self.rng.choice((name, self.held))
            change = self.rng.choice(self.changes).format(other, self.value())
            body = [change, f"s += {self.number(target)} * a", f"{target} = {other}"]
            self.rng.shuffle(body)
        outer = f"for again_{index} in range({self.rng.choice(('2', '3', 'k', 'k + 1'))}):"
        return [outer, *(INDENT + line for line in body)]
