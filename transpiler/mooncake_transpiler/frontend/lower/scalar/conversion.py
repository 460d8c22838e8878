"""Numbers as numbers of another type."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.scalar.kinds import NumpyConst
from mooncake_transpiler.frontend.lower.scalar.promotion import (
    dtype,
    kind_of,
    single,
    whole_numbers,
)
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.types import INT, DType, Scalar

SHORT = (DType.INT8, DType.INT16, DType.UINT8, DType.UINT16)


def convert_const(const: ir.Const, type_: Scalar) -> ir.Const:
    """``const`` as a number of ``type_``, and of its own kind."""
    value = _converted(_rounded(const), type_.dtype)
    return NumpyConst(value, type_) if isinstance(const, NumpyConst) else ir.Const(value, type_)


def _rounded(const: ir.Const) -> bool | int | float | complex:
    """The number that ``const`` is: one of single precision may have more digits in its text."""
    match const.value:
        case float(value) if dtype(const) is DType.FLOAT32:
            return single(value)
        case value:
            return value


def _converted(value: bool | int | float | complex, to: DType) -> bool | int | float | complex:
    if to.is_complex:
        return complex(value)
    assert not isinstance(value, complex)
    if to.is_float:
        return float(value)
    return bool(value) if to is DType.BOOL else int(value)


def cast(ctx: Context, atom: ir.Atom, type_: Scalar, hint: str = "") -> ir.Atom:
    """``atom`` converted to ``type_``, whatever that loses; its kind stays."""
    if type_.dtype.is_differentiable and isinstance(atom, ir.Value):
        atom = ctx.numbers.powers.get(atom, atom)
    if atom.type == type_:
        return atom
    if isinstance(atom, ir.Undef):
        return ir.Undef(type_)
    if isinstance(atom, ir.Const) and type_.dtype.is_int:
        check_fits(ctx, cst.Pass(), atom, type_.dtype)
    finite = isinstance(atom, ir.Const) and not isinstance(atom.value, complex)
    if isinstance(atom, ir.Const) and finite and widens(dtype(atom), type_.dtype):
        return convert_const(atom, type_)
    found = kinds.whose(ctx, atom)
    if found is Kind.PYTHON and isinstance(atom, ir.Value) and atom.type == INT:
        atom = fitting(ctx, atom, type_.dtype)
    out = ctx.builder.compute("cast", (atom,), type_, hint)
    return out if found is None else kinds.marked(ctx, out, found)


def fitting(ctx: Context, number: ir.Value, to: DType) -> ir.Value:
    """Python's integer ``number`` as it is, if it fits in ``to``: else an OverflowError."""
    if to not in SHORT:
        return number
    held = whole_numbers(to)
    ends = ir.int_const(held.start), ir.int_const(held.stop - 1)
    return ctx.builder.compute("rt.fitting", (number, *ends), INT)


def check_fits(ctx: Context, node: cst.CSTNode, const: ir.Const, to: DType) -> None:
    """Refuse an integer that is too large for ``to``: NumPy raises an OverflowError."""
    if isinstance(const.value, int) and const.value not in whole_numbers(to):
        message = f"{const.value} does not fit in {to.value}"
        raise ctx.refuse(node, "MK213", message, "take larger integers: np.int64")


def widens(a: DType, b: DType) -> bool:
    """True if ``b`` holds numbers of the sort of ``a``."""
    return kind_of(a) <= kind_of(b)
