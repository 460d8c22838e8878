"""Random expressions: bounded and, away from ties, smooth in all floats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import TypeVar

from tests.property.names import Array, Names

T = TypeVar("T")

UNARY = (
    "math.sin({})", "math.cos({})", "math.tanh({})", "math.exp(-({}) ** 2)",
    "1.0 / (1.5 + ({}) ** 2)", "math.sqrt(1.0 + ({}) ** 2)", "np.sin({})", "-({})",
    "0.5 * ({})", "abs({})", "({}) / 2",
)  # fmt: skip
BINARY = (
    "{} * {}", "0.5 * {} + {}", "{} - 0.3 * {}", "{} + {}", "math.atan2({}, 2.5 + {})",
    "max({}, {})", "min({}, {})", "np.maximum({}, {})", "math.sin({}) * {}",
)  # fmt: skip
BOUNDED = (
    "math.sin({})", "0.8 * math.tanh({})", "math.cos({}) * 0.5", "0.5 * math.atan({})",
    "math.sin({} * 2.0)",
)  # fmt: skip
LEAVES = (*("float",) * 4, *("load",) * 6, "const", "const", "int", "item", "call", "method", "sum")
SUMS = ("0.2 * np.sum({0})", "np.mean({0})", "0.3 * np.dot({0}, {1})", "np.max({0})", "{0}.min()")


class Expressions:
    """Draws expressions over ``names``; the scope grows and shrinks with the blocks."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.names = Names()

    @contextmanager
    def scope(self) -> Iterator[None]:
        """A context after which names bound in a block are forgotten."""
        outer, self.names = self.names, self.names.copy()
        yield
        self.names = outer

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def choice(self, items: Sequence[T]) -> T:
        return self.random.choice(items)

    def pick(self, items: Sequence[T]) -> T:
        """One of ``items``, rather a late one: what was just bound should be used."""
        return self.random.choice(items[-3:] if self.chance(0.4) else items)

    def vector(self) -> str:
        return self.pick(self.names.vectors())

    def target(self) -> str:
        """A float that can be assigned to."""
        return self.pick(self.names.places)

    def number(self, depth: int) -> str:
        """A float expression; of some size, but not bounded by more than its depth."""
        if depth == 0 or self.chance(0.15):
            return self.leaf()
        if self.chance(0.12):
            return f"({self.number(depth - 1)} if {self.condition(0)} else {self.leaf()})"
        if self.chance(0.5):
            return self.choice(UNARY).format(self.number(depth - 1))
        a, b = self.number(depth - 1), self.number(depth - 1)
        return "(" + self.choice(BINARY).format(f"({a})", f"({b})") + ")"

    def bounded(self, depth: int = 2) -> str:
        """A float expression between -2 and 2, or just a leaf."""
        if self.chance(0.15):
            return self.leaf()
        if self.chance(0.15):
            return f"0.5 * {self.leaf()} + 0.4 * {self.leaf()}"
        return self.choice(BOUNDED).format(self.number(depth))

    def leaf(self) -> str:
        names = self.names
        match self.choice(LEAVES):
            case "load":
                return self.element(self.pick(names.arrays))
            case "const":
                return f"{self.random.uniform(0.1, 1.5):.2f}"
            case "int":
                return f"0.1 * {self.choice([*names.ints, *names.indices])}"
            case "item" if names.lists:
                return self.item(self.pick([*names.lists]))
            case "call" if names.functions:
                return f"math.sin({self.pick(names.functions)}({self.pick(names.floats)}))"
            case "method" if springs := names.of("Spring"):
                return f"{self.pick(springs)}.force({self.pick(names.floats)})"
            case "sum":
                return self.choice(SUMS).format(*(self.vector() for _ in "ab"))
            case _:
                return self.pick(names.floats)

    def element(self, array: Array) -> str:
        at = ", ".join(self.index(n) for n in array.shape)
        return f"{array.name}[{at}]"

    def item(self, name: str) -> str:
        """An item of a list."""
        return f"{name}[{self.index(self.names.lists[name].length)}]"

    def index(self, length: int) -> str:
        """An index of an axis; mostly affine in a loop index."""
        forms = [str(self.random.randrange(-length, length))]
        for name, (least, most) in self.names.indices.items():
            forms += 3 * [f"({name}) % {length}"]
            for shift in (-1, 0, 0, 0, 1):
                if least + shift >= 0 and most + shift < length:
                    term = name if shift == 0 else f"{name} {'+' if shift > 0 else '-'} 1"
                    forms += 4 * [term]
            if least >= 0 and most < length:
                forms += 2 * [f"{length - 1} - {name}", f"{name} - {length}"]
        if self.names.ints:
            forms.append(f"({self.choice(self.names.ints)}) % {length}")
        return self.choice(forms)

    def integer(self) -> str:
        a, b = (self.choice([*self.names.ints, *self.names.indices]) for _ in "ab")
        forms = ("{0} + 1", "({0} + {1}) % 7", "({0} * 2 + 1) % 5", "{0} - {1}", "{0} // 2")
        return self.choice(forms).format(a, b)

    def condition(self, depth: int = 1) -> str:
        if depth and self.chance(0.3):
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            return self.choice(("{} and {}", "{} or {}", "not ({} and {})")).format(a, b)
        at = self.choice([*self.names.ints, *self.names.indices])
        border = f"{self.random.uniform(-0.8, 0.8):.4f}"
        forms = (
            f"{at} % 2 == 0", f"{at} > {self.random.randrange(4)}",
            f"{at} != {self.random.randrange(3)}", f"{self.leaf()} > {border}",
            f"{self.choice(self.names.floats)} <= {border}",
            f"-0.7 < {self.leaf()} < {border}",
        )  # fmt: skip
        return self.choice(forms)
