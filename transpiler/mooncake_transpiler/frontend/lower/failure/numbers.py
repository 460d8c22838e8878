"""Operands where a number or an integer is needed."""

from __future__ import annotations

import libcst as cst
from mooncake_rules.arrays import Arr

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.failure import optional
from mooncake_transpiler.frontend.lower.scalar import enums, kinds, scalars
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe, way_out
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.types import BOOL, INT, Array, Scalar


def scalar(ctx: Context, node: cst.BaseExpression, hint: str = "") -> ir.Atom:
    """The value of an expression that must be a number."""
    return as_scalar(ctx, node, ctx.lower.expression(ctx, node, hint))


def as_scalar(ctx: Context, node: cst.CSTNode, operand: Operand) -> ir.Atom:
    operand = enums.plain(ctx, node, optional.present(ctx, node, operand))
    match operand:
        case ir.Value() | ir.Const() | ir.Undef() if isinstance(operand.type, Scalar):
            return operand
        case ir.Value(type=Array(ndim=0)):
            return ctx.builder.load(operand, ())
        case ir.Value() | ir.Undef() if isinstance(operand.type, Array):
            help_ = "take an element, or reduce it: x[0], np.sum(x)"
            raise ctx.refuse(node, "MK302", f"expected a number, got {operand.type}", help_)
        case Arr():
            help_ = "take an element, or reduce it: x[0], np.sum(x)"
            raise ctx.refuse(node, "MK302", "expected a number, got an array", help_)
        case _:
            message = f"expected a number, got {describe(operand)}"
            raise ctx.refuse(node, "MK213", message, way_out(operand))


def as_place(ctx: Context, node: cst.CSTNode, operand: Operand) -> ir.Atom:
    """``operand`` as an index of a list or a tuple, where bools of Python's are 0 and 1."""
    atom = as_scalar(ctx, node, operand)
    if atom.type == BOOL and kinds.kind(ctx, atom) is not Kind.NUMPY:
        return scalars.cast(ctx, atom, INT)
    return as_index(ctx, node, atom, "an index")


def as_index(ctx: Context, node: cst.CSTNode, operand: Operand, what: str) -> ir.Atom:
    """``operand`` as an integer."""
    atom = as_scalar(ctx, node, operand)
    assert isinstance(atom.type, Scalar)
    if not atom.type.dtype.is_int:
        raise ctx.refuse(node, "MK214", f"{what} must be an integer, got {atom.type}")
    if atom in ctx.numbers.blended:
        raise ctx.refuse(node, "MK250", f"{what} may be a bool, which is no index", "int(...)")
    return atom
