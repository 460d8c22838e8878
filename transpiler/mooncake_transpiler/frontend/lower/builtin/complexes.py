"""Complex numbers: their parts, ``complex(a, b)`` and the functions of ``cmath``."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.scalar.dtypes import dtype_of
from mooncake_transpiler.frontend.lower.scalar.kinds import where_called
from mooncake_transpiler.frontend.lower.scalar.scalars import cast, compute, dtype
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context, InLine
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand, Static
from mooncake_transpiler.frontend.lower.state.whose import KNOWN, Kind
from mooncake_transpiler.types import COMPLEX, FLOAT, INT, DType, Scalar

PARTS = {"real": "np.real", "imag": "np.imag"}
METHODS = {"conjugate": "np.conj", "conj": "np.conj"}
# Methods of NumPy's numbers that are functions of NumPy.
_FUNCTIONS = frozenset(
    {"sum", "prod", "mean", "max", "min", "all", "any", "round", "clip", "cumsum"}
)


def attribute(
    ctx: Context, node: cst.Attribute, number: ir.Atom, attr: str, hint: str = ""
) -> Operand:
    """``z.real`` and ``z.imag``; what NumPy's numbers have like arrays without axes."""
    if kinds.kind(ctx, number) is Kind.NUMPY:
        match attr:
            case "shape":
                return Items(())
            case "ndim" | "size":
                return ir.int_const(int(attr == "size"))
            case "dtype":
                return Static(dtype(number))
            case "T":
                return number
            case _:
                pass
    if attr not in PARTS:
        refused = ctx.refuse(node, "MK305", f"numbers have no attribute {attr!r} here")
        raise _unless_known(ctx, number, refused)
    return compute(ctx, node, PARTS[attr], (_number(ctx, number),), hint)


def method(
    ctx: Context, node: cst.Call, number: ir.Atom, name: str, given: Arguments, hint: str
) -> Operand:
    """``z.conjugate()``; of NumPy's numbers what arrays without axes have, such as ``x.item()``."""
    if kinds.kind(ctx, number) is Kind.NUMPY:
        if name in ("item", "tolist"):
            given.take(ctx, node, name, required=0)
            return python_number(ctx, node, number, hint)
        if name in ("copy", "squeeze"):
            given.take(ctx, node, name, required=0)
            return number
        if name == "astype":
            return _astype(ctx, node, number, given, hint)
        if name in _FUNCTIONS:
            function = Static(External(f"numpy.{name}"))
            return ctx.lower.call(ctx, node, function, (number, *given.args), given.keywords, hint)
    if name == "is_integer" and dtype(number).is_float:
        return ctx.lower.call(ctx, node, Static(External("builtins.float.is_integer")), (number,))
    if name not in METHODS:
        refused = ctx.refuse(node, "MK305", f"method {name!r} of numbers is not supported")
        raise _unless_known(ctx, number, refused)
    given.take(ctx, node, name)
    return compute(ctx, node, METHODS[name], (_number(ctx, number),), hint)


def _astype(ctx: Context, node: cst.Call, number: ir.Atom, given: Arguments, hint: str) -> ir.Atom:
    """``x.astype(dtype)``."""
    (dtype_,) = given.all(ctx, node, "astype", "dtype")
    of = dtype_of(dtype_)
    if of is None:
        raise ctx.refuse(node, "MK303", "this dtype is not supported")
    return kinds.marked(ctx, cast(ctx, number, Scalar(of), hint), Kind.NUMPY)


def _unless_known(ctx: Context, number: ir.Atom, refused: Refused) -> Refused | InLine:
    """``refused``; where a helper is called it may be known that the number is NumPy's."""
    return refused if kinds.kind(ctx, number) in KNOWN else where_called(ctx, refused)


def python_number(ctx: Context, node: cst.Call, number: ir.Atom, hint: str = "") -> Operand:
    """``float(number)``, or what else of Python's ``number`` is like."""
    of = dtype(number)
    kind = "bool" if of is DType.BOOL else "int" if of.is_int else "float"
    name = "complex" if of.is_complex else kind
    return ctx.lower.call(ctx, node, Static(External(f"builtins.{name}")), (number,), hint=hint)


