"""Operators and functions of bools and integers, in which Python and NumPy differ.

==========================  ==========================  ==============================
of two bools                Python's                    NumPy's
==========================  ==========================  ==============================
``+``, ``*``                ints                        ``|``, ``&``
``-``, unary ``-``, ``+``   ints                        TypeError
``~``                       of an int: -1, -2           ``not``
``abs``                     int                         the bool
``//``, ``%``, ``**``,      ints                        int8
``<<``, ``>>``
``&``, ``|``, ``^``         bools                       bools
==========================  ==========================  ==============================

An int to a negative power is a float in Python and a ValueError in NumPy.

The normal form has no arithmetic of bools: they are converted before, or the op is another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst
from mooncake_rules import scalar as rules
from mooncake_rules.op_names import Home, home

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import signs, widths
from mooncake_transpiler.frontend.lower.scalar.conversion import cast
from mooncake_transpiler.frontend.lower.scalar.kinds import stays_open, together, undecided
from mooncake_transpiler.frontend.lower.scalar.promotion import COMPARISONS, dtype, promote
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.whose import KNOWN, Kind, Whose
from mooncake_transpiler.types import FLOAT, INT, UNSIGNED, DType, Scalar

Meant = tuple[str, Sequence[ir.Atom]]

# Python's arithmetic: bools are ints there.
ARITHMETIC = frozenset({
    "add", "sub", "mul", "floordiv", "mod", "pow", "neg", "pos", "abs", "invert", "lshift",
    "rshift", "round", "round_to",
})  # fmt: skip

# NumPy's operators and functions of bools that give a bool: the op that does the same.
SAME_AS: Mapping[str, str] = {
    "add": "bitor", "mul": "bitand", "invert": "not", "np.maximum": "bitor",
    "np.minimum": "bitand", "np.fmax": "bitor", "np.fmin": "bitand",
}  # fmt: skip

# NumPy's functions that return a bool as it is, and those that return integers, too.
UNCHANGED = frozenset({"abs", "np.abs", "np.nan_to_num"})
WHOLE = frozenset({"np.floor", "np.ceil", "np.trunc", "round"})

# What NumPy computes of bools in int8.
IN_INT8 = frozenset({
    "floordiv", "mod", "pow", "np.power", "lshift", "rshift", "np.square", "np.conj", "np.fmod",
    "np.reciprocal",
})  # fmt: skip

# What NumPy has not for bools.
NOT_THERE = frozenset({
    "sub", "neg", "pos", "np.sign", "np.gcd", "np.lcm", "np.clip", "np.round", "np.round_to",
    "round",
})  # fmt: skip

# NumPy's functions that are as precise for bools and small ints as for others, and those types.
PRECISE = frozenset({"np.float_power", "np.sinc", "np.angle"})
SMALL = (DType.BOOL, DType.INT8, DType.INT16, DType.UINT8, DType.UINT16)

MAX_DIGITS = 22  # powers of ten that floats hold

POWERS = frozenset({"pow", "np.power"})
SHIFTS: Mapping[str, tuple[str, str]] = {  # by counts that are open: Python's, NumPy's
    "lshift": ("rt.shift_left", "rt.left_shift"), "rshift": ("rt.shift_right", "rt.right_shift"),
}  # fmt: skip


def meant(ctx: Context, node: cst.CSTNode, op: str, args: Sequence[ir.Atom], of: Whose) -> Meant:
    """``op`` of numbers of the kind ``of``, as an op of the normal form."""
    args = widths.settled(ctx, node, op, args)
    kinds = [dtype(arg) for arg in args]
    _check_precision(ctx, node, op, args)
    if op in COMPARISONS:
        _check_exact(ctx, node, args)
        return op, args
    if op == "round_to":
        return _rounding(ctx, node, args, of)
    if op == "round":  # a number of Python's, but not of every number
        of = together(ctx, args)
    if all(kind is DType.BOOL for kind in kinds):
        return _of_bools(ctx, node, op, args, of)
    if op in ARITHMETIC:
        _check_blended(ctx, node, kinds, args)
    if op in WHOLE and kinds[0].is_int:
        return "pos", args
    if op == "np.sign" and kinds[0] in UNSIGNED:  # numba gives the largest number for 200
        return "np.minimum", (*args, *_as(ctx, [ir.ONE], Scalar(kinds[0])))
    if any(kind.is_differentiable for kind in kinds):
        return op, _as_floats(ctx, args)
    if op == "div":
        return op, _as_floats(ctx, args)
    if op == "math.fmod":
        return op, _as(ctx, args, FLOAT)
    if op == "np.fmod":
        return "rt.integer_fmod", args
    if op in POWERS:
        return _power(ctx, node, args, of)
    return _shift(op, args, of) if op in SHIFTS else (op, args)


def _of_bools(
    ctx: Context, node: cst.CSTNode, op: str, args: Sequence[ir.Atom], of: Whose
) -> Meant:
    if of not in KNOWN and op in ARITHMETIC:
        raise undecided(ctx, node, "bools")
    if of is Kind.PYTHON and op in ARITHMETIC:
        return meant(ctx, node, op, _as(ctx, args, INT), of)
    if op in NOT_THERE:
        message = f"NumPy's bools have no {_shown(op)}"
        raise ctx.refuse(node, "MK250", message, "use ^ or ~, or convert them: int(...)")
    if op in UNCHANGED or op in WHOLE:
        return "cast", args
    if op in IN_INT8:
        return meant(ctx, node, op, _as(ctx, args, Scalar(DType.INT8)), of)
    return SAME_AS.get(op, op), args


def _check_blended(
    ctx: Context, node: cst.CSTNode, kinds: Sequence[DType], args: Sequence[ir.Atom]
) -> None:
    """Refuse arithmetic of integers all of which are bools on some path, and NumPy's."""
    pairs = list(zip(args, kinds, strict=True))
    if not all(kind is DType.BOOL or arg in ctx.numbers.blended for arg, kind in pairs):
        return
    if any(ctx.numbers.blended.get(arg, Kind.PYTHON) is not Kind.PYTHON for arg in args):
        raise undecided(ctx, node, "integers, or bools,")


