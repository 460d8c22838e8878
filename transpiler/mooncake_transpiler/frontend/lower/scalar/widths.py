"""The type in which NumPy computes with integers: Python's take that of NumPy's beside them.

``a[i] + k`` of an element of a uint8 array and an int is a uint8, which wraps around at 256; an int
that does not fit is an OverflowError. Where a number is Python's on one path and NumPy's on
another, or of several of NumPy's types, the type of the result may not be known: MK250.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst
from mooncake_rules.op_names import Home, home

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.scalar.conversion import cast, fitting
from mooncake_transpiler.frontend.lower.scalar.promotion import (
    ARITHMETIC,
    BITWISE,
    SHIFTS,
    dtype,
    is_literal,
    promote,
)
from mooncake_transpiler.frontend.lower.scalar.weak_numbers import narrowed
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.whose import Kind, Narrow
from mooncake_transpiler.types import INT, DType, Scalar, result_dtype

_OPERATORS = ARITHMETIC | BITWISE | SHIFTS | {"pow"}


def settled(ctx: Context, node: cst.CSTNode, op: str, args: Sequence[ir.Atom]) -> Sequence[ir.Atom]:
    """``args`` of ``op``, integers among them of the type in which it computes."""
    args = narrowed(ctx, node, op, args)
    if op not in _OPERATORS and home(op) is not Home.NUMPY:
        return args
    opened = [arg for arg in args if isinstance(kinds.whose(ctx, arg), Narrow)]
    others = [arg for arg in args if arg not in opened]
    if any(dtype(arg).is_differentiable for arg in others):
        return args
    either = [arg for arg in others if _is_either(ctx, arg)]
    strong = [a for a in others if not is_literal(a) and not _is_weak(ctx, a) and a not in either]
    found = promote(strong) if strong else DType.BOOL
    if found is DType.BOOL:
        unknown = opened
    else:
        unknown = [arg for arg in opened if _differs(ctx, arg, found)]
        unknown += either if found is not DType.INT64 else []
    if unknown:
        raise kinds.undecided(ctx, node, "integers")
    if found is DType.BOOL or (found.is_float and op in BITWISE | SHIFTS):
        return args
    return [_in(ctx, arg, found) for arg in args]


def _is_weak(ctx: Context, arg: ir.Atom) -> bool:
    """True for a number of Python's that is no literal."""
    return kinds.whose(ctx, arg) is Kind.PYTHON


def _is_either(ctx: Context, arg: ir.Atom) -> bool:
    """True for an integer that is noted to be anybody's."""
    if not isinstance(arg, ir.Value) or arg.type != INT:
        return False
    return ctx.numbers.kinds.get(arg) not in (None, Kind.PYTHON, Kind.NUMPY, Kind.ARRAY)


def _differs(ctx: Context, arg: ir.Atom, beside: DType) -> bool:
    """True if it matters to a number of NumPy's of this type which integer ``arg`` is."""
    of = kinds.whose(ctx, arg)
    assert isinstance(of, Narrow)
    wide = dtype(arg).is_differentiable and beside is not DType.INT64
    return wide or any(result_dtype(beside, own) is not beside for own in of.dtypes)


def _in(ctx: Context, arg: ir.Atom, type_: DType) -> ir.Atom:
    """The integer ``arg`` as one of ``type_``; literals fit, or are refused later."""
    if not isinstance(arg, ir.Value) or not dtype(arg).is_int:
        return arg
    if isinstance(kinds.whose(ctx, arg), Narrow):
        arg = fitting(ctx, arg, type_)
    return cast(ctx, arg, Scalar(type_))
