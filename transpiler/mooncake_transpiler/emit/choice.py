"""The op to print for a statement, its parentheses, and the dtype before any conversion."""

from __future__ import annotations

from dataclasses import replace

from mooncake_rules.op import Prec, Result, ScalarOp
from mooncake_rules.op_names import Home, home
from mooncake_rules.scalar import OPS

from mooncake_transpiler import ir
from mooncake_transpiler.types import FLOAT, FLOAT32, INT, DType, Scalar, result_dtype

_REAL = (FLOAT, FLOAT32)
LOOSE = 0  # the level of a place where any expression may stand
_QUOTIENT = replace(
    OPS["div"], name="np.divide", template="np.divide({0}, {1})", precedence=Prec.CALL
)
_WHOLE_POWER = replace(
    OPS["pow"], name="rt.whole_power", template="rt.whole_power({0}, {1})", precedence=Prec.CALL
)
# What gives float64 or complex128 for single precision, too.
_DOUBLE = {"rt.complex_sech2", "rt.complex_sec2", "rt.whole_power", "np.angle"}


def spelled(stmt: ir.Compute) -> ScalarOp:
    """The op of ``stmt``, or for complex numbers the one that numba is better at.

    Its ``/`` raises and is slow, its ``**`` goes through logarithms even if the exponent is whole.
    """
    if is_complex(stmt.out) and stmt.op == "div":
        return _QUOTIENT
    if is_complex(stmt.out) and _is_whole_power(stmt):
        return _WHOLE_POWER
    return OPS[stmt.op]


def _is_whole_power(stmt: ir.Compute) -> bool:
    """True if an exponent is an integer, and not 2, which numba does well."""
    exponent = dtype_of(stmt.args[-1])
    square = isinstance(stmt.args[-1], ir.Const) and stmt.args[-1].value == 2
    return (
        stmt.op in ("pow", "np.power") and exponent is not None and exponent.is_int and not square
    )


def inverse_power(stmt: ir.Compute) -> ir.Compute | ir.Atom | None:
    """The power, or number, whose inverse a power of a float is, if its exponent is -1, -2 ...

    That of 0 is infinite in NumPy; numba raises.
    """
    match stmt.args:
        case (base, ir.Const(value=int(n))) if n < 0 and base.type == stmt.out.type in _REAL:
            return base if n == -1 else replace(stmt, args=(base, ir.int_const(-n)))
        case _:
            return None


def dtype_of(atom: ir.Atom) -> DType | None:
    return atom.type.dtype if isinstance(atom.type, Scalar) else None


def is_complex(atom: ir.Atom) -> bool:
    dtype = dtype_of(atom)
    return dtype is not None and dtype.is_complex


def natural(op: ScalarOp, args: tuple[ir.Atom, ...], out: DType) -> bool:
    """True if the op gives ``out`` by itself, in NumPy and in numba alike."""
    dtypes = [
        d
        for d in map(dtype_of, args[1:] if op.name in ("select", "where") else args)
        if d is not None
    ]
    match op.result:
        case Result.BOOL | Result.INT:
            return True
        case Result.SAME:
            found = dtypes[0]
        case Result.REAL:
            found = dtypes[0].real
        case Result.COMPLEX:
            found = DType.COMPLEX128
        case Result.PROMOTE | Result.FLOAT:
            found = dtypes[0]
            for dtype in dtypes[1:]:
                found = found if dtype is found else result_dtype(found, dtype)
    if home(op.name) is Home.MATH or (op.result is Result.FLOAT and not found.is_differentiable):
        found = DType.FLOAT64
    if op.name in _DOUBLE or (op.result is Result.FLOAT and "np." not in op.template):
        found = DType.COMPLEX128 if found.is_complex else DType.FLOAT64
    # numba computes with small ints in 64 bits
    return found is out and not (out.is_int and out is not DType.INT64)


def levels(op: ScalarOp) -> tuple[int, ...]:
    """The least precedence that each operand may have without parentheses."""
    level = op.precedence
    if level == Prec.CALL:
        return (LOOSE,) * op.arity
    if level == Prec.ATTRIBUTE:
        return (Prec.CALL,) * op.arity
    if level == Prec.POWER:
        return (Prec.CALL, Prec.UNARY)
    if level == Prec.SELECT:
        return (Prec.OR, Prec.OR, LOOSE)
    if level == Prec.COMPARE:
        return (Prec.BITOR, Prec.BITOR)
    if level in (Prec.AND, Prec.OR) or op.arity == 1:
        return (level,) * op.arity
    return (level, level + 1)


def unsigned(atom: ir.Atom) -> ir.Atom:
    """``atom``; an integer of the text as a uint64: beside another one numba takes it for int64."""
    match atom:
        case ir.Const(value=int(number)) if atom.type == INT and number >= 0:
            return ir.Const(number, Scalar(DType.UINT64))
        case _:
            return atom
