"""``for`` and ``while``, with ``break``, ``continue``, ``return`` inside, and ``else``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import (
    assignments,
    branches,
    expressions,
    iterables,
    logic,
    statements,
    stores,
    unroll,
)
from mooncake_transpiler.frontend.lower.carry import Carrier, LoopBody
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.flow import Jump, Names, endless, walrus_names, written
from mooncake_transpiler.frontend.lower.frame import (
    EXIT,
    FALSE,
    LEFT,
    RESULT,
    RETURNED,
    TRUE,
    Bound,
    LoopExits,
    meet,
)
from mooncake_transpiler.frontend.lower.operands import Items, Operand, Range, name_of
from mooncake_transpiler.frontend.lower.syntax import (
    Hint,
    Stmt,
    else_body,
    flat,
    target_hint,
    target_names,
)
from mooncake_transpiler.types import INT


@dataclass(frozen=True, slots=True)
class Shape:
    """What ``for`` and ``while`` have in common."""

    node: cst.For | cst.While
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    live: Names  # after the loop
    follow: bool

    @property
    def targets(self) -> list[str]:
        return list(target_names(self.node.target)) if isinstance(self.node, cst.For) else []


def shape_of(node: cst.For | cst.While, live: Names, follow: bool) -> Shape:
    return Shape(node, flat(node.body), else_body(node.orelse), live, follow)


def lower_for(ctx: Context, node: cst.For, live: Names, follow: bool) -> None:
    if node.asynchronous is not None:
        raise ctx.refuse(node, "MK110", "`async for` is not supported")
    shape = shape_of(node, live, follow)
    over = expressions.lower(ctx, node.iter)
    if isinstance(over, Items):
        unroll.lower(ctx, node.target, shape, over)
        return
    counted, element = _counted(ctx, node, over)
    hint = target_hint(node.target)
    index = ir.Value(name_of(hint) if isinstance(over, Range) else "", INT)
    origin = ctx.builder.origin

    def body() -> None:
        ctx.builder.origin = origin
        assignments.bind(ctx, node.target, element(index, hint))
        statements.lower_list(ctx, shape.body, ctx.frame.latch, False)

    loop, natural, exits = _lower_body(ctx, shape, body)
    if not _runs(counted):
        natural = ctx.frame.bound
    ctx.builder.add(
        ir.For(loop.outs, index, counted.lo, counted.hi, counted.step, loop.params, loop.inits,
               loop.block, loop.exits, origin)
    )  # fmt: skip
    _finish(ctx, shape, loop, natural, exits)


def _counted(
    ctx: Context, node: cst.For, over: Operand
) -> tuple[Range, Callable[[ir.Value, Hint], Operand]]:
    """The range that the index runs over, and the loop variable's value for an index."""
    if isinstance(over, Range):
        return over, lambda index, _: index
    of = iterables.as_sequence(ctx, node.iter, over)
    return Range(iterables.ZERO, of.count, iterables.ONE), of.at


def _runs(of: Range) -> bool:
    """Whether a loop over the range certainly has an iteration."""
    match of.lo, of.hi, of.step:
        case ir.Const(value=int(lo)), ir.Const(value=int(hi)), ir.Const(value=int(step)):
            return len(range(lo, hi, step)) > 0
        case _:
            return False


def _lower_body(
    ctx: Context, shape: Shape, body: Callable[[], None]
) -> tuple[LoopBody, Bound, LoopExits]:
    """The body, lowered; what is bound at the end of an iteration; and its exits."""
    frame = ctx.frame
    exits = LoopExits(latch_names(ctx, shape), _mixed(ctx, shape.body))
    carrier = Carrier(ctx, _changing(ctx, shape, exits.latch), _exported(ctx, shape))
    normal: list[Bound] = []

    def iteration() -> None:
        exits.breaks.clear()
        exits.continues.clear()
        frame.values |= {LEFT: FALSE, EXIT: FALSE, RETURNED: FALSE}
        body()
        normal[:] = [frame.bound]

    frame.loops.append(exits)
    try:
        loop = carrier.run(iteration)
    finally:
        frame.loops.pop()
    return loop, meet([*normal, *exits.continues]), exits


def latch_names(ctx: Context, shape: Shape) -> Names:
    """What is live at the end of an iteration: for the next one, and after the loop."""
    flow = ctx.frame.flow
    head = flow.effect(shape.node).gen
    return head | flow.of(shape.orelse).gen | shape.live | ctx.frame.latch


