"""Objects made of rows of tables: copies, and those that leave the function."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import libcst as cst

from mooncake_transpiler.border.border_types import has_mutable
from mooncake_transpiler.frontend.lower.instance import heap, tables
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.frontend.lower.state.tabled import is_row


def taken_out(ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand:
    """``operand`` with objects that are known ahead of time in place of those in tables."""
    inside = partial(taken_out, ctx, node)
    match operand:
        case Items() if is_row(operand):
            cls = tables.class_of(ctx, operand)
            ref = objects.new(ctx, cls)
            for spec in cls.fields:
                value = inside(tables.read(ctx, node, operand, spec.name))
                heap.write(ctx, node, ref, spec.name, value)
            return ref
        case Items(cls=None, items=items):
            return replace(operand, items=tuple(map(inside, items)))
        case _:
            return operand


def copied(ctx: Context, node: cst.CSTNode, row: Items, *, is_deep: bool = False) -> Items:
    """Another object with the same fields."""
    cls = tables.class_of(ctx, row)
    columns = ctx.heap.plan.columns[cls].values()
    if is_deep and any(map(has_mutable, columns)):
        message = f"{cls.name} holds other objects: how many there are to copy is not known"
        raise ctx.refuse(node, "MK343", message)
    if any(map(tables.is_flag, ctx.heap.plan.columns[cls])):
        message = f"not all objects of {cls.name} have the same attributes: it is not copied"
        raise ctx.refuse(node, "MK343", message, "set all of them in __init__")
    ref = objects.new(ctx, cls)
    for name in ctx.heap.plan.columns[cls]:
        heap.write(ctx, node, ref, name, tables.read(ctx, node, row, name))
    return tables.adopt(ctx, node, ref)
