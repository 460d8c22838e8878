"""Legality of schedules: statements that may be fused with their reverse, loops that may be rerun.

*Fused*: forward and reverse of one iteration run back to back, so nothing is saved. The cotangents
that the iteration needs must be known (the schedule sees to that), the same in every iteration
(its carried floats are accumulators), and the iterations must not meet in a shadow.

*Rerun*: the reversed iteration first runs the body again. Whatever it reads must be there again:
values bound outside, memory that is not overwritten, or private work arrays.
"""

from __future__ import annotations

from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.accumulators import accumulators
from mooncake_transpiler.ad.fact.facts import Facts, Loop
from mooncake_transpiler.ad.fact.privatisation import is_private
from mooncake_transpiler.analysis.dataflow import Touched
from mooncake_transpiler.analysis.memory import Memory
from mooncake_transpiler.types import Array

_DEEPEST = 100  # levels of indentation in a module of Python


def fusable(stmt: ir.Stmt, facts: Facts) -> bool:
    """True if ``stmt`` may be fused with its own reverse, as far as it alone decides."""
    if not facts.is_active(stmt) or _puts_back(stmt, facts) or _grows(stmt, facts):
        return False
    match stmt:
        case ir.If():
            return True
        case ir.For() | ir.While():
            through = accumulators(stmt, facts.activity, facts.linear)
            return through.issuperset(facts.carried(stmt)) and all(
                _shadow_is_order_free(stmt, memory, found, facts)
                for memory, found in facts.dataflow.inside(stmt.body).items()
                if facts.activity.active_memory(memory)
            )
        case _:
            return False


def _grows(stmt: ir.Stmt, facts: Facts) -> bool:
    """True if an array from outside of ``stmt`` gets longer in it: its shadow is made before that.

    So it would be as long as the array was before.
    """
    inside = [inner for block in ir.blocks(stmt) for inner in ir.walk(block)]
    own = {out for inner in inside for out in ir.outs(inner)}
    grown = (array for inner in inside for array in ir.grown(inner))
    return any(
        not own.issuperset(memory.roots) and facts.activity.active_memory(memory)
        for memory in map(facts.memories.of, grown)
    )


def _puts_back(stmt: ir.Stmt, facts: Facts) -> bool:
    """True if the reverse of ``stmt`` undoes what it writes to arrays that others see.

    So it is with arguments of calls that run again. What comes next in the forward sweep needs what
    was written.
    """
    inside = list(ir.nested(stmt))
    own = {out for inner in inside for out in ir.outs(inner)}
    written = set(facts.memories.all_writes(stmt))
    for call in inside:
        for k, _ in facts.snapshots.get(call, ()):
            memory = facts.memories.of(ir.operands(call)[k])
            if memory in written and not own.issuperset(memory.roots):
                return True
    return False


def _shadow_is_order_free(loop: Loop, memory: Memory, found: Touched, facts: Facts) -> bool:
    if found.is_read_only:
        return True
    if None in found.accesses:
        return False
    if found.kinds == {ir.Touch.ADD}:
        return True
    if isinstance(loop, ir.For) and facts.dataflow.is_split(memory, found, (loop,)):
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
    touched = facts.dataflow.inside(block).get(memory)
    return 0 if touched is None else touched.reads


def _escapes(memory: Memory, facts: Facts) -> bool:
    """True if the result of the function holds ``memory``."""
    return any(
        isinstance(a.type, Array) and facts.memories.of(a) is memory for a in facts.func.body.yields
    )


@dataclass(frozen=True, slots=True)
class Later:
    """The memories that a region writes behind one of its statements, or in a loop around it."""

    last: dict[Memory, int]  # the last statement of the block that writes each
    at: int  # where in the block the statement is
    around: Later | None = None  # the same of the statement that the block stands in
    looping: frozenset[Memory] = frozenset()  # what that writes, if it is a loop

    def __contains__(self, memory: Memory) -> bool:
        if self.last.get(memory, -1) > self.at or memory in self.looping:
            return True
        return self.around is not None and memory in self.around


def last_writes(block: ir.Block, facts: Facts) -> dict[Memory, int]:
    """For each memory that ``block`` writes the last of its statements that does."""
    return {m: k for k, s in enumerate(block.stmts) for m in facts.memories.all_writes(s)}


def rerunnable(loop: Loop, later: Later, facts: Facts) -> bool:
    """True if reversing ``loop`` by running its body again is possible, and worth while.

    ``later`` is what is written behind it in the forward sweep that ends before it is reversed.
    """
    if isinstance(loop, ir.While):
        return False
    found = facts.dataflow.inside(loop.body)
    private = set()
    for memory, own in found.items():
        if not own.is_read_only and None in own.accesses:
            return False
        if ir.Touch.READ not in own.kinds:
            continue  # never read: muted when the body runs again
        if own.is_read_only:
            if memory in later:
                return False
            continue
        if not _is_private(loop, memory, facts):
            return False
        private.add(memory)
    return any(m.dtype.is_differentiable for m in private) or _allocates(loop, facts)


def _allocates(loop: Loop, facts: Facts) -> bool:
    return any(facts.activity.active(v) for s in ir.walk(loop.body) for v in ir.produced(s))


def muted(loop: Loop, facts: Facts) -> frozenset[Memory]:
    """Memories that ``loop`` never reads: running it again need not write them."""
    return frozenset(
        memory
        for memory, own in facts.dataflow.inside(loop.body).items()
        if ir.Touch.READ not in own.kinds
    )


def check_depth(block: ir.Block, facts: Facts, depth: int = 0) -> None:
    """Check, before the work is done, that Python can take the reverse sweep of ``block``.

    What is early returns in the source is a nest there.
    """
    if depth > _DEEPEST:
        raise RecursionError("too many levels of indentation")
    for stmt in filter(facts.is_active, block.stmts):
        for inner in ir.blocks(stmt):
            check_depth(inner, facts, depth + 1)
