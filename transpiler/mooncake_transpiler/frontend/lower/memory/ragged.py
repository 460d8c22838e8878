"""Arrays of different shapes in a list that is a parameter: their elements stand in one array.

    xs[k]    becomes    xs[spans[k, 0] : spans[k, 0] + spans[k, 1]]

What a list holds of them is ``Items((spans, elements))`` of a class that names their rank. They
are read only: the caller's arrays are others.
"""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.types import INT, Array

RAGGED = "%ragged"
ZERO, ONE = ir.int_const(0), ir.int_const(1)


def given(ctx: Context, spans: ir.Value, elements: ir.Value, ndim: int) -> Items:
    """The arrays of a parameter."""
    ctx.memory.shown[elements] = frozenset()  # copies of the caller's
    return Items((spans, elements), cls=f"{RAGGED}{ndim}")


def is_ragged(operand: Operand) -> bool:
    return isinstance(operand, Items) and (operand.cls or "").startswith(RAGGED)


def holds(operand: Operand) -> bool:
    """True if there are such arrays among the items of a list."""
    inside = isinstance(operand, Items) and any(map(holds, operand.items))
    return is_ragged(operand) or inside


def element(ctx: Context, of: Items, at: ir.Atom, hint: str = "") -> ir.Value:
    """The array at ``at``: a part of all elements."""
    spans, elements = of.items
    assert isinstance(spans, ir.Value | ir.Undef)
    assert isinstance(elements, ir.Value | ir.Undef)
    rank = int((of.cls or "").removeprefix(RAGGED))
    start = ctx.builder.load(spans, (at, ZERO))
    shape = tuple(ctx.builder.load(spans, (at, ir.int_const(k + 1))) for k in range(rank))
    size = ctx.builder.product(shape)
    end = ctx.builder.compute("add", (start, size), INT)
    row = ir.Value(hint if rank == 1 else "", elements.type)
    ctx.memory.views[row] = ir.View(row, elements, (ir.Slice(start, end),), ctx.builder.origin)
    ctx.builder.add(ctx.memory.views[row])
    ctx.memory.bases[row] = elements
    ctx.sizes.shapes[row] = (size,)
    return row if rank == 1 else storage.reshape(ctx, row, shape, hint)


# ---- as Python gets them ------------------------------------------------------------------------


def of_rows(ctx: Context, node: cst.CSTNode, rows: ir.Value) -> Items:
    """Spans and elements of arrays of one shape, which are the items of ``rows``."""
    assert isinstance(rows.type, Array)
    count, *shape = storage.shape(ctx, rows)
    size = ctx.builder.product(shape)
    total = ctx.builder.compute("mul", (count, size), INT)
    elements = storage.reshape(ctx, storage.copy(ctx, rows), (total,))
    spans = storage.alloc(ctx, INT.dtype, (count, ir.int_const(len(shape) + 1)), None)
    index = ir.Value("", INT)

    def fill() -> None:
        start = ctx.builder.compute("mul", (index, size), INT)
        for k, number in enumerate((start, *shape)):
            ctx.builder.store(spans, (index, ir.int_const(k)), number)

    body = ctx.in_child(fill).block()
    loop = ir.For((), index, ZERO, count, ONE, (), (), body, origin=ctx.builder.origin)
    ctx.builder.add(loop)
    return Items((spans, elements))


def of_arrays(ctx: Context, arrays: list[ir.Value], type_: Array) -> Items:
    """Spans and elements of ``arrays``."""
    spans = storage.alloc(
        ctx, INT.dtype, (ir.int_const(len(arrays)), ir.int_const(type_.ndim + 1)), None
    )
    ends: list[ir.Atom] = [ZERO]
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
        ctx.builder.add(ir.Assign(to, flat, ctx.builder.origin))
    return Items((spans, elements))
