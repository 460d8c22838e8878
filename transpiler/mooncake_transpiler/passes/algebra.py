"""Exact simplification of scalar ops: constants, and identities that hold exactly.

Floats follow IEEE 754: ``x * 1`` is ``x``, but ``x * 0`` is not 0 (NaN, inf), and ``x + 0.0`` is
not ``x`` where x is -0.0. In Python a real operand of a complex op becomes complex: ``z * 1`` has
the term ``z.imag * 0``, which may be NaN or -0.0. So what holds for floats does not hold there.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping

from mooncake_transpiler import ir
from mooncake_transpiler.types import BOOL, FLOAT, FLOAT32, INT, Scalar

Number = bool | int | float
Args = tuple[ir.Atom, ...]
Defs = Mapping[ir.Atom, ir.Stmt]

_INT_RANGE = range(-(2**63), 2**63)
_EXACT_INTS = range(-(2**53), 2**53 + 1)  # those that a float64 holds

_ARITHMETIC: Mapping[str, Callable[..., Number]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "neg": operator.neg,
}  # fmt: skip
_QUOTIENTS: Mapping[str, Callable[..., Number]] = {
    "floordiv": operator.floordiv, "mod": operator.mod,
}  # fmt: skip
_COMPARISONS: Mapping[str, Callable[..., Number]] = {
    "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
    "eq": operator.eq, "ne": operator.ne,
}  # fmt: skip
_PREDICATES: Mapping[str, Callable[[float], bool]] = {
    "np.isfinite": math.isfinite, "np.isinf": math.isinf, "np.isnan": math.isnan,
    "np.signbit": lambda x: math.copysign(1.0, x) < 0.0,
}  # fmt: skip
_REFLEXIVE = {"le": True, "ge": True, "eq": True, "lt": False, "gt": False, "ne": False}
_OPPOSITE = {"eq": "ne", "ne": "eq"}
_OPPOSITE_INT = {"lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}  # not for floats: NaN


def equal(stmt: ir.Compute, defs: Defs) -> ir.Atom | None:
    """An atom that equals the result of ``stmt``, if there is one.

    ``defs`` holds the statements that bind values. Where ``stmt`` is free, -0.0 and 0.0 count as
    the same.
    """
    assert isinstance(stmt.out.type, Scalar)
    found: ir.Atom | None = _constant(stmt.op, stmt.args, stmt.out.type)
    if found is None:
        found = _choice(stmt.op, stmt.args)
    if found is None and not stmt.out.type.dtype.is_complex:
        found = _neutral(stmt.op, stmt.args, stmt.free)
    if found is None:
        found = _extreme(stmt.op, stmt.args, defs)
    if found is None:
        found = _undone(stmt.op, stmt.args, stmt.out.type, defs)
    return found if found is not None and found.type == stmt.out.type else None


def regrouped(stmt: ir.Compute, defs: Defs) -> tuple[str, Args]:
    """An op and arguments with the same result: ``(i + 1) + 2`` is ``i + 3``."""
    op, args = stmt.op, _constant_last(stmt.op, stmt.args)
    if op == "sub" and _is(args[0], 0) and _all_ints(*args):
        return "neg", args[1:]
    if op == "mul" and _is(args[1], -1) and args[0].type == stmt.out.type and not _is_complex(stmt):
        return "neg", args[:1]
    if op == "mul" and _is(args[1], 1) and args[0].type == INT:
        return "cast", args[:1]
    inner = _definition(args[0], defs) if args else None
    if inner is None:
        return op, stmt.args
    opposite = _OPPOSITE | (_OPPOSITE_INT if _all_ints(*inner.args) else {})
    if op == "not" and inner.op in opposite:
        return opposite[inner.op], inner.args
    first = _constant_last(inner.op, inner.args)
    by, before = _added(op, args), _added(inner.op, first)
    if by is None or before is None or not _all_ints(stmt.out, *args, *first):
        return op, stmt.args
    total = by + before
    if abs(total) not in _INT_RANGE:
        return op, stmt.args
    return ("add" if total >= 0 else "sub"), (first[0], ir.int_const(abs(total)))


def _is_complex(stmt: ir.Compute) -> bool:
    return isinstance(stmt.out.type, Scalar) and stmt.out.type.dtype.is_complex


# ---- constants ----------------------------------------------------------------------------------


def _constant(op: str, args: Args, type_: Scalar) -> ir.Const | None:
    """The op on constants, where that is exact or at least what the machine computes."""
    values = [a.value for a in args if isinstance(a, ir.Const)]
    numbers = [v for v in values if not isinstance(v, complex)]
    if len(numbers) < len(args):
        return None
    types = {a.type for a in args}
    if op == "cast":
        return _cast(numbers[0], type_)
    if op == "not" and types == {BOOL}:
        return ir.Const(not numbers[0], BOOL)
    if op in _COMPARISONS and types in ({INT}, {FLOAT}):
        return ir.Const(bool(_COMPARISONS[op](*numbers)), BOOL)
    if op in _PREDICATES and types == {FLOAT}:
        return ir.Const(_PREDICATES[op](numbers[0]), BOOL)
    if op in _ARITHMETIC and types <= {INT, FLOAT}:
        return _checked(_ARITHMETIC[op](*numbers), type_)
    if op in _QUOTIENTS and types == {INT} and numbers[1] != 0:
        return _checked(_QUOTIENTS[op](*numbers), type_)
    return None


def _checked(value: Number, type_: Scalar) -> ir.Const | None:
    """``value`` unless it overflows its type."""
    if type_ == INT and isinstance(value, int) and value in _INT_RANGE:
        return ir.Const(value, INT)
    if type_ == FLOAT and isinstance(value, float) and math.isfinite(value):
        return ir.Const(value, FLOAT)
    return None


def _cast(value: Number, type_: Scalar) -> ir.Const | None:
    """``value`` converted, where a float holds it exactly."""
    if not math.isfinite(value):
        return None
    if type_ == INT:
        return _checked(int(value), INT)
    if type_ == FLOAT and (isinstance(value, float) or value in _EXACT_INTS):
        return ir.Const(float(value), FLOAT)
    if type_ == FLOAT32 and _is_float32(float(value)):
        return ir.Const(float(value), FLOAT32)
    return None


def _is_float32(value: float) -> bool:
    """True if 24 bits are enough, and the exponent is one of a normal float32."""
    mantissa, exponent = math.frexp(value)
    return -125 <= exponent <= 128 and (mantissa * 2**24).is_integer()


# ---- identities ---------------------------------------------------------------------------------


def _choice(op: str, args: Args) -> ir.Atom | None:
    """``select``, ``and`` and ``or`` where one side decides."""
    match op, args:
        case "select", (ir.Const(value=cond), a, b):
            return a if cond else b
        case "select", (_, a, b) if ir.same(a, b):
            return a
        case "and", (ir.Const(value=value), other) | (other, ir.Const(value=value)):
            return other if value else ir.Const(False, BOOL)
        case "or", (ir.Const(value=value), other) | (other, ir.Const(value=value)):
            return ir.Const(True, BOOL) if value else other
        case "and" | "or", (a, b) if ir.same(a, b):
            return a
        case _:
            return None


def _neutral(op: str, args: Args, free: bool) -> ir.Atom | None:
    """Neutral and absorbing constants, and what holds for equal integer operands."""
    ints = _all_ints(*args)
    match op, _constant_last(op, args):
        case "radd", (x, c) if _is(c, 0):
            return x
        case "add", (x, c) if _is(c, 0) and (ints or free or _minus_zero(c)):
            return x
        case "sub", (x, c) if _is(c, 0) and (ints or free or not _minus_zero(c)):
            return x
        case "mul", (x, c) if _is(c, 1):
            return x
        case "div" | "pow", (x, c) if _is(c, 1):
            return x
        case "floordiv", (x, c) if _is(c, 1) and ints:
            return x
        case "mul", (_, c) if _is(c, 0) and ints:
            return ir.ZERO
        case "sub", (a, b) if ints and ir.same(a, b):
            return ir.ZERO
        case (("lt" | "le" | "gt" | "ge" | "eq" | "ne"), (a, b)) if ints and ir.same(a, b):
            return ir.Const(_REFLEXIVE[op], BOOL)
        case "mod", (_, c) if _is(c, 1) and ints:
            return ir.ZERO
        case _:
            return None


def _extreme(op: str, args: Args, defs: Defs) -> ir.Atom | None:
    """The larger or smaller of two integers, where it is known which that is."""
    if op not in ("np.maximum", "np.minimum") or not _all_ints(*args):
        return None
    a, b = args
    if ir.same(a, b):
        return a
    if _is(a, 0):
        a, b = b, a
    if _is(b, 0) and _is_size(a, defs):
        return a if op == "np.maximum" else b
    return None


def _is_size(atom: ir.Atom, defs: Defs) -> bool:
    """True if ``atom`` is not negative: an axis's length, a product of two, a maximum with 0."""
    made = defs.get(atom)
    if isinstance(made, ir.Compute) and made.op == "np.maximum":
        return any(_is(a, 0) for a in made.args)
    if isinstance(made, ir.Compute) and made.op == "mul":
        return all(isinstance(a, ir.Value) and isinstance(defs.get(a), ir.Dim) for a in made.args)
    return isinstance(made, ir.Dim)


