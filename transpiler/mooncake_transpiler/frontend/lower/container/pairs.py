"""Dicts made of other dicts, and of sequences of pairs."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.container import algorithms, dicts, keyed, lists, searched
from mooncake_transpiler.frontend.lower.failure import failing
from mooncake_transpiler.frontend.lower.instance import record_rows
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import replacing
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import (
    Elements,
    Generator,
    Items,
    Operand,
    Static,
)


def pairs(ctx: Context, node: cst.CSTNode, value: Operand) -> dict[str, Operand]:
    """The items of a dict, or of a sequence of keys and values, by name."""
    value = record_rows.as_dict(ctx, node, value)
    if containers.is_dict(value):
        return dicts.mapping(ctx, node, value)
    found: dict[str, Operand] = {}
    index = dicts.Index(ctx, node)
    for pair in lists.must_be_known(ctx, node, all_named(ctx, node, value)):
        both = lists.must_be_known(ctx, node, pair)
        if len(both) != 2:
            raise ctx.refuse(node, "MK333", "a dict is made of pairs")
        found[index.place(node, dicts.name_of(ctx, node, both[0]))] = both[1]
    return found


def all_named(ctx: Context, node: cst.CSTNode, over: Operand) -> Operand:
    """``over``; where it names its items (``zip("ab", x)``) with as many as there are names.

    Which names a dict has must be known: it is a ValueError where the items are fewer.
    """
    if not isinstance(over, Elements) or not over.limit or not isinstance(over.count, ir.Value):
        return over
    first = over.at(ir.ZERO, "")
    name = first.items[0] if isinstance(first, Items) and first.items else None
    if not isinstance(name, Static) or not isinstance(name.value, str):
        return over
    wanted = ir.int_const(over.limit)
    there = scalars.compute(ctx, node, "ge", (over.count, wanted))
    message = f"a dict with {over.limit} keys can't be made of {{}} values"
    failing.require(ctx, node, there, message, "ValueError", (over.count,))
    return replace(over, count=wanted)


def once(ctx: Context, value: Operand) -> Operand:
    """``value``; of a generator, which can be run through once, its items."""
    if not isinstance(value, Generator):
        return value
    known = value.known()
    return delayed.settle(ctx, value.listed()) if known is None else Items(known)


def are_open(ctx: Context, node: cst.CSTNode, value: Operand) -> bool:
    """True for a dict, or a sequence of pairs, of which only the run tells how many there are."""
    if containers.is_dict(value) or record_rows.class_of(ctx, value) is not None:
        return containers.pairs(ctx, value) is not None
    return lists.one_by_one(ctx, node, all_named(ctx, node, value)) is None


def fill(ctx: Context, node: cst.CSTNode, ref: Ref, value: Operand) -> None:
    """Put the items of such a ``value`` into ``ref``."""
    own = containers.pairs(ctx, value)
    given = value if own is None else searched.shown(ctx, node, own, "items")
    algorithms.run(ctx, "put_all", ref, given)


def joined(ctx: Context, node: cst.CSTNode, hint: str, *values: Operand) -> Ref:
    """A new dict with the items of all ``values``."""
    made = keyed.new(ctx, node, {}, hint)
    for value in values:
        update(ctx, node, made, value)
    return made


def update(ctx: Context, node: cst.CSTNode, ref: Ref, value: Operand) -> None:
    """``ref.update(value)``."""
    value = once(ctx, value)
    if are_open(ctx, node, value):
        fill(ctx, node, ref, value)
        return
    if (of := containers.pairs(ctx, ref)) is not None:
        for name, item in pairs(ctx, node, value).items():
            searched.write(ctx, node, of, dicts.key_called(ctx, name), item)
        return
    held = dicts.merged(ctx, node, dicts.mapping(ctx, node, ref), pairs(ctx, node, value))
    replacing.replaced(ctx, node, ref, replacing.dict_content(held))
