"""Ranges of indices, symbolically: what a loop visits, what is in bounds."""

from __future__ import annotations

from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Access, Definitions, Position, same


@dataclass(frozen=True, slots=True)
class Range:
    """``lo <= index < hi``."""

    lo: ir.Atom
    hi: ir.Atom


Extent = Range | ir.Atom


class Ranges:
    """Proofs about the indices of one function; False means not proved."""

    def __init__(self, defs: Definitions) -> None:
        self._defs = defs

    def span(self, loop: ir.For) -> Range | None:
        """The indices that ``loop`` visits, if they are without gaps."""
        if not isinstance(loop.step, ir.Const):
            return None
        if loop.step.value == 1:
            return Range(loop.lo, loop.hi)
        last = loop.hi
        if loop.step.value == -1 and isinstance(last, ir.Const) and last.value == -1:
            hi = self._successor(loop.lo)
            return None if hi is None else Range(ir.int_const(0), hi)
        return None

    def _successor(self, atom: ir.Atom) -> ir.Atom | None:
        """``m`` if ``atom`` is ``m - 1``."""
        if isinstance(atom, ir.Const) and isinstance(atom.value, int):
            return ir.int_const(atom.value + 1)
        if isinstance(atom, ir.Value):
            match self._defs.stmt.get(atom):
                case ir.Compute(op="sub", args=(m, ir.Const(value=1))):
                    return m
                case ir.Compute(op="add", args=(m, ir.Const(value=-1))):
                    return m
                case _:
                    pass
        return None

    def contains(self, extent: Extent, position: Position, root: ir.Value, axis: int) -> bool:
        """True if ``position`` on ``axis`` of ``root`` is proved to lie in ``extent``."""
        if not isinstance(extent, Range):
            return same(extent, position)
        if ir.is_zero(extent.lo) and self.is_length(extent.hi, root, axis):
            return True
        inner = self._visited(position)
        return inner is not None and self.le(extent.lo, inner.lo) and self.le(inner.hi, extent.hi)

    def in_bounds(self, access: Access) -> bool:
        """True if ``access`` is certainly inside its array, even if it is never executed."""
        for axis, position in enumerate(access.index):
            if self._is_below_constant(position, access.root, axis):
                continue
            span = self._within(position)
            if span is None or not self._defs.nonnegative(span.lo):
                return False
            if not self._at_most_length(span.hi, access.root, axis):
                return False
        return True

    def _within(self, position: Position) -> Range | None:
        """A range that contains the indices that are visited, and maybe more above them."""
        loop = self._defs.loop.get(position) if isinstance(position, ir.Value) else None
        if loop is None or (span := self.span(loop)) is not None:
            return None if loop is None else span
        start = self._defs.stmt.get(loop.lo) if isinstance(loop.lo, ir.Value) else None
        match start, loop.hi, loop.step:
            case (
                ir.Compute(op="sub", args=(m, ir.Const(value=int(k)))),
                ir.Const(value=-1),
                ir.Const(value=-1),
            ) if k >= 1:  # downwards from m - k
                return Range(ir.int_const(0), m)
            case _:
                return None

    def _is_below_constant(self, position: Position, root: ir.Value, axis: int) -> bool:
        """True if ``position`` is a number below the constant length of ``axis``."""
        match self._defs.stmt.get(root), position:
            case ((ir.Alloc(shape=shape) | ir.Reshape(shape=shape)), ir.Const(value=int(at))):
                size = shape[axis]
                return isinstance(size, ir.Const) and at in range(int(size.value.real))
            case _:
                return False

    def covers(self, loop: ir.For, root: ir.Value, axis: int) -> bool:
        """True if ``loop`` visits each index on ``axis`` of ``root`` exactly once."""
        span = None if loop.exit else self.span(loop)
        return span is not None and ir.is_zero(span.lo) and self.is_length(span.hi, root, axis)

    def _visited(self, position: Position) -> Range | None:
        loop = self._defs.loop.get(position) if isinstance(position, ir.Value) else None
        return None if loop is None else self.span(loop)

    def is_length(self, hi: ir.Atom, root: ir.Value, axis: int) -> bool:
        """True if ``hi`` is the length of ``root`` on ``axis``."""
        made = self._defs.stmt.get(root)
        if isinstance(made, ir.Alloc) and made.growable:
            return False
        if isinstance(made, ir.Alloc | ir.Reshape) and same(made.shape[axis], hi):
            return True
        found = self._defs.stmt.get(hi) if isinstance(hi, ir.Value) else None
        return isinstance(found, ir.Dim) and found.array is root and found.axis == axis

    def _at_most_length(self, hi: ir.Atom, root: ir.Value, axis: int) -> bool:
        if self.is_length(hi, root, axis):
            return True
        found = self._defs.stmt.get(hi) if isinstance(hi, ir.Value) else None
        match found:
            case ir.Compute(op="sub", args=(m, k)) if self._defs.nonnegative(k):
                return self._at_most_length(m, root, axis)
            case _:
                return False

    def le(self, a: ir.Atom, b: ir.Atom) -> bool:
        """True if ``a <= b`` is proved."""
        if same(a, b):
            return True
        if isinstance(a, ir.Const) and isinstance(b, ir.Const):
            return isinstance(a.value, int) and isinstance(b.value, int) and a.value <= b.value
        if ir.is_zero(a):
            return self._defs.nonnegative(b)
        if isinstance(b, ir.Value):
            match self._defs.stmt.get(b):
                case ir.Compute(op="add", args=(m, k)):
                    return (self.le(a, m) and self._defs.nonnegative(k)) or (
                        self.le(a, k) and self._defs.nonnegative(m)
                    )
                case _:
                    pass
        if isinstance(a, ir.Value):
            match self._defs.stmt.get(a):
                case ir.Compute(op="sub", args=(m, k)) if self._defs.nonnegative(k):
                    return self.le(m, b)
                case _:
                    pass
        return False
