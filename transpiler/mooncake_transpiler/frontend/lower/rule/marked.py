"""Calls of functions that users have given a rule, another body, or no derivative."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import libcst as cst
from mooncake_rules.arrays import Arr, Num

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import FunctionDecl, FunctionRole
from mooncake_transpiler.frontend.lower.array import delayed, whole
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.call import closures, raising
from mooncake_transpiler.frontend.lower.rule import rules
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import atoms, rebuild, type_of
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Closure,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.types import Type

Bars = Callable[..., Sequence[object]]


def find(ctx: Context, name: str) -> FunctionDecl | None:
    """The rule or overlay for the function ``name`` here; none within its own body."""
    if name in ctx.standing_in:
        return None
    for role in (FunctionRole.RULE, FunctionRole.OVERLAY):
        decl = ctx.source.marked.get((role, name))
        if decl is not None and not (role is FunctionRole.RULE and ctx.skips_rules(name)):
            return decl
    return None


def call(ctx: Context, node: cst.Call, name: str, decl: FunctionDecl, given: Arguments) -> Operand:
    """Call ``name``, for which ``decl`` is a rule or an overlay."""
    assert decl.mark is not None
    bound = closures.bound_arguments(ctx, node, decl, given)
    if decl.mark.role is FunctionRole.OVERLAY:
        outer, ctx.standing_in = ctx.standing_in, ctx.standing_in | {name}
        try:
            return closures.call_function(ctx, node, decl, bound)
        finally:
            ctx.standing_in = outer
    return _ruled(ctx, node, decl, bound, lambda inner, args: _both(inner, node, decl, args))


def call_nondiff(
    ctx: Context, node: cst.Call, decl: FunctionDecl, bound: Mapping[str, Operand]
) -> Operand:
    """Call ``decl``, whose results have the derivative zero."""

    def run(inner: Context, args: Mapping[str, Operand]) -> tuple[Operand, Operand | None]:
        return closures.call_function(inner, node, decl, args), None

    return _ruled(ctx, node, decl, bound, run)


def _both(
    ctx: Context, node: cst.Call, decl: FunctionDecl, args: Mapping[str, Operand]
) -> tuple[Operand, Operand | None]:
    """The result and the pullback that a rule returns."""
    assert decl.mark is not None
    ctx.standing_in |= {decl.mark.target}
    found = closures.call_function(ctx, node, decl, args)
    match found:
        case Items(items=(value, Closure() as pullback)):
            return value, pullback
        case _:
            help_ = "return y, pullback, with a nested function pullback(y_bar)"
            message = f"the rule {decl.name} must return its result and a pullback"
            raise ctx.refuse(node, "MK236", message, help_)


Run = Callable[[Context, Mapping[str, Operand]], tuple[Operand, Operand | None]]


def _ruled(
    ctx: Context, node: cst.Call, decl: FunctionDecl, bound: Mapping[str, Operand], run: Run
) -> Operand:
    """A call of the function with a pullback that ``run`` lowers."""
    raising.check_closed(ctx, node, decl)
    stage = LoweringStage(ctx, node)
    kinds: list[Type] = []

    def rule(inner: LoweringStage, *args: object) -> tuple[Sequence[object], Bars]:
        operands = [whole.from_library(inner.ctx, node, arg) for arg in args]
        value, pullback = run(inner.ctx, dict(zip(bound, operands, strict=True)))
        value = delayed.settle(inner.ctx, value)
        kind = type_of(value)
        if kind is None or value == NOTHING:
            raise ctx.refuse(node, "MK236", f"{decl.name} must return numbers or arrays")
        kinds.append(kind)
        results = [whole.to_library(inner.ctx, node, atom) for atom in atoms(value)]
        return results, _bars(inner, node, decl, kind, pullback, len(args))

    args = [whole.to_library(ctx, node, delayed.settle(ctx, arg)) for arg in bound.values()]
    if any(isinstance(arg, tuple) for arg in args):
        raise ctx.refuse(node, "MK236", f"{decl.name}: a rule takes numbers and arrays, no tuples")
    outs, kind = rules.call_typed(stage, f"{decl.qualname}__ruled", rule, args, kinds)
    leaves = [whole.from_library(ctx, node, out) for out in outs]
    return rebuild(kind, iter([leaf for leaf in leaves if isinstance(leaf, ir.Value)]))


def _bars(
    stage: LoweringStage,
    node: cst.Call,
    decl: FunctionDecl,
    kind: Type,
    pullback: Operand | None,
    count: int,
) -> Bars:
    """The pullback as library rules have it: from cotangents to one for each argument."""

    def bars(*seeds: object) -> Sequence[object]:
        if not isinstance(pullback, Closure):
            return (None,) * count
        ctx = stage.ctx
        leaves = [
            whole.from_library(ctx, node, seed) if isinstance(seed, Arr | Num) else ir.ZERO
            for seed in seeds
        ]
        given = [leaf for leaf in leaves if isinstance(leaf, ir.Value | ir.Const)]
        seed = rebuild(kind, iter(given))
        found = ctx.lower.call(ctx, node, pullback, (seed,))
        items = found.items if isinstance(found, Items) else (found,)
        if len(items) != count:
            message = f"the pullback of {decl.name} returns {len(items)} cotangents, not {count}"
            raise ctx.refuse(node, "MK236", message, "return one for each argument, or None")
        return [None if item == NOTHING or isinstance(item, Static)
                else whole.to_library(ctx, node, item) for item in items]  # fmt: skip

    return bars
