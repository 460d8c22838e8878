"""Functions and instances that are one of two, by a condition: both are lowered where it matters.

f = sin if c else cos; f(x)         becomes         sin(x) if c else cos(x)
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.call.arguments import Arguments
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.control import branches
from mooncake_transpiler.frontend.lower.failure import failing
from mooncake_transpiler.frontend.lower.inner import is_function, mapped
from mooncake_transpiler.frontend.lower.instance import objects
from mooncake_transpiler.frontend.lower.operands import (
    NOTHING,
    Bound,
    Choice,
    Operand,
    atoms,
    name_of,
    same,
)
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.scalar.scalars import constant
from mooncake_transpiler.frontend.lower.syntax import Hint

if TYPE_CHECKING:
    from mooncake_transpiler.frontend.lower.control.branches import Merge


def between(ctx: Context, a: Operand, b: Operand) -> bool:
    """Whether a condition may choose between ``a`` and ``b``: functions, instances, no function."""
    kinds = [_is_dispatched(ctx, side) for side in (a, b)]
    optional = NOTHING in (a, b) and any(map(is_function, (a, b)))
    return all(kinds) or optional


def _is_dispatched(ctx: Context, operand: Operand) -> bool:
    """Whether what is done with ``operand`` depends on its class: calls, attributes."""
    cls = objects.declared(ctx, operand)
    return is_function(operand) or (cls is not None and cls.module != "builtins")


def merged(merge: Merge, name: str, a: Operand, b: Operand) -> Operand | None:
    """The function or instance that is ``a`` after the one arm of a branch and ``b`` after the
    other; None if they are no such things."""
    if isinstance(a, Bound) and isinstance(b, Bound) and _same_function(a, b):
        args = [merge.pick(name, x, y) for x, y in zip(a.args, b.args, strict=True)]
        named = {key: merge.pick(name, a.keywords[key], b.keywords[key]) for key in a.keywords}
        return Bound(a.func, tuple(args), named)
    if between(merge.ctx, a, b):
        return Choice(merge.cond, kept(merge, name, a, 0), kept(merge, name, b, 1))
    return None


def kept(merge: Merge, name: str, operand: Operand, arm: int) -> Operand:
    """``operand`` of one arm, with what that arm has computed for it carried out."""
    made = {out for stmt in merge.builders[arm].stmts for out in ir.outs(stmt)}

    def carried(atom: ir.Atom) -> ir.Atom:
        if atom not in made:
            return atom
        missing = ir.Undef(atom.type)
        sides = (missing, atom) if arm else (atom, missing)
        (out,) = atoms(merge.out(name, atom.type, sides))
        return out

    return mapped(operand, carried)


def _same_function(a: Bound, b: Bound) -> bool:
    shape = len(a.args) == len(b.args) and a.keywords.keys() == b.keywords.keys()
    return shape and same(a.func, b.func)


def call(ctx: Context, node: cst.Call, of: Choice, given: Arguments, hint: Hint) -> Operand:
    """``of(*given)``."""
    for side, there in ((of.then, ctx.builder.not_(of.cond)), (of.orelse, of.cond)):
        if side == NOTHING:
            failing.require(ctx, node, there, "'NoneType' object is not callable", "TypeError")
            other = of.orelse if side is of.then else of.then
            return ctx.lower.call(ctx, node, other, given.args, given.keywords, hint)
    sides = [
        partial(ctx.lower.call, ctx, node, side, given.args, given.keywords, hint)
        for side in (of.then, of.orelse)
    ]
    return branches.choose(ctx, node, of.cond, sides[0], sides[1], name_of(hint))


def is_none(ctx: Context, operand: Operand) -> ir.Atom:
    """Whether ``operand`` is None."""
    if not isinstance(operand, Choice):
        return constant(operand == NOTHING)
    sides = is_none(ctx, operand.then), is_none(ctx, operand.orelse)
    match sides:
        case ir.Const(value=a), ir.Const(value=b):
            if a == b:
                return constant(bool(a))
            return operand.cond if a else ctx.builder.not_(operand.cond)
        case _:
            return scalars.select(ctx, operand.cond, *sides)
