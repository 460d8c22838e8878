"""``for`` and ``while``, with ``break``, ``continue``, ``return`` inside, and ``else``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import assignments
from mooncake_transpiler.frontend.lower.array import stores
from mooncake_transpiler.frontend.lower.context import Context, MustUnroll
from mooncake_transpiler.frontend.lower.control import branches, iterables, unroll
from mooncake_transpiler.frontend.lower.control.carried import LoopBody
from mooncake_transpiler.frontend.lower.control.carry import Carrier
from mooncake_transpiler.frontend.lower.control.flow import (
    Jump,
    Names,
    endless,
    walrus_names,
    written,
)
from mooncake_transpiler.frontend.lower.failure import attempts, guards
from mooncake_transpiler.frontend.lower.frame import (
    EXIT,
    FALSE,
    FLAGS,
    LEFT,
    OBJECT,
    RETURNED,
    TRUE,
    Bound,
    LoopExits,
    meet,
)
from mooncake_transpiler.frontend.lower.operands import Operand, Range, name_of
from mooncake_transpiler.frontend.lower.operands import Sequence as Elements
from mooncake_transpiler.frontend.lower.scalar import logic, signs
from mooncake_transpiler.frontend.lower.syntax import (
    Hint,
    Stmt,
    else_body,
    flat,
    target_hint,
    target_names,
)
from mooncake_transpiler.types import INT

MAX_COPIES = 64  # of a loop body that has to be unrolled


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
    over = ctx.lower.expression(ctx, node.iter)
    if not isinstance(over, Range):
        over = iterables.as_sequence(ctx, node.iter, over)
        if over.limit is not None:
            unroll.lower(ctx, node.target, shape, over, over.limit)
            return
    counted, element = _counted(over)
    named = isinstance(over, Range)
    known = _known(counted)
    if known is None or len(known) * ctx.copies > MAX_COPIES:
        _lower_counted(ctx, node, shape, counted, element, named)
        return
    before = ctx.mark()
    ctx.unrollable += 1
    try:
        _lower_counted(ctx, node, shape, counted, element, named)
        return
    except MustUnroll:
        ctx.reset(before)
    finally:
        ctx.unrollable -= 1
    of = iterables.as_sequence(ctx, node.iter, over)
    ctx.copies *= len(known)
    unroll.lower(ctx, node.target, shape, of, len(known))
    ctx.copies = before.copies


def _lower_counted(
    ctx: Context,
    node: cst.For,
    shape: Shape,
    counted: Range,
    element: Callable[[ir.Value, Hint], Operand],
    named: bool,
) -> None:
    """``named``: the target is the index itself."""
    hint = target_hint(node.target)
    index = ir.Value(name_of(hint) if named else "", INT)
    known = _known(counted)
    if known is not None:
        ctx.ranges[index] = known
    if counted.lo == iterables.ZERO and counted.step == iterables.ONE:
        ctx.below[index] = counted.hi
    origin = ctx.builder.origin

    def body() -> None:
        ctx.builder.origin = origin
        assignments.bind(ctx, node.target, element(index, hint))
        ctx.lower.block(ctx, shape.body, ctx.frame.latch, False)

    with signs.inside_loop(ctx, index, counted):
        loop, natural, exits = _lower_body(ctx, shape, body)
    if not known:
        natural = ctx.frame.bound
    ctx.builder.add(
        ir.For(loop.outs, index, counted.lo, counted.hi, counted.step, loop.params, loop.inits,
               loop.block, loop.exits, origin)
    )  # fmt: skip
    _finish(ctx, shape, loop, natural, exits)


def _counted(over: Range | Elements) -> tuple[Range, Callable[[ir.Value, Hint], Operand]]:
    """The range that the index runs over, and the loop variable's value for an index."""
    if isinstance(over, Range):
        return over, lambda index, _: index
    return Range(iterables.ZERO, over.count, iterables.ONE), over.at


def _known(of: Range) -> range | None:
    """The range, where its bounds are known ahead of time."""
    match of.lo, of.hi, of.step:
        case ir.Const(value=int(lo)), ir.Const(value=int(hi)), ir.Const(value=int(step)):
            return range(lo, hi, step)
        case _:
            return None


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
        frame.values |= dict.fromkeys(FLAGS, FALSE)
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
    jumps = ctx.frame.flow.of(body).jumps
    return Jump.BREAK in jumps and (Jump.RETURN in jumps or attempts.active(ctx))


