"""Scalar arithmetic: promotion as NumPy 2 does it, conversion, and constants folded exactly."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import TypeGuard

import libcst as cst
from mooncake_rules import scalar as rules

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.container import containers
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.operands import (
    Bound,
    Choice,
    Closure,
    Items,
    Operand,
    Ref,
    Static,
    describe,
)
from mooncake_transpiler.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    Array,
    DType,
    Scalar,
    result_dtype,
)

COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
ORDERED = frozenset({"lt", "le", "gt", "ge", "floordiv", "mod"})
LOGICAL = frozenset({"and", "or", "not"})
BITWISE = frozenset({"bitand", "bitor", "bitxor"})
SHIFTS = frozenset({"lshift", "rshift", "invert"})
PARTS = frozenset({"np.real", "np.imag", "np.conj"})
ON_THE_PLANE = frozenset({"pow", "np.power", "np.float_power", "np.angle"})
ARITHMETIC = frozenset({"add", "sub", "mul", "floordiv", "mod", "neg", "pos", "abs"})

_INT64 = range(-(2**63), 2**63)

Exact = int | float

_FOLDED: Mapping[str, Callable[..., Exact]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "floordiv": operator.floordiv,
    "mod": operator.mod, "neg": operator.neg, "pos": operator.pos, "abs": abs, "pow": pow,
    "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
    "eq": operator.eq, "ne": operator.ne, "not": operator.not_,
    "lshift": operator.lshift, "rshift": operator.rshift, "invert": operator.invert,
    "bitand": operator.and_, "bitor": operator.or_, "bitxor": operator.xor,
}  # fmt: skip


def is_scalar(operand: Operand) -> TypeGuard[ir.Atom]:
    match operand:
        case ir.Value() | ir.Const() | ir.Undef():
            return isinstance(operand.type, Scalar)
        case _:
            return False


def dtype(atom: ir.Atom) -> DType:
    assert isinstance(atom.type, Scalar)
    return atom.type.dtype


def constant(value: bool | int | float | complex) -> ir.Const:
    """A number of the program's text."""
    match value:
        case bool():
            return ir.Const(value, BOOL)
        case int():
            return ir.Const(value, INT)
        case float():
            return ir.Const(value, FLOAT)
        case _:
            return ir.Const(value, Scalar(DType.COMPLEX128))


def join(a: DType, b: DType) -> DType:
    """The type of a variable that is of type ``a`` on one path and ``b`` on another."""
    return a if a is b else result_dtype(a, b)


def promote(args: Sequence[ir.Atom]) -> DType:
    """The common element type; the kind of a literal counts, its precision does not."""
    strong = [dtype(arg) for arg in args if not isinstance(arg, ir.Const)]
    weak = [dtype(arg) for arg in args if isinstance(arg, ir.Const)]
    found = strong[0] if strong else weak[0]
    for other in strong[1:]:
        found = join(found, other)
    for literal in weak:
        found = _with_literal(found, literal)
    return found


def _with_literal(found: DType, literal: DType) -> DType:
    rank = [_kind(found), _kind(literal)]
    if rank[0] >= rank[1]:
        return found
    if found is DType.FLOAT32 and literal is DType.COMPLEX128:
        return DType.COMPLEX64
    return literal


def _kind(element: DType) -> int:
    if element is DType.BOOL:
        return 0
    return 1 if element.is_int else 2 if element.is_float else 3


def result_type(op: str, args: Sequence[ir.Atom]) -> Scalar:
    """The type that ``op`` gives for ``args``."""
    if op in COMPARISONS or op in LOGICAL:
        return BOOL
    common = promote(args)
    if op in BITWISE:
        return Scalar(common)
    if op == "abs":
        common = common.real
    if op in ARITHMETIC or op in SHIFTS:
        return INT if common is DType.BOOL else Scalar(common)
    if op == "div":
        return Scalar(common) if common.is_differentiable else FLOAT
    if op == "pow":
        return _power_type(common, args[1])
    return _function_type(op, common, args)


