"""Dicts made of other dicts, and of sequences of pairs."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.lower.container import dicts, lists, searched
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import replacing
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import Operand


def pairs(ctx: Context, node: cst.CSTNode, value: Operand) -> dict[str, Operand]:
    """The items of a dict, or of a sequence of keys and values, by name."""
    if containers.is_dict(value):
        return dicts.mapping(ctx, node, value)
    found: dict[str, Operand] = {}
    index = dicts.Index(ctx, node)
    for pair in lists.must_be_known(ctx, node, value):
        both = lists.must_be_known(ctx, node, pair)
        if len(both) != 2:
            raise ctx.refuse(node, "MK333", "a dict is made of pairs")
        found[index.place(node, dicts.name_of(ctx, node, both[0]))] = both[1]
    return found


def update(ctx: Context, node: cst.CSTNode, ref: Ref, value: Operand) -> None:
    """``ref.update(value)``."""
    if (of := containers.pairs(ctx, ref)) is not None:
        for name, item in pairs(ctx, node, value).items():
            searched.write(ctx, node, of, dicts.key_called(ctx, name), item)
        return
    held = dicts.merged(ctx, node, dicts.mapping(ctx, node, ref), pairs(ctx, node, value))
    replacing.replaced(ctx, node, ref, replacing.dict_content(held))
