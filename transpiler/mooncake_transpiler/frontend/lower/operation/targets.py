"""Targets of assignments: names, attributes, subscripts, and tuples of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import arrays, checking, delayed
from mooncake_transpiler.frontend.lower.container import lists
from mooncake_transpiler.frontend.lower.failure import optional
from mooncake_transpiler.frontend.lower.instance import instances
from mooncake_transpiler.frontend.lower.operation import updates
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.types import Array


def bind(ctx: Context, target: cst.BaseExpression, value: Operand) -> None:
    """Assign ``value`` to a name, a tuple of targets, or a place in an array."""
    match target:
        case cst.Name(value=name):
            ctx.frame.bind(name, delayed.settle(ctx, value, name))
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            _unpack(ctx, target, elements, value)
        case cst.Subscript():
            updates.store(ctx, target, value)
        case cst.Attribute():
            instances.assign(ctx, target, value)
        case _:
            raise ctx.refuse(target, "MK110", "this can't be assigned to")


def _unpack(
    ctx: Context,
    node: cst.CSTNode,
    elements: Sequence[cst.BaseElement],
    value: Operand,
) -> None:
    stars = [k for k, e in enumerate(elements) if isinstance(e, cst.StarredElement)]
    value = delayed.settle(ctx, value) if stars else value
    whole = arrays.elements(ctx, value) if stars else None
    items = list(whole) if whole is not None else elements_of(ctx, node, value, len(elements))
    if stars:
        at, extra = stars[0], len(items) - len(elements) + 1
        if extra < 0:
            raise ctx.refuse(node, "MK218", f"not enough values to unpack: got {len(items)}")
        middle = Items(tuple(items[at : at + extra]), is_list=True)
        items = [*items[:at], middle, *items[at + extra :]]
    if len(items) != len(elements):
        message = f"expected {len(elements)} values to unpack, got {len(items)}"
        raise ctx.refuse(node, "MK218", message)
    for element, item in zip(elements, items, strict=True):
        bind(ctx, element.value, item)


def elements_of(ctx: Context, node: cst.CSTNode, value: Operand, count: int) -> list[Operand]:
    """The items that unpacking ``value`` into ``count`` targets gives."""
    value = optional.present(ctx, node, value, "cannot unpack non-iterable NoneType object")
    if isinstance(value, Items):  # a display is only read
        value = replace(value, is_list=False)
    value = delayed.settle(ctx, value)
    known = lists.one_by_one(ctx, node, value)
    if known is not None:
        return list(known)
    match value:
        case ir.Value() | ir.Undef() if isinstance(value.type, Array):
            checking.before_unpacking(ctx, node, value, count)
            index = [ir.int_const(k) for k in range(count)]
            return [arrays.element(ctx, value, (k,)) for k in index]
        case _:
            raise ctx.refuse(node, "MK218", f"only tuples can be unpacked, not {describe(value)}")