def _mixed(ctx: Context, body: Sequence[Stmt]) -> bool:
    return {Jump.BREAK, Jump.RETURN} <= ctx.frame.flow.of(body).jumps


def _changing(ctx: Context, shape: Shape, latch: Names) -> list[str]:
    header = [shape.node.test] if isinstance(shape.node, cst.While) else []
    names: Iterable[str] = [*shape.targets, *written(shape.body), *walrus_names(*header)]
    wanted = latch | ctx.frame.flow.captured
    return [name for name in dict.fromkeys(names) if name in wanted]


def _exported(ctx: Context, shape: Shape) -> Callable[[str], bool]:
    flow = ctx.frame.flow
    names = shape.live | flow.of(shape.orelse).gen | ctx.frame.latch | flow.captured
    return lambda name: name in names


def _finish(ctx: Context, shape: Shape, loop: LoopBody, natural: Bound, exits: LoopExits) -> None:
    """After the loop: its ``else``, and where control goes on."""
    frame = ctx.frame
    frame.values = dict(loop.after)
    exited, returned = frame.values[EXIT], frame.values[RETURNED]
    returns = Jump.RETURN in frame.flow.of(shape.body).jumps
    if not returns:
        returned = FALSE
    finish(ctx, shape, (exited, returned), natural, meet(exits.breaks))


def finish(
    ctx: Context,
    shape: Shape,
    flags: tuple[Operand, Operand],
    natural: Bound,
    broken: Bound,
) -> None:
    """``flags``: whether the loop ended early, and whether that was by ``return``."""
    frame = ctx.frame
    exited, returned = flags
    assert isinstance(exited, ir.Value | ir.Const)

    def leave(value: Operand) -> None:
        frame.values |= {LEFT: value, EXIT: value, RETURNED: value}

    def early() -> None:
        frame.bound = broken
        leave(TRUE if returned is exited else returned)

    def normal() -> None:
        frame.bound = natural
        frame.values.pop(RESULT, None)
        leave(FALSE)
        statements.lower_list(ctx, shape.orelse, shape.live, shape.follow)

    if shape.orelse or not isinstance(exited, ir.Value):
        branches.branch(ctx, exited, early, normal, shape.live | frame.latch, shape.follow)
        return
    frame.bound = meet((natural, broken))
    leave(returned if frame.bound is not None else TRUE)


def lower_while(ctx: Context, node: cst.While, live: Names, follow: bool) -> None:
    shape = shape_of(node, live, follow)
    origin = ctx.builder.origin
    if walrus_names(node.test):
        lower_while(ctx, _test_inside(node), live, follow)
        return
    conds: list[ir.Block] = []

    def body() -> None:
        found: list[ir.Atom] = []
        ctx.builder.origin = origin
        test = ctx.in_child(lambda: found.append(logic.condition(ctx, node.test)))
        conds[:] = [test.block(found)]
        statements.lower_list(ctx, shape.body, ctx.frame.latch, False)

    entry = ctx.frame.bound
    loop, _, exits = _lower_body(ctx, shape, body)
    cond = conds[0]
    if any(map(stores.writes, cond.stmts)):  # a condition only reads
        lower_while(ctx, _test_inside(node), live, follow)
        return
    never = endless(node.test) or cond.yields[0] == TRUE
    ctx.builder.add(
        ir.While(loop.outs, loop.params, loop.inits, cond, loop.block, loop.exits, origin)
    )
    _finish(ctx, shape, loop, None if never else entry, exits)


def _test_inside(node: cst.While) -> cst.While:
    """``while True: if not test: <else>; break; <body>``: the test runs in the body."""
    leave = cst.SimpleStatementLine([cst.Break()])
    orelse = node.orelse.body.body if node.orelse is not None else ()
    test = cst.UnaryOperation(cst.Not(), node.test)
    check = cst.If(test, cst.IndentedBlock([*_lines(orelse), leave]))
    body = cst.IndentedBlock([check, *_lines(node.body.body)])
    return cst.While(cst.Name("True"), body)


def _lines(stmts: Sequence[cst.BaseStatement | cst.BaseSmallStatement]) -> list[cst.BaseStatement]:
    return [
        cst.SimpleStatementLine([stmt]) if isinstance(stmt, cst.BaseSmallStatement) else stmt
        for stmt in stmts
    ]
