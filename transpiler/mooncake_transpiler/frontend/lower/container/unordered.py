"""Sets, which are instances of a class that is written out: their order."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.container import lists
from mooncake_transpiler.frontend.lower.instance import instances
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.row import growable, optional_items
from mooncake_transpiler.frontend.lower.scalar import enums, told_values
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import options_of, type_of
from mooncake_transpiler.frontend.lower.state.operands import Operand, Static, Told
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.frontend.name import library_classes
from mooncake_transpiler.types import Tuple, Type


def in_any_order(ctx: Context, node: cst.CSTNode, over: Operand) -> Operand:
    """The items of a set, for a reader to whom their order is nothing; else ``over``."""
    cls = objects.declared(ctx, over)
    if cls is None or (cls.module, cls.name) != (library_classes.NAME, "set"):
        return over
    items = instances.attribute(ctx, node, over, "_items")
    assert items is not None
    return items


def as_hashed(ctx: Context, node: cst.CSTNode, over: Operand) -> Operand:
    """The items ``over`` of a set with texts in them: Python's order is another in each process."""
    if has_texts(ctx, node, over):
        return over
    raise ctx.refuse(node, "MK114", "the order of a set is not supported", "loop over sorted(...)")


def has_texts(ctx: Context, node: cst.CSTNode, over: Operand) -> bool:
    """True if the items ``over`` of a set are known to be texts, or tuples with these."""
    if (grown := containers.grown(ctx, over)) is not None:
        types = [growable.item_type(ctx.heap.arrays_of(grown))]
    elif containers.pooled(ctx, over) is not None:
        types = [None]
    else:
        types = [type_of(told_values.with_told(one)) for one in lists.items(ctx, node, over)]
    known = [optional_items.shown(type_) for type_ in types if type_ is not None]
    return len(known) == len(types) and all(_has_text(ctx, node, type_) for type_ in known)


def _has_text(ctx: Context, node: cst.CSTNode, type_: Type) -> bool:
    """True for the types of texts and members that are no numbers, and of tuples with these."""
    match type_:
        case Tuple(cls=Held.TEXT):
            return True
        case Tuple(cls=Held.TOLD):
            known = told_values.known(ctx, Told(ir.ZERO, options_of(type_)))
            return all(isinstance(enums.plain(ctx, node, one), Static) for one in known)
        case Tuple(items=items, names=None):
            return any(_has_text(ctx, node, item) for item in items)
        case _:
            return False
