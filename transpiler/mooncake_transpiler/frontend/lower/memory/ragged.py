"""Arrays of different shapes in a list: their elements stand in one array.

    xs[k]    becomes    xs[spans[k, 0] : spans[k, 0] + spans[k, 1]]

What a list holds of them is ``Items((spans, elements))`` of a class that names their rank. They
are read only: the caller's arrays, or those that were put in, are others. In a list that grows
elements stay where they are, so a new item in the place of another one has new elements, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeGuard

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.frontend.lower.state.own_kinds import Ragged
from mooncake_transpiler.types import INT, SPANS, Array


def given(ctx: Context, spans: ir.Value, elements: ir.Value, ndim: int) -> Items:
    """The arrays of a parameter."""
    ctx.memory.shown[elements] = frozenset()  # copies of the caller's
    ctx.memory.packed.add(spans)
    return Items((spans, elements), cls=Ragged(ndim))


def empty(ctx: Context, item: Array, hint: str, spare: int = 0) -> Items:
    """Spans, with ``spare`` columns, and elements of no arrays like ``item`` so far: both grow."""

    def memory(type_: Array, shape: tuple[ir.Atom, ...], hint: str) -> ir.Value:
        out = ir.Value(hint, type_)
        ctx.builder.add(ir.Alloc(out, shape, None, ctx.builder.origin, growable=True))
        ctx.memory.local.add(out)
        ctx.sizes.shapes[out] = shape
        return out

    columns = ir.int_const(item.ndim + 1 + spare)
    spans = memory(SPANS, (ir.ZERO, columns), f"{hint}_spans" if hint else "")
    elements = memory(Array(item.dtype, 1), (ir.ZERO,), hint)
    ctx.memory.shown[elements] = frozenset()  # the items are copies
    return Items((spans, elements), cls=Ragged(item.ndim))


def is_ragged(operand: Operand) -> TypeGuard[Items]:
    return isinstance(operand, Items) and isinstance(operand.cls, Ragged)


def memory_of(of: Items) -> tuple[ir.Value, ir.Value]:
    """The spans, and the elements."""
    spans, elements = of.items
    assert isinstance(spans, ir.Value)
    assert isinstance(elements, ir.Value)
    return spans, elements


def type_of_item(of: Items) -> Array:
    elements = of.items[1]
    assert isinstance(elements, ir.Value | ir.Undef)
    assert isinstance(elements.type, Array)
    return Array(elements.type.dtype, rank(of))


def rank(of: Items) -> int:
    assert isinstance(of.cls, Ragged)
    return of.cls.ndim


def holds(operand: Operand) -> bool:
    """True if there are such arrays among the items of a list."""
    inside = isinstance(operand, Items) and any(map(holds, operand.items))
    return is_ragged(operand) or inside


def changed(
    of: Operand,
    one_shape: Callable[[ir.Value], Operand],
    any_shape: Callable[[Items], Operand] = lambda of: of,
) -> Operand:
    """The arrays ``of`` items, each changed; those of any shape as a whole."""
    if is_ragged(of):
        return any_shape(of)
    if isinstance(of, Items):
        return replace(of, items=tuple(changed(one, one_shape, any_shape) for one in of.items))
    return one_shape(of) if isinstance(of, ir.Value) else of


def taken(ctx: Context, of: Operand, at: ir.Atom) -> Operand:
    """The arrays of the items of ``of`` at the places ``at``, in new memory."""
    return changed(of, lambda one: storage.taken(ctx, one, at), lambda one: picked(ctx, one, at))


def part(ctx: Context, of: Items, index: ir.Slice) -> Items:
    """The arrays at ``index``; their elements stay where they are."""
    spans, elements = memory_of(of)
    return replace(of, items=(storage.view(ctx, spans, (index,)), elements))


def element(ctx: Context, of: Items, at: ir.Atom, hint: str = "") -> ir.Value:
    """The array at ``at``: a part of all elements."""
    spans, elements = of.items
    assert isinstance(spans, ir.Value | ir.Undef)
    assert isinstance(elements, ir.Value | ir.Undef)
    start = ctx.builder.load(spans, (at, ir.ZERO))
    shape = _shape(ctx, spans, at, rank(of))
    size = ctx.builder.product(shape)
    end = ctx.builder.compute("add", (start, size), INT)
    row = ir.Value(hint if rank(of) == 1 else "", elements.type)
    ctx.memory.views[row] = ir.View(row, elements, (ir.Slice(start, end),), ctx.builder.origin)
    ctx.builder.add(ctx.memory.views[row])
    ctx.memory.bases[row] = elements
    ctx.sizes.shapes[row] = (size,)
    return row if rank(of) == 1 else storage.reshape(ctx, row, shape, hint)


def _shape(ctx: Context, spans: ir.Atom, at: ir.Atom, axes: int) -> tuple[ir.Value, ...]:
    sizes = tuple(ctx.builder.load(spans, (at, ir.int_const(k + 1))) for k in range(axes))
    ctx.numbers.naturals.update(sizes)
    return sizes


# ---- in lists that grow -------------------------------------------------------------------------


def put(ctx: Context, of: Items, at: ir.Atom, array: ir.Value, end: ir.Atom) -> ir.Atom:
    """Let item ``at`` be a copy of ``array``, behind the ``end`` of all; the new end."""
    spans, elements = memory_of(of)
    shape = storage.shape(ctx, array)
    size = ctx.builder.product(shape)
    top = ctx.builder.compute("add", (end, size), INT)
    ctx.builder.add(ir.Reserve(elements, top, (), ctx.builder.origin))
    for k, number in enumerate((end, *shape)):
        ctx.builder.store(spans, (at, ir.int_const(k)), number)
    place = storage.view(ctx, elements, (ir.Slice(end, top),))
    if len(shape) > 1:
        place = storage.reshape(ctx, place, shape)
    ctx.builder.assign(place, array)
    return top


def move(ctx: Context, of: Items, source: Items, count: ir.Atom) -> ir.Atom:
    """Let the items be those of ``source``, so many; the end of all elements."""
    given_spans, given_elements = memory_of(source)
    spans, elements = memory_of(of)
    end = storage.dim(ctx, given_elements, 0)
    ctx.builder.add(ir.Reserve(elements, end, (), ctx.builder.origin))
    for to, found, size in ((spans, given_spans, count), (elements, given_elements, end)):
        place = storage.view(ctx, to, (ir.Slice(None, size),))
        ctx.builder.assign(place, found)
    return end


def packed(ctx: Context, of: Items) -> Items:
    """The arrays in new memory: one behind the other, and nothing between them."""
    spans, elements = memory_of(of)
    count, width = storage.dim(ctx, spans, 0), ir.int_const(rank(of) + 1)
    found = storage.alloc(ctx, INT.dtype, (count, width), None)
    index, end = ir.Value("", INT), ir.Value("", INT)
    ends: list[ir.Atom] = []

    def place() -> None:
        shape = _shape(ctx, spans, index, rank(of))
        for k, number in enumerate((end, *shape)):
            ctx.builder.store(found, (index, ir.int_const(k)), number)
        ends.append(ctx.builder.compute("add", (end, ctx.builder.product(shape)), INT))

    total, body = ir.Value("", INT), ctx.in_child(place).block(ends)
    ctx.builder.add(ir.For((total,), index, ir.ZERO, count, ir.ONE, (end,), (ir.ZERO,), body))
    kept = storage.alloc(ctx, type_of_item(of).dtype, (total,), None)

    def copy(at: ir.Atom) -> None:
        parts: list[ir.Value] = []
        for starts, memory in ((found, kept), (spans, elements)):
            lo = ctx.builder.load(starts, (at, ir.ZERO))
            size = ctx.builder.product(_shape(ctx, found, at, rank(of)))
            hi = ctx.builder.compute("add", (lo, size), INT)
            parts.append(storage.view(ctx, memory, (ir.Slice(lo, hi),)))
        ctx.builder.assign(parts[0], parts[1])

    ctx.for_each(count, copy)
    if elements in ctx.memory.shown:
        ctx.memory.shown[kept] = ctx.memory.shown[elements]
    ctx.memory.packed.add(found)
    return replace(of, items=(found, kept))


def picked(ctx: Context, of: Items, at: ir.Atom) -> Items:
    """The arrays at the places in ``at``, in new memory."""
    spans, elements = memory_of(of)
    return packed(ctx, replace(of, items=(spans_at(ctx, spans, at, rank(of) + 1), elements)))


def spans_at(ctx: Context, spans: ir.Value, at: ir.Atom, width: int) -> ir.Value:
    """``spans[at]``, of rows of ``width`` numbers."""
    count = storage.dim(ctx, at, 0)
    found = storage.alloc(ctx, INT.dtype, (count, ir.int_const(width)), None)

    def pick(index: ir.Value) -> None:
        place = ctx.builder.load(at, (index,))
        for k in range(width):
            number = ctx.builder.load(spans, (place, ir.int_const(k)))
            ctx.builder.store(found, (index, ir.int_const(k)), number)

    ctx.for_each(count, pick)
    return found


# ---- as Python gets them ------------------------------------------------------------------------


def of_rows(ctx: Context, rows: ir.Value) -> Items:
    """Spans and elements of arrays of one shape, which are the items of ``rows``."""
    assert isinstance(rows.type, Array)
    count, *shape = storage.shape(ctx, rows)
    size = ctx.builder.product(shape)
    total = ctx.builder.compute("mul", (count, size), INT)
    elements = storage.reshape(ctx, storage.copy(ctx, rows), (total,))
    spans = storage.alloc(ctx, INT.dtype, (count, ir.int_const(len(shape) + 1)), None)

    def fill(index: ir.Value) -> None:
        start = ctx.builder.compute("mul", (index, size), INT)
        for k, number in enumerate((start, *shape)):
            ctx.builder.store(spans, (index, ir.int_const(k)), number)

    ctx.for_each(count, fill)
    ctx.memory.packed.add(spans)
    return Items((spans, elements), cls=Ragged(len(shape)))


def of_arrays(ctx: Context, arrays: list[ir.Value], type_: Array) -> Items:
    """Spans and elements of ``arrays``."""
    spans = storage.alloc(
        ctx, INT.dtype, (ir.int_const(len(arrays)), ir.int_const(type_.ndim + 1)), None
    )
    ends: list[ir.Atom] = [ir.ZERO]
    for k, array in enumerate(arrays):
        shape = storage.shape(ctx, array)
        size: ir.Atom = ctx.builder.product(shape)
        for axis, number in enumerate((ends[-1], *shape)):
            ctx.builder.store(spans, (ir.int_const(k), ir.int_const(axis)), number)
        ends.append(ctx.builder.compute("add", (ends[-1], size), INT))
    elements = storage.alloc(ctx, type_.dtype, (ends[-1],), None)
    for array, lo, hi in zip(arrays, ends, ends[1:], strict=False):
        size = ctx.builder.compute("sub", (hi, lo), INT)
        flat: ir.Value = storage.reshape(ctx, storage.copy(ctx, array), (size,))
        to = storage.view(ctx, elements, (ir.Slice(lo, hi),))
        ctx.builder.assign(to, flat)
    ctx.memory.packed.add(spans)
    return Items((spans, elements), cls=Ragged(type_.ndim))