def _power_type(common: DType, exponent: ir.Atom) -> Scalar:
    if common.is_differentiable:
        return Scalar(common)
    negative = isinstance(exponent, ir.Const) and _negative(exponent)
    return FLOAT if negative else INT if common is DType.BOOL else Scalar(common)


def _negative(const: ir.Const) -> bool:
    return not isinstance(const.value, complex) and const.value < 0


def _function_type(op: str, common: DType, args: Sequence[ir.Atom]) -> Scalar:
    match rules.OPS[op].result:
        case rules.Result.BOOL:
            return BOOL
        case rules.Result.INT:
            return INT
        case rules.Result.SAME:
            return Scalar(dtype(args[0]))
        case rules.Result.REAL:
            found = dtype(args[0]).complex if op == "np.angle" else dtype(args[0])
            return Scalar(found.real)
        case rules.Result.COMPLEX:
            return COMPLEX
        case rules.Result.PROMOTE:
            return INT if common is DType.BOOL else Scalar(common)
        case rules.Result.FLOAT:
            if op.startswith("math.") or (op == "np.float_power" and not common.is_complex):
                return FLOAT
            return Scalar(common) if common.is_differentiable else FLOAT


def compute(
    ctx: Context, node: cst.CSTNode, op: str, args: Sequence[ir.Atom], hint: str = ""
) -> ir.Atom:
    """``op`` of scalars; exact operations of constants happen here and now."""
    for arg in args:
        if not isinstance(arg.type, Scalar):
            raise ctx.refuse(node, "MK213", f"expected a number, got {describe(arg)}")
    check_kinds(ctx, node, op, args)
    folded = fold(op, args)
    if folded is not None:
        return folded
    if _overflows(op, args):
        raise ctx.refuse(node, "MK213", "the integer does not fit in 64 bits", "use a float")
    if op in PARTS and not any(dtype(arg).is_complex for arg in args):
        return args[0] if op != "np.imag" else ir.zero(Scalar(dtype(args[0])))
    if op in ON_THE_PLANE and (op == "np.angle" or dtype(args[-1]).is_complex):
        args = [_complex(ctx, args[0]), *args[1:]]
    type_ = result_type(op, args)
    return ctx.builder.compute(op, [_fit(op, k, arg, args) for k, arg in enumerate(args)],
                               type_, hint)  # fmt: skip


def _overflows(op: str, args: Sequence[ir.Atom]) -> bool:
    """Whether ``op`` of constant integers, which could not be folded, is too large."""
    values = [a.value for a in args if isinstance(a, ir.Const) and isinstance(a.value, int)]
    if len(values) < len(args):
        return False
    match op:
        case "add" | "sub" | "mul" | "neg":
            return True
        case "pow":
            return values[1] > 0 and abs(values[0]) > 1
        case "lshift":
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
        help_ = "use the function of NumPy or cmath" if op.startswith("math.") else None
        raise ctx.refuse(node, "MK213", f"{op} does not take complex numbers", help_)
    for k in rules.OPS[op].whole:
        if kinds[k].is_differentiable:
            raise ctx.refuse(node, "MK213", f"argument {k + 1} must be an integer here")


def _fit(op: str, k: int, arg: ir.Atom, args: Sequence[ir.Atom]) -> ir.Atom:
    """A literal beside single precision takes that precision."""
    if not isinstance(arg, ir.Const) or dtype(arg) is DType.BOOL or op in LOGICAL:
        return arg
    if op == "pow" and k == 1 and dtype(arg).is_int:
        return arg
    if k in rules.OPS[op].whole:
        return arg
    common = promote(args)
    if common is DType.COMPLEX64 and not dtype(arg).is_complex:
        common = DType.FLOAT32
    single = common in (DType.FLOAT32, DType.COMPLEX64)
    return convert_const(arg, Scalar(common)) if single else arg


def _complex(ctx: Context, atom: ir.Atom) -> ir.Atom:
    """``atom`` as a complex number: powers and angles of negative numbers are complex."""
    return cast(ctx, atom, Scalar(dtype(atom).complex)) if not dtype(atom).is_complex else atom


