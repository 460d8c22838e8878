"""The indices that are written between the brackets of a subscript."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.lower.array import cuts
from mooncake_transpiler.frontend.lower.container import lists
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.scalar import enums
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Items


def spread(ctx: Context, node: cst.Subscript) -> list[object]:
    """The written indices: operands and ``...``; lists are ``Items``."""
    if sum(map(_is_ellipsis, node.slice)) > 1:
        raise ctx.refuse(node, "MK214", "an index has one ellipsis at most")
    parts: list[object] = []
    for item in node.slice:
        if isinstance(item.slice, cst.Slice):
            given = (item.slice.lower, item.slice.upper, item.slice.step)
            bounds = (ctx.lower.expression(ctx, x) if x else NOTHING for x in given)
            parts.append(cuts.cut(ctx, node, *bounds))
        elif _is_ellipsis(item):
            parts.append(Ellipsis)
        else:
            assert isinstance(item.slice, cst.Index)
            found = enums.plain(ctx, node, ctx.lower.expression(ctx, item.slice.value))
            if item.slice.star is not None:
                parts.extend(lists.must_be_known(ctx, node, found))
                continue
            if containers.is_tuple(found):  # one index for each axis, where a list is one for many
                message = "how many indices a tuple of run-time length has is not known"
                raise ctx.refuse(node, "MK331", message, "unpack it first: i, j = index")
            value = ctx.lower.view(ctx, node, found)
            is_tuple = isinstance(value, Items) and not value.is_list
            unpacked = is_tuple and len(node.slice) == 1
            parts.extend(value.items if unpacked and isinstance(value, Items) else [value])
    return parts


def is_starred(node: cst.Subscript) -> bool:
    """True for ``x[*index]``, which makes a tuple of what is between the brackets."""
    return any(isinstance(e.slice, cst.Index) and e.slice.star is not None for e in node.slice)


def has_ellipsis(node: cst.Subscript) -> bool:
    return any(_is_ellipsis(item) for item in node.slice)


def _is_ellipsis(item: cst.SubscriptElement) -> bool:
    return isinstance(item.slice, cst.Index) and isinstance(item.slice.value, cst.Ellipsis)
