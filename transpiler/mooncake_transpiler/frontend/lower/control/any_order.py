"""Loops over sets that give the same in whatever order they run: sums, mostly."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.builtin import filled_texts
from mooncake_transpiler.frontend.lower.instance import unordered
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flow import Flow, Jump, Names, written
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.frontend.lower.state.syntax import flat, target_names, walk

_LOOKING = frozenset({"get", "items", "keys", "values"})
_PLAIN = (
    cst.Assign, cst.AnnAssign, cst.AugAssign, cst.If, cst.For, cst.Continue, cst.Break, cst.Pass,
)  # fmt: skip


def items(ctx: Context, node: cst.For, over: Operand, live: Names) -> Operand:
    """The operand that the loop runs over: of a set its items, if nothing comes of their order."""
    found = unordered.in_any_order(ctx, node, over)
    return over if found is over or not _is_free(ctx, node, live) else found


def _is_free(ctx: Context, node: cst.For, live: Names) -> bool:
    """True if iterations only add to numbers that none of them reads, and leave nothing else."""
    body = flat(node.body)
    effect = Flow(body).of(body)
    inner = [one for stmt in body for one in walk(stmt)]
    if effect.jumps - {Jump.CONTINUE} or not all(_is_plain(ctx, one) for one in inner):
        return False
    own = {*target_names(node.target), *(written(body).keys() - effect.gen)}
    sums = [name for one in inner if isinstance(one, cst.AugAssign) for name in _base(one.target)]
    added = {name.value for name in sums} - own
    read = [one.value for one in inner if isinstance(one, cst.Name) and one.value in added]
    return (
        len(read) == sum(name.value in added for name in sums)
        and written(body).keys() <= own | added
        and not own & live
        and all(_is_number(ctx, name) for name in added)
    )


def _is_number(ctx: Context, name: str) -> bool:
    """True for a variable that holds a number, or an array."""
    value = ctx.frame.values.get(name)
    return value is not None and (scalars.is_scalar(value) or delayed.is_array(value))


def _is_plain(ctx: Context, node: cst.CSTNode) -> bool:
    """True for what changes nothing but variables, but for a sum."""
    match node:
        case cst.AugAssign(operator=operator):
            return isinstance(operator, cst.AddAssign | cst.SubtractAssign)
        case cst.AssignTarget(target=target) | cst.AnnAssign(target=target):
            return isinstance(target, cst.Name | cst.Tuple)
        case cst.Call(func=cst.Attribute(value=cst.Name(), attr=cst.Name(name))):
            return name in _LOOKING or filled_texts.is_plain(ctx, node)
        case cst.Call():
            return filled_texts.is_plain(ctx, node)
        case cst.BaseSmallStatement() | cst.BaseCompoundStatement():
            return isinstance(node, _PLAIN)
        case _:
            return not isinstance(node, cst.NamedExpr | cst.Yield | cst.Await)


def _base(target: cst.BaseExpression) -> Iterator[cst.Name]:
    """The variable that ``target`` is a part of."""
    while isinstance(target, cst.Subscript):
        target = target.value
    if isinstance(target, cst.Name):
        yield target