def _changing(ctx: Context, shape: Shape, latch: Names) -> list[str]:
    header = [shape.node.test] if isinstance(shape.node, cst.While) else []
    names: Iterable[str] = [*shape.targets, *written(shape.body), *walrus_names(*header)]
    frame = ctx.frame
    wanted = latch | frame.flow.captured | frame.cells.keys()
    return [frame.variable(name) for name in dict.fromkeys(names) if name in wanted]


def _exported(ctx: Context, shape: Shape) -> Callable[[str], bool]:
    flow = ctx.frame.flow
    names = shape.live | flow.of(shape.orelse).gen | ctx.frame.latch | flow.captured
    return lambda name: name in names or name.startswith(OBJECT)


def _finish(ctx: Context, shape: Shape, loop: LoopBody, natural: Bound, exits: LoopExits) -> None:
    """After the loop: its ``else``, and where control goes on."""
    frame = ctx.frame
    frame.values = dict(loop.after)
    exited, returned = frame.values[EXIT], frame.values[RETURNED]
    returns = Jump.RETURN in frame.flow.of(shape.body).jumps
    if not returns and not attempts.active(ctx):
        returned = FALSE
    ends = [loop.with_exported(bound) for bound in (natural, meet(exits.breaks))]
    finish(ctx, shape, (exited, returned), ends[0], ends[1])


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
        guards.stay(ctx)
        ctx.lower.block(ctx, shape.orelse, shape.live, shape.follow)

    if shape.orelse or not isinstance(exited, ir.Value):
        branches.branch(ctx, exited, early, normal, shape.live | frame.latch, shape.follow)
        return
    frame.bound = meet((natural, broken))
    leave(returned if frame.bound is not None else TRUE)


def lower_while(ctx: Context, node: cst.While, live: Names, follow: bool) -> None:
    before, origin = ctx.mark(), ctx.builder.origin
    try:
        _lower_while(ctx, node, live, follow)
        return
    except MustUnroll as refused:
        why = refused
    ctx.reset(before)
    ctx.builder.origin = origin
    unroll.lower_while(ctx, node, shape_of(node, live, follow), MAX_COPIES // ctx.copies, why)


def _lower_while(ctx: Context, node: cst.While, live: Names, follow: bool) -> None:
    shape = shape_of(node, live, follow)
    origin = ctx.builder.origin
    if walrus_names(node.test):
        _lower_while(ctx, _test_inside(node), live, follow)
        return
    conds: list[ir.Block] = []
    fails: list[bool] = []

    def body() -> None:
        found: list[ir.Atom] = []
        ctx.builder.origin = origin
        known, held = ctx.frame.save(), _held(ctx)
        test = ctx.in_child(
            partial(guards.closed, ctx, lambda: found.append(logic.condition(ctx, node.test)))
        )
        if ctx.frame.values[LEFT] != FALSE:  # it may raise: nothing that a condition can tell
            fails.append(True)
            ctx.frame.restore(known)
            found[:] = [TRUE]
        elif _held(ctx) != held:
            fails.append(True)
        conds[:] = [test.block(found)]
        ctx.lower.block(ctx, shape.body, ctx.frame.latch, False)

    loop, _, exits = _lower_body(ctx, shape, body)
    entry = ctx.frame.bound
    cond = conds[0]
    if fails or any(map(stores.writes, cond.stmts)):  # a condition only reads
        _lower_while(ctx, _test_inside(node), live, follow)
        return
    never = endless(node.test) or cond.yields[0] == TRUE
    ctx.builder.add(
        ir.While(loop.outs, loop.params, loop.inits, cond, loop.block, loop.exits, origin)
    )
    _finish(ctx, shape, loop, None if never else entry, exits)


def _held(ctx: Context) -> dict[str, int]:
    """What objects and variables shared with nested functions hold, to see whether it changes."""
    values = ctx.frame.values
    return {name: id(value) for name, value in values.items() if name.startswith(OBJECT)}


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
