"""Variables that hold one list on one path, another one on another: these lists are in pools.

    for t in range(n):                  loops carry the number of the list, branches choose one
        ps = [p for p in ps if p.x]

Which variables these are is learnt (``TablePlan.rebound``): what is bound to them goes into a pool.
"""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.container import algorithms, listed, lists, searched
from mooncake_transpiler.frontend.lower.instance import shared_rows
from mooncake_transpiler.frontend.lower.object import absent_lists, containers, objects
from mooncake_transpiler.frontend.lower.row import longer_tuples, pooled
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Items, Operand
from mooncake_transpiler.frontend.lower.state.unset import not_set_yet


def held(ctx: Context, node: cst.CSTNode, name: str, value: Operand) -> Operand:
    """``value`` as the variable ``name`` keeps it."""
    return _held(ctx, node, name, value, (ctx.frame.node, name) in ctx.learnt.absent)


def begin(ctx: Context, node: cst.CSTNode) -> None:
    """Empty lists in the variables of the function at ``node`` that only its loops set.

    That they are not set their flags tell.
    """
    for name in [name for owner, name in ctx.heap.plan.late if owner is node]:
        empty = containers.owned(ctx, Items((), is_list=True))
        ctx.frame.bind(name, held(ctx, node, name, empty))
        not_set_yet(ctx.frame, name)


def chosen(ctx: Context, node: cst.IfExp, hint: str, value: Operand) -> Operand:
    """``value`` of an arm of ``node`` as the value of all of it keeps it."""
    if (node, absent_lists.CHOSEN) in ctx.learnt.absent:
        return _held(ctx, node, f"%:{hint}", value, may_miss=True)
    return _bound(ctx, node, hint, value) if hint in ctx.heap.plan.rebound else value


def _held(ctx: Context, node: cst.CSTNode, name: str, value: Operand, may_miss: bool) -> Operand:
    value = shared_rows.held(ctx, node, name, value)
    is_none = may_miss and value == NOTHING
    if is_none:
        value = Items((), is_list=True)
    item = ctx.heap.plan.longer.get((ctx.frame.node, name))
    if item is not None and longer_tuples.is_display(value):
        value = listed.as_tuple(ctx, node, value, item)
    kept_as = absent_lists.kept_as(name) if may_miss else name
    if kept_as in ctx.heap.plan.rebound:
        value = _bound(ctx, node, kept_as, value)
    value = delayed.settle(ctx, value, name)
    refilled = _refilled(ctx, node, name, value) if ctx.frame.loops else None
    if refilled is not None:
        return refilled
    if is_none and containers.is_list(value):
        return absent_lists.none(ctx, name, value)
    return absent_lists.bound(ctx, name, value) if may_miss else value


def _refilled(ctx: Context, node: cst.CSTNode, name: str, value: Operand) -> Operand | None:
    """The dict that ``name`` holds, with the items of a new one; None if others hold one of them.

    So a loop that makes a dict of the one before (``d = {k: f(v) for k, v in d.items()}``) has one.
    Variables that hold the new one hold the old one then.
    """
    old = ctx.frame.values.get(name)
    pairs, new = containers.pairs(ctx, old), containers.pairs(ctx, value)
    if pairs is None or new is None or pairs.key == new.key:
        return None
    if containers.pooled(ctx, pairs) is not None or containers.pooled(ctx, new) is not None:
        return None  # others may hold it, too
    assert isinstance(old, Ref)
    assert isinstance(value, Ref)
    holders = objects.holders(ctx, ctx.frame.values.items())
    others = holders.get(value.key, set())
    if holders.get(old.key, set()) != {name} or pairs.key in ctx.heap.given:
        return None  # something else sees it, or the caller
    if any(ctx.frame.values.get(other) != value for other in others):
        return None
    searched.clear(ctx, node, pairs)
    lists.extend(ctx, node, pairs, new)
    for other in others:
        ctx.frame.bind(other, old)
    return old


def _bound(ctx: Context, node: cst.CSTNode, name: str, value: Operand) -> Operand:
    """``value`` as what a variable holds that is bound to several lists, all of one type."""
    found = pooled.bound(ctx, node, name, value)
    if containers.pooled(ctx, found) is not None:
        return found
    return _one_by_one(ctx, node, ctx.heap.plan.rebound[name], found)


def _one_by_one(ctx: Context, node: cst.CSTNode, place: str, value: Operand) -> Operand:
    """``value``, or a list in a pool in place of one that nobody else holds."""
    if not containers.is_list(value) or not lists.is_run_time(ctx, value):
        return value
    holders = objects.holders(ctx, ctx.frame.values.items())
    may_be = containers.may_be(ctx, value)
    if not may_be.isdisjoint(holders):
        ctx.heap.plan.note_rebound({name for key in may_be for name in holders.get(key, ())})
        return value
    empty = containers.owned(ctx, Items((), is_list=True))
    made = pooled.item(ctx, node, replace(empty, cls=value.cls), place)
    algorithms.run(ctx, "extend", empty, value)
    return made
