"""``and`` and ``or``: the right side is evaluated only where it counts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.failure import optional
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import FALSE, LEFT
from mooncake_transpiler.frontend.lower.state.operands import Maybe, Operand, State
from mooncake_transpiler.frontend.lower.state.unset import NeverSet, NotReached
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import BOOL, is_differentiable

# What may run although the short-circuit would have skipped it: cheap, and never fails.
HARMLESS = frozenset({
    "add", "sub", "mul", "neg", "pos", "abs", "lt", "le", "gt", "ge", "eq", "ne",
    "and", "or", "not", "bitand", "bitor", "bitxor", "invert",
})  # fmt: skip


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

    def evaluate() -> None:
        with suppress(NotReached):
            found.append(right())

    try:
        tail = ctx.in_child(partial(branches.closed, ctx, evaluate))
    except NeverSet:
        found.clear()
    if not found or ctx.frame.values[LEFT] != FALSE:  # it may raise: only where it counts
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
        ctx.numbers.tests[result] = "and" if is_and else "or", (left, right)
    return result


def _joined(
    ctx: Context, is_and: bool, left: ir.Atom, right: Operand, tail: Builder, hint: str
) -> Operand:
    if isinstance(right, ir.Const):
        return left if bool(right.value) == is_and else right
    assert isinstance(right, ir.Value)
    ctx.builder.stmts.extend(tail.stmts)
    found = ctx.builder.compute("and" if is_and else "or", (left, right), BOOL, hint)
    return kinds.marked(ctx, found, kinds.join(kinds.whose(ctx, side) for side in (left, right)))


def _unasked(tail: Builder, value: Operand) -> bool:
    """True if the right side is a bool that does no harm when it is not asked for."""
    is_bool = isinstance(value, ir.Value | ir.Const) and value.type == BOOL
    return is_bool and all(_harmless(stmt) for stmt in tail.stmts)


def _unchanged(before: State, after: State) -> bool:
    return all(after.values[name] is value for name, value in before.values.items())


def _harmless(stmt: ir.Stmt) -> bool:
    if isinstance(stmt, ir.Compute):
        return stmt.op in HARMLESS or (stmt.op == "cast" and is_differentiable(stmt.out.type))
    return isinstance(stmt, ir.Dim)
