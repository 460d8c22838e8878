"""Statements that touch every element of an array, and each in one iteration only.

What they start with and what they end with can be told for the array as a whole: whether all of it
is stored first, whether all of it is cleared last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.dataflow import Dataflow
from mooncake_transpiler.analysis.integers import ONE

Element = tuple[ir.Atom, ...]
Loops = tuple[ir.For, ...]


@dataclass(frozen=True, slots=True)
class _Target:
    """The element that each iteration touches of an array."""

    array: ir.Value
    element: Element


class Whole:
    """Statements that write or clear a whole array; passes may rebuild the function meanwhile."""

    def __init__(self, dataflow: Dataflow) -> None:
        self._dataflow = dataflow
        self._integers = dataflow.integers

    def _target(self, stmt: ir.Stmt, array: ir.Value) -> _Target | None:
        """The one element of ``array`` that everything in ``stmt`` touches, if there is one."""
        found = [_element(s, array) for s in self._dataflow.involved(stmt, array)]
        first = found[0] if found else None
        if first is None or not all(e is not None and _equal(e, first) for e in found):
            return None
        return _Target(array, first)

    # ---- the start ------------------------------------------------------------------------------

    def stored(self, stmt: ir.Stmt, array: ir.Value, clear: bool) -> ir.Stmt | None:
        """``stmt`` with its first contribution stored, if it then writes all of ``array`` first.

        ``clear``: all of it is zero before. Only free sums become stores.
        """
        if isinstance(stmt, ir.AddTo):
            fits = clear and stmt.free and stmt.dst is array
            fits = fits and not self._dataflow.shares(stmt.src, array)
            return ir.Assign(stmt.dst, stmt.src, stmt.origin, stmt.free) if fits else None
        if isinstance(stmt, ir.Assign):
            return (
                stmt if stmt.dst is array and not self._dataflow.shares(stmt.src, array) else None
            )
        target = self._target(stmt, array)
        if target is None:
            return None

        def leaf(inner: ir.Stmt, loops: Loops) -> ir.Stmt | None:
            match inner:
                case ir.Store():
                    return inner if self._covers(loops, target) else None
                case ir.Accum(base=base, index=index, value=value, origin=origin):
                    fits = clear and inner.free and self._covers(loops, target)
                    return ir.Store(base, index, value, origin, inner.free) if fits else None
                case _:
                    return None

        return self._at_first(stmt, array, leaf, ())

    def _at_first(
        self,
        stmt: ir.Stmt,
        array: ir.Value,
        leaf: Callable[[ir.Stmt, Loops], ir.Stmt | None],
        loops: Loops,
    ) -> ir.Stmt | None:
        """``stmt``, inside of ``loops``, with ``leaf`` applied to what touches ``array`` first."""
        match stmt:
            case ir.For() if not stmt.exit:
                loops = (*loops, stmt)
            case ir.If():
                pass
            case _:
                return leaf(stmt, loops)
        found: list[ir.Block] = []
        for block in ir.blocks(stmt):
            at = self._dataflow.next(block.stmts, 0, array)
            new = None if at is None else self._at_first(block.stmts[at], array, leaf, loops)
            if at is None or new is None:
                return None
            if new is not block.stmts[at]:
                block = ir.Block(ir.with_item(block.stmts, at, new), block.yields)
            found.append(block)
        return ir.with_blocks(stmt, tuple(found))

    # ---- the end --------------------------------------------------------------------------------

    def clears(self, stmt: ir.Stmt, array: ir.Value) -> bool:
        """True if all of ``array`` is zero after ``stmt``."""
        if isinstance(stmt, ir.Assign):
            return stmt.dst is array and ir.is_zero(stmt.src)
        target = self._target(stmt, array)
        return target is not None and self._is_cleared(stmt, target, ())

    def _is_cleared(self, stmt: ir.Stmt, target: _Target, loops: Loops) -> bool:
        match stmt:
            case ir.Store(value=value):
                return ir.is_zero(value) and self._covers(loops, target)
            case ir.For() if not stmt.exit:
                loops = (*loops, stmt)
            case ir.If():
                pass
            case _:
                return False
        for block in ir.blocks(stmt):
            at = self._dataflow.last(block.stmts, target.array)
            if at is None or not self._is_cleared(block.stmts[at], target, loops):
                return False
        return True

    def without_last(self, stmt: ir.Stmt, array: ir.Value) -> ir.Stmt | None:
        """``stmt`` without free stores to ``array`` that nothing in it reads.

        None if that is nothing at all. Nothing after ``stmt`` must read the array.
        """
        if isinstance(stmt, ir.Assign):
            return None if stmt.free and stmt.dst is array else stmt
        target = self._target(stmt, array)
        return stmt if target is None else self._cut(stmt, target)

    def _cut(self, stmt: ir.Stmt, target: _Target) -> ir.Stmt | None:
        match stmt:
            case ir.Store() | ir.Accum():
                return None if stmt.free else stmt
            case ir.For() if not self._moves_on(stmt, target):
                return stmt
            case ir.For() if not self._integers.nonnegative(stmt.index):
                return stmt  # x[-1] and x[n - 1] are one element: iterations may meet
            case ir.For() | ir.If():
                return ir.mapped(stmt, lambda block: self._cut_block(block, target))
            case _:
                return stmt

    def _moves_on(self, loop: ir.For, target: _Target) -> bool:
        """True if each iteration of ``loop`` has elements of its own: -1 is n - 1, too."""
        named = any(position is loop.index for position in target.element)
        return named and self._integers.nonnegative(loop.index)

    def _cut_block(self, block: ir.Block, target: _Target) -> ir.Block:
        at = self._dataflow.last(block.stmts, target.array)
        if at is None:
            return block
        cut = self._cut(block.stmts[at], target)
        if cut is block.stmts[at]:
            return block
        if cut is not None:
            return ir.Block(ir.with_item(block.stmts, at, cut), block.yields)
        shorter = ir.Block((*block.stmts[:at], *block.stmts[at + 1 :]), block.yields)
        return self._cut_block(shorter, target)

    # ---- coverage -------------------------------------------------------------------------------

    def _covers(self, loops: Loops, target: _Target) -> bool:
        """True if ``target`` is each element of its array once while ``loops`` run."""
        left = list(loops)
        for axis, position in enumerate(target.element):
            loop = next((x for x in left if x.index is position), None)
            if loop is not None and self._integers.covers(loop, target.array, axis):
                left.remove(loop)
            elif not (
                ir.same(position, ir.ZERO) and self._integers.has_length(target.array, axis, ONE)
            ):
                return False
        return not left


def _element(stmt: ir.Stmt, array: ir.Value) -> Element | None:
    """The one element of ``array`` that ``stmt`` touches."""
    match stmt:
        case ir.Load(base=base, index=index) | ir.Accum(base=base, index=index):
            return index if base is array else None
        case ir.Store(base=base, index=index):
            return index if base is array else None
        case _:
            return None


def _equal(a: Element, b: Element) -> bool:
    return all(map(ir.same, a, b))
