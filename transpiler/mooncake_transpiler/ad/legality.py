"""Legality: statements that may be fused with their reverse, loops that may be rerun.

*Fused*: forward and reverse of one iteration run back to back, so nothing is saved. The cotangents
that the iteration needs must be known (the schedule sees to that), the same in every iteration
(its carried floats are accumulators), and the iterations must not meet in a shadow.

*Rerun*: the reversed iteration first runs the body again. Whatever it reads must be there again:
values bound outside, memory that is not overwritten, or private work arrays.
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.ad.accumulators import accumulators
from mooncake_transpiler.ad.facts import Facts, Loop
from mooncake_transpiler.ad.privatisation import is_private
from mooncake_transpiler.analysis.access import Access
from mooncake_transpiler.analysis.dataflow import accesses, disjoint_iterations
from mooncake_transpiler.analysis.memory import Memory
from mooncake_transpiler.types import Array

Uses = dict[Memory, list[tuple[ir.Touch, Access | None]]]


def uses(block: ir.Block, facts: Facts) -> Uses:
    """The accesses in ``block`` by memory."""
    found: Uses = {}
    for memory, kind, access in accesses(block, facts.memories, facts.defs):
        found.setdefault(memory, []).append((kind, access))
    return found


def fusable(stmt: ir.Stmt, facts: Facts) -> bool:
    """True if ``stmt`` may be fused with its own reverse, as far as it alone decides."""
    if not facts.is_active(stmt):
        return False
    match stmt:
        case ir.If():
            return True
        case ir.For() | ir.While():
            through = accumulators(stmt, facts.activity, facts.linear)
            return through.issuperset(facts.carried(stmt)) and all(
                _shadow_is_order_free(stmt, memory, found, facts)
                for memory, found in uses(stmt.body, facts).items()
                if facts.activity.active_memory(memory)
            )
        case _:
            return False


def _shadow_is_order_free(
    loop: Loop, memory: Memory, found: list[tuple[ir.Touch, Access | None]], facts: Facts
) -> bool:
    kinds = {kind for kind, _ in found}
    touched = [access for _, access in found]
    if kinds == {ir.Touch.READ}:
        return True
    if None in touched:
        return False
    if kinds == {ir.Touch.ADD}:
        return True
    if isinstance(loop, ir.For) and disjoint_iterations(loop, memory, touched, facts.integers):
        return True
    return _is_private(loop, memory, facts)


def _is_private(loop: Loop, memory: Memory, facts: Facts) -> bool:
    """True if ``memory`` belongs to single iterations of ``loop``."""
    own = {v for s in ir.walk(loop.body) for v in ir.outs(s)}
    if all(root in own for root in memory.roots):
        return True
    if (memory.is_param and facts.activity.active_memory(memory)) or _escapes(memory, facts):
        return False
    reads = _count_reads(loop.body, memory, facts)
    return reads == _count_reads(facts.func.body, memory, facts) and is_private(
        loop.body, memory, facts.memories, facts.defs
    )


def _count_reads(block: ir.Block, memory: Memory, facts: Facts) -> int:
    found = accesses(block, facts.memories, facts.defs)
    return sum(1 for m, kind, _ in found if m is memory and kind is not ir.Touch.WRITE)


def _escapes(memory: Memory, facts: Facts) -> bool:
    """True if the result of the function holds ``memory``."""
    return any(
        isinstance(a.type, Array) and facts.memories.of(a) is memory for a in facts.func.body.yields
    )


def rerunnable(loop: Loop, region: ir.Block, facts: Facts) -> bool:
    """True if reversing ``loop`` by running its body again is possible, and worth while.

    ``region`` is the block whose forward sweep ends before ``loop`` is reversed.
    """
    found = uses(loop.body, facts)
    if isinstance(loop, ir.While):
        return False
    later = _written_after(loop, region, facts)
    private = set()
    for memory, own in found.items():
        kinds = {kind for kind, _ in own}
        if kinds != {ir.Touch.READ} and any(access is None for _, access in own):
            return False
        if ir.Touch.READ not in kinds:
            continue  # never read: muted when the body runs again
        if kinds == {ir.Touch.READ}:
            if memory in later:
                return False
            continue
        if not _is_private(loop, memory, facts):
            return False
        private.add(memory)
    return any(m.dtype.is_differentiable for m in private) or _allocates(loop, facts)


def _allocates(loop: Loop, facts: Facts) -> bool:
    return any(
        isinstance(s, ir.Alloc | ir.Copy | ir.Call)
        and any(isinstance(v.type, Array) and facts.activity.active(v) for v in ir.outs(s))
        for s in ir.walk(loop.body)
    )


def _written_after(loop: Loop, region: ir.Block, facts: Facts) -> set[Memory]:
    """The memories that ``region`` writes after ``loop``, or in a loop around it."""
    found: set[Memory] = set()

    def visit(block: ir.Block) -> bool:
        """True if ``loop`` is inside; collects the writes that follow it."""
        seen = False
        for stmt in block.stmts:
            inside = stmt is loop or any(tuple(map(visit, ir.blocks(stmt))))
            if seen or (inside and stmt is not loop and isinstance(stmt, ir.For | ir.While)):
                found.update(facts.memories.all_writes(stmt))
            seen |= inside
        return seen

    visit(region)
    return found


def muted(loop: Loop, facts: Facts) -> frozenset[Memory]:
    """Memories that ``loop`` never reads: running it again need not write them."""
    return frozenset(
        memory
        for memory, own in uses(loop.body, facts).items()
        if all(kind is not ir.Touch.READ for kind, _ in own)
    )
