"""Loops over tuples and lists: one copy of the body per item."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import assignments, branches, loops, statements
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.frame import (
    EXIT,
    FALSE,
    FLAGS,
    RETURNED,
    TRUE,
    Bound,
    LoopExits,
    meet,
)
from mooncake_transpiler.frontend.lower.operands import Sequence
from mooncake_transpiler.frontend.lower.scalars import compute
from mooncake_transpiler.frontend.lower.syntax import Hint, target_hint

if TYPE_CHECKING:
    from mooncake_transpiler.frontend.lower.loops import Shape


@dataclass(slots=True)
class Unrolled:
    """A loop that becomes ``count`` copies of its body; of the last ones some may not run."""

    ctx: Context
    target: cst.BaseExpression
    shape: Shape
    over: Sequence
    count: int
    exits: LoopExits
    hint: Hint
    natural: list[Bound] = field(default_factory=list)

    def copies(self, start: int) -> None:
        """The copies from number ``start`` on, until control leaves the loop."""
        for k in range(start, self.count):
            exists = compute(self.ctx, self.target, "lt", (ir.int_const(k), self.over.count))
            if isinstance(exists, ir.Const):
                if not exists.value:
                    break
            else:
                branches.branch(
                    self.ctx, exists, partial(self._from, k), self._end, self.exits.latch, False
                )
                return
            if not self._copy(k):
                return
        self._end()

    def _from(self, k: int) -> None:
        if self._copy(k):
            self.copies(k + 1)

    def _end(self) -> None:
        if self.over.done is not None:
            self.over.done()
        self.natural.append(self.ctx.frame.bound)

    def _copy(self, k: int) -> bool:
        """One copy; whether the next one follows right behind it."""
        ctx, frame, exits = self.ctx, self.ctx.frame, self.exits
        exits.continues.clear()
        frame.values |= dict.fromkeys(FLAGS, FALSE)
        assignments.bind(ctx, self.target, self.over.at(ir.int_const(k), self.hint))
        statements.lower_list(ctx, self.shape.body, exits.latch, False)
        frame.bound = meet((frame.bound, *exits.continues))
        exited = frame.values[EXIT]
        if exited == FALSE and frame.bound is not None:
            return True
        if isinstance(exited, ir.Value):
            more = partial(self.copies, k + 1)
            branches.branch(ctx, exited, partial(_stay, ctx), more, exits.latch, False)
        return False


def lower(
    ctx: Context, target: cst.BaseExpression, shape: Shape, over: Sequence, count: int
) -> None:
    """``for target in (a, b, c)``, for ``count`` items at most."""
    frame = ctx.frame
    exits = LoopExits(loops.latch_names(ctx, shape), True)
    frame.loops.append(exits)
    loop = Unrolled(ctx, target, shape, over, count, exits, target_hint(target))
    try:
        loop.copies(0)
    finally:
        frame.loops.pop()
    flags = frame.values[EXIT], frame.values[RETURNED]
    loops.finish(ctx, shape, flags, meet(loop.natural), meet(exits.breaks))


def _stay(ctx: Context) -> None:
    ctx.frame.values[EXIT] = TRUE
    ctx.frame.bound = None
