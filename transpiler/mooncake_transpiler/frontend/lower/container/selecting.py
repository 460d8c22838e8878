"""Items of lists and tuples that are chosen while the program runs."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.failure import failing, unset_names
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.scalar.scalars import compute, is_scalar, select
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import same
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.frontend.lower.state.unset import NeverSet, NotReached


def read(
    ctx: Context, node: cst.CSTNode, items: Sequence[Operand], index: ir.Atom, what: str
) -> Operand:
    """``items[index]``: found by halving, like any choice by conditions."""
    if ctx.unrollable:
        message = f"the index of a {what} must be a constant here"
        raise ctx.unroll(node, "MK331", message, "index it with the variable of a short loop")
    if not items:
        unset_names.fail(ctx, NeverSet(node, "IndexError", f"{what} index out of range"))
        raise NotReached
    at = within(ctx, node, index, len(items), what)

    def half(lo: int, hi: int) -> Operand:
        if all(same(item, items[lo]) for item in items[lo:hi]):
            return items[lo]
        middle = (lo + hi) // 2
        first = compute(ctx, node, "lt", (at, ir.int_const(middle)))
        return branches.choose(
            ctx, node, first, lambda: half(lo, middle), lambda: half(middle, hi), ""
        )

    return half(0, len(items))


def write(
    ctx: Context, node: cst.CSTNode, items: Sequence[Operand], index: ir.Atom, value: Operand
) -> list[Operand]:
    """The items after ``items[index] = value``."""
    if ctx.unrollable:
        message = "the index of a list must be a constant here"
        raise ctx.unroll(node, "MK331", message, "index it with the variable of a short loop")
    at = within(ctx, node, index, len(items), "list")

    def item(k: int, old: Operand) -> Operand:
        here = compute(ctx, node, "eq", (at, ir.int_const(k)))
        if is_scalar(old) and is_scalar(value):
            return select(ctx, here, value, old)
        return branches.choose(ctx, node, here, lambda: value, lambda: old, "")

    return [item(k, old) for k, old in enumerate(items)]


def within(
    ctx: Context, node: cst.CSTNode, index: ir.Atom, count: int | ir.Atom, what: str
) -> ir.Atom:
    """``index`` counted from the front; an IndexError where it is out of range."""
    known = ctx.numbers.ranges.get(index) if isinstance(index, ir.Value) else None
    from_front = known is not None and (not known or min(known) >= 0)
    limit = count if isinstance(count, int) else 0
    if known is not None and from_front and (not known or max(known) < limit):
        return index
    size = ir.int_const(count) if isinstance(count, int) else count
    at = index
    if not from_front:
        negative = compute(ctx, node, "lt", (index, ir.ZERO))
        at = select(ctx, negative, compute(ctx, node, "add", (index, size)), index)
    inside = compute(ctx, node, "lt", (at, size))
    if not from_front:
        inside = scalars.conjunction(ctx, compute(ctx, node, "ge", (at, ir.ZERO)), inside)
    require(ctx, node, inside, "IndexError", f"{what} index out of range")
    return at


def require(ctx: Context, node: cst.CSTNode, holds: ir.Atom, exc: str, message: str) -> None:
    """Raise ``exc`` unless ``holds``."""
    failing.require(ctx, node, holds, message, exc)
