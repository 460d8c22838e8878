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
``z`` must be used behind the inner branch: nobody can tell it from its copy then. For the same
reason an arm that ends with a part of what it has made (``z[1:]``) ends with a copy of that, unless
more of that array leaves the arm and is written, and so does an arm that gives it two names, and
one of a result that ends with a choice by what a loop in it has computed, which is gone behind it.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cached_property

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.points_to import PointsTo, arrays_in
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
    def _points(self) -> PointsTo:
        return PointsTo(self._func)

    @cached_property
    def _returned(self) -> set[ir.Atom]:
        """The results of the function, and what is chosen for them."""
        found = set(self._func.body.yields)
        for stmt in reversed(tuple(ir.walk(self._func.body))):
            if isinstance(stmt, ir.If):
                found.update(a for out in found & {*stmt.outs} for a in ir.arms(stmt, out))
        return found

    def inside(self, stmt: ir.Stmt) -> ir.Stmt:
        if not isinstance(stmt, ir.If) or not any(isinstance(v.type, Array) for v in stmt.outs):
            return super().inside(stmt)
        arms = (self._arm(stmt, stmt.then), self._arm(stmt, stmt.orelse))
        return ir.with_blocks(stmt, arms)

    def _arm(self, choice: ir.If, arm: ir.Block) -> ir.Block:
        arm = self.block(arm)
        stmts = []
        for at, stmt in enumerate(arm.stmts):
            if isinstance(stmt, ir.If) and not set(stmt.outs).isdisjoint(arm.yields):
                later = arrays_in(ir.Block(arm.stmts[at + 1 :], arm.yields))
                held = frozenset().union(*(self._points.roots(a, stmt.outs) for a in later))
                stmt = self._copying(stmt, _made(arm.stmts[:at]) - held)
                stmt = self._apart(stmt)
            stmts.append(stmt)
        return self._without_parts(choice, ir.with_stmts(arm, stmts))

    def _copying(self, stmt: ir.Stmt, made: Set[ir.Atom]) -> ir.Stmt:
        """``stmt``; its arms yield copies of what they choose of ``made``, or of parts of that."""

        def arm(block: ir.Block) -> ir.Block:
            sites = {a: self._points.sites(a) for a in block.yields if isinstance(a.type, Array)}
            chosen = [a for a in block.yields if a in sites and sites[a] <= made]
            found = [site for a in chosen for site in sites[a]]
            if len(set(found)) < len(found):
                return block  # twice: two names of one array
            copies = {a: ir.fresh(a) for a in chosen if isinstance(a, ir.Value)}
            added = [ir.Copy(copy, a, stmt.origin) for a, copy in copies.items()]
            yields = tuple(copies.get(a, a) if isinstance(a, ir.Value) else a for a in block.yields)
            return ir.Block((*block.stmts, *added), yields)

        if not made:
            return stmt
        return ir.mapped(stmt, arm)

    def _apart(self, stmt: ir.Stmt) -> ir.Stmt:
        """``stmt``; its arms yield no array of their own under two names, but copies."""
        outs = [out for out in ir.outs(stmt) if isinstance(out.type, Array)]

        def arm(block: ir.Block) -> ir.Block:
            own = {out for inner in block.stmts for out in ir.outs(inner)}
            yields, added = list(block.yields), list[ir.Stmt]()
            for k, atom in enumerate(block.yields):
                if isinstance(atom.type, Array) and atom in own and atom in yields[:k]:
                    assert isinstance(atom, ir.Value)
                    yields[k] = copy = ir.fresh(atom)
                    added.append(ir.Copy(copy, atom, stmt.origin))
            return ir.Block((*block.stmts, *added), tuple(yields))

        return stmt if len(outs) < 2 or self._matter(outs) else ir.mapped(stmt, arm)

    def _without_parts(self, choice: ir.If, arm: ir.Block) -> ir.Block:
        """``arm`` of ``choice`` with copies in place of parts of arrays that it makes."""
        shown: list[ir.Stmt] = [s for s in arm.stmts if isinstance(s, ir.View | ir.Reshape)]
        if not self._returned.isdisjoint(choice.outs):
            shown += _chosen_inside(arm)
        parts = {v: s for s in shown for v in ir.outs(s)}
        if parts.keys().isdisjoint(arm.yields):
            return arm
        made = _made(tuple(ir.walk(arm)))
        arrays = [
            (out, a, self._points.sites(a))
            for out, a in zip(choice.outs, arm.yields, strict=True)
            if isinstance(a.type, Array)
        ]
        added: list[ir.Stmt] = []
        instead: dict[ir.Value, ir.Atom] = {}  # of what is chosen
        for out, part, sites in arrays:
            others = [o for o, _, own in arrays if o is not out and self._points.touch(own, sites)]
            if part in parts and sites <= made and not (others and self._matter([out, *others])):
                instead[out] = copy = ir.fresh(out)
                added.append(ir.Copy(copy, part, parts[part].origin))
        yields = (instead.get(out, a) for out, a in zip(choice.outs, arm.yields, strict=True))
        return ir.Block((*arm.stmts, *added), tuple(yields))

    def _matter(self, arrays: Sequence[ir.Value]) -> bool:
        """True if it can be told whether ``arrays`` share memory: one is written, or returned."""
        body = self._func.body
        stmts = ir.walk(body)
        asked = [*body.yields, *(a for stmt in stmts for a in ir.written(stmt, ir.any_argument))]
        return any(not self._points.sites(a, arrays).isdisjoint(arrays) for a in asked)


def _chosen_inside(arm: ir.Block) -> list[ir.If]:
    """The branches in ``arm`` by conditions that can't be computed again outside of it."""
    inside: set[ir.Atom] = set()  # what can't
    found = []
    for stmt in arm.stmts:
        if isinstance(stmt, ir.If) and stmt.cond in inside:
            found.append(stmt)
        if not isinstance(stmt, ir.Compute | ir.Dim) or not inside.isdisjoint(ir.operands(stmt)):
            inside.update(ir.outs(stmt))
    return found


def _made(stmts: tuple[ir.Stmt, ...]) -> set[ir.Atom]:
    """The arrays that ``stmts`` make, but for those that grow."""
    return {
        out
        for stmt in stmts
        if isinstance(stmt, ir.Alloc | ir.Copy | ir.Call)
        for out in ir.outs(stmt)
        if isinstance(out.type, Array) and not (isinstance(stmt, ir.Alloc) and stmt.growable)
    }
