"""Lists whose items are in arrays of their number, which begin to grow.

xs = [f(i) for i in range(n)]          xs is an array of n numbers
xs.append(1.0)                         it is copied into one that grows
"""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import growable, growing, optional_items, replacing
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Items, Operand


def copied_to_grow(ctx: Context, node: cst.CSTNode, ref: Ref, content: Items) -> None:
    """Let ``ref``, whose items are in arrays of their number, grow from here on."""
    held = content.items[0]
    if isinstance(held, Items) and NOTHING in held.items:
        message = "the length of this list of None is not known ahead of time"
        raise ctx.refuse(node, "MK330", message, "begin with an empty list: []")
    if not ctx.heap.plan.is_pooling and _holds_lists(held):
        ctx.heap.plan.has_inner_lists = True
        message = "this list, whose length is not known ahead of time, can't hold lists"
        raise ctx.refuse(node, "MK370", message, "keep what is in them in lists of their own")
    item = growable.item_type(held)
    if item is None:
        message = "this list, whose items are no numbers or arrays alone, can't grow"
        raise ctx.refuse(node, "MK330", message, "append to a new list")
    plan = ctx.heap.plan
    item = growable.widened(optional_items.shown(item), tuple(plan.told))
    item = growable.several(item, plan.kinds)
    cls = growable.new(ctx, item, growable.shapes_of(ctx, held), ref.hint)
    ctx.frame.bind(containers.variable(ref), growing.fill(ctx, node, cls, content))


def _holds_lists(held: Operand) -> bool:
    return isinstance(held, Items) and (held.is_list or any(map(_holds_lists, held.items)))


def needed(ctx: Context, node: cst.CSTNode, ref: Ref) -> None:
    """Let a list whose items are in arrays of their number have others."""
    if replacing.is_rows(ctx, node, ref):
        replacing.check_changeable(ctx, node, ref)
        copied_to_grow(ctx, node, ref, containers.content(ctx, node, ref))
