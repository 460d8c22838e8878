"""Dicts: the functions that make them, and their methods."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import libcst as cst

from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.builtin.sequences import of_list
from mooncake_transpiler.frontend.lower.container import (
    algorithms,
    dicts,
    keyed,
    lists,
    pairs,
    searched,
)
from mooncake_transpiler.frontend.lower.instance import instances, record_rows
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.row import replacing
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Items, Operand, Static
from mooncake_transpiler.frontend.name import library_classes


def _dict(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``dict(other, a=1)``."""
    found = _content(ctx, node, given, hint)
    return found if isinstance(found, Ref) else keyed.made(ctx, node, found, hint)


def _content(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Ref | dict[str, Operand]:
    """The items of a dict of what is ``given``; the dict itself if the run tells its keys."""
    if len(given.args) > 1:
        raise ctx.refuse(node, "MK303", "dict takes one argument at most")
    first = pairs.once(ctx, _held(ctx, node, given.args[0])) if given.args else None
    other = None if first is None else containers.pairs(ctx, first)
    if other is not None and not given.keywords:
        return searched.copied(ctx, node, other)
    if first is not None and pairs.are_open(ctx, node, first):
        made = pairs.joined(ctx, node, hint, first)
        for name, value in given.keywords.items():
            keyed.write(ctx, node, made, Static(name), value)
        return made
    held = {} if first is None else pairs.pairs(ctx, node, first)
    return dicts.merged(ctx, node, held, given.keywords)


def _held(ctx: Context, node: cst.Call, value: Operand) -> Operand:
    """``value``; of a Counter or an OrderedDict the dict in it, of one in a list a copy."""
    cls = objects.declared(ctx, value)
    is_mapping = cls is not None and any(library_classes.is_mapping(one) for one in cls.line)
    found = instances.attribute(ctx, node, value, "_items") if is_mapping else None
    return record_rows.as_dict(ctx, node, value) if found is None else found


def _defaultdict(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``defaultdict(factory, other, a=1)``."""
    make, *others = given.args or [NOTHING]
    found = _content(ctx, node, Arguments(others, given.keywords), hint)
    ref = found if isinstance(found, Ref) else keyed.new(ctx, node, found, hint)
    if make != NOTHING:
        ctx.heap.factories[ref.key] = make
    return ref


@of_list("get", "key", "default", required=1)
def get(ctx: Context, node: cst.Call, ref: Ref, key: Operand, default: Operand | None) -> Operand:
    return keyed.get(ctx, node, ref, key, NOTHING if default is None else default)


@of_list("setdefault", "key", "default", required=1)
def setdefault(
    ctx: Context, node: cst.Call, ref: Ref, key: Operand, default: Operand | None
) -> Operand:
    return keyed.set_default(ctx, node, ref, key, NOTHING if default is None else default)


@of_list("pop", "key", "default", required=1)
def pop_key(
    ctx: Context, node: cst.Call, ref: Ref, key: Operand, default: Operand | None
) -> Operand:
    if default is None:
        return keyed.remove(ctx, node, ref, key)
    return keyed.take(ctx, node, ref, key, default)


@of_list("popitem")
def popitem(ctx: Context, node: cst.Call, ref: Ref) -> Operand:
    if (of := containers.pairs(ctx, ref)) is not None:
        return searched.remove_last(ctx, node, of)
    held = dicts.keys(ctx, node, ref)
    if not held:
        raise searched.empty(ctx, node)
    return Items((held[-1], dicts.remove(ctx, node, ref, held[-1])))


def _fromkeys(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``dict.fromkeys(keys, value)``: all keys have the one value."""
    (over,), (value,) = given.parted(ctx, node, "fromkeys", "iterable", "value")
    kept = NOTHING if value is None else delayed.own(ctx, value)
    known = lists.one_by_one(ctx, node, over)
    if known is None:
        return algorithms.run(ctx, "with_keys", over, kept)
    made = keyed.new(ctx, node, {}, hint)
    for key in known:
        keyed.write(ctx, node, made, key, kept)
    return made


def _update(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    ref, *others = given.args
    assert isinstance(ref, Ref)
    for other in others:
        pairs.update(ctx, node, ref, other)
    named = {name: delayed.settle(ctx, value) for name, value in given.keywords.items()}
    if named:
        pairs.update(ctx, node, ref, replacing.new_dict(ctx, named))
    return NOTHING


@of_list("clear")
def clear_dict(ctx: Context, node: cst.Call, ref: Ref) -> None:
    if (of := containers.pairs(ctx, ref)) is not None:
        searched.clear(ctx, node, of)
    else:
        dicts.clear(ctx, node, ref)


@of_list("copy")
def copy_dict(ctx: Context, node: cst.Call, ref: Ref) -> Operand:
    found: Operand
    if (of := containers.pairs(ctx, ref)) is not None:
        found = searched.copied(ctx, node, of)
    else:
        found = keyed.made(ctx, node, dicts.mapping(ctx, node, ref))
    if ref.key in ctx.heap.factories and isinstance(found, Ref):
        ctx.heap.factories[found.key] = ctx.heap.factories[ref.key]
    return found


def _shown(what: str) -> Handler:
    @of_list(what)
    def handler(ctx: Context, node: cst.Call, ref: Ref) -> Operand:
        if (of := containers.pairs(ctx, ref)) is not None:
            return searched.shown(ctx, node, of, what)
        return dicts.shown(ctx, node, partial(dicts.mapping, ctx, node, ref), what)

    return handler


HANDLERS: Mapping[str, Handler] = {
    "builtins.dict": _dict, "collections.defaultdict": _defaultdict,
    "builtins.dict.get": get, "builtins.dict.pop": pop_key, "builtins.dict.update": _update,
    "builtins.dict.setdefault": setdefault, "builtins.dict.clear": clear_dict,
    "builtins.dict.copy": copy_dict, "builtins.dict.popitem": popitem,
    "builtins.dict.fromkeys": _fromkeys,
    **{f"builtins.dict.{what}": _shown(what) for what in ("keys", "values", "items")},
}  # fmt: skip
