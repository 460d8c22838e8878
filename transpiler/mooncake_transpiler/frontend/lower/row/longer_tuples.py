"""Joins of tuples of different lengths: such tuples are held in arrays from their start.

    t = ()                                t = tuple([])        as if Python had written it so:
    for x in xs:            becomes       for x in xs:         a tuple of run-time length
        t = t + (x,)                          t = t + (x,)

Which variables hold such tuples is learnt: where paths meet that differ so the function is lowered
again (``TablePlan.longer``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import growable
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import is_hidden
from mooncake_transpiler.frontend.lower.state.leaves import type_of
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.frontend.lower.state.tabled import Anew
from mooncake_transpiler.types import Type


def check(ctx: Context, name: str, a: Operand | None, b: Operand | None) -> None:
    """Ask for such a tuple where the variable ``name`` holds tuples of two lengths."""
    if is_hidden(name) or not (_is_tuple(a) and _is_tuple(b)):
        return
    match list({type_ for side in (a, b) for type_ in _items(ctx, side)}):
        case [item] if item is not None:
            where, longer = (ctx.frame.node, name), ctx.heap.plan.longer
            if where not in longer:
                longer[where] = item
                raise Anew


def is_display(value: Operand | None) -> TypeGuard[Items]:
    """True for a tuple whose items are known one by one."""
    return (
        isinstance(value, Items)
        and not value.is_list
        and (value.names, value.cls, value.once) == (None, None, None)
    )


def _is_tuple(side: Operand | None) -> bool:
    return is_display(side) or containers.is_tuple(side)


def _items(ctx: Context, side: Operand | None) -> Iterator[Type | None]:
    """The types of the items of a tuple, those of one in arrays together."""
    about = ctx.frame.values.get(containers.variable(side)) if containers.is_tuple(side) else side
    if not isinstance(about, Items):
        yield None
    elif about.cls == Held.ROWS:
        yield growable.item_type(about.items[0])
    else:
        yield from map(type_of, about.items)
