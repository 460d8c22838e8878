"""``case`` patterns: literals, alternatives, sequences, captures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.instance import membership, protocols
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.operation import logic, shortcut
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import FALSE, TRUE
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand, Static

Fit = tuple[ir.Atom, Mapping[str, Operand]]  # whether it fits, and what names stand for then

_SEQUENCE = Static(External("collections.abc.Sequence"))
_TEXT = Static(External("builtins.str"))


def test(ctx: Context, case: cst.MatchCase, subject: Operand) -> ir.Atom:
    """A bool: ``case`` takes ``subject``, as its pattern fits, and then its guard holds."""
    fits, captured = _fits(ctx, case.pattern, subject)
    if fits != FALSE:
        for name, value in captured.items():
            if fits != TRUE and name in ctx.frame.values:
                message = f"{name} is bound before, and here only if this pattern fits"
                raise ctx.refuse(case.pattern, "MK110", message, "capture under another name")
            ctx.frame.bind(name, delayed.settle(ctx, value, name))
    guard = case.guard
    if guard is None:
        return fits
    both = shortcut.short_circuit(
        ctx, case.pattern, True, fits, lambda: logic.condition(ctx, guard)
    )
    return numbers.as_scalar(ctx, case.pattern, both)


def _fits(ctx: Context, pattern: cst.MatchPattern, subject: Operand) -> Fit:
    match pattern:
        case cst.MatchValue(value=value) | cst.MatchSingleton(value=value):
            operator = cst.Equal() if isinstance(pattern, cst.MatchValue) else cst.Is()
            literal = ctx.lower.expression(ctx, value)
            found = logic.compare(ctx, pattern, operator, subject, literal)
            return protocols.truth(ctx, pattern, found), {}
        case cst.MatchAs(pattern=within, name=name):
            fits, inner = (TRUE, {}) if within is None else _fits(ctx, within, subject)
            return fits, inner if name is None else {**inner, name.value: subject}
        case cst.MatchOr(patterns=options):
            return _any(ctx, pattern, [option.pattern for option in options], subject)
        case cst.MatchSequence(patterns=elements):
            parts = [e.value for e in elements if isinstance(e, cst.MatchSequenceElement)]
            if len(parts) < len(elements):
                raise ctx.refuse(pattern, "MK110", "`*` in patterns is not supported")
            return _sequence(ctx, pattern, parts, subject)
        case _:
            raise ctx.refuse(pattern, "MK110", "this kind of pattern is not supported")


def _sequence(
    ctx: Context, node: cst.CSTNode, patterns: Sequence[cst.MatchPattern], subject: Operand
) -> Fit:
    is_sequence = membership.instance_of(ctx, node, subject, _SEQUENCE)
    if is_sequence == FALSE or membership.instance_of(ctx, node, subject, _TEXT) == TRUE:
        return FALSE, {}
    subject = containers.content(ctx, node, subject) if containers.is_list(subject) else subject
    if not isinstance(subject, Items) or is_sequence is None:
        message = f"a sequence pattern needs a tuple, got {describe(subject)}"
        raise ctx.refuse(node, "MK110", message)
    if len(patterns) != len(subject.items):
        return FALSE, {}
    fits: ir.Atom = TRUE
    captured: dict[str, Operand] = {}
    for inner, item in zip(patterns, subject.items, strict=True):
        one, names = _fits(ctx, inner, item)
        fits = scalars.conjunction(ctx, fits, one)
        captured |= names
        if fits == FALSE:
            break
    return fits, captured


def _any(
    ctx: Context, node: cst.CSTNode, options: Sequence[cst.MatchPattern], subject: Operand
) -> Fit:
    """The first of ``options`` that fits: it captures."""
    found: ir.Atom = FALSE
    for option in options:
        fits, captured = _fits(ctx, option, subject)
        if captured and (found != FALSE or not isinstance(fits, ir.Const)):
            message = "which alternative fits, and captures, is known at run time only"
            raise ctx.refuse(node, "MK110", message, "write a case for each")
        if fits == TRUE and found == FALSE:
            return TRUE, captured
        both = shortcut.short_circuit(ctx, node, False, found, lambda fits=fits: fits)  # type: ignore[misc]
        found = numbers.as_scalar(ctx, node, both)
    return found, {}
