"""Tests for what Python raises by itself, made beforehand where a handler is there to catch it.

Outside of such a ``try`` nothing of this is emitted: floats divide as NumPy's do, indices are not
checked. What can't be tested is refused where it would be caught.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.failure import throwing
from mooncake_transpiler.frontend.lower.scalar import kinds, scalars, signs
from mooncake_transpiler.frontend.lower.state import errors
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.errors import Error, ErrorClass
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.types import BOOL, FLOAT, Scalar

Test = Callable[[Context, cst.CSTNode, Sequence[ir.Atom]], ir.Atom]


# ---- conditions ---------------------------------------------------------------------------------


def _compare(ctx: Context, node: cst.CSTNode, op: str, x: ir.Atom, bound: float) -> ir.Atom:
    whole = scalars.dtype(x).is_int and math.isfinite(bound)
    return scalars.compute(ctx, node, op, (x, scalars.constant(int(bound) if whole else bound)))


def any_of(ctx: Context, *tests: ir.Atom) -> ir.Atom:
    return _combined(ctx, "or", tests, True)


def all_of(ctx: Context, *tests: ir.Atom) -> ir.Atom:
    return _combined(ctx, "and", tests, False)


def _combined(ctx: Context, op: str, tests: Sequence[ir.Atom], decisive: bool) -> ir.Atom:
    found: ir.Atom = scalars.constant(not decisive)
    for test in tests:
        if isinstance(test, ir.Const):
            if bool(test.value) == decisive:
                return test
        elif isinstance(found, ir.Const):
            found = test
        else:
            found = ctx.builder.compute(op, (found, test), BOOL)
    return found


def _size(ctx: Context, node: cst.CSTNode, x: ir.Atom) -> ir.Atom:
    return scalars.compute(ctx, node, "abs", (x,))


def _infinite(ctx: Context, node: cst.CSTNode, x: ir.Atom) -> ir.Atom:
    return _compare(ctx, node, "eq", _size(ctx, node, x), math.inf)


def _finite(ctx: Context, node: cst.CSTNode, x: ir.Atom) -> ir.Atom:
    return _compare(ctx, node, "lt", _size(ctx, node, x), math.inf)


def _whole(ctx: Context, node: cst.CSTNode, x: ir.Atom) -> ir.Atom:
    floor = ctx.builder.compute("np.floor", (x,), FLOAT)
    return scalars.compute(ctx, node, "eq", (floor, x))


def _beyond(*bounds: tuple[str, float]) -> Test:
    """The first argument is beyond one of ``bounds``."""
    return lambda ctx, node, args: any_of(
        ctx, *(_compare(ctx, node, op, args[0], bound) for op, bound in bounds)
    )


def _at_infinity(ctx: Context, node: cst.CSTNode, args: Sequence[ir.Atom]) -> ir.Atom:
    return _infinite(ctx, node, args[0])


def _remainder(ctx: Context, node: cst.CSTNode, args: Sequence[ir.Atom]) -> ir.Atom:
    x, y = args
    return any_of(ctx, _compare(ctx, node, "eq", y, 0.0), _infinite(ctx, node, x))


def _power(ctx: Context, node: cst.CSTNode, args: Sequence[ir.Atom]) -> ir.Atom:
    x, y = args
    fraction = scalars.compute(ctx, node, "not", (_whole(ctx, node, y),))
    root = all_of(ctx, _compare(ctx, node, "lt", x, 0.0), _finite(ctx, node, x),
                fraction, _finite(ctx, node, y))  # fmt: skip
    return any_of(ctx, root, _pole(ctx, node, args))


def _pole(ctx: Context, node: cst.CSTNode, args: Sequence[ir.Atom]) -> ir.Atom:
    """``0 ** y`` with a negative ``y``."""
    x, y = args
    return all_of(ctx, _compare(ctx, node, "eq", x, 0.0), _compare(ctx, node, "lt", y, 0.0))


# Where functions of ``math`` raise ValueError.
OUTSIDE: Mapping[str, Test] = {
    "sqrt": _beyond(("lt", 0.0)),
    "log": _beyond(("le", 0.0)), "log2": _beyond(("le", 0.0)), "log10": _beyond(("le", 0.0)),
    "log1p": _beyond(("le", -1.0)),
    "asin": _beyond(("lt", -1.0), ("gt", 1.0)), "acos": _beyond(("lt", -1.0), ("gt", 1.0)),
    "acosh": _beyond(("lt", 1.0)), "atanh": _beyond(("le", -1.0), ("ge", 1.0)),
    "sin": _at_infinity, "cos": _at_infinity, "tan": _at_infinity,
    "fmod": _remainder, "pow": _power,
}  # fmt: skip

# Those that raise OverflowError where the result is infinite, but no argument.
OVERFLOWING = frozenset({"exp", "expm1", "exp2", "cosh", "sinh", "pow"})

# Those that never raise.
TOTAL = frozenset({
    "fabs", "copysign", "atan", "atan2", "tanh", "asinh", "erf", "erfc", "degrees", "radians",
    "isnan", "isinf", "isfinite", "hypot", "cbrt",
})  # fmt: skip

DIVISIONS = frozenset({"div", "floordiv", "mod"})


# ---- operators and functions of numbers ---------------------------------------------------------


def test(ctx: Context, cls: ErrorClass, cond: ir.Atom, text: str) -> None:
    """Raise ``cls`` if ``cond``."""
    value = throwing.implicit(ctx, cls)
    throwing.throw_if(ctx, cond, Error(cls, text), value)


def before_operator(ctx: Context, node: cst.CSTNode, op: str, args: Sequence[ir.Atom]) -> None:
    """``a / b``, ``a // b``, ``a % b`` and ``a ** b`` of numbers."""
    if op in ("floordiv", "mod") and not throwing.caught(ctx, errors.known("ZeroDivisionError")):
        _before_whole_division(ctx, node, args)
    if op not in DIVISIONS | {"pow", "lshift", "rshift"} or not throwing.active(ctx):
        return
    if op in ("lshift", "rshift"):
        below = partial(scalars.compute, ctx, node, "lt", (args[1], ir.ZERO))
        test_value(ctx, below, "negative shift count")
    zero = errors.known("ZeroDivisionError")
    if op in DIVISIONS and throwing.caught(ctx, zero):
        cond = scalars.compute(ctx, node, "eq", (args[1], ir.zero(_scalar(args[1]))))
        test(ctx, zero, cond, "division by zero")
    elif op == "pow" and any(scalars.dtype(arg).is_complex for arg in args):
        refuse_any(ctx, node, "a power of complex numbers", "ZeroDivisionError", "OverflowError")
    elif op == "pow" and throwing.caught(ctx, zero):
        test(ctx, zero, _pole(ctx, node, args), "0.0 cannot be raised to a negative power")


