"""Values that are None on some paths: a flag says whether there is one (``Maybe``).

    best = None                             has_best = False
    for i in range(n):                      for i in range(n):
        if best is None or x[i] > best:         if not has_best or x[i] > best:
            best = x[i]                             best, has_best = x[i], True

Tests of ``is None`` read the flag; where it is known, the variable is None or the value itself.
Where a value is needed and the flag is False, a TypeError is raised as Python does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.failure import failing
from mooncake_transpiler.frontend.lower.object import absent_lists
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import FALSE, TRUE
from mooncake_transpiler.frontend.lower.state.leaves import type_of
from mooncake_transpiler.frontend.lower.state.operands import Choice, Either, Maybe, Operand, Static
from mooncake_transpiler.types import Array, Scalar, Tuple

R = TypeVar("R")

NEEDED = "'NoneType' object where a value is needed"

SUBSCRIPT = "'NoneType' object is not subscriptable"

ITERABLE = "'NoneType' object is not iterable"


def is_none(ctx: Context, operand: Maybe) -> ir.Atom:
    return negated(ctx, operand.there)


def negated(ctx: Context, cond: ir.Atom) -> ir.Atom:
    """``not cond``, of which is known what it says."""
    found = ctx.builder.not_(cond)
    if isinstance(found, ir.Value):
        ctx.numbers.tests[found] = "not", (cond,)
    return found


def narrow(ctx: Context, cond: ir.Atom, truth: bool) -> dict[str, tuple[Operand, Operand]]:
    """Let variables be None or a value where ``cond`` says so; what they were and are."""
    known = dict(_facts(ctx, cond, truth)) if ctx.numbers.tests or _has_flags(ctx) else {}
    changed: dict[str, tuple[Operand, Operand]] = {}
    for name, value in ctx.frame.values.items() if known else ():
        if isinstance(value, Maybe) and value.there in known:
            changed[name] = value, value.value if known[value.there] else Static(None)
        if isinstance(value, Either) and value.is_first in known:
            changed[name] = value, value.first if known[value.is_first] else value.second
        if isinstance(value, Choice) and value.cond in known:
            changed[name] = value, _known_side(value, known)
        if absent_lists.is_flag(name) and isinstance(value, ir.Value) and value in known:
            changed[name] = value, TRUE if known[value] else FALSE
    ctx.frame.values |= {name: new for name, (_, new) in changed.items()}
    return changed


def _known_side(value: Operand, known: Mapping[ir.Atom, bool]) -> Operand:
    """The object that ``value`` is, as far as is ``known``."""
    while isinstance(value, Choice) and value.cond in known:
        value = value.then if known[value.cond] else value.orelse
    return value


def narrowed(ctx: Context, cond: ir.Atom, truth: bool, arm: Callable[[], R]) -> Callable[[], R]:
    """``arm``, which runs only where ``cond`` is ``truth``."""

    def run() -> R:
        changed = narrow(ctx, cond, truth)
        result = arm()
        for name, (old, new) in changed.items():
            if ctx.frame.values.get(name) is new:
                ctx.frame.values[name] = old
        return result

    return run


def _has_flags(ctx: Context) -> bool:
    values = ctx.frame.values.items()
    return any(
        isinstance(v, Maybe | Either | Choice) or absent_lists.is_flag(name) for name, v in values
    )


def _facts(ctx: Context, cond: ir.Atom, truth: bool) -> list[tuple[ir.Atom, bool]]:
    """The conditions that are known where ``cond`` is ``truth``."""
    found = [(cond, truth)]
    op, args = ctx.numbers.tests.get(cond, ("", ())) if isinstance(cond, ir.Value) else ("", ())
    if op == "not":
        found += _facts(ctx, args[0], not truth)
    elif op == ("and" if truth else "or"):
        for arg in args:
            found += _facts(ctx, arg, truth)
    return found


def kind(operand: Operand) -> str:
    """The name of a value's type in messages of Python."""
    type_ = type_of(operand)
    if isinstance(type_, Scalar):
        names = {"f": "float", "i": "int", "u": "int", "b": "bool", "c": "complex"}
        return names[type_.dtype.value[0]]
    if isinstance(type_, Array):
        return "numpy.ndarray"
    return (type_.class_name or "tuple") if isinstance(type_, Tuple) else "object"


def present(
    ctx: Context, node: cst.CSTNode, operand: Operand, text: str = NEEDED, exc: str = "TypeError"
) -> Operand:
    """The value; ``exc`` with ``text`` where there is none."""
    if not isinstance(operand, Maybe):
        return operand
    failing.require(ctx, node, operand.there, text, exc)
    narrow(ctx, operand.there, True)
    return operand.value
