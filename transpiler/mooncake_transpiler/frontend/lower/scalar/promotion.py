"""Element types and constants: NumPy 2's promotion, what an op gives, constants folded exactly."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable, Mapping, Sequence

from mooncake_rules import scalar as rules
from mooncake_rules.op_names import Home, home

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar.kinds import NumpyConst
from mooncake_transpiler.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NARROW,
    UNSIGNED,
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


def whole_numbers(element: DType) -> range:
    """The integers of an integer type."""
    bits = int(element.value.removeprefix("u").removeprefix("int"))
    return range(2**bits) if element in UNSIGNED else range(-(2 ** (bits - 1)), 2 ** (bits - 1))


_INT64 = whole_numbers(DType.INT64)

Exact = int | float

_FOLDED: Mapping[str, Callable[..., Exact]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "floordiv": operator.floordiv,
    "mod": operator.mod, "neg": operator.neg, "pos": operator.pos, "abs": abs, "pow": pow,
    "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
    "eq": operator.eq, "ne": operator.ne, "not": operator.not_,
    "lshift": operator.lshift, "rshift": operator.rshift, "invert": operator.invert,
    "bitand": operator.and_, "bitor": operator.or_, "bitxor": operator.xor,
}  # fmt: skip


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
    strong = [dtype(arg) for arg in args if not is_literal(arg)]
    weak = [dtype(arg) for arg in args if is_literal(arg)]
    found = strong[0] if strong else weak[0]
    for other in strong[1:]:
        found = join(found, other)
    for literal in weak:
        found = _with_literal(found, literal)
    return found


def of_one(args: Sequence[ir.Atom]) -> DType:
    """The element type of a variable that is one of several numbers, some of them literals."""
    found = promote(args)
    whole = any(is_literal(arg) and not dtype(arg).is_differentiable for arg in args)
    return DType.INT64 if found.is_int and whole else found


def is_literal(atom: ir.Atom) -> bool:
    """True if ``atom`` is a constant of Python's, whose precision does not count."""
    return isinstance(atom, ir.Const) and not isinstance(atom, NumpyConst)


def _with_literal(found: DType, literal: DType) -> DType:
    rank = [kind_of(found), kind_of(literal)]
    if rank[0] >= rank[1]:
        return found
    if found is DType.FLOAT32 and literal is DType.COMPLEX128:
        return DType.COMPLEX64
    return literal


def kind_of(element: DType) -> int:
    """0 for bools, 1 for integers, 2 for floats, 3 for complex numbers."""
    if element is DType.BOOL:
        return 0
    return 1 if element.is_int else 2 if element.is_float else 3


def is_same_sort(element: DType, to: DType) -> bool:
    """True if NumPy puts ``element`` into arrays of ``to`` in place: ``same_kind``."""
    loses_sign = to in UNSIGNED and element.is_int and element not in UNSIGNED
    return kind_of(element) <= kind_of(to) and not loses_sign


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
        return Scalar(common)
    if op == "div":
        return Scalar(common) if common.is_differentiable else FLOAT
    if op == "pow":
        return Scalar(common)
    return _function_type(op, common, args)


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
            return Scalar(common)
        case rules.Result.FLOAT:
            if home(op) is Home.MATH or (op == "np.float_power" and not common.is_complex):
                return FLOAT
            return Scalar(common) if common.is_differentiable else FLOAT


def fold(op: str, args: Sequence[ir.Atom]) -> ir.Const | None:
    """The exact value of ``op`` on constant integers and bools (of floats: signs and order)."""
    function = _FOLDED.get(op)
    if function is None:
        return None
    values: list[Exact] = []
    common = promote(args)
    for arg in args:
        if not isinstance(arg, ir.Const) or isinstance(arg.value, complex):
            return None
        number = float(arg.value) if common is DType.FLOAT32 else arg.value
        values.append(single(number) if DType.FLOAT32 in (common, dtype(arg)) else number)
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
    if type_.dtype in NARROW:
        return _wrapped(result, type_, args)
    return ir.Const(bool(result) if type_ == BOOL else result, type_)


def single(value: Exact) -> Exact:
    """``value``; a float in single precision."""
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    try:
        rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


def _wrapped(result: Exact, type_: Scalar, args: Sequence[ir.Atom]) -> ir.Const | None:
    """An integer that wraps around in its narrow type, as those of NumPy do."""
    held = whole_numbers(type_.dtype)
    fit = all(isinstance(arg, ir.Const) and arg.value in held for arg in args if is_literal(arg))
    if not fit or not isinstance(result, int):
        return None
    wrapped = held.start + (result - held.start) % len(held)
    return ir.Const(wrapped, type_) if wrapped in _INT64 else None


def loses(number: ir.Atom, type_: Scalar) -> bool:
    """True if ``number`` is of a wider type than ``type_``."""
    return promote((ir.Value("", type_), number)) is not type_.dtype
