"""Lowering of stacks to growable arrays, which can be differentiated again, and their tops.

    push t, s                  reserve a, top + 1
                               a[top] = s
                               top1 = top + 1

So what pushes and pops can be differentiated: reverse mode takes arrays that loops carry for what a
program replaces, but a growable array for one memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Loop
from mooncake_transpiler.ad.reverse import counting
from mooncake_transpiler.ad.tape.growables import Growables, StackState, States, value_of
from mooncake_transpiler.ad.tape.stacks import StackLowering
from mooncake_transpiler.ir.builder import Builder


def tape_stacks(blocks: Sequence[ir.Block]) -> list[ir.Block]:
    """``blocks``, which run one after the other, with growable arrays in place of stacks."""
    taping = _Taping(blocks)
    return [taping.top_level(block) for block in blocks]


class _Taping(StackLowering):
    def __init__(self, blocks: Sequence[ir.Block]) -> None:
        super().__init__(blocks)
        self._growables = Growables(())  # those of the program stay as they are
        self._growable = self._growables.arrays

    def memory(self, array: ir.Value) -> ir.Alloc:
        return ir.Alloc(array, (ir.ZERO,), growable=True)

    def enlarged(self, array: ir.Atom, size: ir.Atom, b: Builder) -> ir.Value:
        b.add(ir.Reserve(array, size, (), b.origin))
        return value_of(array)

    def push(self, state: StackState, values: Sequence[ir.Atom], b: Builder) -> StackState:
        self.enlarged(state.array, counting.add(state.top, ir.int_const(len(values)), b), b)
        return super().push(state, values, b)

    def loop(self, stmt: Loop, states: States, b: Builder) -> None:
        self.plain_loop(stmt, (), states, b)

    def pushed(self, loop: Loop, states: States, *, direct: bool) -> list[ir.Value]:
        return []
