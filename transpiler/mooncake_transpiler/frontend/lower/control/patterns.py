"""``case`` patterns: literals, alternatives, captures."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import expressions
from mooncake_transpiler.frontend.lower.array import whole
from mooncake_transpiler.frontend.lower.container import containers
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.frame import FALSE, TRUE
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.operands import Items, Operand, describe
from mooncake_transpiler.frontend.lower.scalar import logic
from mooncake_transpiler.types import BOOL


def test(ctx: Context, case: cst.MatchCase, subject: Operand) -> ir.Atom:
    """Whether ``case`` takes ``subject``: its pattern fits, and then its guard holds."""
    fits = _fits(ctx, case.pattern, subject)
    guard = case.guard
    if guard is None:
        return fits
    both = logic.short_circuit(ctx, case.pattern, True, fits, lambda: logic.condition(ctx, guard))
    return expressions.as_scalar(ctx, case.pattern, both)


def _fits(ctx: Context, pattern: cst.MatchPattern, subject: Operand) -> ir.Atom:
    match pattern:
        case cst.MatchValue(value=value) | cst.MatchSingleton(value=value):
            operator = cst.Equal() if isinstance(pattern, cst.MatchValue) else cst.Is()
            literal = expressions.lower(ctx, value)
            found = logic.compare(ctx, pattern, operator, subject, literal)
            return protocols.truth(ctx, pattern, found)
        case cst.MatchAs(pattern=within, name=name):
            fits = TRUE if within is None else _fits(ctx, within, subject)
            if name is not None:
                ctx.frame.bind(name.value, whole.settle(ctx, subject, name.value))
            return fits
        case cst.MatchOr(patterns=options):
            return _any(ctx, [_fits(ctx, option.pattern, subject) for option in options])
        case cst.MatchSequence(patterns=elements):
            inner = [e.value for e in elements if isinstance(e, cst.MatchSequenceElement)]
            if len(inner) < len(elements):
                raise ctx.refuse(pattern, "MK110", "`*` in patterns is not supported")
            return _sequence(ctx, pattern, inner, subject)
        case _:
            raise ctx.refuse(pattern, "MK110", "this kind of pattern is not supported")


def _sequence(
    ctx: Context, node: cst.CSTNode, patterns: list[cst.MatchPattern], subject: Operand
) -> ir.Atom:
    subject = containers.content(ctx, node, subject) if containers.is_list(subject) else subject
    if not isinstance(subject, Items):
        message = f"a sequence pattern needs a tuple, got {describe(subject)}"
        raise ctx.refuse(node, "MK110", message)
    if len(patterns) != len(subject.items):
        return FALSE
    fits: ir.Atom = TRUE
    for inner, item in zip(patterns, subject.items, strict=True):
        fits = logic.conjunction(ctx, fits, _fits(ctx, inner, item))
    return fits


def _any(ctx: Context, tests: list[ir.Atom]) -> ir.Atom:
    found: ir.Atom = FALSE
    for one in tests:
        if isinstance(one, ir.Const):
            found = one if one.value else found
        elif isinstance(found, ir.Const):
            found = found if found.value else one
        else:
            found = ctx.builder.compute("or", (found, one), BOOL)
    return found