def fold(op: str, args: Sequence[ir.Atom]) -> ir.Const | None:
    """The exact value of ``op`` on constant integers and bools (of floats: signs and order)."""
    function = _FOLDED.get(op)
    if function is None:
        return None
    values: list[Exact] = []
    for arg in args:
        if not isinstance(arg, ir.Const) or isinstance(arg.value, complex):
            return None
        values.append(arg.value)
    exact = op in COMPARISONS or op in ("neg", "pos", "abs", "not")
    if not exact and any(isinstance(value, float) for value in values):
        return None
    if op in ("floordiv", "mod") and values[1] == 0:
        return None
    if op in ("pow", "lshift", "rshift") and not 0 <= values[1] < 64:
        return None
    result = function(*values)
    if isinstance(result, int) and result not in _INT64:
        return None
    type_ = result_type(op, args)
    return ir.Const(bool(result) if type_ == BOOL else result, type_)


def convert_const(const: ir.Const, type_: Scalar) -> ir.Const:
    """``const`` as a number of ``type_``."""
    value, to = const.value, type_.dtype
    if to.is_complex:
        return ir.Const(complex(value), type_)
    assert not isinstance(value, complex)
    if to.is_float:
        return ir.Const(float(value), type_)
    return ir.Const(bool(value) if to is DType.BOOL else int(value), type_)


def cast(ctx: Context, atom: ir.Atom, type_: Scalar, hint: str = "") -> ir.Atom:
    """``atom`` converted to ``type_``, whatever that loses."""
    if atom.type == type_:
        return atom
    if isinstance(atom, ir.Undef):
        return ir.Undef(type_)
    finite = isinstance(atom, ir.Const) and not isinstance(atom.value, complex)
    if isinstance(atom, ir.Const) and finite and (_widens(dtype(atom), type_.dtype)):
        return convert_const(atom, type_)
    return ctx.builder.compute("cast", (atom,), type_, hint)


def _widens(a: DType, b: DType) -> bool:
    return _kind(a) <= _kind(b)


def convert(ctx: Context, node: cst.CSTNode, operand: Operand, type_: Scalar, what: str) -> ir.Atom:
    """``operand`` as a value of the declared ``type_``; loses precision at most."""
    if not isinstance(operand, ir.Value | ir.Const | ir.Undef) or isinstance(operand.type, Array):
        raise ctx.refuse(node, "MK213", f"{what} must be {type_}, got {describe(operand)}")
    if not _widens(dtype(operand), type_.dtype):
        help_ = f"convert it explicitly: {'int' if type_.dtype.is_int else type_.dtype.value}(...)"
        raise ctx.refuse(node, "MK213", f"{what} must be {type_}, got {describe(operand)}", help_)
    return cast(ctx, operand, type_)


def truth(ctx: Context, node: cst.CSTNode, operand: Operand) -> ir.Atom:
    """The truth value of ``operand``."""
    zero = ir.int_const(0)
    match operand:
        case Static(value=value):
            return constant(bool(value))
        case Items(items=items):
            return constant(bool(items))
        case Closure() | Bound() | Choice():
            return constant(True)
        case Ref() if containers.is_container(operand):
            return compute(ctx, node, "gt", (containers.length(ctx, node, operand), zero))
        case ir.Value() | ir.Const() | ir.Undef() if isinstance(operand.type, Scalar):
            if operand.type == BOOL:
                return operand
            return compute(ctx, node, "ne", (operand, ir.zero(operand.type)))
        case _:
            help_ = "write a loop, or ask for its size: len(x) > 0"
            raise ctx.refuse(node, "MK213", f"{describe(operand)} has no truth value", help_)


def select(
    ctx: Context, cond: ir.Atom, a: ir.Atom, b: ir.Atom, hint: str = "", op: str = "select"
) -> ir.Atom:
    """``a if cond else b`` of numbers that are there already."""
    type_ = Scalar(promote((a, b)))
    sides = [cast(ctx, side, type_) for side in (a, b)]
    if isinstance(cond, ir.Const):
        return sides[0] if cond.value else sides[1]
    return ctx.builder.compute(op, (cond, *sides), type_, hint)
