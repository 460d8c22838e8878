"""Dicts that are parameters: looked up by keys that are written out, and nothing else.

Their keys are those that the function asks for, or that their TypedDict declares; there may be
others. Each item comes with a bool that says whether it is there.
"""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.border.borders import flat
from mooncake_transpiler.frontend.lower.container import dicts
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import atom_of
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand, Static
from mooncake_transpiler.frontend.lower.state.own_kinds import Held

Found = tuple[ir.Atom, Operand]  # a bool, that the key is there, and its item


def given(ctx: Context, held: Mapping[str, Found], path: str) -> Ref:
    """The dict at ``path`` of the parameters."""
    parts = tuple(Items(one) for one in held.values())
    content = Items(parts, tuple(held), Held.RECORD)
    ref = containers.owned(ctx, content, flat(path))
    ctx.heap.given.add(ref.key)
    return ref


def content(ctx: Context, ref: Ref) -> Items | None:
    """The keys and items of ``ref``, if it is a dict that is a parameter."""
    about = ctx.frame.values.get(containers.variable(ref))
    return about if isinstance(about, Items) and about.cls == Held.RECORD else None


def found(ctx: Context, node: cst.CSTNode, record: Items, key: Operand) -> Found:
    """The item of ``key``, and a bool that it is there."""
    if not isinstance(key, Static) or not isinstance(key.value, str):
        message = "which keys are looked up in a dict that is a parameter must be known"
        raise ctx.unroll(node, "MK333", message, 'write them out: params["a"]')
    for name, one in zip(record.names or (), record.items, strict=True):
        if name == key.value and isinstance(one, Items):
            there, item = one.items
            return atom_of(there), item
    message = f"nothing says that the dict has the key {dicts.name_of(ctx, node, key)}"
    raise ctx.refuse(node, "MK333", message, "name its keys in a TypedDict")