def _before_whole_division(ctx: Context, node: cst.CSTNode, args: Sequence[ir.Atom]) -> None:
    """``a // b``, ``a % b`` of Python's integers; there is no number for a ``b`` that is 0."""
    if any(scalars.dtype(arg).is_differentiable for arg in args):
        return
    if kinds.together(ctx, args) is Kind.NUMPY or signs.is_positive(ctx, args[1]):
        return
    there = scalars.compute(ctx, node, "ne", (args[1], ir.zero(_scalar(args[1]))))
    if not isinstance(there, ir.Const):
        require(ctx, node, there, "division by zero", "ZeroDivisionError")
    elif not there.value:
        raise ctx.refuse(node, "MK213", "division by zero")


def after_operator(
    ctx: Context, node: cst.CSTNode, op: str, args: Sequence[ir.Atom], result: ir.Atom
) -> None:
    """``a ** b`` of floats may be too large."""
    if op == "pow" and scalars.dtype(result).is_float:
        _overflow(ctx, node, args, result, "Numerical result out of range")


def _overflow(
    ctx: Context, node: cst.CSTNode, args: Sequence[ir.Atom], result: ir.Atom, text: str
) -> None:
    cls = errors.known("OverflowError")
    if throwing.caught(ctx, cls):
        finite = [_finite(ctx, node, arg) for arg in args if scalars.dtype(arg).is_float]
        test(ctx, cls, all_of(ctx, _infinite(ctx, node, result), *finite), text)


