"""Random expressions: bounded and, away from ties, smooth in all floats."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

LENGTH, ROWS, COLUMNS = 5, 4, 3  # of the vectors, and of the matrix


@dataclass(frozen=True, slots=True)
class Array:
    """A name for an array, and the length of each axis."""

    name: str
    shape: tuple[int, ...]


@dataclass(slots=True)
class Names:
    """What an expression may use here."""

    floats: list[str] = field(default_factory=list)
    ints: list[str] = field(default_factory=list)
    indices: dict[str, tuple[int, int]] = field(default_factory=dict)  # loop index: least, most
    arrays: list[Array] = field(default_factory=list)

    def copy(self) -> Names:
        return Names([*self.floats], [*self.ints], {**self.indices}, [*self.arrays])


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


class Expressions:
    """Draws expressions over ``names``; the scope grows and shrinks with the blocks."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.names = Names()

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is bound in a block is forgotten after it."""
        outer, self.names = self.names, self.names.copy()
        yield
        self.names = outer

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def number(self, depth: int) -> str:
        """A float expression; of some size, but not bounded by more than its depth."""
        if depth == 0 or self.chance(0.15):
            return self.leaf()
        if self.chance(0.12):
            return f"({self.number(depth - 1)} if {self.condition(0)} else {self.leaf()})"
        if self.chance(0.5):
            return self.random.choice(UNARY).format(self.number(depth - 1))
        a, b = self.number(depth - 1), self.number(depth - 1)
        return "(" + self.random.choice(BINARY).format(f"({a})", f"({b})") + ")"

    def bounded(self, depth: int = 2) -> str:
        """A float expression between -2 and 2, or just a leaf."""
        if self.chance(0.15):
            return self.leaf()
        if self.chance(0.15):
            return f"0.5 * {self.leaf()} + 0.4 * {self.leaf()}"
        return self.random.choice(BOUNDED).format(self.number(depth))

    def leaf(self) -> str:
        kind = self.random.choice(("float", "float", "load", "load", "load", "const", "int"))
        match kind:
            case "float":
                return self.random.choice(self.names.floats)
            case "load":
                return self.element(self.random.choice(self.names.arrays))
            case "const":
                return f"{self.random.uniform(0.1, 1.5):.2f}"
            case _:
                return f"0.1 * {self.random.choice([*self.names.ints, *self.names.indices])}"

    def element(self, array: Array) -> str:
        at = ", ".join(self.index(n) for n in array.shape)
        return f"{array.name}[{at}]"

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
            forms.append(f"({self.random.choice(self.names.ints)}) % {length}")
        return self.random.choice(forms)

    def integer(self) -> str:
        a, b = (self.random.choice([*self.names.ints, *self.names.indices]) for _ in "ab")
        forms = ("{0} + 1", "({0} + {1}) % 7", "({0} * 2 + 1) % 5", "{0} - {1}", "{0} // 2")
        return self.random.choice(forms).format(a, b)

    def condition(self, depth: int = 1) -> str:
        if depth and self.chance(0.3):
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            return self.random.choice(("{} and {}", "{} or {}", "not ({} and {})")).format(a, b)
        at = self.random.choice([*self.names.ints, *self.names.indices])
        border = f"{self.random.uniform(-0.8, 0.8):.4f}"
        forms = (
            f"{at} % 2 == 0", f"{at} > {self.random.randrange(4)}",
            f"{at} != {self.random.randrange(3)}", f"{self.leaf()} > {border}",
            f"{self.random.choice(self.names.floats)} <= {border}",
            f"-0.7 < {self.leaf()} < {border}",
        )  # fmt: skip
        return self.random.choice(forms)
