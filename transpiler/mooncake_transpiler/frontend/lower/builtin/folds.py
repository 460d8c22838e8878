"""Running over an iterable to one result: ``sum``, ``any``, ``functools.reduce`` and the like.

What is known item by item is taken apart; everything else becomes a loop.
"""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.container import comprehensions, iterables, lists, selecting
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.merge import eithers
from mooncake_transpiler.frontend.lower.merge.carried_types import Carrier
from mooncake_transpiler.frontend.lower.scalar import signs
from mooncake_transpiler.frontend.lower.scalar.scalars import compute, conjunction, constant
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import EXIT, FALSE, LEFT, RETURNED
from mooncake_transpiler.frontend.lower.state.flow import NO_NAMES, LoopExits
from mooncake_transpiler.frontend.lower.state.leaves import atom_of
from mooncake_transpiler.frontend.lower.state.operands import (
    Conflict,
    Elements,
    Generator,
    IntRange,
    Operand,
)
from mooncake_transpiler.types import INT

Step = Callable[[Operand, Operand], Operand]


def fold(
    ctx: Context, node: cst.CSTNode, over: Operand, first: Operand | None, step: Step, name: str
) -> Operand:
    """``step(... step(step(first, x0), x1) ...)``; without ``first`` it begins with ``x0``."""
    if isinstance(over, Generator):
        return comprehensions.fold(ctx, over, first, step, name)
    if (known := lists.one_by_one(ctx, node, over)) is not None:
        found = first
        for item in known:
            found = item if found is None else _stepped(ctx, step, found, item)
        if found is None:
            raise ctx.refuse(node, "MK303", f"{name} of nothing")
        return found
    of = iterables.as_sequence(ctx, node, over)
    start = ir.ZERO
    if first is None:
        _check_not_empty(ctx, node, of, name)
        first, start = of.at(ir.ZERO, ""), ir.ONE
    return _loop(ctx, node, of, start, first, step)


def _check_not_empty(ctx: Context, node: cst.CSTNode, of: Elements, name: str) -> None:
    kind = "TypeError" if name == "reduce" else "ValueError"
    words = "reduce() of empty iterable with no initial value"
    message = words if name == "reduce" else f"{name}() iterable argument is empty"
    holds = compute(ctx, node, "ge", (of.count, ir.ONE))
    selecting.require(ctx, node, holds, kind, message)


def _loop(
    ctx: Context, node: cst.CSTNode, of: Elements, start: ir.Atom, first: Operand, step: Step
) -> Operand:
    frame, name = ctx.frame, ctx.temporary()
    frame.bind(name, delayed.settle(ctx, first))

    def body(index: ir.Value) -> None:
        old = frame.values[name]
        frame.bind(name, _stepped(ctx, step, old, of.at(index, "")))

    _run(ctx, [name], of, start, body)
    found = frame.values.pop(name)
    if isinstance(found, Conflict):
        message = f"the result changes its type from one item to the next: {found.reason}"
        raise ctx.refuse(node, "MK212", message)
    return found


def _stepped(ctx: Context, step: Step, old: Operand, item: Operand) -> Operand:
    return delayed.settle(ctx, eithers.split(ctx, old, lambda one: step(one, item)))


def _run(
    ctx: Context, names: list[str], of: Elements, start: ir.Atom, body: Callable[[ir.Value], None]
) -> None:
    """A loop over the items from ``start`` on; ``body`` lowers an iteration."""
    frame, index, origin = ctx.frame, ir.Value("", INT), ctx.builder.origin
    exits = LoopExits(NO_NAMES, False)

    def iteration() -> None:
        frame.values |= {LEFT: FALSE, EXIT: FALSE, RETURNED: FALSE}
        ctx.builder.origin = origin
        body(index)

    frame.loops.append(exits)
    counted = IntRange(start, of.count, ir.ONE)
    try:
        with signs.inside_loop(ctx, index, counted):
            loop = Carrier(ctx, names, lambda name: name in names).run(iteration)
    finally:
        frame.loops.pop()
    ctx.builder.add(
        ir.For(loop.outs, index, start, of.count, ir.ONE, loop.params, loop.inits,
               loop.block, loop.exits, origin)
    )  # fmt: skip
    frame.values = dict(loop.after)


def any_of(ctx: Context, node: cst.CSTNode, over: Operand, wanted: bool) -> ir.Atom:
    """``any(over)``; with ``wanted`` False whether any item is false: ``not all(over)``."""
    if isinstance(over, Generator):
        return comprehensions.any_of(ctx, over, wanted)
    if (known := lists.one_by_one(ctx, node, over)) is not None:
        missed: ir.Atom = constant(True)
        for item in known:
            missed = conjunction(ctx, missed, _is(ctx, node, item, not wanted))
        return compute(ctx, node, "not", (missed,))
    of = iterables.as_sequence(ctx, node, over)
    flags = {flag: ctx.frame.values[flag] for flag in (LEFT, EXIT, RETURNED)}

    def body(index: ir.Value) -> None:
        ctx.frame.values[EXIT] = _is(ctx, node, of.at(index, ""), wanted)

    _run(ctx, [], of, ir.ZERO, body)
    found = atom_of(ctx.frame.values[EXIT])
    ctx.frame.values |= flags
    return found


def _is(ctx: Context, node: cst.CSTNode, item: Operand, wanted: bool) -> ir.Atom:
    found = protocols.truth(ctx, node, item)
    return found if wanted else compute(ctx, node, "not", (found,))


def mapped(ctx: Context, node: cst.Call, function: Operand, columns: list[Operand]) -> Operand:
    """``map(function, *columns)``: the calls happen as the items are asked for."""
    rows = columns[0] if len(columns) == 1 else iterables.zipped(ctx, node, columns)
    of = iterables.as_sequence(ctx, node, rows)

    def at(k: ir.Atom, hint: object) -> Operand:
        if of.limit is not None and not isinstance(k, ir.Const):
            message = "map: the items are told apart at run time only"
            raise ctx.unroll(node, "MK342", message, "write the loop over the items")
        row = of.at(k, "")
        args = (row,) if len(columns) == 1 else lists.one_by_one(ctx, node, row)
        assert args is not None
        return ctx.lower.call(ctx, node, function, args)

    return Elements(of.count, at, of.limit, of.done)
