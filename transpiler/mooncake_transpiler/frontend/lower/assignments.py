"""Assignments: names, tuples, array elements and slices, and their augmented forms."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import names
from mooncake_transpiler.frontend.lower.array import delayed, stores
from mooncake_transpiler.frontend.lower.builtin import filled_texts
from mooncake_transpiler.frontend.lower.instance import instances
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.operation import (
    binary,
    places,
    shape_assignments,
    targets,
    updates,
)
from mooncake_transpiler.frontend.lower.operation.targets import bind
from mooncake_transpiler.frontend.lower.scalar import axisless
from mooncake_transpiler.frontend.lower.scalar.scalars import convert
from mooncake_transpiler.frontend.lower.state.context import Context, Latest
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.frontend.lower.state.syntax import target_hint
from mooncake_transpiler.types import Scalar

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
    if shape_assignments.assign(ctx, targets, value):
        return
    builder, length = ctx.builder, len(ctx.builder.stmts)
    hint = target_hint(targets[-1])
    found = filled_texts.as_value(ctx, targets, value) or ctx.lower.expression(ctx, value, hint)
    if len(targets) > 1 or not isinstance(targets[0], cst.Subscript | cst.Tuple | cst.List):
        found = delayed.settle(ctx, found, hint)
    for target in targets:
        bind(ctx, target, found)
    (*others, target) = targets
    latest = Latest(target, ctx.frame, builder, length, ctx.statements)
    ctx.latest = None if others else latest


def annotated(ctx: Context, stmt: cst.AnnAssign) -> None:
    """``x: float = 0``: the value as the annotation has it."""
    if stmt.value is None:
        return
    name = stmt.target.value if isinstance(stmt.target, cst.Name) else ""
    text = filled_texts.as_value(ctx, (stmt.target,), stmt.value)
    value = text or ctx.lower.expression(ctx, stmt.value, name)
    declared = names.declared_scalar(ctx, stmt.annotation.annotation)
    if declared is not None:
        value = convert(ctx, stmt.value, value, declared, name or "the value")
    targets.bind(ctx, stmt.target, value)


def augmented(ctx: Context, stmt: cst.AugAssign) -> None:
    """``target op= value``; the target is looked up once, before the value is computed."""
    operator = AUGMENTED[type(stmt.operator)]
    match stmt.target:
        case cst.Name(value=name) as target:
            old = ctx.lower.expression(ctx, target)
            _check_in_place(ctx, stmt, old)
            if delayed.is_array(old):
                stores.update_array(ctx, stmt, operator, old)
                return
            new = ctx.lower.expression(ctx, stmt.value)
            if containers.is_container(old):
                places.augmented(ctx, stmt, operator, old, new)
                return
            made = binary.in_place(ctx, stmt, operator, old, new, name)
            ctx.frame.bind(name, delayed.settle(ctx, made))
        case cst.Subscript() as target:
            updates.update(ctx, stmt, target, operator)
        case cst.Attribute() as target:
            _update_attribute(ctx, stmt, target, operator)
        case _:
            raise ctx.refuse(stmt, "MK110", "this can't be assigned to")


def _check_in_place(ctx: Context, stmt: cst.AugAssign, old: Operand) -> None:
    """Refuse what NumPy changes in place, but is a number here, or the other way round."""
    axisless.check_shared(ctx, stmt, old)
    if not isinstance(old, ir.Value):
        return
    if old in ctx.memory.flats:
        message = "x.flat is changed into an array of its own here"
        raise ctx.refuse(stmt, "MK314", message, "write x.flat[:] += ..., or r = r + ...")
    if old in ctx.memory.shown and isinstance(old.type, Scalar):
        message = "an array without axes, which shows an element of another one, is changed here"
        raise ctx.refuse(stmt, "MK312", message, "write to the element itself")


def _update_attribute(
    ctx: Context, stmt: cst.AugAssign, target: cst.Attribute, operator: cst.BaseBinaryOp
) -> None:
    base = ctx.lower.expression(ctx, target.value)
    old = names.attribute(ctx, target, base)
    if delayed.is_array(old):
        stores.update_array(ctx, stmt, operator, old)
        if isinstance(base, Ref):  # Python assigns it, too: to a property, or to what is frozen
            instances.put(ctx, target, base, target.attr.value, old)
        return
    axisless.check_shared(ctx, stmt, old)
    new = ctx.lower.expression(ctx, stmt.value)
    if containers.is_container(old):
        places.augmented(ctx, stmt, operator, old, new)
        return
    made = binary.in_place(ctx, stmt, operator, old, new)
    instances.put(ctx, target, base, target.attr.value, made)
