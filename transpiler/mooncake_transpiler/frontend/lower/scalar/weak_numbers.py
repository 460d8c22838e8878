"""Python's numbers beside single precision, which they take: ``a * x`` of a float and a float32.

So it is for plain Python and CuPy. Compiled numba code, which knows no such numbers, computes
in double precision, and so do functions over NumPy's arrays.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst
from mooncake_rules import scalar as rules
from mooncake_rules.op_names import Home, home

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.scalar.conversion import cast
from mooncake_transpiler.frontend.lower.scalar.promotion import (
    BITWISE,
    LOGICAL,
    SHIFTS,
    dtype,
    is_literal,
    promote,
)
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.whose import Kind, Of
from mooncake_transpiler.types import ArrayLibrary, DType, Scalar

_SINGLE = (DType.FLOAT32, DType.COMPLEX64)


def narrowed(ctx: Context, node: cst.CSTNode, op: str, args: Sequence[ir.Atom]) -> list[ir.Atom]:
    """``args`` of ``op``, Python's numbers among them in single precision if the others are."""
    if home(op) is Home.MATH or op in LOGICAL | BITWISE | SHIFTS:
        return list(args)
    whole = rules.OPS[op].whole if op in rules.OPS else ()
    return among(ctx, node, args, [arg for k, arg in enumerate(args) if k not in whole])


def among(
    ctx: Context, node: cst.CSTNode, args: Sequence[ir.Atom], those: Sequence[ir.Atom]
) -> list[ir.Atom]:
    """``args``, of which ``those`` are brought to one type."""
    open_ = [arg for arg in those if _is_weak(ctx, arg)]
    strong = [arg for arg in those if not is_literal(arg) and arg not in open_]
    if not open_ or not strong or promote(strong) not in _SINGLE or not _is_on_device(ctx, node):
        return list(args)
    if ctx.functions.is_called and any(isinstance(kinds.whose(ctx, a), Of) for a in open_):
        raise kinds.undecided(ctx, node, "numbers")
    weak = [arg for arg in open_ if kinds.whose(ctx, arg) is Kind.PYTHON]
    return [cast(ctx, arg, _single(arg)) if arg in weak else arg for arg in args]


def _single(arg: ir.Atom) -> Scalar:
    return Scalar(DType.COMPLEX64 if dtype(arg).is_complex else DType.FLOAT32)


def _is_weak(ctx: Context, arg: ir.Atom) -> bool:
    """True for a number of Python's, or of whoever calls, that is no literal."""
    if not isinstance(arg, ir.Value) or dtype(arg) is DType.BOOL or dtype(arg) in _SINGLE:
        return False
    found = kinds.whose(ctx, arg)
    return found is Kind.PYTHON or isinstance(found, Of)


def _is_on_device(ctx: Context, node: cst.CSTNode) -> bool:
    """True in functions over CuPy's arrays; a helper that names neither library is one of both."""
    root = ctx.root
    if root is None or root.library is ArrayLibrary.NUMPY:
        return False
    if root.library is ArrayLibrary.CUPY:
        return True
    if ctx.functions.has_device and ctx.functions.is_called:
        raise kinds.undecided(ctx, node, "numbers")
    return False
