"""Writing into arrays: elements, slices, and updates in place."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import arrays, expressions
from mooncake_transpiler.frontend.lower.arrays import Location
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.operands import Operand, describe
from mooncake_transpiler.frontend.lower.scalars import cast, compute, is_scalar, promote
from mooncake_transpiler.types import Array, Scalar

READ_ONLY_HELP = "tuples can't be changed: bind a new one"


def store(ctx: Context, target: cst.Subscript, value: Operand) -> None:
    """``target = value`` for an element or a part of an array."""
    at = _location(ctx, target)
    if at.is_element:
        element_type = Scalar(at.type.dtype)
        stored = _narrow(ctx, target, expressions.as_scalar(ctx, target, value), element_type)
        ctx.builder.store(at.base, at.integers, stored)
        return
    dst = arrays.read(ctx, at)
    src = _source(ctx, target, dst, value)
    ctx.builder.add(ir.Assign(dst, src, ctx.builder.origin))


def _location(ctx: Context, target: cst.Subscript) -> Location:
    at = arrays.locate(ctx, target)
    if not isinstance(at, Location):
        raise ctx.refuse(target, "MK213", f"{describe(at)} can't be written to", READ_ONLY_HELP)
    if isinstance(ctx.base(at.base), ir.Value) and ctx.base(at.base) in ctx.globals.values():
        raise ctx.refuse(target, "MK217", "a module-level array can't be written to")
    return at


def _narrow(ctx: Context, node: cst.CSTNode, value: ir.Atom, type_: Scalar) -> ir.Atom:
    """``value`` as an array's element: NumPy converts silently, except from complex."""
    assert isinstance(value.type, Scalar)
    if value.type.dtype.is_complex and not type_.dtype.is_complex:
        raise ctx.refuse(node, "MK213", f"a complex number can't be stored in {type_}")
    return cast(ctx, value, type_)


def _source(ctx: Context, node: cst.CSTNode, dst: ir.Value, value: Operand) -> ir.Atom:
    """``value`` as the source of a bulk write to ``dst``."""
    assert isinstance(dst.type, Array)
    if is_scalar(value):
        atom = expressions.as_scalar(ctx, node, value)
        return _narrow(ctx, node, atom, Scalar(dst.type.dtype))
    if isinstance(value, ir.Value | ir.Undef) and value.type == dst.type:
        return _apart(ctx, dst, value)
    message = f"can't assign {describe(value)} to a part of type {dst.type}"
    raise ctx.refuse(node, "MK213", message, "both sides need one dtype and one rank")


def _apart(ctx: Context, dst: ir.Value, src: ir.Value | ir.Undef) -> ir.Atom:
    """``src``, copied first where it shows the memory that is about to be written."""
    if ctx.base(src) is not ctx.base(dst):
        return src
    out = ir.Value("", src.type)
    ctx.builder.add(ir.Copy(out, src, ctx.builder.origin))
    return out


def update(
    ctx: Context, stmt: cst.AugAssign, target: cst.Subscript, operator: cst.BaseBinaryOp
) -> None:
    """``x[i] op= value``."""
    at = _location(ctx, target)
    if not at.is_element:
        update_array(ctx, stmt, operator, arrays.read(ctx, at))
        return
    found: list[ir.Atom] = []
    inner = ctx.in_child(lambda: found.append(expressions.scalar(ctx, stmt.value)))
    value = found[0]
    if _is_sum(operator, at.type, value) and not any(map(writes, inner.stmts)):
        ctx.builder.stmts.extend(inner.stmts)
        ctx.builder.accum(at.base, at.integers, _signed(ctx, stmt, operator, at.type, value))
        return
    old = ctx.builder.load(at.base, at.integers)
    ctx.builder.stmts.extend(inner.stmts)
    new = expressions.binary(ctx, stmt, operator, old, value)
    stored = _narrow(ctx, stmt, expressions.as_scalar(ctx, stmt, new), Scalar(at.type.dtype))
    ctx.builder.store(at.base, at.integers, stored)


def _is_sum(operator: cst.BaseBinaryOp, type_: Array, value: ir.Atom) -> bool:
    """Whether ``op=`` adds, in the precision of the array."""
    if not isinstance(operator, cst.Add | cst.Subtract):
        return False
    old = ir.Value("", Scalar(type_.dtype))
    return promote((old, value)) is type_.dtype and not type_.dtype.value.startswith(("b", "u"))


def _signed(
    ctx: Context, node: cst.CSTNode, operator: cst.BaseBinaryOp, type_: Array, value: ir.Atom
) -> ir.Atom:
    """What ``+=`` or ``-=`` adds."""
    value = cast(ctx, value, Scalar(type_.dtype))
    return compute(ctx, node, "neg", (value,)) if isinstance(operator, cst.Subtract) else value


def writes(stmt: ir.Stmt) -> bool:
    """Whether ``stmt`` may change memory that its user can see."""
    match stmt:
        case ir.Store() | ir.Accum() | ir.Assign() | ir.AddTo() | ir.Call():
            return True
        case _:
            return any(writes(inner) for block in ir.blocks(stmt) for inner in block.stmts)


def update_array(
    ctx: Context, stmt: cst.AugAssign, operator: cst.BaseBinaryOp, dst: Operand
) -> None:
    """``x += value`` for a whole array or a view."""
    assert isinstance(dst, ir.Value)
    assert isinstance(dst.type, Array)
    value = expressions.lower(ctx, stmt.value)
    scalar_difference = isinstance(operator, cst.Subtract) and is_scalar(value)
    if not isinstance(operator, cst.Add) and not scalar_difference:
        message = "whole-array expressions are not supported yet"
        raise ctx.refuse(stmt, "MK302", message, expressions.WHOLE_ARRAY_HELP)
    if not is_scalar(value):
        src = _source(ctx, stmt, dst, value)
    else:
        atom = expressions.as_scalar(ctx, stmt, value)
        if not _is_sum(operator, dst.type, atom):
            message = f"can't add {describe(value)} to {dst.type} in place"
            raise ctx.refuse(stmt, "MK213", message)
        src = _signed(ctx, stmt, operator, dst.type, atom)
    ctx.builder.add(ir.AddTo(dst, src, ctx.builder.origin))
