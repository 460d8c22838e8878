"""The tangent of a scalar statement: the sum of contributions of its arguments' tangents.

    y = x * z        y_dot = x_dot * z + z_dot * x

The terms are those that the rules state for reverse mode; linear maps of complex numbers differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mooncake_rules.expr import (
    SEED,
    Apply,
    Arg,
    Term,
    Y,
    add,
    either,
    eq,
    is_number,
    real,
    strong,
    substitute,
    where,
)
from mooncake_rules.masked_products import strengthened
from mooncake_rules.scalar import OPS

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.linear import emit_term, is_harmless, unknown_partial
from mooncake_transpiler.analysis.spans import Spans
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import Scalar

_FIRST = SEED.index - 1  # Arg(_FIRST - k) stands for the tangent of argument k


def tangent_of(
    stmt: ir.Compute,
    dots: Sequence[ir.Atom | None],
    spans: Spans,
    b: Builder,
    hint: str,
    *,
    again: bool,
) -> ir.Atom | None:
    """Append the tangent of ``stmt.out`` for the tangents ``dots`` of its arguments.

    None stands for zero, there and in the result. ``again``: it is differentiated again.
    """
    term = _total(stmt, dots, spans, again)
    if is_number(term, 0):
        return None
    type_ = stmt.out.type
    assert isinstance(type_, Scalar)

    def leaf(index: int) -> ir.Atom:
        if index == Y.index:
            return stmt.out
        dot = dots[_FIRST - index] if index <= _FIRST else stmt.args[index]
        assert dot is not None
        return dot

    before = len(b.stmts)
    found = emit_term(term, type_.dtype.real, leaf, b)
    if again and stmt.op == "where":
        b.stmts[before:] = map(_of_both, b.stmts[before:])
    if found.type != type_:
        found = b.compute("cast", (found,), type_)
    return _named(found, hint, b) if len(b.stmts) > before else found


def _of_both(stmt: ir.Stmt) -> ir.Stmt:
    """The choice ``stmt``, with both sides computed."""
    if isinstance(stmt, ir.Compute) and stmt.op == "select":
        return replace(stmt, op="where")
    return stmt


def _total(stmt: ir.Compute, dots: Sequence[ir.Atom | None], spans: Spans, again: bool) -> Term:
    op = OPS[stmt.op]
    total: Term = 0
    for k, dot in enumerate(dots):
        if dot is None:
            continue
        if op.is_unknown(k):
            raise unknown_partial(stmt, k)
        if (term := spans.push(stmt, k)) is not None:
            term = _strong(term, stmt, k, spans, again)
            term = substitute(term, {SEED.index: Arg(_FIRST - k)})
            open_sum = stmt.op == "radd" and not is_number(total, 0)
            total = Apply("radd", (total, term)) if open_sum else _plus(total, term)
    return total


def _strong(term: Term, stmt: ir.Compute, k: int, spans: Spans, again: bool) -> Term:
    """``term``, a product of SEED, or 0 if one factor is and the other may be infinite.

    A partial of 0 ends what reverse mode begins with a cotangent of 0: an infinite tangent does
    not matter there, as an infinite partial does not matter here.
    """
    if is_harmless(term):
        return term
    if isinstance(term, Apply) and term.op == "np.real":  # of a product with a complex gradient
        (product,) = term.args
        return real(_strong(product, stmt, k, spans, again))
    of_partial = spans.partial(stmt, k)
    if spans.moves_wildly(stmt.args[k]) and of_partial.zero:
        factor = substitute(term, {SEED.index: 1})
        if isinstance(factor, Apply) and factor.op == "neg" and not again:
            (factor,) = factor.args
        if again and not of_partial.wild:
            return strong(factor, SEED)
        if not again:
            is_zero = eq(factor, 0)
            return where(either(eq(SEED, 0), is_zero) if of_partial.wild else is_zero, 0, term)
    if of_partial.wild:
        term = where(eq(SEED, 0), 0, term)
        return strengthened(term) if again else term
    return term


def _plus(a: Term, b: Term) -> Term:
    """``a + b``; of two choices by one condition, each with a zero, a single choice."""
    match a, b:
        case Apply("select", (cond, x, 0)), Apply("select", (other, 0, y)) if cond == other:
            return where(cond, x, y)
        case Apply("select", (cond, 0, y)), Apply("select", (other, x, 0)) if cond == other:
            return where(cond, x, y)
        case _:
            return add(a, b)


def _named(value: ir.Atom, hint: str, b: Builder) -> ir.Atom:
    """``value``, which the last statement binds, by the name ``hint``."""
    last = b.stmts[-1]
    assert isinstance(last, ir.Compute)
    assert last.out is value
    named = ir.Value(hint, value.type)
    b.stmts[-1] = replace(last, out=named)
    return named
