"""Lists of the caller's in variables that hold others on other paths: copies, which are only read.

def f(xs: list[float], n: int):         xs = [*xs], as a list in a pool
    for _ in range(n):
        if sum(xs) > 1:
            xs = [x / 2 for x in xs]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flow import NO_NAMES
from mooncake_transpiler.frontend.lower.state.own_kinds import Pooled, PoolItem
from mooncake_transpiler.types import List, ListKind, Scalar, Type

ROW = cst.Name("_row")


@contextmanager
def copied(ctx: Context, node: cst.CSTNode, params: Sequence[ir.Param]) -> Iterator[None]:
    """Around the body of a function: parameters that are bound to other lists, too, hold copies.

    Changes in place of lists like these are refused: the caller would not see them.
    """
    pools = _copy(ctx, node, params)
    yield
    for name, own in pools.items():
        if not own.isdisjoint(ctx.heap.deeds.lists):
            message = f"{name} may be the caller's list, and lists like it are changed in place"
            raise ctx.refuse(node, "MK320", message, f"start from a copy: let own = list({name})")


def _copy(ctx: Context, node: cst.CSTNode, params: Sequence[ir.Param]) -> dict[str, set[PoolItem]]:
    """The parameters that hold copies from here on, with the pools of these."""
    deeds, found = ctx.heap.deeds.lists, dict[str, set[PoolItem]]()
    for param in params:
        if param.name not in ctx.heap.plan.rebound or not _is_of_numbers(param.type):
            continue
        before, name = {*deeds}, cst.Name(param.name)
        value = _copy_of(name, param.type)
        ctx.lower.block(ctx, (cst.Assign([cst.AssignTarget(name)], value),), NO_NAMES, False)
        of = containers.pooled(ctx, ctx.frame.values[param.name])
        if of is None:
            message = f"{param.name} is a list of the caller's on one path, another one on another"
            help_ = f"start from a copy: let own = list({param.name})"
            raise ctx.refuse(node, "MK330", message, help_)
        found[param.name] = set(_pools(containers.items_of(of)))
        deeds.intersection_update(before)
    return found


def _is_of_numbers(type_: Type) -> bool:
    match type_:
        case List(item=List() as inner, kind=ListKind.LIST):
            return _is_of_numbers(inner)
        case List(item=Scalar(is_text=False), kind=ListKind.LIST):
            return True
        case _:
            return False


def _copy_of(name: cst.Name, type_: Type) -> cst.BaseExpression:
    """``[*name]``; of lists in a list, these are copied, too."""
    if isinstance(type_, List) and isinstance(type_.item, List):
        rows = cst.CompFor(ROW, name)
        return cst.ListComp(_copy_of(ROW, type_.item), rows)
    return cst.List([cst.StarredElement(name)])


def _pools(items: PoolItem) -> Iterator[PoolItem]:
    yield items
    if isinstance(items, Pooled):
        yield from _pools(items.items)