def _undone(op: str, args: Args, type_: Scalar, defs: Defs) -> ir.Atom | None:
    """Conversions to the same type, double negation, ``(i + j) - j``."""
    if op in ("cast", "pos") or (
        op in ("detach", "stop_gradient") and isinstance(args[0], ir.Const)
    ):
        return args[0]
    inner = _definition(args[0], defs) if args else None
    if inner is None or any(a.type != type_ for a in (*args, *inner.args)):
        return None
    if op == inner.op and op in ("neg", "not", "np.conj"):
        return inner.args[0]
    if (op, inner.op) in (("sub", "add"), ("add", "sub")) and type_ == INT:
        return inner.args[0] if ir.same(inner.args[1], args[1]) else None
    return None


def _definition(atom: ir.Atom, defs: Defs) -> ir.Compute | None:
    found = defs.get(atom)
    return found if isinstance(found, ir.Compute) else None


def _added(op: str, args: Args) -> int | None:
    """The constant that ``op`` adds to its first argument."""
    match op, args:
        case "add", (_, ir.Const(value=int() as value)):
            return value
        case "sub", (_, ir.Const(value=int() as value)):
            return -value
        case _:
            return None


def _constant_last(op: str, args: Args) -> Args:
    """The arguments of a commutative op with a constant in the second place."""
    swap = op in ("add", "radd", "mul") and isinstance(args[0], ir.Const)
    return args[::-1] if swap else args


def _all_ints(*atoms: ir.Atom) -> bool:
    return all(a.type == INT for a in atoms)


def _is(atom: ir.Atom, value: int) -> bool:
    return isinstance(atom, ir.Const) and atom.type != BOOL and atom.value == value


def _minus_zero(atom: ir.Atom) -> bool:
    value = atom.value if isinstance(atom, ir.Const) else 0
    return isinstance(value, float) and math.copysign(1.0, value) < 0
