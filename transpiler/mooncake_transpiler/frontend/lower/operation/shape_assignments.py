"""``x.shape = ...``: another shape for the very array, not for a view of it.

All names of the array would see it. So it must be an array that the statement in front has made
and given to this one name, and its memory must have the shape without a copy:

    x = np.arange(6.0)               x = np.arange(6.0)
    x.shape = 2, 3                   x = x.reshape(2, 3)
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.instance import instances
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.inner import inner_atoms
from mooncake_transpiler.ir.function_names import is_of_library


def assign(ctx: Context, targets: Sequence[cst.BaseExpression], value: cst.BaseExpression) -> bool:
    """``x.shape = value``, where the statement in front assigns an array to ``x``; else False."""
    target = targets[0]
    if not isinstance(target, cst.Attribute) or target.attr.value != "shape" or len(targets) > 1:
        return False
    made = _made_before(ctx, target.value)
    if not made or not _is_variable(ctx, target.value):
        return False
    array = ctx.lower.expression(ctx, target.value)
    if not isinstance(array, ir.Value) or not _is_alone(ctx, array, made):
        return False
    start = len(ctx.builder.stmts)
    method = cst.Attribute(target.value, cst.Name("reshape"))
    call = cst.Call(method, [cst.Arg(value)])
    found = delayed.settle(ctx, ctx.lower.expression(ctx, call))
    assert isinstance(found, ir.Value)
    if found is not array and not any(_shows(s, array, found) for s in ctx.builder.stmts[start:]):
        message = "the array may have no such shape without a copy"
        raise ctx.refuse(target, "MK373", message, "write x = x.reshape(...)")
    if isinstance(target.value, cst.Attribute):
        instances.assign(ctx, target.value, found)
    elif isinstance(target.value, cst.Name):
        ctx.frame.bind(target.value.value, found)
    return True


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


def _made_before(ctx: Context, target: cst.BaseExpression) -> list[ir.Stmt]:
    """The statements of the assignment in front, if that assigns to ``target`` alone."""
    latest = ctx.latest
    if latest is None or latest.frame is not ctx.frame or latest.builder is not ctx.builder:
        return []
    if latest.statements != ctx.statements - 1 or not latest.target.deep_equals(target):
        return []
    return ctx.builder.stmts[latest.length :]


def _is_alone(ctx: Context, array: ir.Value, stmts: Sequence[ir.Stmt]) -> bool:
    """True if ``stmts`` make ``array`` as an object of its own, and one variable holds it."""
    if not any(array in ir.outs(stmt) and _makes_object(stmt) for stmt in stmts):
        return False
    held = [a for v in ctx.frame.values.values() for a in inner_atoms(v) if a is array]
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
