"""Conditions: comparisons, ``and`` / ``or`` / ``not`` and conditional expressions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.lower.array import delayed, whole
from mooncake_transpiler.frontend.lower.container import algorithms, lists, rebinding, views
from mooncake_transpiler.frontend.lower.failure import numbers, optional
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.merge import branches, eithers, phis
from mooncake_transpiler.frontend.lower.object import absent_lists, containers, unifying
from mooncake_transpiler.frontend.lower.operation import (
    comparing,
    equality,
    module_comparisons,
    shortcut,
)
from mooncake_transpiler.frontend.lower.scalar import told_values
from mooncake_transpiler.frontend.lower.scalar.scalars import compute, conjunction, constant, truth
from mooncake_transpiler.frontend.lower.state import passed_text
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import TRUE
from mooncake_transpiler.frontend.lower.state.identities import RunText
from mooncake_transpiler.frontend.lower.state.leaves import atom_of
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Choice,
    Either,
    Items,
    Maybe,
    Operand,
    Passed,
    Static,
    Told,
)
from mooncake_transpiler.frontend.lower.state.tabled import is_row

COMPARED: dict[type[cst.CSTNode], str] = {
    cst.LessThan: "lt", cst.LessThanEqual: "le", cst.GreaterThan: "gt",
    cst.GreaterThanEqual: "ge", cst.Equal: "eq", cst.NotEqual: "ne",
}  # fmt: skip


def condition(ctx: Context, node: cst.BaseExpression) -> ir.Atom:
    """The truth value of an expression."""
    if isinstance(node, cst.BooleanOperation):  # of either side, too: they may be of any type
        is_and, right = isinstance(node.operator, cst.And), partial(condition, ctx, node.right)
        found = shortcut.short_circuit(ctx, node, is_and, condition(ctx, node.left), right)
        return truth(ctx, node, found)
    return protocols.truth(ctx, node, ctx.lower.expression(ctx, node))


def negation(ctx: Context, node: cst.UnaryOperation, hint: str) -> Operand:
    cond = condition(ctx, node.expression)
    found = compute(ctx, node, "not", (cond,), hint)
    if isinstance(found, ir.Value):
        ctx.numbers.tests[found] = "not", (cond,)
    return found


def boolean(ctx: Context, node: cst.BooleanOperation, hint: str) -> Operand:
    """``a and b``, ``a or b``: ``b`` is evaluated only where it counts, as in Python."""
    left = ctx.lower.expression(ctx, node.left)
    return shortcut.short_circuit(
        ctx, node, isinstance(node.operator, cst.And), left,
        lambda: ctx.lower.expression(ctx, node.right), hint,
    )  # fmt: skip


def comparison(ctx: Context, node: cst.Comparison, hint: str) -> Operand:
    """``a < b <= c``: each operand once, and ``c`` only if ``a < b``."""
    return _compare(ctx, node, ctx.lower.expression(ctx, node.left), node.comparisons, hint)


def _compare(
    ctx: Context,
    node: cst.Comparison,
    left: Operand,
    targets: Sequence[cst.ComparisonTarget],
    hint: str,
) -> Operand:
    first, *rest = targets
    over = first.comparator
    if isinstance(over, cst.Set) and isinstance(first.operator, cst.In | cst.NotIn):
        over = cst.Tuple(over.elements)
    left, right = delayed.in_order(ctx, [lambda: left, lambda: ctx.lower.expression(ctx, over)])
    result = compare(ctx, node, first.operator, left, right, "" if rest else hint)
    if not rest:
        return result
    return shortcut.short_circuit(
        ctx, node, True, result, lambda: _compare(ctx, node, right, rest, ""), hint
    )


def _is_other(operator: cst.CSTNode, passed: Passed, left: Operand, right: Operand) -> bool:
    """True if ``passed``, one of the sides, is certainly none of the texts of the other."""
    other = right if left is passed else left
    match operator:
        case cst.Equal() | cst.NotEqual() | cst.Is() | cst.IsNot():
            texts: Sequence[Operand] = (other,)
        case cst.In() | cst.NotIn() if isinstance(right, Items) and left is passed:
            texts = right.items
        case _:  # an order, or a part of text
            return False
    return all(isinstance(one, Static) and passed_text.is_not(passed, one.value) for one in texts)


def compare(
    ctx: Context,
    node: cst.CSTNode,
    operator: cst.CSTNode,
    left: Operand,
    right: Operand,
    hint: str = "",
) -> Operand:
    if isinstance(left, Either) or isinstance(right, Either):
        step = partial(compare, ctx, node, operator, hint=hint)
        return eithers.split_pair(ctx, left, right, step)
    in_dict = isinstance(operator, cst.In | cst.NotIn) and containers.is_dict(right)
    passed = next((side for side in (left, right) if isinstance(side, Passed)), None)
    if passed is not None and not in_dict:
        if not _is_other(operator, passed, left, right):
            raise passed_text.not_known(ctx, node, passed)
        return constant(isinstance(operator, cst.NotEqual | cst.NotIn | cst.IsNot))
    told = _compare_told(ctx, node, operator, left, right)
    if told is None:
        told = module_comparisons.compared(ctx, node, operator, left, right)
    if told is None and (isinstance(left, Maybe) or isinstance(right, Maybe)):
        return _compare_optional(ctx, node, operator, left, right, hint)
    if told is None:
        told = comparing.compared(ctx, node, operator, left, right)
    if told is not None:
        return told
    match operator:
        case cst.Is():
            return _is_one(ctx, node, left, right)
        case cst.IsNot():
            return optional.negated(ctx, _is_one(ctx, node, left, right))
        case cst.In():
            return _contains(ctx, node, left, right)
        case cst.NotIn():
            return compute(ctx, node, "not", (_contains(ctx, node, left, right),), hint)
        case _ if delayed.is_array(left) or delayed.is_array(right):
            return whole.apply(ctx, node, COMPARED[type(operator)], (left, right))
        case _:
            return equality.ordered(ctx, node, COMPARED[type(operator)], left, right, hint)


def _contains(ctx: Context, node: cst.CSTNode, item: Operand, container: Operand) -> ir.Atom:
    """``item in container``; of lists of run-time length, text and None are compared each alone."""
    is_told = isinstance(item, Static | Told | RunText) or views.may_hold_none(ctx, node, container)
    if is_told and lists.is_run_time(ctx, container):
        return algorithms.holds(ctx, node, "contains", container, item)
    held = container if is_row(container) else views.view(ctx, node, container)
    return equality.contains(ctx, node, item, held)


def _is_one(ctx: Context, node: cst.CSTNode, left: Operand, right: Operand) -> ir.Atom:
    if isinstance(left, Choice) and right == NOTHING:
        return phis.is_none(ctx, left)
    return equality.is_one(ctx, node, left, right)


def _compare_told(
    ctx: Context, node: cst.CSTNode, operator: cst.CSTNode, left: Operand, right: Operand
) -> Operand | None:
    """A comparison of text or members of enums that change; None where the other side is asked."""
    if isinstance(left, Told):
        others: list[tuple[Operand, Operand]] = [
            (one, right) for one in told_values.known(ctx, left)
        ]
        told = left
    elif isinstance(right, Told) and not isinstance(operator, cst.In | cst.NotIn):
        known = told_values.known(ctx, right)
        told, others = right, [(left, one) for one in known]
    else:
        return None
    if isinstance(operator, cst.In | cst.NotIn) and not containers.is_dict(right):
        return None

    def later(k: int) -> Operand:
        if k == len(others) - 1:
            return compare(ctx, node, operator, *others[k])
        this = partial(compare, ctx, node, operator, *others[k])
        rest = partial(later, k + 1)
        return branches.choose(ctx, node, told_values.is_number(ctx, told, k), this, rest, "")

    if not all(isinstance(side, Static) for pair in others for side in pair):
        return later(0)
    sides = [compare(ctx, node, operator, *pair) for pair in others]
    if not all(isinstance(side, ir.Const) for side in sides):
        return later(0)
    return told_values.is_any(ctx, told, (k for k, side in enumerate(sides) if side == TRUE))


def _compare_optional(
    ctx: Context, node: cst.CSTNode, operator: cst.CSTNode, left: Operand, right: Operand, hint: str
) -> Operand:
    """A comparison of what may be None."""
    match operator:
        case cst.Equal() | cst.Is():
            return _equal_where_there(ctx, node, operator, left, right)
        case cst.NotEqual() | cst.IsNot():
            same = cst.Equal() if isinstance(operator, cst.NotEqual) else cst.Is()
            return optional.negated(ctx, _equal_where_there(ctx, node, same, left, right))
        case cst.In() if isinstance(left, Maybe):
            inside = partial(compare, ctx, node, operator, left.value, right)
            missing = partial(compare, ctx, node, operator, NOTHING, right)
            return branches.choose(ctx, node, left.there, inside, missing, hint)
        case cst.NotIn() if isinstance(left, Maybe):
            found = compare(ctx, node, cst.In(), left, right)
            return optional.negated(ctx, numbers.as_scalar(ctx, node, found))
        case _:
            text = _text(operator, left, right)
            sides = [optional.present(ctx, node, side, text) for side in (left, right)]
            return compare(ctx, node, operator, sides[0], sides[1], hint)


def _equal_where_there(
    ctx: Context, node: cst.CSTNode, operator: cst.Equal | cst.Is, left: Operand, right: Operand
) -> ir.Atom:
    """``left == right``, or ``left is right``, where None is equal to None alone."""
    for side, other in ((left, right), (right, left)):
        if isinstance(side, Maybe) and other == NOTHING:
            return optional.is_none(ctx, side)
    first, second = (unifying.as_maybe(side, None) for side in (left, right))
    is_equal = isinstance(operator, cst.Equal)
    if is_equal and (delayed.is_array(first.value) or delayed.is_array(second.value)):
        message = "what may be None is compared with == or !="
        raise ctx.refuse(node, "MK212", message, "test `is None` before")
    values = partial(compare, ctx, node, operator, first.value, second.value)
    absent = (optional.negated(ctx, side.there) for side in (first, second))
    neither = partial(conjunction, ctx, *absent)
    both = conjunction(ctx, first.there, second.there)
    return atom_of(branches.choose(ctx, node, both, values, neither, ""))


def _text(operator: cst.CSTNode, left: Operand, right: Operand) -> str:
    """Python's message for an order with None."""
    sign = cst.Module([]).code_for_node(operator).strip()
    kinds = ["NoneType" if isinstance(x, Maybe) else optional.kind(x) for x in (left, right)]
    return f"'{sign}' not supported between instances of '{kinds[0]}' and '{kinds[1]}'"


def conditional(ctx: Context, node: cst.IfExp, hint: str) -> Operand:
    """``a if c else b``: only the arm that is taken is evaluated."""
    values: list[Operand] = []

    def arm(expression: cst.BaseExpression) -> Operand:
        values.append(delayed.settle(ctx, ctx.lower.expression(ctx, expression)))
        return rebinding.chosen(ctx, node, hint, values[-1])

    test, arms = condition(ctx, node.test), (partial(arm, node.body), partial(arm, node.orelse))
    try:
        value = branches.choose(ctx, node, test, *arms, hint)
    except Refused:
        key = (node, absent_lists.CHOSEN)
        is_known = key in ctx.learnt.absent or len(values) < len(arms)
        if not is_known and absent_lists.are_at_odds(*values):
            raise ctx.learnt.let_be_absent(*key) from None
        raise
    return absent_lists.seen(ctx, value) if absent_lists.is_one(value) else value
