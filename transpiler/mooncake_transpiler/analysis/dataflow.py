"""Array dataflow: what statements do to memory, where, and which of it can't meet."""

from __future__ import annotations

from collections.abc import Iterator

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Access, Definitions
from mooncake_transpiler.analysis.integers import Integers
from mooncake_transpiler.analysis.memory import Memories, Memory


def accesses(
    block: ir.Block, memories: Memories, definitions: Definitions
) -> Iterator[tuple[Memory, ir.Touch, Access | None]]:
    """All accesses to memory in ``block`` (None: anything, by a call that is run again)."""
    for stmt in ir.walk(block):
        again = isinstance(stmt, ir.Call) and not memories.is_ruled(stmt)
        element = stmt.index if isinstance(stmt, ir.Load | ir.Store | ir.Accum) else None
        for array, touch in ir.touched(stmt, memories.changed):
            access = definitions.access(array, element) if element else definitions.whole(array)
            yield memories.of(array), touch, None if again else access


def disjoint_iterations(
    loop: ir.For, memory: Memory, touched: list[Access | None], integers: Integers
) -> bool:
    """True if no two iterations of ``loop`` touch the same element: some axis is the index."""
    found = [a for a in touched if a is not None and a.root in memory.roots]
    if len(found) != len(touched) or len({a.root for a in found}) != 1:
        return False
    return integers.nonnegative(loop.index) and any(
        all(a.index[axis] is loop.index for a in found) for axis in range(len(found[0].index))
    )
