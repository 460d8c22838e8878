"""Conditions: comparisons, ``and`` / ``or`` / ``not`` and conditional expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.builder import Builder
from mooncake_transpiler.diagnostics import Refused
from mooncake_transpiler.frontend.lower.array import whole
from mooncake_transpiler.frontend.lower.call import choices
from mooncake_transpiler.frontend.lower.container import lists
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.control import branches, optional
from mooncake_transpiler.frontend.lower.failure import guards
from mooncake_transpiler.frontend.lower.frame import FALSE, LEFT, State
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.operands import (
    NOTHING,
    Choice,
    Items,
    Maybe,
    Operand,
    Passed,
    Static,
)
from mooncake_transpiler.frontend.lower.scalar import equality, kinds
from mooncake_transpiler.frontend.lower.scalar.kinds import Kind
from mooncake_transpiler.frontend.lower.scalar.scalars import compute, constant, truth
from mooncake_transpiler.types import BOOL, is_differentiable

COMPARED: dict[type[cst.CSTNode], str] = {
    cst.LessThan: "lt", cst.LessThanEqual: "le", cst.GreaterThan: "gt",
    cst.GreaterThanEqual: "ge", cst.Equal: "eq", cst.NotEqual: "ne",
}  # fmt: skip

# What may run although the short-circuit would have skipped it: cheap, and never fails.
HARMLESS = frozenset({
    "add", "sub", "mul", "neg", "pos", "abs", "lt", "le", "gt", "ge", "eq", "ne",
    "and", "or", "not", "bitand", "bitor", "bitxor", "invert",
})  # fmt: skip


def condition(ctx: Context, node: cst.BaseExpression) -> ir.Atom:
    """The truth value of an expression."""
    if isinstance(node, cst.BooleanOperation):  # of either side, too: they may be of any type
        is_and, right = isinstance(node.operator, cst.And), partial(condition, ctx, node.right)
        found = short_circuit(ctx, node, is_and, condition(ctx, node.left), right)
        return truth(ctx, node, found)
    return protocols.truth(ctx, node, ctx.lower.expression(ctx, node))


def negation(ctx: Context, node: cst.UnaryOperation, hint: str) -> Operand:
    cond = condition(ctx, node.expression)
    found = compute(ctx, node, "not", (cond,), hint)
    if isinstance(found, ir.Value):
        ctx.tests[found] = "not", (cond,)
    return found


def boolean(ctx: Context, node: cst.BooleanOperation, hint: str) -> Operand:
    """``a and b``, ``a or b``: ``b`` is evaluated only where it counts, as in Python."""
    left = ctx.lower.expression(ctx, node.left)
    return short_circuit(
        ctx, node, isinstance(node.operator, cst.And), left,
        lambda: ctx.lower.expression(ctx, node.right), hint,
    )  # fmt: skip


def short_circuit(
    ctx: Context,
    node: cst.CSTNode,
    is_and: bool,
    left: Operand,
    right: Callable[[], Operand],
    hint: str = "",
) -> Operand:
    decided = protocols.truth(ctx, node, left)
    if isinstance(decided, ir.Const):
        return right() if bool(decided.value) == is_and else left
    left = left.value if isinstance(left, Maybe) and not is_and else left  # None is false
    found = _short_circuit(
        ctx, node, is_and, left, decided, optional.narrowed(ctx, decided, is_and, right), hint
    )
    return found


def _short_circuit(
    ctx: Context,
    node: cst.CSTNode,
    is_and: bool,
    left: Operand,
    decided: ir.Atom,
    right: Callable[[], Operand],
    hint: str,
) -> Operand:
    before = ctx.frame.save()
    found: list[Operand] = []
    tail = ctx.in_child(partial(guards.closed, ctx, lambda: found.append(right())))
    if ctx.frame.values[LEFT] != FALSE:  # it may raise: only where it counts
        ctx.frame.restore(before)
        sides = (right, lambda: left) if is_and else (lambda: left, right)
        return branches.choose(ctx, node, decided, *sides, hint)
    after, value = ctx.frame.save(), found[0]
    if decided is left and _unasked(tail, value) and _unchanged(before, after):
        return _of_both(
            ctx, is_and, decided, value, _joined(ctx, is_and, decided, value, tail, hint)
        )

    def replay() -> Operand:
        ctx.builder.stmts.extend(tail.stmts)
        ctx.frame.restore(after)
        return value

    ctx.frame.restore(before)
    arms = (replay, lambda: left) if is_and else (lambda: left, replay)
    result = branches.choose(ctx, node, decided, *arms, hint)
    return _of_both(ctx, is_and, decided, value, result) if decided is left else result


def _of_both(ctx: Context, is_and: bool, left: ir.Atom, right: Operand, result: Operand) -> Operand:
    """``result``, of which is known what it says about both sides."""
    if isinstance(result, ir.Value) and isinstance(right, ir.Value) and right.type == BOOL:
        ctx.tests[result] = "and" if is_and else "or", (left, right)
    return result


def _joined(
    ctx: Context, is_and: bool, left: ir.Atom, right: Operand, tail: Builder, hint: str
) -> Operand:
    if isinstance(right, ir.Const):
        return left if bool(right.value) == is_and else right
    assert isinstance(right, ir.Value)
    ctx.builder.stmts.extend(tail.stmts)
    found = ctx.builder.compute("and" if is_and else "or", (left, right), BOOL, hint)
    return kinds.marked(ctx, found, kinds.join(kinds.kind(ctx, side) for side in (left, right)))


def _unasked(tail: Builder, value: Operand) -> bool:
    """Whether the right side is a bool that does no harm when it is not asked for."""
    is_bool = isinstance(value, ir.Value | ir.Const) and value.type == BOOL
    return is_bool and all(_harmless(stmt) for stmt in tail.stmts)


def _unchanged(before: State, after: State) -> bool:
    return all(after.values[name] is value for name, value in before.values.items())


def _harmless(stmt: ir.Stmt) -> bool:
    match stmt:
        case ir.Dim():
            return True
        case ir.Compute(op=op, out=out):
            return op in HARMLESS or (op == "cast" and is_differentiable(out.type))
        case _:
            return False


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
    left, right = whole.in_order(
        ctx, [lambda: left, lambda: ctx.lower.expression(ctx, first.comparator)]
    )
    result = compare(ctx, node, first.operator, left, right, "" if rest else hint)
    if not rest:
        return result
    return short_circuit(
        ctx, node, True, result, lambda: _compare(ctx, node, right, rest, ""), hint
    )


def _is_other(passed: Passed, other: Operand) -> bool:
    """Whether ``passed`` is certainly none of the texts ``other``, or in them."""
    texts = other.items if isinstance(other, Items) else (other,)
    return all(isinstance(one, Static) and one.value in passed.but for one in texts)


def not_known(ctx: Context, node: cst.CSTNode, passed: Passed) -> Refused:
    """What is only passed on is looked at."""
    message = f"{passed.path} may be any value of type {passed.spelled}"
    help_ = f'say which ones there are: {passed.path}: Literal["a", "b"]'
    return ctx.refuse(node, "MK363", message, help_)


def compare(
    ctx: Context,
    node: cst.CSTNode,
    operator: cst.CSTNode,
    left: Operand,
    right: Operand,
    hint: str = "",
) -> Operand:
    for side, other in ((left, right), (right, left)):
        if isinstance(side, Passed):
            if not _is_other(side, other):
                raise not_known(ctx, node, side)
            return constant(isinstance(operator, cst.NotEqual | cst.NotIn | cst.IsNot))
    special = protocols.compared(ctx, node, operator, left, right)
    if special is not None:
        return special
    if isinstance(left, Maybe) or isinstance(right, Maybe):
        return _compare_optional(ctx, node, operator, left, right, hint)
    match operator:
        case cst.Is() | cst.IsNot() if isinstance(left, Choice) and right == NOTHING:
            none = choices.is_none(ctx, left)
            return none if isinstance(operator, cst.Is) else ctx.builder.not_(none)
        case cst.Is() | cst.IsNot():
            is_one = equality.is_one(ctx, node, left, right)
            return is_one if isinstance(operator, cst.Is) else optional.negated(ctx, is_one)
        case cst.In() | cst.NotIn():
            found = equality.contains(ctx, node, left, lists.view(ctx, node, right))
            if isinstance(operator, cst.In):
                return found
            return compute(ctx, node, "not", (found,), hint)
        case _ if whole.is_array(left) or whole.is_array(right):
            return whole.apply(ctx, node, COMPARED[type(operator)], (left, right))
        case _:
            return equality.ordered(ctx, node, COMPARED[type(operator)], left, right, hint)


def _compare_optional(
    ctx: Context,
    node: cst.CSTNode,
    operator: cst.CSTNode,
    left: Operand,
    right: Operand,
    hint: str,
) -> Operand:
    """A comparison of what may be None."""
    positive = isinstance(operator, cst.Is | cst.Equal)
    if positive or isinstance(operator, cst.IsNot | cst.NotEqual):
        for side, other in ((left, right), (right, left)):
            if isinstance(side, Maybe) and other == NOTHING:
                return optional.is_none(ctx, side) if positive else side.there
        if isinstance(operator, cst.Equal | cst.NotEqual):
            message = "what may be None is compared with == or !="
            raise ctx.refuse(node, "MK212", message, "test `is None` before")
    sides = [
        optional.present(ctx, node, side, _text(operator, left, right)) for side in (left, right)
    ]
    return compare(ctx, node, operator, sides[0], sides[1], hint)


def _text(operator: cst.CSTNode, left: Operand, right: Operand) -> str:
    """What Python says about an order with None."""
    sign = cst.Module([]).code_for_node(operator).strip()
    kinds = ["NoneType" if isinstance(x, Maybe) else optional.kind(x) for x in (left, right)]
    return f"'{sign}' not supported between instances of '{kinds[0]}' and '{kinds[1]}'"


def conjunction(ctx: Context, left: ir.Atom, right: ir.Atom) -> ir.Atom:
    """``left and right`` of values that are there already."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, ir.Const):
            return other if one.value else one
    return kinds.marked(ctx, ctx.builder.compute("and", (left, right), BOOL), Kind.PYTHON)


def conditional(ctx: Context, node: cst.IfExp, hint: str) -> Operand:
    """``a if c else b``: only the arm that is taken is evaluated."""
    return branches.choose(
        ctx,
        node,
        condition(ctx, node.test),
        lambda: ctx.lower.expression(ctx, node.body),
        lambda: ctx.lower.expression(ctx, node.orelse),
        hint,
    )
