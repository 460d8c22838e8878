"""Dependences of statements, nested ones included: they tell if two may change places.

A footprint is found by one walk; that of two loops which have become one is the sum of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.dataflow import Dataflow, Touched
from mooncake_transpiler.analysis.memory import Memory

_PLAIN = (
    ir.Compute | ir.Alloc | ir.Dim | ir.Global | ir.View | ir.Load | ir.Store | ir.Accum | ir.Copy
    | ir.Assign | ir.AddTo | ir.Sum | ir.If | ir.For | ir.While
)  # fmt: skip


@dataclass(slots=True)
class Footprint:
    """All that a statement does, blocks included."""

    touched: dict[Memory, Touched] = field(default_factory=dict)
    bound: set[ir.Value] = field(default_factory=set)  # for what comes behind
    inside: set[ir.Value] = field(default_factory=set)  # all that is bound
    atoms: set[ir.Atom] = field(default_factory=set)  # all that is used
    stored: dict[ir.Atom, None] = field(default_factory=dict)  # arrays, element by element
    loaded: set[ir.Atom] = field(default_factory=set)  # likewise, or added to
    stores: dict[ir.Atom, ir.Store] = field(default_factory=dict)  # of a loop: the first ones
    is_plain: bool = True  # no effect but on memory
    is_check: bool = True  # nothing but computing and raising

    def uses(self, earlier: Footprint) -> bool:
        """True if a value is used that ``earlier`` binds."""
        return not self.atoms.isdisjoint(earlier.bound)

    def add(self, other: Footprint) -> None:
        """Let this be the footprint of both pieces of code, the other one behind this."""
        for memory, touched in other.touched.items():
            self.touched[memory] = self.touched.get(memory, Touched()) | touched
        self.bound |= other.bound
        self.inside |= other.inside
        self.atoms |= other.atoms
        self.stored |= other.stored
        self.loaded |= other.loaded
        for array, store in other.stores.items():
            self.stores.setdefault(array, store)
        self.is_plain &= other.is_plain
        self.is_check &= other.is_check


def footprint(stmt: ir.Stmt, dataflow: Dataflow) -> Footprint:
    """The footprint of ``stmt``."""
    found = Footprint(dict(dataflow.touched(stmt)), set(ir.outs(stmt)))
    for inner in ir.within(stmt):
        found.atoms.update(_atoms(inner))
        found.inside.update(ir.outs(inner), ir.binders(inner))
        found.is_plain &= isinstance(inner, _PLAIN)
        found.is_check &= isinstance(inner, ir.If | ir.Raise | ir.Compute)
        if isinstance(inner, ir.Store):
            found.stored[inner.base] = None
        elif isinstance(inner, ir.Load | ir.Accum):
            found.loaded.add(inner.base)
    for inner in stmt.body.stmts if isinstance(stmt, ir.For) else ():
        if isinstance(inner, ir.Store):
            found.stores.setdefault(inner.base, inner)
    return found


def _atoms(stmt: ir.Stmt) -> Iterator[ir.Atom]:
    """The atoms that ``stmt`` itself uses, or yields."""
    yield from ir.operands(stmt)
    for block in ir.blocks(stmt):
        yield from block.yields
