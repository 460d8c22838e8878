"""``x.shape = ...``: another shape for the very array, not for a view of it.

All names of the array would see it. So it must be an array that statements of the same block have
made, and that has this one name, and its memory must have the shape without a copy:

    x = np.arange(6.0)               x = np.arange(6.0)
    x.shape = 2, 3                   x = x.reshape(2, 3)
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.instance import assigned_attributes
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.inner import inner_atoms
from mooncake_transpiler.frontend.lower.state.operands import Elements, Operand, Static
from mooncake_transpiler.ir.function_names import is_of_library

_RESHAPE = Static(External("numpy.reshape"))


def assign(ctx: Context, targets: Sequence[cst.BaseExpression], value: cst.BaseExpression) -> bool:
    """``x.shape = y.shape = value``, where nothing else holds the arrays; else False."""
    owners = [
        target.value
        for target in targets
        if isinstance(target, cst.Attribute) and target.attr.value == "shape"
    ]
    found = [_own(ctx, owner) for owner in owners if _is_variable(ctx, owner)]
    arrays = [array for array in found if array is not None]
    if len(arrays) < len(targets):
        return False
    shape = ctx.lower.expression(ctx, value)
    for owner, array in zip(owners, arrays, strict=True):
        _assign(ctx, owner, _shaped(ctx, owner, array, shape))
    return True


def _own(ctx: Context, owner: cst.BaseExpression) -> ir.Value | None:
    """The array that ``owner`` names, and nothing else does."""
    array = ctx.lower.expression(ctx, owner)
    return array if isinstance(array, ir.Value) and _is_alone(ctx, array) else None


def _shaped(ctx: Context, owner: cst.BaseExpression, array: ir.Value, shape: Operand) -> ir.Value:
    """``array`` with the new shape: the same memory."""
    start = len(ctx.builder.stmts)
    call = cst.Call(owner)
    found = delayed.settle(ctx, ctx.lower.call(ctx, call, _RESHAPE, (array, shape)))
    assert isinstance(found, ir.Value)
    if found is not array and not any(_shows(s, array, found) for s in ctx.builder.stmts[start:]):
        message = "the array may have no such shape without a copy"
        raise ctx.refuse(owner, "MK373", message, "write x = x.reshape(...)")
    return found


def _assign(ctx: Context, owner: cst.BaseExpression, value: Operand) -> None:
    if isinstance(owner, cst.Attribute):
        assigned_attributes.assign(ctx, owner, value)
    elif isinstance(owner, cst.Name):
        ctx.frame.bind(owner.value, value)


def _is_variable(ctx: Context, target: cst.BaseExpression) -> bool:
    """True if ``target`` is a name, or a field of an object that has one."""
    match target:
        case cst.Name():
            return True
        case cst.Attribute(value=cst.Name() as name, attr=cst.Name(value=attr)):
            base = ctx.lower.expression(ctx, name)
            return isinstance(base, Ref) and attr not in base.cls.methods
        case _:
            return False


def _is_alone(ctx: Context, array: ir.Value) -> bool:
    """True if this block makes ``array`` as an object of its own, and one variable holds it."""
    stmts = ctx.builder.stmts
    if not any(array in ir.outs(stmt) and _makes_object(stmt) for stmt in stmts):
        return False
    values = [value for frame in ctx.frames for value in frame.values.values()]
    if any(isinstance(value, Elements) for value in values):  # an iterator may hold it
        return False
    held = [atom for value in values for atom in inner_atoms(value) if atom is array]
    shared = any(_hands_on(stmt, array) for stmt in ir.walk(ir.Block(tuple(stmts))))
    copied = any(array in roots for roots in ctx.memory.shown.values())
    return len(held) == 1 and not shared and not copied


def _makes_object(stmt: ir.Stmt) -> bool:
    """True if the result of ``stmt`` is an object that nobody had before: memory, or a view."""
    if isinstance(stmt, ir.Call):
        return is_of_library(stmt.func) or ir.is_primitive(stmt)
    return isinstance(stmt, ir.View | ir.Reshape) or bool(ir.made(stmt))


def _hands_on(stmt: ir.Stmt, array: ir.Value) -> bool:
    """True if ``stmt`` may bind another name to the object ``array``."""
    if isinstance(stmt, ir.Call):
        return not _makes_object(stmt) and array in stmt.args
    shows_part = isinstance(stmt, ir.View | ir.Reshape)
    return not shows_part and any(atom is array for atom, _ in ir.aliases(stmt))


def _shows(stmt: ir.Stmt, array: ir.Value, out: ir.Value) -> bool:
    """True if ``stmt`` binds ``out`` to the memory of ``array``, certainly without a copy."""
    if isinstance(stmt, ir.Reshape) and stmt.sharing is not ir.Sharing.VIEW:
        return False
    if not isinstance(stmt, ir.View | ir.Reshape):
        return False
    return stmt.out is out and stmt.base is array
