"""``if`` and ``match``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import libcst as cst

from mooncake_transpiler.frontend.lower.control import patterns
from mooncake_transpiler.frontend.lower.merge import branches, eithers
from mooncake_transpiler.frontend.lower.operation import logic
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import TRUE
from mooncake_transpiler.frontend.lower.state.flow import Names
from mooncake_transpiler.frontend.lower.state.leaves import atom_of
from mooncake_transpiler.frontend.lower.state.syntax import Stmt, else_body, flat


@dataclass(frozen=True, slots=True)
class MatchCase:
    """One ``case`` of a ``match``; the last one stands for no case at all."""

    test: Callable[[], patterns.TakenCase]
    body: tuple[Stmt, ...]


def lower_if(ctx: Context, node: cst.If, rest: Sequence[Stmt], live: Names, follow: bool) -> None:
    """``if``; ``rest`` is what follows it, where that moves into the arm that falls through."""
    cond = atom_of(eithers.value(ctx, node.test, partial(logic.condition, ctx, node.test)))
    then, orelse = (
        partial(_arm, ctx, body, rest, live, follow)
        for body in (flat(node.body), else_body(node.orelse))
    )
    branches.branch(ctx, cond, then, orelse, live, follow)


def lower_match(
    ctx: Context, node: cst.Match, rest: Sequence[Stmt], live: Names, follow: bool
) -> None:
    subject = ctx.lower.expression(ctx, node.subject)
    cases = [MatchCase(partial(patterns.test, ctx, c, subject), flat(c.body)) for c in node.cases]
    _lower_cases(
        ctx, [*cases, MatchCase(lambda: patterns.TakenCase(TRUE, {}), ())], rest, live, follow
    )


def _lower_cases(
    ctx: Context, cases: Sequence[MatchCase], rest: Sequence[Stmt], live: Names, follow: bool
) -> None:
    first, *others = cases
    taken = first.test()

    def then() -> None:
        taken.bind(ctx)
        _arm(ctx, first.body, rest, live, follow)

    orelse = partial(_lower_cases, ctx, others, rest, live, follow)
    branches.branch(ctx, taken.test, then, orelse, live, follow)


def _arm(
    ctx: Context, body: tuple[Stmt, ...], rest: Sequence[Stmt], live: Names, follow: bool
) -> None:
    falls = ctx.frame.flow.of(body).falls
    ctx.lower.block(ctx, (*body, *rest) if falls else body, live, follow)


def takes_rest(ctx: Context, node: cst.If | cst.Match) -> bool:
    """True if what follows ``node`` can move into its one arm that falls through."""
    flow = ctx.frame.flow
    if not flow.effect(node).jumps:
        return False
    if isinstance(node, cst.If):
        arms = [flat(node.body), else_body(node.orelse)]
    else:
        arms = [*(flat(case.body) for case in node.cases), ()]
    return sum(flow.of(arm).falls for arm in arms) == 1