def _shown(op: str) -> str:
    return {"sub": "-", "neg": "unary -", "pos": "unary +"}.get(op, op)


def _as(ctx: Context, args: Sequence[ir.Atom], type_: Scalar) -> list[ir.Atom]:
    return [cast(ctx, arg, type_) for arg in args]


def _as_floats(ctx: Context, args: Sequence[ir.Atom]) -> list[ir.Atom]:
    """``args`` beside floats: integer powers as floats."""
    return [ctx.numbers.powers.get(a, a) if isinstance(a, ir.Value) else a for a in args]


# ---- integers -----------------------------------------------------------------------------------


def _power(ctx: Context, node: cst.CSTNode, args: Sequence[ir.Atom], of: Whose) -> Meant:
    base, exponent = args
    if dtype(base) is DType.BOOL:
        base = cast(ctx, base, INT)
    if signs.is_natural(ctx, exponent):
        return "pow", (base, exponent)  # numba's np.power goes by floats
    if of not in KNOWN and (isinstance(exponent, ir.Const) or not stays_open(ctx)):
        raise undecided(ctx, node, "integers")
    if not isinstance(exponent, ir.Const):
        return "rt.integer_power", (base, exponent)  # a ValueError where it is negative
    if of is Kind.NUMPY:
        message = "NumPy raises no integers to negative powers"
        raise ctx.refuse(node, "MK251", message, "use a float: 2.0, float(n), x.astype(float)")
    return "pow", (cast(ctx, base, FLOAT), exponent)


def _shift(op: str, args: Sequence[ir.Atom], of: Whose) -> Meant:
    match args[1]:
        case ir.Const(value=int(count)) if 0 <= count < 64:
            return op, args
        case _:
            return SHIFTS[op][of is Kind.NUMPY], args


def _rounding(ctx: Context, node: cst.CSTNode, args: Sequence[ir.Atom], of: Whose) -> Meant:
    """``round(x, digits)``: of Python's floats the decimal number that is nearest."""
    if dtype(args[0]) is DType.BOOL or dtype(args[0]).is_int:
        raise ctx.refuse(node, "MK303", "round(n, digits) of integers is not supported")
    if of not in KNOWN:
        raise undecided(ctx, node, "floats")
    if of is Kind.NUMPY:
        return "np.round_to", args
    match args[1]:
        case ir.Const(value=int(digits)) if abs(digits) <= MAX_DIGITS:
            return "rt.round_to", args
        case _:
            message = f"the digits must be a constant, {MAX_DIGITS} at most"
            raise ctx.refuse(node, "MK310", message, "round with np.round(x, digits)")


# ---- precision ----------------------------------------------------------------------------------


def _check_precision(ctx: Context, node: cst.CSTNode, op: str, args: Sequence[ir.Atom]) -> None:
    """Refuse what NumPy computes in half or single precision."""
    if home(op) is not Home.NUMPY or op in PRECISE:
        return
    if rules.OPS[op].result is rules.Result.FLOAT and promote(args) in SMALL:
        message = f"NumPy computes {op} of {promote(args).value} with a few digits only"
        raise ctx.refuse(node, "MK252", message, "convert it: x.astype(float)")


def _check_exact(ctx: Context, node: cst.CSTNode, args: Sequence[ir.Atom]) -> None:
    """Refuse to compare a float with an integer that no float holds."""
    if not any(dtype(arg).is_float for arg in args):
        return
    for arg in args:
        value = arg.value if isinstance(arg, ir.Const) else 0
        if isinstance(value, int) and int(float(value)) != value:
            message = f"no float is {value}: Python compares exactly, compiled code would not"
            raise ctx.refuse(node, "MK253", message, "compare with a float")
