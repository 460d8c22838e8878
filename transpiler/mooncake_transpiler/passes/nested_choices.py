"""Arrays chosen by nested branches are copied in the arm that chooses them.

before                          after
y = if a:                       y = if a:
  z = copy x                      z = copy x
  w = if b:                       w = if b:
    yield z                         z.1 = copy z
  else:                             yield z.1
    yield x                       else:
  yield w                           yield x
else:                             yield w
  yield x                       else:
                                  yield x

So the shadow of ``y`` is that of what the arm of the inner branch has made, or of ``x``. Nothing of
``z`` must be used behind the inner branch: nobody can tell it from its copy then.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from functools import cached_property

from mooncake_transpiler import ir
from mooncake_transpiler.passes.origins import Origins, arrays_in
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import Array


def nested_choices(func: ir.Func) -> ir.Func:
    """``func`` with copies of what arms make and branches inside of them choose."""
    return _Arms(func).run(func)


class _Arms(Rewriter):
    def __init__(self, func: ir.Func) -> None:
        super().__init__()
        self._func = func

    @cached_property
    def _origins(self) -> Origins:
        return Origins(self._func)

    def inside(self, stmt: ir.Stmt) -> ir.Stmt:
        if not isinstance(stmt, ir.If) or not any(isinstance(v.type, Array) for v in stmt.outs):
            return super().inside(stmt)
        arms = (self._arm(stmt.then), self._arm(stmt.orelse))
        return ir.with_blocks(stmt, arms)

    def _arm(self, arm: ir.Block) -> ir.Block:
        arm = self.block(arm)
        stmts = []
        for at, stmt in enumerate(arm.stmts):
            if isinstance(stmt, ir.If) and not set(stmt.outs).isdisjoint(arm.yields):
                later = arrays_in(ir.Block(arm.stmts[at + 1 :], arm.yields))
                held = frozenset().union(*(self._origins.roots(a, stmt.outs) for a in later))
                stmt = _copying(stmt, _made(arm.stmts[:at]) - held)
            stmts.append(stmt)
        return ir.with_stmts(arm, stmts)


def _made(stmts: tuple[ir.Stmt, ...]) -> set[ir.Atom]:
    """The arrays that ``stmts`` make, but for those that grow."""
    return {
        out
        for stmt in stmts
        if isinstance(stmt, ir.Alloc | ir.Copy | ir.Call)
        for out in ir.outs(stmt)
        if isinstance(out.type, Array) and not (isinstance(stmt, ir.Alloc) and stmt.growable)
    }


def _copying(stmt: ir.If, made: Set[ir.Atom]) -> ir.If:
    """``stmt``, whose arms yield copies of those of ``made`` that they choose."""

    def arm(block: ir.Block) -> ir.Block:
        chosen = [a for a in block.yields if isinstance(a, ir.Value) and a in made]
        if len(set(chosen)) < len(chosen):
            return block  # twice: two names of one array
        copies = {a: ir.fresh(a) for a in chosen}
        added = [ir.Copy(copy, a, stmt.origin) for a, copy in copies.items()]
        yields = tuple(copies.get(a, a) if isinstance(a, ir.Value) else a for a in block.yields)
        return ir.Block((*block.stmts, *added), yields)

    if made.isdisjoint({*stmt.then.yields, *stmt.orelse.yields}):
        return stmt
    return replace(stmt, then=arm(stmt.then), orelse=arm(stmt.orelse))
