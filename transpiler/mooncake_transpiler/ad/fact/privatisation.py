"""Private work arrays: each element that an iteration reads was written earlier in it.

    for i in range(n):
        for j in range(d): w[j] = x[i, j] - m[j]     # covers w[0:d]
        for j in range(d): s += w[j] * w[j]          # reads w[0:d]: private to the iteration

Symbolic coverage of index ranges (array privatisation, after Tu and Padua 1993). What can't be
proved is not private: slower, never wrong.
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Access, Definitions, WholeAxis
from mooncake_transpiler.analysis.integers import Integers, Range
from mooncake_transpiler.analysis.memory import Memories, Memory
from mooncake_transpiler.types import Array

Extent = Range | ir.Atom
Region = tuple[Extent, ...]  # one extent per axis of the root


def is_private(body: ir.Block, memory: Memory, memories: Memories, defs: Definitions) -> bool:
    """True if every read of ``memory`` in ``body`` sees what ``body`` has written before."""
    if len(memory.roots) != 1:
        return False
    return _Coverage(memory, memories, defs).covers(body, [])


class _Coverage:
    def __init__(self, memory: Memory, memories: Memories, defs: Definitions) -> None:
        self._memory = memory
        self._memories = memories
        self._defs = defs
        self._integers = Integers(defs)

    def covers(self, block: ir.Block, covered: list[Region]) -> bool:
        """Check the reads of ``block``; append to ``covered`` what it certainly writes."""
        return all(self._stmt(stmt, covered) for stmt in block.stmts)

    def _stmt(self, stmt: ir.Stmt, covered: list[Region]) -> bool:
        match stmt:
            case ir.Store(base=base, index=index) if self._own(base):
                covered += self._region(self._defs.access(base, index))
            case ir.Reserve(array=array) if self._own(array):
                return False  # the shadow is made when the array has its last size
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
        span = self._integers.span(loop)
        if span is not None and not loop.exit:
            for region in inner[len(covered) :]:
                axes = [k for k, extent in enumerate(region) if extent is loop.index]
                if len(axes) == 1:
                    k = axes[0]
                    covered.append((*region[:k], span, *region[k + 1 :]))
        return True

    def _own(self, array: ir.Atom) -> bool:
        return self._memories.of(array) is self._memory

    def _region(self, access: Access) -> list[Region]:
        """The region that a write to ``access`` covers, if it is known."""
        if access.root is not self._memory.roots[0]:
            return []
        extents: list[Extent] = []
        for position in access.index:
            if isinstance(position, WholeAxis):
                return []
            extents.append(position)
        return [tuple(extents)]

    def _bulk_read_covered(self, stmt: ir.Stmt, covered: list[Region]) -> bool:
        match stmt:
            case ir.Copy(src=array) | ir.Sum(array=array) | ir.AddTo(dst=array):
                return self._own(array) and self._is_covered(self._defs.whole(array), covered)
            case ir.Call(args=args) if self._memory not in self._memories.writes(stmt):
                arrays = (a for a in args if isinstance(a.type, Array) and self._own(a))
                return all(self._is_covered(self._defs.whole(a), covered) for a in arrays)
            case _:
                return False

    def _is_covered(self, access: Access, covered: list[Region]) -> bool:
        return access.root is self._memory.roots[0] and any(
            len(region) == len(access.index)
            and all(
                self._integers.contains(extent, position, access.root, axis)
                if isinstance(extent, Range)
                else not isinstance(position, WholeAxis) and ir.same(extent, position)
                for axis, (extent, position) in enumerate(zip(region, access.index, strict=True))
            )
            for region in covered
        )


def _equal(a: Region, b: Region) -> bool:
    return len(a) == len(b) and all(
        p == q if isinstance(p, Range) or isinstance(q, Range) else ir.same(p, q)
        for p, q in zip(a, b, strict=True)
    )
