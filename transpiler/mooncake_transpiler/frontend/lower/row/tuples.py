"""Tuples that lists in pools hold: they are numbers, their items in a list that grows.

    adj[u].append((v, w))    becomes    edges_0[n], edges_1[n] = v, w
                                        pool[start[u] + size[u]] = n

Nobody can change a tuple, so it does not matter that each one is written down once.
"""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.memory import ragged, storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import (
    growable,
    growing,
    item_kinds,
    optional_items,
    rows,
)
from mooncake_transpiler.frontend.lower.scalar.scalars import compute
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import atom_of, type_of, undefined
from mooncake_transpiler.frontend.lower.state.operands import Choice, Items, Operand
from mooncake_transpiler.frontend.lower.state.own_kinds import Held, PoolItem, Ragged, Rowed, Tupled
from mooncake_transpiler.frontend.lower.state.tabled import ROW, Again
from mooncake_transpiler.types import INT, ClassRef, Scalar, StructKind, Tuple, leaves


def begin(ctx: Context) -> None:
    """Make the lists of the plan: they are empty."""
    for k, item in enumerate(ctx.heap.plan.tuples):
        ctx.heap.tuples[Tupled(k)] = growing.empty(ctx, item, [], "tuple")


def is_possible(value: Operand) -> bool:
    """True for a tuple of numbers, which may be in tuples, or an object of several classes."""
    value = parts(value)
    type_ = type_of(value)
    return (
        isinstance(value, Items)
        and isinstance(type_, Tuple)
        and not value.is_list
        and growable.is_possible(type_)
        and all(isinstance(leaf, Scalar) for leaf in leaves(type_))
    )


def parts(value: Operand) -> Operand:
    """``value``; an object of one of several classes as a tuple of what it is made of."""
    return optional_items.parts(value) if isinstance(value, Choice) else value


def named(ctx: Context, value: Operand, *, is_new: bool = True) -> Tupled:
    """The items of a list in a pool that holds the tuple ``value``."""
    plan, type_ = ctx.heap.plan, type_of(value)
    if type_ not in plan.tuples:
        assert type_ is not None
        plan.tuples.append(type_)
        if is_new:
            raise Again
    return Tupled(plan.tuples.index(type_))


def put(ctx: Context, node: cst.CSTNode, items: Tupled, value: Operand) -> ir.Atom | None:
    """The number of ``value`` among the tuples ``items``; None if it is none of them."""
    plan, k, type_ = ctx.heap.plan, items.place, type_of(value)
    both = None if type_ is None else growable.unified([plan.tuples[k], type_])
    if both is None:
        return None
    if both != plan.tuples[k]:
        plan.tuples[k] = both
        raise Again
    return growing.added(ctx, node, ctx.heap.tuples[items], value)


def note_kinds(ctx: Context, items: PoolItem, value: Operand) -> None:
    """Let the lists of objects ``items`` that begin empty hold ``value``, of another class, too."""
    plan, own = ctx.heap.plan, type_of(value)
    if not isinstance(items, Rowed):
        return
    of = ClassRef(items.module, items.name, StructKind.MUTABLE)
    both = None if own is None else growable.unified([Tuple((INT,), (ROW,), of.name, of), own])
    places = [place for place, held in plan.empty.items() if held == items]
    if places and isinstance(both, Tuple) and both.cls == Held.KINDS:
        plan.empty.update(dict.fromkeys(places, named(ctx, undefined(both), is_new=False)))
        plan.columns.clear()  # lists in fields are of other types
        raise Again


def put_all(ctx: Context, node: cst.CSTNode, held: Items) -> tuple[ir.Value, Tupled] | None:
    """The numbers of all tuples of a list in arrays, and what they are; None if it has others."""
    source = rows.leaves(held)
    type_ = growable.item_type(source) if isinstance(source, Items) else None
    if type_ is None or not is_possible(model := undefined(type_)):
        return None
    items = named(ctx, model)
    table = ctx.heap.tuples[items]
    about = containers.growing(ctx, table)
    cls, start, size = growable.class_of(about), growable.count(about), rows.count(ctx, held)
    total = compute(ctx, node, "add", (start, size))
    growable.reserve(ctx, cls, total)
    columns = zip(growable.leaves(ctx.heap.growing[cls]), growable.leaves(source), strict=True)
    for target, part in columns:
        assert isinstance(target, ir.Value)
        assert isinstance(part, ir.Value)
        item_kinds.moved(ctx, part, ir.dtype_of(target))
        room = storage.view(ctx, growable.part(ctx, target, total), (ir.Slice(start, None),))
        ctx.builder.assign(room, part)
    ctx.frame.bind(containers.variable(table), growable.about(cls, total, ()))
    numbers = storage.alloc(ctx, INT.dtype, (size,), None)
    ctx.for_each(
        size,
        lambda k: ctx.builder.store(numbers, (k,), ctx.builder.compute("add", (start, k), INT)),
    )
    return numbers, items


def read(ctx: Context, items: Tupled, number: ir.Atom) -> Operand:
    """The tuple with this number."""
    about = containers.growing(ctx, ctx.heap.tuples[items])
    return rows.at(ctx, ctx.heap.arrays_of(about), number)


def like(ctx: Context, node: cst.CSTNode, held: Operand, value: Operand) -> Operand:
    """``value`` as an item of what ``held`` holds: its number, where that is numbers of tuples."""
    if not (isinstance(held, Items) and isinstance(held.cls, Tupled)) or not is_possible(value):
        return value
    number = put(ctx, node, held.cls, value)
    return value if number is None else replace(held, items=(number,))


def spread(ctx: Context, held: Items) -> Operand:
    """Arrays of what the tuples hold whose numbers are in ``held``."""
    assert isinstance(held.cls, Tupled)
    about = containers.growing(ctx, ctx.heap.tuples[held.cls])
    return ragged.taken(ctx, ctx.heap.arrays_of(about), atom_of(held))


def spread_rows(ctx: Context, held: Items, of: Tupled) -> Operand:
    """The parts of tuples in lists whose numbers ``held`` has, each in lists of its own."""
    spans, numbers = ragged.memory_of(held)
    columns = spread(ctx, Items((numbers,), (ROW,), of))
    return ragged.changed(columns, lambda one: Items((spans, one), cls=Ragged(1)))