def _number(ctx: Context, number: ir.Atom) -> ir.Atom:
    """``number``; a bool counts as an integer."""
    return cast(ctx, number, INT) if dtype(number) is DType.BOOL else number


def from_parts(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``complex(z)``, ``complex(a, b)``."""
    re, im = given.take(ctx, node, "complex", "real", "imag", required=0)
    if isinstance(re, Static) and isinstance(re.value, str):
        return _parsed(ctx, node, re.value)
    first: ir.Atom = ir.zero(FLOAT) if re is None else numbers.as_scalar(ctx, node, re)
    if im is None:
        return cast(ctx, first, COMPLEX, hint)
    second = numbers.as_scalar(ctx, node, im)
    parts = [_combined(ctx, node, "sub", "np.real", first, "np.imag", second),
             _combined(ctx, node, "add", "np.real", second, "np.imag", first)]  # fmt: skip
    return compute(ctx, node, "complex", [cast(ctx, part, FLOAT) for part in parts], hint)


def _combined(
    ctx: Context, node: cst.Call, op: str, part: str, a: ir.Atom, other: str, b: ir.Atom
) -> ir.Atom:
    """``a.real - b.imag`` and the like, where the second one is there."""
    own = compute(ctx, node, part, (a,))
    if not dtype(b).is_complex:
        return own
    return compute(ctx, node, op, (own, compute(ctx, node, other, (b,))))


def _parsed(ctx: Context, node: cst.Call, text: str) -> ir.Const:
    try:
        return ir.Const(complex(text), COMPLEX)
    except ValueError:
        raise ctx.refuse(node, "MK303", f"{text!r} is not a number") from None


# ---- cmath --------------------------------------------------------------------------------------


def _function(name: str, op: str) -> Handler:
    """A function of ``cmath``: that of NumPy on complex128."""

    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        (value,) = given.all(ctx, node, f"cmath.{name}", "z")
        return compute(ctx, node, op, (_complex(ctx, node, value),), hint)

    return handler


def _complex(ctx: Context, node: cst.Call, value: Operand) -> ir.Atom:
    return cast(ctx, numbers.as_scalar(ctx, node, value), COMPLEX)


def _log(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,), (base,) = given.parted(ctx, node, "cmath.log", "z", "base")
    above = compute(ctx, node, "np.log", (_complex(ctx, node, value),), "" if base else hint)
    if base is None:
        return above
    below = compute(ctx, node, "np.log", (_complex(ctx, node, base),))
    return compute(ctx, node, "div", (above, below), hint)


def _polar(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.all(ctx, node, "cmath.polar", "z")
    z = _complex(ctx, node, value)
    return Items(tuple(compute(ctx, node, op, (z,)) for op in ("abs", "np.angle")))


def _rect(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    args = given.all(ctx, node, "cmath.rect", "r", "phi")
    r, phi = (cast(ctx, numbers.as_scalar(ctx, node, a), FLOAT) for a in args)
    turned = [compute(ctx, node, op, (phi,)) for op in ("np.cos", "np.sin")]
    parts = [compute(ctx, node, "mul", (r, part)) for part in turned]
    return compute(ctx, node, "complex", parts, hint)


_SAME_NAME = (
    "exp", "log10", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "isnan", "isinf",
    "isfinite",
)  # fmt: skip
_INVERSE = ("sin", "cos", "tan", "sinh", "cosh", "tanh")

HANDLERS: Mapping[str, Handler] = {
    "builtins.complex": from_parts,
    "cmath.log": _log, "cmath.polar": _polar, "cmath.rect": _rect,
    "cmath.phase": _function("phase", "np.angle"),
    **{f"cmath.{name}": _function(name, f"np.{name}") for name in _SAME_NAME},
    **{f"cmath.a{name}": _function(f"a{name}", f"np.arc{name}") for name in _INVERSE},
}  # fmt: skip
