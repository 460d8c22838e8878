"""Assignments: names, tuples, array elements and slices, and their augmented forms."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassKind
from mooncake_transpiler.frontend.lower import names
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.builtin import filled_texts
from mooncake_transpiler.frontend.lower.instance import assigned_attributes
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.operation import shape_assignments, targets, updates
from mooncake_transpiler.frontend.lower.operation.targets import bind
from mooncake_transpiler.frontend.lower.scalar import shared_numbers
from mooncake_transpiler.frontend.lower.scalar.scalars import convert
from mooncake_transpiler.frontend.lower.state.context import Context
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
    hint = target_hint(targets[-1])
    found = filled_texts.as_value(ctx, targets, value) or ctx.lower.expression(ctx, value, hint)
    if len(targets) > 1 or not isinstance(targets[0], cst.Subscript | cst.Tuple | cst.List):
        found = delayed.settle(ctx, found, hint)
    for target in targets:
        bind(ctx, target, found)


def annotated(ctx: Context, stmt: cst.AnnAssign) -> None:
    """``x: float = 0``: the value as the annotation has it."""
    if stmt.value is None:
        return
    name = stmt.target.value if isinstance(stmt.target, cst.Name) else ""
    text = filled_texts.as_value(ctx, (stmt.target,), stmt.value)
    value = text or ctx.lower.expression(ctx, stmt.value, name)
    if (declared := names.declared_scalar(ctx, stmt.annotation.annotation)) is not None:
        value = convert(ctx, stmt.value, value, declared, name or "the value")
    targets.bind(ctx, stmt.target, value)


def augmented(ctx: Context, stmt: cst.AugAssign) -> None:
    """``target op= value``; the target is looked up once, before the value is computed."""
    operator = AUGMENTED[type(stmt.operator)]
    match stmt.target:
        case cst.Name(value=name) as target:
            old = ctx.lower.expression(ctx, target)
            _check_in_place(ctx, stmt, old)
            shared_numbers.check(ctx, stmt, name, old)
            new = updates.updated(ctx, stmt, operator, old, name)
            if new is not old:
                targets.bind(ctx, target, new)
        case cst.Subscript() as target:
            updates.update(ctx, stmt, target, operator)
        case cst.Attribute() as target:
            _update_attribute(ctx, stmt, target, operator)
        case _:
            raise ctx.refuse(stmt, "MK110", "this can't be assigned to")


def _check_in_place(ctx: Context, stmt: cst.AugAssign, old: Operand) -> None:
    """Refuse what NumPy changes in place, but is a number here, or the other way round."""
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
    old, name = names.attribute(ctx, target, base), target.attr.value
    new = updates.updated(ctx, stmt, operator, old)
    is_shown = delayed.is_array(old) and isinstance(base, Ref)
    if new is not old or is_shown or not _is_field(ctx, base, name):
        assigned_attributes.put(ctx, target, base, name, new)


def _is_field(ctx: Context, base: Operand, name: str) -> bool:
    """True unless assigning to the attribute does more than that, or fails."""
    cls = objects.declared(ctx, base)
    return cls is None or (
        name not in cls.methods and cls.kind in (ClassKind.PLAIN, ClassKind.MUTABLE)
    )
