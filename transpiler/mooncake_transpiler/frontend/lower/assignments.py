"""Assignments: names, tuples, array elements and slices, and their augmented forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import expressions, names
from mooncake_transpiler.frontend.lower.array import arrays, stores, whole
from mooncake_transpiler.frontend.lower.container import containers, lists
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.control import optional
from mooncake_transpiler.frontend.lower.failure import failing
from mooncake_transpiler.frontend.lower.instance import instances, protocols
from mooncake_transpiler.frontend.lower.operands import Items, Operand, Ref, describe
from mooncake_transpiler.frontend.lower.scalar.scalars import convert
from mooncake_transpiler.frontend.lower.syntax import target_hint
from mooncake_transpiler.types import Array, Scalar

AUGMENTED: dict[type[cst.CSTNode], cst.BaseBinaryOp] = {
    cst.AddAssign: cst.Add(), cst.SubtractAssign: cst.Subtract(), cst.DivideAssign: cst.Divide(),
    cst.MultiplyAssign: cst.Multiply(), cst.FloorDivideAssign: cst.FloorDivide(),
    cst.ModuloAssign: cst.Modulo(), cst.PowerAssign: cst.Power(), cst.BitAndAssign: cst.BitAnd(),
    cst.BitOrAssign: cst.BitOr(), cst.BitXorAssign: cst.BitXor(),
    cst.LeftShiftAssign: cst.LeftShift(), cst.RightShiftAssign: cst.RightShift(),
    cst.MatrixMultiplyAssign: cst.MatrixMultiply(),
}  # fmt: skip


def assign(ctx: Context, targets: Sequence[cst.BaseExpression], value: cst.BaseExpression) -> None:
    """``a = b = value``."""
    hint = target_hint(targets[-1])
    found = ctx.lower.expression(ctx, value, hint)
    if len(targets) > 1 or not isinstance(targets[0], cst.Subscript):
        found = whole.settle(ctx, found, hint)
    for target in targets:
        bind(ctx, target, found)


def bind(ctx: Context, target: cst.BaseExpression, value: Operand) -> None:
    """Assign ``value`` to a name, a tuple of targets, or a place in an array."""
    match target:
        case cst.Name(value=name):
            ctx.frame.bind(name, whole.settle(ctx, value, name))
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            _unpack(ctx, target, elements, value)
        case cst.Subscript():
            stores.store(ctx, target, value)
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
    items = elements_of(ctx, node, value, len(elements))
    stars = [k for k, e in enumerate(elements) if isinstance(e, cst.StarredElement)]
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
    """What unpacking ``value`` into ``count`` targets gives."""
    value = optional.present(ctx, node, value, "cannot unpack non-iterable NoneType object")
    if isinstance(value, Items):  # a display is only read
        value = replace(value, is_list=False)
    value = whole.settle(ctx, value)
    known = lists.one_by_one(ctx, node, value)
    if known is not None:
        return list(known)
    match value:
        case ir.Value() | ir.Undef() if isinstance(value.type, Array):
            failing.before_unpacking(ctx, node, value, count)
            index = [ir.int_const(k) for k in range(count)]
            return [arrays.element(ctx, value, (k,)) for k in index]
        case _:
            raise ctx.refuse(node, "MK218", f"only tuples can be unpacked, not {describe(value)}")


def annotated(ctx: Context, stmt: cst.AnnAssign) -> None:
    """``x: float = 0``: the value as the annotation has it."""
    if stmt.value is None:
        return
    name = stmt.target.value if isinstance(stmt.target, cst.Name) else ""
    value = ctx.lower.expression(ctx, stmt.value, name)
    declared = names.declared_scalar(ctx, stmt.annotation.annotation)
    if declared is not None:
        value = convert(ctx, stmt.value, value, declared, name or "the value")
    bind(ctx, stmt.target, value)


def augmented(ctx: Context, stmt: cst.AugAssign) -> None:
    """``target op= value``; the target is looked up once, before the value is computed."""
    operator = AUGMENTED[type(stmt.operator)]
    match stmt.target:
        case cst.Name(value=name) as target:
            old = ctx.lower.expression(ctx, target)
            _check_in_place(ctx, stmt, old)
            if whole.is_array(old):
                stores.update_array(ctx, stmt, operator, old)
                return
            new = ctx.lower.expression(ctx, stmt.value)
            if containers.is_container(old):
                lists.augmented(ctx, stmt, operator, old, new)
                return
            made = protocols.inplace(ctx, stmt, operator, old, new)
            if made is None:
                made = expressions.binary(ctx, stmt, operator, old, new, name)
            ctx.frame.bind(name, whole.settle(ctx, made))
        case cst.Subscript() as target:
            stores.update(ctx, stmt, target, operator)
        case cst.Attribute() as target:
            _update_attribute(ctx, stmt, target, operator)
        case _:
            raise ctx.refuse(stmt, "MK110", "this can't be assigned to")


def _check_in_place(ctx: Context, stmt: cst.AugAssign, old: Operand) -> None:
    """Refuse what NumPy changes in place, but is a number here, or the other way round."""
    if not isinstance(old, ir.Value):
        return
    if old in ctx.flats:
        message = "x.flat is changed into an array of its own here"
        raise ctx.refuse(stmt, "MK314", message, "write x.flat[:] += ..., or r = r + ...")
    if old in ctx.shown and isinstance(old.type, Scalar):
        message = "an array without axes, which shows an element of another one, is changed here"
        raise ctx.refuse(stmt, "MK312", message, "write to the element itself")


def _update_attribute(
    ctx: Context, stmt: cst.AugAssign, target: cst.Attribute, operator: cst.BaseBinaryOp
) -> None:
    base = ctx.lower.expression(ctx, target.value)
    old = names.attribute(ctx, target, base)
    if whole.is_array(old):
        stores.update_array(ctx, stmt, operator, old)
        if isinstance(base, Ref):  # Python assigns it, too: to a property, or to what is frozen
            instances.put(ctx, target, base, target.attr.value, old)
        return
    new = ctx.lower.expression(ctx, stmt.value)
    if containers.is_container(old):
        lists.augmented(ctx, stmt, operator, old, new)
        return
    made = protocols.inplace(ctx, stmt, operator, old, new)
    if made is None:
        made = expressions.binary(ctx, stmt, operator, old, new)
    instances.put(ctx, target, base, target.attr.value, made)
