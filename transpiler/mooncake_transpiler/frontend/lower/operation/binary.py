"""Operators of operands of any kind."""

from __future__ import annotations

from functools import partial

import libcst as cst

from mooncake_transpiler.frontend.lower.array import delayed, whole
from mooncake_transpiler.frontend.lower.container import lists, pairs
from mooncake_transpiler.frontend.lower.failure import failing, numbers, optional
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.merge import eithers
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.scalar import axisless, kinds
from mooncake_transpiler.frontend.lower.scalar.scalars import compute, is_scalar
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import is_sequence
from mooncake_transpiler.frontend.lower.state.operands import (
    Either,
    IntRange,
    Items,
    Maybe,
    Operand,
)
from mooncake_transpiler.frontend.lower.state.syntax import BINARY
from mooncake_transpiler.frontend.lower.state.whose import Kind

UNARY: dict[type[cst.CSTNode], str] = {cst.Minus: "neg", cst.Plus: "pos", cst.BitInvert: "invert"}


def binary(
    ctx: Context,
    node: cst.CSTNode,
    operator: cst.CSTNode,
    left: Operand,
    right: Operand,
    hint: str = "",
) -> Operand:
    if isinstance(left, Either) or isinstance(right, Either):
        step = partial(binary, ctx, node, operator, hint=hint)
        return eithers.split_pair(ctx, left, right, step)
    if isinstance(left, Maybe) or isinstance(right, Maybe):
        text = _unsupported(operator, left, right)
        left, right = (optional.present(ctx, node, side, text) for side in (left, right))
    ctx.functions.note_sides(node, delayed.rank(left), delayed.rank(right))
    if (special := protocols.binary(ctx, node, operator, left, right)) is not None:
        return special
    if isinstance(operator, cst.MatrixMultiply):
        return whole.library_call(ctx, node, "numpy.matmul", left, right)
    op = BINARY[type(operator)]
    left, right = (_as_array(ctx, node, op, left, right), _as_array(ctx, node, op, right, left))
    are_dicts = containers.is_dict(left) and containers.is_dict(right)
    if op == "bitor" and are_dicts and any(pairs.are_open(ctx, node, x) for x in (left, right)):
        return pairs.joined(ctx, node, hint, left, right)
    if (found := lists.binary(ctx, node, op, left, right)) is not None:
        return found
    if delayed.is_array(left) or delayed.is_array(right) or _is_range(ctx, left, right):
        return whole.apply(ctx, node, op, (left, right))
    sides = [numbers.as_scalar(ctx, node, side) for side in (left, right)]
    failing.before_operator(ctx, node, op, sides)
    result = compute(ctx, node, op, sides, hint)
    failing.after_operator(ctx, node, op, sides, result)
    return result


def in_place(
    ctx: Context,
    stmt: cst.AugAssign,
    operator: cst.BaseBinaryOp,
    old: Operand,
    value: Operand,
    hint: str = "",
) -> Operand:
    """The value that ``old operator= value`` assigns, where ``old`` has no axes and is no list."""
    if isinstance(old, Maybe):
        old = optional.present(ctx, stmt, old, _unsupported(operator, old, value))
    found = protocols.inplace(ctx, stmt, operator, old, value)
    if found is None:
        found = binary(ctx, stmt, operator, old, value, hint)
    return axisless.changed(ctx, stmt, old, found)


def _is_range(ctx: Context, left: Operand, right: Operand) -> bool:
    """True if one side is a range, and the other one a number of NumPy, which makes it an array."""
    return any(
        isinstance(of, IntRange) and is_scalar(by) and kinds.kind(ctx, by) is Kind.NUMPY
        for of, by in ((left, right), (right, left))
    )


def _as_array(ctx: Context, node: cst.CSTNode, op: str, of: Operand, by: Operand) -> Operand:
    """``of``; an array of it where it is a list or tuple, and ``by`` a number of NumPy.

    Not so for ``*``, which repeats it.
    """
    is_one = containers.is_list(of) or (isinstance(of, Items) and is_sequence(of))
    if op == "mul" or not is_one or not is_scalar(by) or kinds.kind(ctx, by) is not Kind.NUMPY:
        return of
    return whole.library_call(ctx, node, "numpy.asarray", of)


def _unsupported(operator: cst.CSTNode, left: Operand, right: Operand) -> str:
    """Python's message for an operator with None."""
    sign = cst.Module([]).code_for_node(operator).strip()
    kinds = ["NoneType" if isinstance(x, Maybe) else optional.kind(x) for x in (left, right)]
    sign = "** or pow()" if sign == "**" else sign
    return f"unsupported operand type(s) for {sign}: '{kinds[0]}' and '{kinds[1]}'"


def unary(
    ctx: Context, node: cst.CSTNode, operator: cst.CSTNode, value: Operand, hint: str = ""
) -> Operand:
    if isinstance(value, Either):
        return eithers.split(ctx, value, lambda one: unary(ctx, node, operator, one, hint))
    if (special := protocols.unary(ctx, node, operator, value)) is not None:
        return special
    if isinstance(operator, cst.Not):
        return compute(ctx, node, "not", (protocols.truth(ctx, node, value),), hint)
    op = UNARY[type(operator)]
    sign = cst.Module([]).code_for_node(operator)
    text = f"bad operand type for unary {sign}: 'NoneType'"
    value = optional.present(ctx, node, value, text)
    if delayed.is_array(value):
        return whole.apply(ctx, node, op, (value,))
    return compute(ctx, node, op, (numbers.as_scalar(ctx, node, value),), hint)
