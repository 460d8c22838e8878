"""An array that each iteration of a loop makes anew is one array that each overwrites.

before                                  after
s = for t in 0..n (u = a):              b = copy a
  w = alloc m                           for t in 0..n:
  for i in 0..m: w[i] = f(u[i])           w = alloc m
  yield w                                 for i in 0..m: w[i] = f(b[i])
                                          for i in 0..m: b[i] = w[i]
                                        s = b

The two inner loops often become one, and ``w`` is gone. That is right where nobody else holds the
array that is overwritten, where it is not written otherwise, and where all have the same shape. A
branch that keeps the array of before overwrites nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from mooncake_rules.primitives import PRIMITIVES

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.extents import CallExtent, CallExtents, carried_shapes, unknown
from mooncake_transpiler.builder import Builder
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import INT, Array

Loop = ir.For | ir.While
Item = TypeVar("Item")
Places = tuple[tuple[ir.Block, int], ...]
Writes = Callable[[ir.Call], Iterable[ir.Atom]]
_ZERO, _ONE = ir.int_const(0), ir.int_const(1)


def all_arguments(call: ir.Call) -> Iterable[ir.Atom]:
    """What a call may write to, if nothing is known about the functions of the program."""
    known = PRIMITIVES.get(call.func)
    return call.args if known is None else [call.args[k] for k in known.writes]


def overwrite(
    func: ir.Func, calls: CallExtent = unknown, writes: Writes = all_arguments
) -> ir.Func:
    """``func`` with one array in place of those that the iterations of a loop make."""
    while (body := _Overwrite(func, calls, writes).block(func.body)) is not func.body:
        func = replace(func, body=body)
    return func


def overwrite_known(ruled: Mapping[str, ir.Func], func: ir.Func) -> ir.Func:
    """As ``overwrite``; ``ruled`` are functions with a pullback, which write to no argument."""

    def writes(call: ir.Call) -> Iterable[ir.Atom]:
        return () if call.func in ruled else all_arguments(call)

    return overwrite(func, CallExtents(ruled.values()), writes)


class _Overwrite(Rewriter):
    """Replaces one carried array of one loop, an inner one if there is a choice."""

    def __init__(self, func: ir.Func, calls: CallExtent, writes: Writes) -> None:
        super().__init__()
        self._origins = _Origins(func, writes)
        self._shapes = carried_shapes(func, self._origins.defs, calls)
        self._done = False

    def statement(self, stmt: ir.Stmt) -> None:
        stmt = self.inside(ir.with_operands(stmt, self.use))
        if not self._done and isinstance(stmt, ir.For | ir.While):
            for k, param in enumerate(stmt.params):
                if param in self._shapes:
                    found = _Carried(stmt, k, self._origins)
                    if found.can_be_overwritten:
                        self._done = True
                        self.stmts += found.emit()
                        self.put(stmt.outs[k], found.buffer)
                        return
        self.emit(stmt)


class _Origins:
    """Whose memory the arrays of a function are, and which of it is written."""

    def __init__(self, func: ir.Func, writes: Writes) -> None:
        self.defs = Definitions(func)
        self._inputs = frozenset(func.inputs)
        self._writes = writes

    def roots(self, atom: ir.Atom, stop: ir.Atom | None = None) -> frozenset[ir.Atom]:
        """What ``atom`` may be: arrays that are made, given, carried by a loop, or ``stop``."""
        pending, seen, found = [atom], set[ir.Atom](), set[ir.Atom]()
        while pending:
            one = pending.pop()
            if one in seen:
                continue
            seen.add(one)
            stmt = self.defs.stmt.get(one) if isinstance(one, ir.Value) else None
            match stmt:
                case _ if one is stop:
                    found.add(one)
                case ir.View(base=base) | ir.Reshape(base=base) | ir.Grow(array=base):
                    pending.append(base)
                case ir.If(outs=outs, then=then, orelse=orelse) if one in outs:
                    k = outs.index(one)
                    pending += [then.yields[k], orelse.yields[k]]
                case ir.For(outs=outs) | ir.While(outs=outs) if one in outs:
                    k = outs.index(one)
                    pending += [stmt.inits[k], stmt.body.yields[k]]
                case _:
                    found.add(one)
        return frozenset(found)

    def written(self, block: ir.Block) -> frozenset[ir.Atom]:
        """The roots of all that the statements of ``block`` write to."""
        arrays: list[ir.Atom] = []
        for stmt in ir.walk(block):
            match stmt:
                case ir.Store(base=array) | ir.Accum(base=array):
                    arrays.append(array)
                case ir.Assign(dst=array) | ir.AddTo(dst=array):
                    arrays.append(array)
                case ir.Call() as call:
                    arrays += [a for a in self._writes(call) if isinstance(a.type, Array)]
                case _:
                    pass
        return frozenset().union(*map(self.roots, arrays))

    def are_apart(self, one: ir.Atom, other: ir.Atom) -> bool:
        """Whether two roots certainly are different memory: one of them is made here."""
        made = (ir.Alloc, ir.Copy)
        stmts = [self.defs.stmt.get(a) if isinstance(a, ir.Value) else None for a in (one, other)]
        own = [isinstance(stmt, made) for stmt in stmts]
        given = [a in self._inputs for a in (one, other)]
        return one is not other and (all(own) or (any(own) and any(given)))


class _Carried:
    """An array that a loop carries."""

    def __init__(self, loop: Loop, k: int, origins: _Origins) -> None:
        self._loop, self._k, self._origins = loop, k, origins
        self._param = loop.params[k]
        self._made: list[ir.Value] = []  # what iterations make of it
        self.buffer = ir.Value(loop.outs[k].hint or self._param.hint, self._param.type)
        self._inside = ir.bound_in(loop.body) | set(ir.binders(loop))
        self.can_be_overwritten = (
            isinstance(loop.inits[k], ir.Value)
            and self._is_new(loop.body, loop.body.yields[k])
            and bool(self._made)
            and not self._is_held()
            and not self._is_written()
        )

    def _is_new(self, block: ir.Block, atom: ir.Atom, around: Places = ()) -> bool:
        """Whether ``block`` makes ``atom``, or a branch of it does, or keeps the old one.

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
        """Whether ``block`` makes ``atom`` before statement ``at``, and does not write it after."""
        made = (ir.Alloc, ir.Copy, ir.Call)
        if not any(atom in ir.outs(s) for s in block.stmts[:at] if isinstance(s, made)):
            return False
        assert isinstance(atom, ir.Value)
        self._made.append(atom)
        return atom not in self._origins.written(ir.Block(block.stmts[at + 1 :]))

    def _is_used(self, block: ir.Block, start: int, but: ir.Value) -> bool:
        """Whether the array of before is used from statement ``start`` on, not as ``but``."""
        return any(
            isinstance(atom.type, Array) and self._param in self._origins.roots(atom, but)
            for stmt in ir.walk(ir.Block(block.stmts[start:]))
            for atom in (*ir.operands(stmt), *(a for b in ir.blocks(stmt) for a in b.yields))
        )

    def _is_held(self) -> bool:
        """Whether another carried array may be the same memory."""
        own = {self._param, *self._made}
        others = (a for j, a in enumerate(self._loop.body.yields) if j != self._k)
        return any(
            not own.isdisjoint(self._origins.roots(a)) for a in others if isinstance(a.type, Array)
        )

    def _is_written(self) -> bool:
        """Whether the loop writes to the array of before, or to what the first one is."""
        written = self._origins.written(self._loop.body)
        first = self._origins.roots(self._loop.inits[self._k])
        outside = [root for root in written if root not in self._inside]
        return self._param in written or not all(
            self._origins.are_apart(a, b) for a in first for b in outside
        )

    # ---- what comes in its place ----------------------------------------------------------------

    def emit(self) -> list[ir.Stmt]:
        """The loop over one array, which is a copy of the first."""
        loop, k = self._loop, self._k
        chosen: dict[ir.Value, ir.Atom] = {self._param: self.buffer}
        body = self._overwriting(loop.body, loop.body.yields[k], chosen)
        body = ir.Block(body.stmts, _without(loop.body.yields, k))
        outs, params = _without(loop.outs, k), _without(loop.params, k)
        inits = _without(loop.inits, k)
        put = Rewriter()
        put.env.update(chosen)
        first = ir.Copy(self.buffer, loop.inits[k], loop.origin)
        return [first, put.inside(replace(loop, outs=outs, params=params, inits=inits, body=body))]

    def _overwriting(
        self, block: ir.Block, atom: ir.Atom, chosen: dict[ir.Value, ir.Atom]
    ) -> ir.Block:
        """``block``, after which the buffer holds what ``atom`` does."""
        here = (at for at, stmt in enumerate(block.stmts) if atom in ir.outs(stmt))
        at = next(here, None)
        stmt = None if at is None else block.stmts[at]
        if at is None or not isinstance(stmt, ir.If):
            origin = self._loop.origin if stmt is None else stmt.origin
            return ir.Block((*block.stmts, *self._copying(atom, origin)), block.yields)
        assert isinstance(atom, ir.Value)
        k = stmt.outs.index(atom)
        chosen[atom] = self.buffer
        arms = []
        for arm in (stmt.then, stmt.orelse):
            if arm.yields[k] is not self._param:
                arm = self._overwriting(arm, arm.yields[k], chosen)
            arms.append(ir.Block(arm.stmts, _without(arm.yields, k)))
        new = replace(stmt, outs=_without(stmt.outs, k), then=arms[0], orelse=arms[1])
        return ir.Block((*block.stmts[:at], new, *block.stmts[at + 1 :]), block.yields)

    def _copying(self, source: ir.Atom, origin: ir.Origin | None) -> list[ir.Stmt]:
        """A loop nest that copies ``source`` into the buffer: loops can be fused with others."""
        array = self.buffer.type
        assert isinstance(array, Array)
        if array.ndim == 0:
            return [ir.Assign(self.buffer, source, origin)]
        index = [ir.Value("", INT) for _ in range(array.ndim)]
        b = Builder(origin)
        b.store(self.buffer, index, b.load(source, index))
        for axis in reversed(range(array.ndim)):
            outer = Builder(origin)
            size = outer.dim(source, axis)
            outer.add(ir.For((), index[axis], _ZERO, size, _ONE, (), (), b.block(), origin=origin))
            b = outer
        return b.stmts


def _without(items: tuple[Item, ...], k: int) -> tuple[Item, ...]:
    return (*items[:k], *items[k + 1 :])
