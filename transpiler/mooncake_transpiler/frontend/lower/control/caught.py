"""``except``: the classes behind it, the values of what was caught, and raising it again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.failure import throwing
from mooncake_transpiler.frontend.lower.failure.throwing import ARGS, UNKNOWN
from mooncake_transpiler.frontend.lower.instance import raised
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state import errors, leaving
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.errors import Error, ErrorClass
from mooncake_transpiler.frontend.lower.state.flags import FALSE, TRUE
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import Caught, Items, Operand, Static
from mooncake_transpiler.types import BOOL


def classes(ctx: Context, node: cst.BaseExpression | None) -> tuple[ErrorClass, ...]:
    """The classes after ``except``; without any, it is all exceptions."""
    if node is None:
        return (errors.known("BaseException"),)
    return _classes(ctx, node, ctx.lower.expression(ctx, node))


def _classes(ctx: Context, node: cst.CSTNode, operand: Operand) -> tuple[ErrorClass, ...]:
    if isinstance(operand, Items):
        return tuple(cls for item in operand.items for cls in _classes(ctx, node, item))
    return (one_class(ctx, node, operand),)


def one_class(ctx: Context, node: cst.CSTNode, operand: Operand) -> ErrorClass:
    found = raised.class_of(ctx, operand)
    if found is None:
        raise ctx.refuse(node, "MK350", f"{describe(operand)} is no exception that is known here")
    return found


def value(caught: Operand | None) -> Operand:
    """The value that ``except ... as e`` binds."""
    return UNKNOWN if caught is None else caught


def told(ctx: Context, error: Error) -> Ref:
    """The exception that is raised in that way, by what is known of its text."""
    ref = throwing.implicit(ctx, error.cls)
    if error.is_exact:
        ctx.frame.bind(objects.variable(ref, ARGS), Items((Static(error.text),)))
    return ref


def throw_again(ctx: Context, node: cst.CSTNode, of: Caught) -> None:
    """Raise an exception that was caught: what has no further handler leaves the function."""
    gone = [n for n in of.possible if not throwing.is_jump(ctx, ctx.errors[n].cls)]
    if not gone:
        leaving.raise_here(ctx, of.number, of.possible, of.error)
        return
    first, others = gone[0], tuple(n for n in of.possible if n != gone[0])
    rest = partial(throw_again, ctx, node, Caught(of.number, others, of.error))
    cond = one_of(ctx, node, of, [first])
    branches.branch(
        ctx, cond, partial(throwing.raise_out, ctx, node, ctx.errors[first]), rest, None, True
    )


def one_of(ctx: Context, node: cst.CSTNode, of: Caught, wanted: Sequence[int]) -> ir.Atom:
    """A bool: the exception is one of ``wanted``."""
    if len(wanted) in (0, len(of.possible)):
        return TRUE if wanted else FALSE
    assert isinstance(of.number, ir.Value | ir.Const)
    found: ir.Atom = FALSE
    for number in wanted:
        one = scalars.compute(ctx, node, "eq", (of.number, ir.int_const(number)))
        found = one if found == FALSE else ctx.builder.compute("or", (found, one), BOOL)
    return found


def raise_again(ctx: Context, stmt: cst.Raise) -> None:
    """``raise`` without an exception."""
    if not ctx.frame.handling:
        message = "`raise` alone needs an `except` clause of the same function around it"
        raise ctx.refuse(stmt, "MK350", message, "name the exception: raise ValueError('...')")
    throw_again(ctx, stmt, ctx.frame.handling[-1])
