"""The values that a loop carries from one iteration to the next."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import BoundNames
from mooncake_transpiler.frontend.lower.state.leaves import atoms
from mooncake_transpiler.frontend.lower.state.operands import DEAD, Operand
from mooncake_transpiler.types import Type


@dataclass(slots=True)
class Carried:
    """One carried variable: its type, what it holds at the head, its leaves there and after."""

    name: str
    type: Type
    head: Operand
    before: Operand | None
    after: Operand = DEAD

    def params(self) -> list[ir.Value]:
        return [atom for atom in atoms(self.head) if isinstance(atom, ir.Value)]


def memory_of(
    ctx: Context, carried: Iterable[Carried], known: Set[ir.Atom]
) -> list[frozenset[ir.Atom]]:
    """The memory that arrays at the head may be, and that there are copies of, if ``known``."""
    of = ctx.memory
    heads = [of.roots(param) for one in carried for param in one.params()]
    copied = [of.seen_in([copy]) for copy in of.shown if copy in known]
    return [roots & known for roots in (*heads, *copied)]


@dataclass(slots=True)
class LoopBody:
    """A lowered loop body and what it carries."""

    block: ir.Block
    params: tuple[ir.Value, ...]
    inits: tuple[ir.Atom, ...]
    outs: tuple[ir.Value, ...]
    exits: bool
    after: dict[str, Operand] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)

    def with_exported(self, bound: BoundNames) -> BoundNames:
        """The names certainly bound after the loop, if ``bound`` are at the end of its body."""
        if bound is None:
            return None
        return bound | {own for own, inner in self.sources.items() if inner in bound}
