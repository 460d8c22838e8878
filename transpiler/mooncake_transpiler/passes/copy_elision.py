"""Copy elision: an array that each iteration makes anew is one array that each overwrites.

before                                  after
s = for t in 0..n (u = a):              b = copy a
  w = alloc m                           for t in 0..n:
  for i in 0..m: w[i] = f(u[i])           w = alloc m
  yield w                                 for i in 0..m: w[i] = f(b[i])
                                          for i in 0..m: b[i] = w[i]
                                        s = b

The two inner loops often become one, and ``w`` is gone. That is right where nobody else holds the
array that is overwritten, where it is not written otherwise, and where all have the same shape. A
branch that keeps the array of before overwrites nothing. If the loop may make no array at all, and
somebody could tell ``s`` from ``a`` then, the loop carries whether it has made one, and ``s`` is
``b if is_new else a``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.points_to import PointsTo, arrays_in
from mooncake_transpiler.analysis.shapes import CallExtent, CallExtents, carried_shapes, unknown
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.passes.dce import dce
from mooncake_transpiler.passes.fold import fold
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.passes.told_copies import Loop, ToldCopies
from mooncake_transpiler.types import BOOL, Array

Item = TypeVar("Item")
Places = tuple[tuple[ir.Block, int], ...]
_TRUE, _FALSE = ir.Const(True, BOOL), ir.Const(False, BOOL)
_MADE = "is_new"  # whether an iteration has made an array


def copy_elision(
    func: ir.Func, calls: CallExtent = unknown, writes: ir.Changed = ir.any_argument
) -> ir.Func:
    """``func`` with one array in place of those that the iterations of a loop make."""
    while (made := _Overwrite(func, calls, writes).run(func)) is not func:
        func = dce(fold(made))
    return func


def copy_elision_known(ruled: Mapping[str, ir.Func], func: ir.Func) -> ir.Func:
    """As ``copy_elision``; ``ruled`` are functions with a pullback, which write to no argument."""

    def writes(call: ir.Call) -> tuple[ir.Atom, ...]:
        return () if call.func in ruled else ir.any_argument(call)

    return copy_elision(func, CallExtents(ruled.values()), writes)


class _Overwrite(Rewriter):
    """Replaces one carried array of one loop, an inner one if there is a choice."""

    def __init__(self, func: ir.Func, calls: CallExtent, writes: ir.Changed) -> None:
        super().__init__()
        self._points = PointsTo(func, writes)
        self._told = ToldCopies(func, self._points)
        self._shapes = carried_shapes(func, self._points.defs, calls)
        self._done = False

    def statement(self, stmt: ir.Stmt) -> None:
        stmt = self.inside(self.resolved(stmt))
        if not self._done and isinstance(stmt, ir.For | ir.While):
            for k, param in enumerate(stmt.params):
                if param in self._shapes:
                    found = _Carried(stmt, k, self._points)
                    if found.can_be_overwritten:
                        self._done = True
                        self.stmts += found.emit(is_told=self._told.can_be_told(stmt, k))
                        return
        self.emit(stmt)


class _Carried:
    """An array that a loop carries."""

    def __init__(self, loop: Loop, k: int, points: PointsTo) -> None:
        self._loop, self._k, self._points = loop, k, points
        self._param = loop.params[k]
        self._made: list[ir.Value] = []  # what iterations make of it
        self.buffer = ir.Value(loop.outs[k].hint or self._param.hint, self._param.type)
        self._inside = ir.bound_by(loop)
        self.can_be_overwritten = (
            isinstance(loop.inits[k], ir.Value)
            and self._is_new(loop.body, loop.body.yields[k])
            and bool(self._made)
            and not self._is_held()
            and not self._is_written()
        )

    def _is_new(self, block: ir.Block, atom: ir.Atom, around: Places = ()) -> bool:
        """True if ``block`` makes ``atom``, or a branch of it does, or keeps the old one.

        A branch may also take what has been made before it; ``around``: where it stands.
        """
        for at, stmt in enumerate(block.stmts):
            if atom in ir.outs(stmt):
                assert isinstance(atom, ir.Value)
                match stmt:
                    case ir.Alloc() | ir.Copy() | ir.Call():
                        self._made.append(atom)
                        return True
                    case ir.If(outs=outs, then=then, orelse=orelse):
                        k = outs.index(atom)
                        places = (*around, (block, at))
                        return not self._is_used(block, at + 1, atom) and all(
                            arm.yields[k] is self._param or self._is_new(arm, arm.yields[k], places)
                            for arm in (then, orelse)
                        )
                    case _:
                        return False
        return any(self._is_made_before(outer, at, atom) for outer, at in around)

    def _is_made_before(self, block: ir.Block, at: int, atom: ir.Atom) -> bool:
        """True if ``block`` makes ``atom`` before statement ``at``, and does not write it after."""
        made = (ir.Alloc, ir.Copy, ir.Call)
        if not any(atom in ir.outs(s) for s in block.stmts[:at] if isinstance(s, made)):
            return False
        assert isinstance(atom, ir.Value)
        self._made.append(atom)
        return atom not in self._points.written(ir.Block(block.stmts[at + 1 :]))

    def _is_used(self, block: ir.Block, start: int, but: ir.Value) -> bool:
        """True if the array of before is used from statement ``start`` on, not as ``but``."""
        later = arrays_in(ir.Block(block.stmts[start:]))
        return any(self._param in self._points.roots(atom, {but}) for atom in later)

    def _is_held(self) -> bool:
        """True if another carried array may be the same memory."""
        own = {self._param, *self._made}
        others = (a for j, a in enumerate(self._loop.body.yields) if j != self._k)
        return any(
            not own.isdisjoint(self._points.roots(a)) for a in others if isinstance(a.type, Array)
        )

    def _is_written(self) -> bool:
        """True if the loop writes to the array of before, or to the initial array."""
        written = self._points.written(self._loop.body)
        first = self._points.sites(self._loop.inits[self._k])
        outside = [self._points.sites(root) for root in written if root not in self._inside]
        return self._param in written or any(self._points.touch(first, sites) for sites in outside)

    # ---- what comes in its place ----------------------------------------------------------------

    def emit(self, *, is_told: bool) -> list[ir.Stmt]:
        """The loop over one array, which is a copy of the first, and what comes out of it.

        ``is_told``: it shows whether that is a copy.
        """
        loop, k = self._loop, self._k
        out, param = ir.Value(_MADE, BOOL), ir.Value(_MADE, BOOL)
        chosen: dict[ir.Value, ir.Atom] = {self._param: self.buffer}
        body, made = self._overwriting(loop.body, loop.body.yields[k], param, chosen)
        put = Rewriter()
        put.env.update(chosen)
        over = replace(
            loop,
            outs=ir.with_item(loop.outs, k, out),
            params=ir.with_item(loop.params, k, param),
            inits=ir.with_item(loop.inits, k, _FALSE),
            body=ir.Block(body.stmts, ir.with_item(body.yields, k, made)),
        )
        first = ir.Block((), (loop.inits[k] if is_told else self.buffer,))
        last = ir.Block((), (self.buffer,))
        return [
            ir.Copy(self.buffer, loop.inits[k], loop.origin),
            put.inside(over),
            ir.If((loop.outs[k],), out, last, first, loop.origin),
        ]

    def _overwriting(
        self, block: ir.Block, atom: ir.Atom, made: ir.Value, chosen: dict[ir.Value, ir.Atom]
    ) -> tuple[ir.Block, ir.Atom]:
        """``block`` with ``atom`` copied to the buffer, and the flag that it was made.

        ``made``: whether it has been before.
        """
        here = (at for at, stmt in enumerate(block.stmts) if atom in ir.outs(stmt))
        at = next(here, None)
        stmt = None if at is None else block.stmts[at]
        if at is None or not isinstance(stmt, ir.If):
            origin = self._loop.origin if stmt is None else stmt.origin
            return ir.Block((*block.stmts, *self._copying(atom, origin)), block.yields), _TRUE
        assert isinstance(atom, ir.Value)
        k, new = stmt.outs.index(atom), ir.Value(_MADE, BOOL)
        chosen[atom] = self.buffer
        arms = []
        for arm in (stmt.then, stmt.orelse):
            flag: ir.Atom = made
            if arm.yields[k] is not self._param:
                arm, flag = self._overwriting(arm, arm.yields[k], made, chosen)
            arms.append(ir.Block(arm.stmts, ir.with_item(arm.yields, k, flag)))
        stmt = replace(stmt, outs=ir.with_item(stmt.outs, k, new), then=arms[0], orelse=arms[1])
        return ir.Block(ir.with_item(block.stmts, at, stmt), block.yields), new

    def _copying(self, source: ir.Atom, origin: ir.Origin | None) -> list[ir.Stmt]:
        """A loop nest that copies ``source`` into the buffer: loops can be fused with others."""
        array = self.buffer.type
        assert isinstance(array, Array)
        if array.ndim == 0:
            return [ir.Assign(self.buffer, source, origin)]
        b = Builder(origin)
        b.each(source, lambda c, index: c.store(self.buffer, index, c.load(source, index)))
        return b.stmts
