"""Lists in a pool get longer and shorter.

    xs[k].append(v)    becomes    r = xs[k]
                                  if size[r] == room[r]:
                                      move the items to the end of the pool, with room for more
                                  pool[start[r] + size[r]] = v
                                  size[r] += 1

Start, size and room of a list are a row of the pool's spans. Which pools hold such lists is learnt
(``TablePlan.resized``): the spans of the others tell no room.
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.failure import unset_names
from mooncake_transpiler.frontend.lower.memory import ragged
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import growable, pooled
from mooncake_transpiler.frontend.lower.scalar.scalars import compute
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.frontend.lower.state.tabled import Again, learn
from mooncake_transpiler.types import INT

START, SIZE, ROOM = map(ir.int_const, range(3))
TWO = ir.int_const(2)


def append(ctx: Context, node: cst.CSTNode, ref: Ref, value: Operand) -> None:
    """``ref.append(value)``."""
    of = _described(ctx, ref)
    number = pooled.number_for(ctx, node, of, value)
    spans, elements = _memory(ctx, of)
    row = containers.number(of)
    size, room = (ctx.builder.load(spans, (row, what)) for what in (SIZE, ROOM))
    full = compute(ctx, node, "eq", (size, room))
    branches.branch(ctx, full, partial(_move, ctx, of, size), lambda: None, None, True)
    start = ctx.builder.load(spans, (row, START))
    ctx.builder.store(elements, (ctx.builder.compute("add", (start, size), INT),), number)
    ctx.builder.store(spans, (row, SIZE), ctx.builder.compute("add", (size, ir.ONE), INT))


def pop(ctx: Context, node: cst.CSTNode, ref: Ref) -> Operand:
    """``ref.pop()``."""
    of = _described(ctx, ref)
    spans, _ = _memory(ctx, of)
    size = containers.pooled_length(ctx, of)
    some = compute(ctx, node, "gt", (size, ir.ZERO))
    unset_names.require_there(ctx, node, some, "pop from empty list")
    last = ctx.builder.compute("sub", (size, ir.ONE), INT)
    found = pooled.at(ctx, of, last)
    ctx.builder.store(spans, (containers.number(of), SIZE), last)
    return found


def clear(ctx: Context, ref: Ref) -> None:
    """``ref.clear()``."""
    of = _described(ctx, ref)
    spans, _ = _memory(ctx, of)
    ctx.builder.store(spans, (containers.number(of), SIZE), ir.ZERO)


def _described(ctx: Context, ref: Ref) -> Items:
    found = containers.pooled(ctx, ref)
    assert found is not None
    return found


def _memory(ctx: Context, of: Items) -> tuple[ir.Value, ir.Value]:
    """The spans and elements of the pool, whose lists have other lengths from here on."""
    items = containers.items_of(of)
    learn(ctx.heap.plan.resized, items, Again)
    ctx.heap.change_lists(items)
    return ragged.memory_of(containers.pool(ctx, of))


def _move(ctx: Context, of: Items, size: ir.Atom) -> None:
    """Move ``size`` items to the end of the pool, with room for twice as many, and two."""
    table = ctx.heap.pools[containers.items_of(of)]
    about = containers.growing(ctx, table)
    (end,) = growable.ends(about)
    spans, elements = ragged.memory_of(containers.pool(ctx, of))
    row = containers.number(of)
    twice = ctx.builder.compute("mul", (TWO, size), INT)
    room = ctx.builder.compute("add", (twice, TWO), INT)
    top = ctx.builder.compute("add", (end, room), INT)
    ctx.builder.add(ir.Reserve(elements, top, (), ctx.builder.origin))
    start = ctx.builder.load(spans, (row, START))

    def copy(index: ir.Value) -> None:
        source, target = (ctx.builder.compute("add", (at, index), INT) for at in (start, end))
        ctx.builder.store(elements, (target,), ctx.builder.load(elements, (source,)))

    ctx.for_each(size, copy)
    ctx.builder.store(spans, (row, START), end)
    ctx.builder.store(spans, (row, ROOM), room)
    more = growable.about(growable.class_of(about), growable.count(about), (top,))
    ctx.frame.bind(containers.variable(table), more)
