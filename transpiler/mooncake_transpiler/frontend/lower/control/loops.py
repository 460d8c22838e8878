"""``for`` and ``while``, with ``break``, ``continue``, ``return`` inside, and ``else``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.builtin import lazily
from mooncake_transpiler.frontend.lower.container import iterables
from mooncake_transpiler.frontend.lower.control import unroll, yielded
from mooncake_transpiler.frontend.lower.control.exits import Shape, finish, latch_names, stepped
from mooncake_transpiler.frontend.lower.failure import optional, throwing
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.merge import branches, eithers
from mooncake_transpiler.frontend.lower.merge.carried import LoopBody
from mooncake_transpiler.frontend.lower.merge.carried_types import Carrier
from mooncake_transpiler.frontend.lower.operation import logic, targets, updates
from mooncake_transpiler.frontend.lower.scalar import signs
from mooncake_transpiler.frontend.lower.state.context import Context, MustUnroll
from mooncake_transpiler.frontend.lower.state.flags import (
    EXIT,
    FALSE,
    FLAGS,
    LEFT,
    RETURNED,
    TRUE,
    BoundNames,
    flag_of,
    is_cell,
    meet,
)
from mooncake_transpiler.frontend.lower.state.flow import (
    Jump,
    LoopExits,
    Names,
    endless,
    unset_in,
    walrus_names,
    written,
)
from mooncake_transpiler.frontend.lower.state.leaves import name_of
from mooncake_transpiler.frontend.lower.state.operands import Elements, Generator, IntRange, Operand
from mooncake_transpiler.frontend.lower.state.syntax import Hint, Stmt, else_body, flat, target_hint
from mooncake_transpiler.types import INT

MAX_COPIES = 64  # of a loop body that has to be unrolled


def shape_of(node: cst.For | cst.While, live: Names, follow: bool) -> Shape:
    return Shape(node, flat(node.body), else_body(node.orelse), live, follow)


def lower_for(ctx: Context, node: cst.For, live: Names, follow: bool) -> None:
    if node.asynchronous is not None:
        raise ctx.refuse(node, "MK110", "`async for` is not supported")
    shape = shape_of(node, live, follow)
    over = ctx.lower.expression(ctx, node.iter)
    over = protocols.iterable(ctx, node.iter, over)
    over = over.kept() if isinstance(over, Generator) else over
    if not isinstance(over, IntRange | Generator):
        over = iterables.as_sequence(ctx, node.iter, over)
    is_endless = isinstance(over, Elements) and over.count == iterables.ENDLESS
    over = lazily.endless(ctx, over) if isinstance(over, Elements) and is_endless else over
    if isinstance(over, Generator):
        yielded.lower(ctx, node, shape, over, is_endless=is_endless)
        return
    if isinstance(over, Elements) and over.limit is not None:
        unroll.lower(ctx, node.target, shape, over, over.limit)
        return
    counted, element = _counted(over)
    named = isinstance(over, IntRange)
    known = _known(counted)
    if known is None or len(known) * ctx.copies > MAX_COPIES:
        _lower_counted(ctx, node, shape, counted, element, named)
        _done(over)
        return
    before = ctx.mark()
    if node not in ctx.growing:  # else it must be unrolled: trying at each level takes 2^levels
        ctx.unrollable += 1
        try:
            _lower_counted(ctx, node, shape, counted, element, named)
            _done(over)
            return
        except MustUnroll:
            ctx.reset(before)
        finally:
            ctx.unrollable -= 1
    of = iterables.as_sequence(ctx, node.iter, over)
    ctx.copies *= len(known)
    unroll.lower(ctx, node.target, shape, of, len(known))
    ctx.copies = before.copies


def _done(over: IntRange | Elements) -> None:
    if isinstance(over, Elements) and over.done is not None:
        over.done()


def _lower_counted(
    ctx: Context,
    node: cst.For,
    shape: Shape,
    counted: IntRange,
    element: Callable[[ir.Value, Hint], Operand],
    named: bool,
) -> None:
    """``named``: the target is the index itself."""
    hint = target_hint(node.target)
    index = ir.Value(name_of(hint) if named else "", INT)
    known = _known(counted)
    if known is not None:
        ctx.numbers.ranges[index] = known
    if counted.lo == ir.ZERO and counted.step == ir.ONE:
        ctx.numbers.below[index] = counted.hi
    origin = ctx.builder.origin

    def body() -> None:
        ctx.builder.origin = origin
        targets.bind(ctx, node.target, stepped(ctx, partial(element, index, hint)))
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


def _counted(over: IntRange | Elements) -> tuple[IntRange, Callable[[ir.Value, Hint], Operand]]:
    """The range that the index runs over, and the loop variable's value for an index."""
    if isinstance(over, IntRange):
        return over, lambda index, _: index
    return IntRange(ir.ZERO, over.count, ir.ONE), over.at


