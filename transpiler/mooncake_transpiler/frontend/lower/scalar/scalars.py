"""Scalar arithmetic: operators as Python and NumPy have them, conversion, choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

import libcst as cst
from mooncake_rules import scalar as rules
from mooncake_rules.arrays import Arr
from mooncake_rules.op_names import Home, home

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import kinds, meaning, powers, signs
from mooncake_transpiler.frontend.lower.scalar.conversion import (
    cast,
    check_fits,
    convert_const,
    widens,
)
from mooncake_transpiler.frontend.lower.scalar.promotion import (
    BITWISE,
    COMPARISONS,
    LOGICAL,
    ON_THE_PLANE,
    ORDERED,
    PARTS,
    SHIFTS,
    constant,
    dtype,
    fold,
    join,
    loses,
    of_one,
    promote,
    result_type,
)
from mooncake_transpiler.frontend.lower.state import passed_text
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import (
    Bound,
    Choice,
    Closure,
    IntRange,
    Items,
    Operand,
    Passed,
    Static,
)
from mooncake_transpiler.frontend.lower.state.whose import Kind, Whose
from mooncake_transpiler.types import BOOL, Array, DType, Scalar

__all__ = [
    "cast", "check_kinds", "compute", "constant", "convert", "convert_const", "dtype", "fold",
    "is_scalar", "join", "loses", "promote", "result", "result_type", "select", "truth",
]  # fmt: skip


def is_scalar(operand: Operand) -> TypeGuard[ir.Atom]:
    match operand:
        case ir.Value() | ir.Const() | ir.Undef():
            return isinstance(operand.type, Scalar)
        case _:
            return False


def compute(
    ctx: Context,
    node: cst.CSTNode,
    op: str,
    args: Sequence[ir.Atom],
    hint: str = "",
    of: Whose | None = None,
) -> ir.Atom:
    """``op`` of scalars, of NumPy's if ``of`` says so; constants are folded here and now."""
    for arg in args:
        if not isinstance(arg.type, Scalar):
            raise ctx.refuse(node, "MK213", f"expected a number, got {describe(arg)}")
    check_kinds(ctx, node, op, args)
    kind = of or kinds.of_result(ctx, op, args)
    means, args = meaning.meant(ctx, node, op, args, kind)
    out = _computed(ctx, node, means, args, hint)
    if kinds.kind(ctx, out) != kind and (out in args or isinstance(out, ir.Const)):
        return kinds.as_kind(ctx, out, kind)
    out = kinds.marked(ctx, out, kind)
    signs.learn(ctx, out, means, args)
    kinds.note_made_of_ints(ctx, op, out, args)
    if kind is Kind.PYTHON:
        powers.learn(ctx, out, means, args)
    return out


def _computed(
    ctx: Context, node: cst.CSTNode, op: str, args: Sequence[ir.Atom], hint: str
) -> ir.Atom:
    if (folded := fold(op, args)) is not None:
        return folded
    if _overflows(op, args):
        raise ctx.refuse(node, "MK213", "the integer does not fit in 64 bits", "use a float")
    if op in PARTS and not any(dtype(arg).is_complex for arg in args):
        return args[0] if op != "np.imag" else ir.zero(Scalar(dtype(args[0])))
    if op in ON_THE_PLANE and (op == "np.angle" or dtype(args[-1]).is_complex):
        args = [_complex(ctx, args[0]), *args[1:]]
    type_ = result_type(op, args)
    if op == "pow" and type_.dtype.is_float and not signs.is_natural(ctx, args[1]):
        args = [args[0], _exponent(ctx, args[1], type_)]
    return ctx.builder.compute(op, [_fit(ctx, node, op, k, args) for k in range(len(args))],
                               type_, hint)  # fmt: skip


def _exponent(ctx: Context, exponent: ir.Atom, type_: Scalar) -> ir.Atom:
    """An integer that may be negative as a float: numba has no ``0.0 ** k`` for such ones."""
    is_open = isinstance(exponent, ir.Value) and dtype(exponent).is_int
    return cast(ctx, exponent, type_) if is_open else exponent


def result(ctx: Context, node: cst.CSTNode, op: str, args: Sequence[ir.Atom], of: Whose) -> Scalar:
    """The type of what ``compute`` gives; ``args`` may stand for others of their types."""
    check_kinds(ctx, node, op, args)
    means, args = meaning.meant(ctx, node, op, args, of)
    return result_type(means, args)


def _overflows(op: str, args: Sequence[ir.Atom]) -> bool:
    """True if ``op`` of constant integers, which could not be folded, is too large."""
    values = [a.value for a in args if isinstance(a, ir.Const) and isinstance(a.value, int)]
    if len(values) < len(args):
        return False
    match op:
        case "add" | "sub" | "mul" | "neg" | "abs":
            return True
        case "pow":
            return values[1] > 0 and abs(values[0]) > 1
        case "lshift" | "rt.shift_left":
            return values[1] > 0 and values[0] != 0
        case _:
            return False


