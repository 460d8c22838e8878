"""The parts of a loop, and its ways out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import (
    EXIT,
    LEFT,
    RETURNED,
    TRUE,
    BoundNames,
    meet,
)
from mooncake_transpiler.frontend.lower.state.flow import Names
from mooncake_transpiler.frontend.lower.state.leaves import atom_of
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.frontend.lower.state.syntax import Stmt, target_names


@dataclass(frozen=True, slots=True)
class Shape:
    """The parts that ``for`` and ``while`` have in common."""

    node: cst.For | cst.While
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    live: Names  # after the loop
    follow: bool

    @property
    def targets(self) -> list[str]:
        return list(target_names(self.node.target)) if isinstance(self.node, cst.For) else []


def latch_names(ctx: Context, shape: Shape) -> Names:
    """The names that are live at the end of an iteration: for the next one, and after the loop."""
    flow = ctx.frame.flow
    head = flow.effect(shape.node).gen
    return head | flow.of(shape.orelse).gen | shape.live | ctx.frame.latch


def finish(
    ctx: Context,
    shape: Shape,
    flags: tuple[Operand, Operand],
    natural: BoundNames,
    broken: BoundNames,
) -> None:
    """``flags``: whether the loop ended early, and whether that was by ``return``."""
    frame = ctx.frame
    exited, returned = atom_of(flags[0]), flags[1]

    def leave(value: Operand) -> None:
        frame.values |= {LEFT: value, EXIT: value, RETURNED: value}

    def early() -> None:
        frame.bound = broken
        leave(TRUE if returned is exited else returned)

    def normal() -> None:
        frame.bound = natural
        leaving.stay(ctx)
        ctx.lower.block(ctx, shape.orelse, shape.live, shape.follow)

    if shape.orelse or not isinstance(exited, ir.Value):
        branches.branch(ctx, exited, early, normal, shape.live | frame.latch, shape.follow)
        return
    frame.bound = meet((natural, broken))
    leave(returned if frame.bound is not None else TRUE)


def stepped(ctx: Context, item: Callable[[], Operand]) -> Operand:
    """The next item of the innermost loop, which learns which dicts it runs over."""
    before, ctx.heap.stepping = ctx.heap.stepping, ctx.frame.loops[-1]
    try:
        return item()
    finally:
        ctx.heap.stepping = before
