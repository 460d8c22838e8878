"""Loops over tuples and lists: one copy of the body per item."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.control import exits
from mooncake_transpiler.frontend.lower.control.exits import Shape, latch_names, stepped
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.operation import logic, targets
from mooncake_transpiler.frontend.lower.scalar.scalars import compute
from mooncake_transpiler.frontend.lower.state.context import Context, MustUnroll
from mooncake_transpiler.frontend.lower.state.flags import (
    EXIT,
    FALSE,
    FLAGS,
    RETURNED,
    TRUE,
    BoundNames,
    meet,
)
from mooncake_transpiler.frontend.lower.state.flow import LoopExits
from mooncake_transpiler.frontend.lower.state.operands import Elements
from mooncake_transpiler.frontend.lower.state.syntax import target_hint


@dataclass(slots=True)
class Unrolled:
    """A loop that becomes ``limit`` copies of its body at most.

    ``exists`` tells whether the copy with a number runs, and ``begin`` what it starts with.
    """

    ctx: Context
    shape: Shape
    exits: LoopExits
    limit: int
    exists: Callable[[int], ir.Atom]
    begin: Callable[[int], None]
    done: Callable[[], None]
    natural: list[BoundNames] = field(default_factory=list)

    def run(self) -> None:
        frame = self.ctx.frame
        frame.loops.append(self.exits)
        try:
            self.copies(0)
        finally:
            frame.loops.pop()
        flags = frame.values[EXIT], frame.values[RETURNED]
        exits.finish(self.ctx, self.shape, flags, meet(self.natural), meet(self.exits.breaks))

    def copies(self, start: int) -> None:
        """The copies from number ``start`` on, until control leaves the loop."""
        for k in range(start, self.limit):
            exists = self.exists(k)
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
        self.done()
        self.natural.append(self.ctx.frame.bound)

    def _copy(self, k: int) -> bool:
        """One copy; whether the next one follows right behind it."""
        ctx, frame, exits = self.ctx, self.ctx.frame, self.exits
        exits.continues.clear()
        frame.values |= dict.fromkeys(FLAGS, FALSE)
        self.begin(k)
        ctx.lower.block(ctx, self.shape.body, exits.latch, False)
        frame.bound = meet((frame.bound, *exits.continues))
        exited = frame.values[EXIT]
        if exited == FALSE and frame.bound is not None:
            return True
        if isinstance(exited, ir.Value):
            more = partial(self.copies, k + 1)
            branches.branch(ctx, exited, partial(_stay, ctx), more, exits.latch, False)
        return False


def lower(
    ctx: Context, target: cst.BaseExpression, shape: Shape, over: Elements, count: int
) -> None:
    """``for target in (a, b, c)``, for ``count`` items at most."""
    hint = target_hint(target)

    def exists(k: int) -> ir.Atom:
        return compute(ctx, target, "lt", (ir.int_const(k), over.count))

    def begin(k: int) -> None:
        targets.bind(ctx, target, stepped(ctx, partial(over.at, ir.int_const(k), hint)))

    exits = LoopExits(latch_names(ctx, shape), True)
    done = over.done or (lambda: None)
    Unrolled(ctx, shape, exits, count, exists, begin, done).run()


def lower_while(ctx: Context, node: cst.While, shape: Shape, limit: int, why: MustUnroll) -> None:
    """``while`` whose condition is known ahead of time in each iteration; else ``why``."""

    def exists(k: int) -> ir.Atom:
        test = logic.condition(ctx, node.test)
        if not isinstance(test, ir.Const) or (test.value and k == limit):
            raise why
        return test

    exits = LoopExits(latch_names(ctx, shape), True)
    Unrolled(ctx, shape, exits, limit + 1, exists, lambda k: None, lambda: None).run()


def _stay(ctx: Context) -> None:
    ctx.frame.values[EXIT] = TRUE
    ctx.frame.bound = None