def before_function(
    ctx: Context, node: cst.CSTNode, qualname: str, args: Sequence[ir.Atom]
) -> None:
    """A function of ``math``, or a built-in one."""
    module, _, name = qualname.rpartition(".")
    if module not in ("math", "cmath", "builtins") or not throwing.active(ctx):
        return
    if module == "builtins" and name in ("abs", "bool", "round"):
        return
    if module == "math" and name in ("floor", "ceil", "trunc"):
        return
    if module == "builtins" and name == "pow":
        before_operator(ctx, node, "pow", args)
        return
    value = errors.known("ValueError")
    known = name in OUTSIDE or name in OVERFLOWING or name in TOTAL
    if module != "math" or not known or (name == "log" and len(args) > 1):
        refuse_any(ctx, node, f"{name}(...)", "ValueError", "OverflowError", "ZeroDivisionError")
    elif name in OUTSIDE and throwing.caught(ctx, value):
        test(ctx, value, OUTSIDE[name](ctx, node, args), "math domain error")


def after_function(
    ctx: Context, node: cst.CSTNode, qualname: str, args: Sequence[ir.Atom], result: ir.Atom
) -> None:
    """A function of ``math`` may give what is too large."""
    if qualname.removeprefix("math.") in OVERFLOWING:
        _overflow(ctx, node, args, result, "math range error")
    elif qualname == "builtins.pow":
        after_operator(ctx, node, "pow", args, result)


def before_conversion(ctx: Context, node: cst.CSTNode, x: ir.Atom) -> ir.Atom:
    """``x`` of ``int(x)``, ``math.floor(x)``: of nothing that is not finite."""
    if not scalars.dtype(x).is_float:
        return x
    value, overflow = errors.known("ValueError"), errors.known("OverflowError")
    if throwing.caught(ctx, value):
        text = "cannot convert float NaN to integer"
        test(ctx, value, scalars.compute(ctx, node, "ne", (x, x)), text)
    if throwing.caught(ctx, overflow):
        text = "cannot convert float infinity to integer"
        test(ctx, overflow, _infinite(ctx, node, x), text)
    return scalars.compute(ctx, node, "rt.finite", (x,))


def test_value(ctx: Context, cond: Callable[[], ir.Atom], text: str) -> None:
    """Raise ValueError if ``cond``, where that is caught."""
    cls = errors.known("ValueError")
    if throwing.active(ctx) and throwing.caught(ctx, cls):
        test(ctx, cls, cond(), text)


def require(
    ctx: Context,
    node: cst.CSTNode,
    cond: ir.Atom,
    message: str,
    exc: str,
    numbers: tuple[ir.Atom | str, ...] = (),
) -> None:
    """Raise ``exc`` unless ``cond``: where it is caught, or out of the compiled function.

    ``numbers`` stand for the braces of ``message``.
    """
    if isinstance(cond, ir.Const):
        if not cond.value:
            raise ctx.refuse(node, "MK216", message or f"this always raises {exc}")
        return
    cls, fails = errors.builtin(exc), ctx.builder.not_(cond)
    if cls is not None and throwing.caught(ctx, cls):
        test(ctx, cls, fails, message)
        return
    builder = ctx.builder
    fail = builder.child()
    fail.add(ir.Raise(exc, message, builder.origin, ctx.assigned(), numbers))
    builder.add(ir.If((), fails, fail.block(), builder.child().block(), builder.origin))


def _scalar(atom: ir.Atom) -> Scalar:
    assert isinstance(atom.type, Scalar)
    return atom.type


def refuse_any(ctx: Context, node: cst.CSTNode, what: str, *names: str) -> None:
    """Refuse ``what`` where one of the exceptions that it may raise is caught."""
    for name in names:
        if throwing.active(ctx) and throwing.caught(ctx, errors.known(name)):
            message = f"a {name} that {what} may raise can't be caught"
            help_ = "catch narrower exceptions, or move it out of the `try`"
            raise ctx.refuse(node, "MK351", message, help_)