def check_kinds(ctx: Context, node: cst.CSTNode, op: str, args: Sequence[ir.Atom]) -> None:
    kinds = [dtype(arg) for arg in args]
    if op in ORDERED and any(kind.is_complex for kind in kinds):
        raise ctx.refuse(node, "MK213", "complex numbers have no order")
    if op in BITWISE | SHIFTS and any(kind.is_differentiable for kind in kinds):
        raise ctx.refuse(node, "MK213", "bit operations need integers")
    if rules.OPS[op].complex is None and any(kind.is_complex for kind in kinds):
        help_ = "use the function of NumPy or cmath" if home(op) is Home.MATH else None
        raise ctx.refuse(node, "MK213", f"{op} does not take complex numbers", help_)
    for k in rules.OPS[op].whole:
        if kinds[k].is_differentiable:
            raise ctx.refuse(node, "MK213", f"argument {k + 1} must be an integer here")


def _fit(ctx: Context, node: cst.CSTNode, op: str, k: int, args: Sequence[ir.Atom]) -> ir.Atom:
    """Argument ``k``; a literal beside single precision takes that precision."""
    arg = args[k]
    if not isinstance(arg, ir.Const) or dtype(arg) is DType.BOOL or op in LOGICAL:
        return arg
    if op == "pow" and k == 1 and dtype(arg).is_int:
        return arg
    if k in rules.OPS[op].whole:
        return arg
    common = promote(args)
    if common is DType.COMPLEX64 and not dtype(arg).is_complex:
        common = DType.FLOAT32
    if common.is_int and op not in COMPARISONS:
        check_fits(ctx, node, arg, common)
    single = common in (DType.FLOAT32, DType.COMPLEX64)
    return convert_const(arg, Scalar(common)) if single else arg


def _complex(ctx: Context, atom: ir.Atom) -> ir.Atom:
    """``atom`` as a complex number: powers and angles of negative numbers are complex."""
    return cast(ctx, atom, Scalar(dtype(atom).complex)) if not dtype(atom).is_complex else atom


def convert(ctx: Context, node: cst.CSTNode, operand: Operand, type_: Scalar, what: str) -> ir.Atom:
    """``operand`` as a value of the declared ``type_``; loses precision at most."""
    if not isinstance(operand, ir.Value | ir.Const | ir.Undef) or isinstance(operand.type, Array):
        is_array = isinstance(operand, Arr | ir.Value)
        help_ = "take an element, or reduce it: x[0], np.sum(x)" if is_array else None
        raise ctx.refuse(node, "MK213", f"{what} must be {type_}, got {describe(operand)}", help_)
    if not widens(dtype(operand), type_.dtype):
        help_ = f"convert it explicitly: {'int' if type_.dtype.is_int else type_.dtype.value}(...)"
        raise ctx.refuse(node, "MK213", f"{what} must be {type_}, got {describe(operand)}", help_)
    is_bool = operand.type == BOOL and type_ != BOOL
    if is_bool and kinds.kind(ctx, operand) not in (Kind.PYTHON, None):
        help_ = "convert it: int(...), float(...)"
        raise ctx.refuse(
            node, "MK250", f"{what} is {type_}, but NumPy's bools are no numbers", help_
        )
    found = cast(ctx, operand, type_)
    if isinstance(found, ir.Value):
        kinds.note_int(ctx, found, operand)
    return found


def truth(ctx: Context, node: cst.CSTNode, operand: Operand) -> ir.Atom:
    """The truth value of ``operand``."""
    match operand:
        case Static(value=value):
            return constant(bool(value))
        case Items(items=items, once=once):  # an iterator is true
            return constant(bool(items) or once is not None)
        case Closure() | Bound() | Choice():
            return constant(True)
        case IntRange(lo=lo, hi=hi, step=ir.Const(value=int(step)), once=None):
            return compute(ctx, node, "lt" if step > 0 else "gt", (lo, hi))
        case ir.Value() | ir.Const() | ir.Undef() if isinstance(operand.type, Scalar):
            if operand.type == BOOL:
                return operand
            return compute(ctx, node, "ne", (operand, ir.zero(operand.type)))
        case Passed():
            if not passed_text.is_filled(operand):
                raise passed_text.not_known(ctx, node, operand)
            return constant(True)
        case _:
            help_ = "write a loop, or ask for its size: len(x) > 0"
            raise ctx.refuse(node, "MK213", f"{describe(operand)} has no truth value", help_)


def select(
    ctx: Context, cond: ir.Atom, a: ir.Atom, b: ir.Atom, hint: str = "", op: str = "select"
) -> ir.Atom:
    """``a if cond else b`` of numbers that are there already."""
    type_ = Scalar(promote((a, b)) if op == "where" else of_one((a, b)))
    sides = [cast(ctx, side, type_) for side in (a, b)]
    if isinstance(cond, ir.Const):
        return sides[0] if cond.value else sides[1]
    out = ctx.builder.compute(op, (cond, *sides), type_, hint)
    if op == "where":  # an array's element: a number
        return kinds.marked(ctx, out, Kind.NUMPY)
    kinds.merged(ctx, out, (a, b))
    return out


def conjunction(ctx: Context, left: ir.Atom, right: ir.Atom) -> ir.Atom:
    """``left and right`` of values that are there already."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, ir.Const):
            return other if one.value else one
    return kinds.marked(ctx, ctx.builder.compute("and", (left, right), BOOL), Kind.PYTHON)
