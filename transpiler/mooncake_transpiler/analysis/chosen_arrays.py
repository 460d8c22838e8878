"""May-alias analysis of phis: names that may be one array, as branches and loops choose them.

b = a if c else new        b may be a: what is written to one may be read from the other
a, b = b, a                a and b never are one array, in whatever iteration of the loop
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from mooncake_transpiler import ir
from mooncake_transpiler.types import Scalar

Pairs = frozenset[frozenset[ir.Atom]]


@dataclass(frozen=True, slots=True)
class _Choice:
    """``statement`` binds a name to one of ``arrays``."""

    statement: ir.Stmt
    arrays: tuple[ir.Atom, ...]
    is_param: bool = False


@dataclass(slots=True)
class Choices:
    """The names of arrays that the statements of a function choose, and when they are bound.

    ``root`` tells what a name shows part of.
    """

    root: Callable[[ir.Atom], ir.Atom]
    chosen: dict[ir.Atom, _Choice] = field(default_factory=dict)
    outside: set[ir.Value] = field(default_factory=set)  # results that may have been known before
    shadows: dict[ir.Atom, ir.Stmt] = field(default_factory=dict)  # by what makes them at once
    order: dict[ir.Value, int] = field(default_factory=dict)

    def enter(self, block: ir.Block) -> None:
        """Take in the statements of ``block``."""
        for stmt in block.stmts:
            if isinstance(stmt, ir.For | ir.While):
                self._bind(stmt, stmt.params, stmt.inits, stmt.body.yields, is_param=True)
            for inner in ir.blocks(stmt):
                self.enter(inner)
            match stmt:
                case ir.For() | ir.While():
                    self._bind(stmt, stmt.outs, stmt.inits, stmt.body.yields)
                case ir.If():
                    self._bind(stmt, stmt.outs, stmt.then.yields, stmt.orelse.yields)
                case _:
                    self._simple(stmt)

    def _simple(self, stmt: ir.Simple) -> None:
        self.outside.update(ir.outside(stmt))
        if isinstance(stmt, ir.Shadows):
            self.shadows.update(dict.fromkeys(stmt.outs, stmt))
        self.order.update((out, len(self.order)) for out in ir.outs(stmt))

    def _bind(
        self,
        stmt: ir.Stmt,
        names: tuple[ir.Value, ...],
        first: tuple[ir.Atom, ...],
        second: tuple[ir.Atom, ...],
        *,
        is_param: bool = False,
    ) -> None:
        for name, *arrays in zip(names, first, second, strict=True):
            self.order[name] = len(self.order)
            if not isinstance(name.type, Scalar):
                self.chosen[name] = _Choice(stmt, tuple(arrays), is_param)

    def may_meet(self, a: ir.Atom, b: ir.Atom, apart: Pairs = frozenset()) -> bool:
        """True if ``a`` and ``b`` may be the same memory; those ``apart`` are not, to begin with.

        Memory that is made is none that was known before. Parameters of the function, of which
        nothing is known here, are taken not to meet.
        """
        a, b = self.root(a), self.root(b)
        if a is b:
            return True
        pair = frozenset((a, b))
        if pair in apart:
            return False
        if self._bound(a) < self._bound(b):
            a, b = b, a
        later = self.chosen.get(a)
        if later is None:
            shadows = self.shadows.get(a)
            return a in self.outside or (shadows is not None and self.shadows.get(b) is shadows)
        earlier = self.chosen.get(b)
        together = earlier is not None and earlier.statement is later.statement
        if together and earlier is not None and earlier.is_param == later.is_param:
            both = zip(later.arrays, earlier.arrays, strict=True)
            return any(self.may_meet(one, other, apart | {pair}) for one, other in both)
        return any(self.may_meet(one, b, apart | {pair}) for one in later.arrays)

    def _bound(self, array: ir.Atom) -> int:
        """The place where ``array`` is bound; parameters of the function come first."""
        return self.order.get(array, -1) if isinstance(array, ir.Value) else -1
