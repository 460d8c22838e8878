"""Numbers as numbers of another type."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.scalar.kinds import NumpyConst
from mooncake_transpiler.frontend.lower.scalar.promotion import dtype, kind_of
from mooncake_transpiler.types import DType, Scalar


def convert_const(const: ir.Const, type_: Scalar) -> ir.Const:
    """``const`` as a number of ``type_``, and of its own kind."""
    value = _converted(const.value, type_.dtype)
    return NumpyConst(value, type_) if isinstance(const, NumpyConst) else ir.Const(value, type_)


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
        atom = ctx.powers.get(atom, atom)
    if atom.type == type_:
        return atom
    if isinstance(atom, ir.Undef):
        return ir.Undef(type_)
    finite = isinstance(atom, ir.Const) and not isinstance(atom.value, complex)
    if isinstance(atom, ir.Const) and finite and widens(dtype(atom), type_.dtype):
        return convert_const(atom, type_)
    out = ctx.builder.compute("cast", (atom,), type_, hint)
    found = kinds.kind(ctx, atom)
    return out if found is None else kinds.marked(ctx, out, found)


def widens(a: DType, b: DType) -> bool:
    """Whether ``b`` holds numbers of the sort of ``a``."""
    return kind_of(a) <= kind_of(b)
