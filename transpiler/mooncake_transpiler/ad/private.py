"""Private work arrays: each element that an iteration reads was written earlier in it.

    for i in range(n):
        for j in range(d): w[j] = x[i, j] - m[j]     # covers w[0:d]
        for j in range(d): s += w[j] * w[j]          # reads w[0:d]: private to the iteration

Symbolic coverage of index ranges (array privatisation, after Tu and Padua 1993). What can't be
proved is not private: slower, never wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.ad.access import Access, Definitions, Position, Whole, same
from mooncake_transpiler.ad.memory import Memories, Memory
from mooncake_transpiler.types import Array


@dataclass(frozen=True, slots=True)
class Range:
    """``lo <= index < hi``."""

    lo: ir.Atom
    hi: ir.Atom


Extent = Range | ir.Atom
Region = tuple[Extent, ...]  # one extent per axis of the root


def is_private(body: ir.Block, memory: Memory, memories: Memories, defs: Definitions) -> bool:
    """Whether every read of ``memory`` in ``body`` sees what ``body`` has written before."""
    if len(memory.roots) != 1:
        return False
    return _Coverage(memory, memories, defs).covers(body, [])


class _Coverage:
    def __init__(self, memory: Memory, memories: Memories, defs: Definitions) -> None:
        self._memory = memory
        self._memories = memories
        self._defs = defs

    def covers(self, block: ir.Block, covered: list[Region]) -> bool:
        """Check the reads of ``block``; append to ``covered`` what it certainly writes."""
        return all(self._stmt(stmt, covered) for stmt in block.stmts)

    def _stmt(self, stmt: ir.Stmt, covered: list[Region]) -> bool:
        match stmt:
            case ir.Store(base=base, index=index) if self._own(base):
                covered += self._region(self._defs.access(base, index))
            case ir.Assign(dst=dst, src=src) if self._own(dst):
                if isinstance(src.type, Array) and self._own(src):
                    return False
                covered += self._region(self._defs.whole(dst))
            case ir.Load(base=base, index=index) | ir.Accum(base=base, index=index):
                if self._own(base):
                    return self._is_covered(self._defs.access(base, index), covered)
            case ir.For() | ir.While():
                return self._loop(stmt, covered)
            case ir.If(then=then, orelse=orelse):
                a, b = list(covered), list(covered)
                if not (self.covers(then, a) and self.covers(orelse, b)):
                    return False
                covered += [r for r in a[len(covered) :] if any(_equal(r, q) for q in b)]
            case _:
                touched = (*self._memories.reads(stmt), *self._memories.writes(stmt))
                if self._memory in touched:
                    return self._bulk_read_covered(stmt, covered)
        return True

    def _loop(self, loop: ir.For | ir.While, covered: list[Region]) -> bool:
        inner = list(covered)
        if isinstance(loop, ir.While):
            return self.covers(loop.cond, inner) and self.covers(loop.body, inner)
        if not self.covers(loop.body, inner):
            return False
        span = self._span(loop)
        if span is not None and not loop.exit:
            for region in inner[len(covered) :]:
                axes = [k for k, extent in enumerate(region) if extent is loop.index]
                if len(axes) == 1:
                    k = axes[0]
                    covered.append((*region[:k], span, *region[k + 1 :]))
        return True

    def _span(self, loop: ir.For) -> Range | None:
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

    def _own(self, array: ir.Atom) -> bool:
        return self._memories.of(array) is self._memory

    def _region(self, access: Access) -> list[Region]:
        """The region that a write to ``access`` covers, if it is known."""
        if access.root is not self._memory.roots[0]:
            return []
        extents: list[Extent] = []
        for position in access.index:
            if isinstance(position, Whole):
                return []
            extents.append(position)
        return [tuple(extents)]

    def _bulk_read_covered(self, stmt: ir.Stmt, covered: list[Region]) -> bool:
        match stmt:
            case ir.Copy(src=array) | ir.Sum(array=array) | ir.AddTo(dst=array):
                return self._own(array) and self._is_covered(self._defs.whole(array), covered)
            case _:
                return False

    def _is_covered(self, access: Access, covered: list[Region]) -> bool:
        return access.root is self._memory.roots[0] and any(
            len(region) == len(access.index)
            and all(
                self._contains(extent, position, access.root, axis)
                for axis, (extent, position) in enumerate(zip(region, access.index, strict=True))
            )
            for region in covered
        )

    def _contains(self, extent: Extent, position: Position, root: ir.Value, axis: int) -> bool:
        if not isinstance(extent, Range):
            return same(extent, position)
        if _is_zero(extent.lo) and self._is_length(extent.hi, root, axis):
            return True
        if not isinstance(position, ir.Value):
            return False
        loop = self._defs.loop.get(position)
        inner = self._span(loop) if loop is not None else None
        return (
            inner is not None and self._le(extent.lo, inner.lo) and self._le(inner.hi, extent.hi)
        )

    def _is_length(self, hi: ir.Atom, root: ir.Value, axis: int) -> bool:
        made = self._defs.stmt.get(root)
        if isinstance(made, ir.Alloc) and same(made.shape[axis], hi):
            return True
        found = self._defs.stmt.get(hi) if isinstance(hi, ir.Value) else None
        return isinstance(found, ir.Dim) and found.array is root and found.axis == axis

    def _le(self, a: ir.Atom, b: ir.Atom) -> bool:
        """Whether ``a <= b`` is proved."""
        if same(a, b):
            return True
        if isinstance(a, ir.Const) and isinstance(b, ir.Const):
            return isinstance(a.value, int) and isinstance(b.value, int) and a.value <= b.value
        if _is_zero(a):
            return self._defs.nonnegative(b)
        if isinstance(b, ir.Value):
            match self._defs.stmt.get(b):
                case ir.Compute(op="add", args=(m, k)):
                    return (self._le(a, m) and self._defs.nonnegative(k)) or (
                        self._le(a, k) and self._defs.nonnegative(m)
                    )
                case _:
                    pass
        return False


def _is_zero(atom: ir.Atom) -> bool:
    return isinstance(atom, ir.Const) and atom.value == 0


def _equal(a: Region, b: Region) -> bool:
    return len(a) == len(b) and all(
        (isinstance(p, Range) and isinstance(q, Range) and same(p.lo, q.lo) and same(p.hi, q.hi))
        or (not isinstance(p, Range) and not isinstance(q, Range) and same(p, q))
        for p, q in zip(a, b, strict=True)
    )