def _known(of: IntRange) -> range | None:
    """The range, where its bounds are known ahead of time."""
    match of.lo, of.hi, of.step:
        case ir.Const(value=int(lo)), ir.Const(value=int(hi)), ir.Const(value=int(step)):
            return range(lo, hi, step)
        case _:
            return None


def _lower_body(
    ctx: Context, shape: Shape, body: Callable[[], None]
) -> tuple[LoopBody, BoundNames, LoopExits]:
    """The body, lowered; what is bound at the end of an iteration; and its exits."""
    frame = ctx.frame
    sets = frozenset([*shape.targets, *written(shape.body)])
    exits = LoopExits(latch_names(ctx, shape), _mixed(ctx, shape.body), sets)
    exits.began = ctx.temporaries
    exits.early = bool(frame.flow.of(shape.body).jumps & {Jump.BREAK, Jump.RETURN})
    if frame.bound is not None:
        frame.bound -= {frame.variable(name) for name in unset_in(shape.body)}
    changing, again = _changing(ctx, shape, exits.latch), frame.flow.effect(shape.node).gen
    again = again.union(frame.cells.values(), ctx.pushed)
    carrier = Carrier(ctx, changing, _exported(ctx, shape), again)
    normal: list[BoundNames] = []

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
    natural = meet([*normal, *exits.continues])
    loop.held = loop.fields_in(meet([natural, *exits.breaks]))
    return loop, natural, exits


def _mixed(ctx: Context, body: Sequence[Stmt]) -> bool:
    jumps = ctx.frame.flow.of(body).jumps
    return Jump.BREAK in jumps and (Jump.RETURN in jumps or throwing.active(ctx))


def _changing(ctx: Context, shape: Shape, latch: Names) -> list[str]:
    header = [shape.node.test] if isinstance(shape.node, cst.While) else []
    names: Iterable[str] = [*shape.targets, *written(shape.body), *walrus_names(*header)]
    frame = ctx.frame
    wanted = latch | frame.flow.captured | frame.cells.keys()
    found = [frame.variable(name) for name in dict.fromkeys(names) if name in wanted]
    found += [name for name in ctx.pushed if name not in frame.values]
    return [*found, *(flag for flag in map(flag_of, found) if flag in frame.values)]


def _exported(ctx: Context, shape: Shape) -> Callable[[str], bool]:
    flow = ctx.frame.flow
    names = shape.live | flow.of(shape.orelse).gen | ctx.frame.latch | flow.captured
    return lambda name: name in names or is_cell(name)


def _finish(
    ctx: Context, shape: Shape, loop: LoopBody, natural: BoundNames, exits: LoopExits
) -> None:
    """After the loop: its ``else``, and where control goes on."""
    frame = ctx.frame
    frame.values = dict(loop.after)
    exited, returned = frame.values[EXIT], frame.values[RETURNED]
    returns = Jump.RETURN in frame.flow.of(shape.body).jumps
    if not returns and not throwing.active(ctx):
        returned = FALSE
    ends = [loop.with_exported(bound) for bound in (natural, meet(exits.breaks))]
    # Who has an object that the body makes has come through it: its name is tested.
    natural, broken = (None if bound is None else bound | loop.held for bound in ends)
    finish(ctx, shape, (exited, returned), natural, broken)


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
    if walrus_names(node.test) or eithers.reads(ctx, node.test):
        _lower_while(ctx, _test_inside(node), live, follow)
        return
    conds: list[ir.Block] = []
    fails: list[bool] = []

    def body() -> None:
        found: list[ir.Atom] = []
        ctx.builder.origin = origin
        known, held = ctx.frame.save(), _held(ctx)
        if eithers.reads(ctx, node.test):
            fails.append(True)
            return
        test = ctx.in_child(
            partial(branches.closed, ctx, lambda: found.append(logic.condition(ctx, node.test)))
        )
        if ctx.frame.values[LEFT] != FALSE:  # it may raise: nothing that a condition can tell
            fails.append(True)
            ctx.frame.restore(known)
            found[:] = [TRUE]
        elif _held(ctx) != held:
            fails.append(True)
        conds[:] = [test.block(found)]
        if fails or found != [FALSE]:  # else nothing that is known so far gets here
            lower = partial(ctx.lower.block, ctx, shape.body, ctx.frame.latch, False)
            optional.narrowed(ctx, found[0], True, lower)()

    loop, _, exits = _lower_body(ctx, shape, body)
    entry, cond = ctx.frame.bound, conds[0]
    if fails or any(map(updates.writes, cond.stmts)):  # a condition only reads
        _lower_while(ctx, _test_inside(node), live, follow)
        return
    never = endless(node.test) or cond.yields[0] == TRUE
    ctx.builder.add(
        ir.While(loop.outs, loop.params, loop.inits, cond, loop.block, loop.exits, origin)
    )
    _finish(ctx, shape, loop, None if never else entry, exits)


def _held(ctx: Context) -> dict[str, int]:
    """A fingerprint of what objects and variables shared with nested functions hold."""
    values = ctx.frame.values
    return {name: id(value) for name, value in values.items() if is_cell(name)}


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
