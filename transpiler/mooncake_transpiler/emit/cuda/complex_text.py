"""Ops over complex numbers as CUDA C++: what ``complex<T>`` of CuPy's headers has.

A real operand becomes complex first, as NumPy has it: ``complex<T>`` can't be multiplied by other
numbers than a ``T``.
"""

from __future__ import annotations

from collections.abc import Mapping

from mooncake_rules.op import Prec

from mooncake_transpiler import ir
from mooncake_transpiler.emit.literals import Text
from mooncake_transpiler.types import Array, DType, Scalar

# Functions that C++ overloads for complex numbers.
CALLS = {
    **{f"{library}.{name}": name for library in ("math", "np") for name in (
        "sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "expm1", "log", "log2", "log10",
        "log1p", "sqrt",
    )},
    **{f"math.{name}": name for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh")},
    "np.arcsin": "asin", "np.arccos": "acos", "np.arctan": "atan", "np.arcsinh": "asinh",
    "np.arccosh": "acosh", "np.arctanh": "atanh", "np.conj": "conj",
}  # fmt: skip

# Their parts, of complex numbers and of real ones, and what is told of them.
_OF_PARTS: Mapping[str, tuple[str, int]] = {
    "np.real": ("{0}.real()", Prec.CALL), "np.imag": ("{0}.imag()", Prec.CALL),
    "np.angle": ("arg({0})", Prec.CALL), "abs": ("abs({0})", Prec.CALL),
    "np.abs": ("abs({0})", Prec.CALL),
    **{f"np.{name}": (f"{name}({{0}})", Prec.CALL) for name in ("isnan", "isinf", "isfinite")},
}  # fmt: skip
OF_REALS: Mapping[str, tuple[str, int]] = {
    "np.real": ("{0}", Prec.CALL), "np.conj": ("{0}", Prec.CALL),
    "np.imag": ("({dtype})0", Prec.UNARY), "np.angle": ("atan2(({dtype})0, {0})", Prec.CALL),
}  # fmt: skip

_COMPOSED: Mapping[str, tuple[str, int]] = {
    "np.square": ("{0} * {0}", Prec.MUL),
    "np.reciprocal": ("{dtype}(1) / {0}", Prec.MUL),
}
SPECIAL = {
    f"rt.{name}": name for name in ("complex_sech2", "complex_sec2", "lambertw", "lambertw_below")
}
_POWERS = ("pow", "np.power", "np.float_power", "math.pow")
_OPERATORS = (
    "add", "radd", "sub", "mul", "strong", "div", "neg", "eq", "ne", "select", "where", "cast",
    "and", "or", "not", "np.logical_and", "np.logical_or", "np.logical_xor", "np.logical_not",
    "detach", "pos", "ruled", "stop_gradient",
)  # fmt: skip

NAMES = ("complex", *CALLS, *_OF_PARTS, *OF_REALS, *_COMPOSED, *SPECIAL, *_POWERS)
OPERATIONS = frozenset((*NAMES, *_OPERATORS))


def dtypes(stmt: ir.Compute) -> list[DType]:
    """The dtypes of the arguments of ``stmt`` and of its result."""
    return [a.type.dtype for a in (*stmt.args, stmt.out) if isinstance(a.type, Scalar | Array)]


def is_over_complex(stmt: ir.Compute) -> bool:
    """True if complex numbers go into ``stmt`` or come out of it."""
    return any(dtype.is_complex for dtype in dtypes(stmt))


def is_supported(stmt: ir.Compute) -> bool:
    """True if kernels can compute ``stmt``, which is over complex numbers."""
    *_, out = dtypes(stmt)
    return stmt.op in OPERATIONS and (stmt.op != "cast" or out.is_complex or out is DType.BOOL)


def is_named(stmt: ir.Compute) -> bool:
    """True if the text of ``stmt`` has arguments more than once."""
    return stmt.op in _COMPOSED


def operand_dtype(stmt: ir.Compute) -> DType:
    """The dtype that the operands of a function of complex numbers are converted to."""
    first, *_, out = dtypes(stmt)
    if stmt.op == "complex":
        return out.real
    return first if stmt.op in _OF_PARTS else out


def function(stmt: ir.Compute) -> str | None:
    """The function of the runtime that the text calls."""
    if stmt.op not in _POWERS:
        return SPECIAL.get(stmt.op)
    exponent = stmt.args[1]
    if isinstance(exponent, ir.Const) and exponent.value == 2:
        return None
    is_whole = isinstance(exponent.type, Scalar) and exponent.type.dtype.is_int
    return "whole_power" if is_whole else "complex_power"


def spelled(stmt: ir.Compute, args: list[Text], dtype: str) -> Text:
    """The text of one of ``NAMES`` for operands of the right dtypes; ``dtype`` is that of these."""
    if stmt.op == "complex":
        return Text(f"complex<{dtype}>({args[0].text}, {args[1].text})")
    if (name := function(stmt)) is not None:
        return Text(f"special::{name}({', '.join(arg.text for arg in args)})")
    if stmt.op in CALLS:
        return Text(f"{CALLS[stmt.op]}({args[0].text})")
    if stmt.op in _POWERS:
        return Text(f"{args[0].at(Prec.MUL)} * {args[0].at(Prec.MUL + 1)}", Prec.MUL)
    return composed({**_OF_PARTS, **_COMPOSED}[stmt.op], args, dtype)


def composed(how: tuple[str, int], args: list[Text], dtype: str) -> Text:
    """A template, filled in."""
    template, level = how
    return Text(template.format(*(arg.at(Prec.CALL) for arg in args), dtype=dtype), level)
