"""Lists whose items are of a type that shows later: ``[None] * n``, and ``[0] * n`` of floats.

    xs = [0] * n                    lowered again, as xs = [0.0] * n
    for i in range(n):      ->      for i in range(n):
        xs[i] = 0.5 * i                 xs[i] = 0.5 * i

The plan of the function (``TablePlan.later``) notes the type for what makes the list.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.row import growable, item_kinds, optional_items
from mooncake_transpiler.frontend.lower.scalar.scalars import cast, dtype, is_scalar, loses
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe, type_of
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Items, Maybe, Operand
from mooncake_transpiler.frontend.lower.state.tabled import Anew
from mooncake_transpiler.types import NONE, Array, DType, Scalar


def filled(ctx: Context, node: cst.CSTNode, value: Operand, size: ir.Atom) -> Operand:
    """Arrays for the items of ``[value] * size``, which ``node`` makes."""
    if value == NOTHING:
        return _unset(ctx, optional_items.unset(ctx.heap.plan.later.get(node)), size)
    if not is_scalar(value):
        message = f"the length of this list of {describe(value)} is not known ahead of time"
        raise ctx.refuse(node, "MK330", message, "use an array: np.zeros((n, 3))")
    value = widened(ctx, node, value)
    fill = value if isinstance(value, ir.Const) else None
    held = item_kinds.made(ctx, storage.alloc(ctx, dtype(value), (size,), fill))
    item_kinds.put(ctx, value, dtype(value))
    if fill is None:
        ctx.builder.assign(held, value)
    return held


def _unset(ctx: Context, model: Operand, size: ir.Atom) -> Operand:
    """Arrays for so many items, all of which are like ``model``."""
    match model:
        case Items(items=items):
            return replace(model, items=tuple(_unset(ctx, one, size) for one in items))
        case ir.Const(type=Scalar(dtype=of)):
            return item_kinds.made(ctx, storage.alloc(ctx, of, (size,), model))
        case _:
            return model


def widened(ctx: Context, node: cst.CSTNode, value: ir.Atom) -> ir.Atom:
    """``value``, an item of the list that ``node`` makes, as what that list holds later."""
    plan = ctx.heap.plan
    wider = plan.later.get(node)
    if isinstance(wider, Scalar):
        item_kinds.put(ctx, value, wider.dtype)
        return cast(ctx, value, wider)
    if dtype(value).is_int:
        plan.integers.setdefault(node, False)
    return value


def are_inside(ctx: Context, nodes: Collection[cst.CSTNode]) -> None:
    """Note that the lists of integers which ``nodes`` make are items of others."""
    integers = ctx.heap.plan.integers
    integers.update(dict.fromkeys(integers.keys() & set(nodes), True))


def learn(
    ctx: Context, node: cst.CSTNode, made: cst.CSTNode | None, held: Operand, value: Operand
) -> None:
    """Note that ``value`` becomes an item of the list that ``made`` has made, if that can be."""
    if optional_items.is_held(held) and made is not None:
        _learn_optional(ctx, made, value)
    elif isinstance(held, ir.Value) and isinstance(held.type, Array) and held.type.ndim == 1:
        learn_number(ctx, node, made, held.type.dtype, value)


def _learn_optional(ctx: Context, made: cst.CSTNode, value: Operand) -> None:
    type_ = type_of(value.value if isinstance(value, Maybe) else value)
    if type_ is None or type_ == NONE:
        return
    old = ctx.heap.plan.later.get(made)
    both = type_ if old is None else growable.unified([old, type_])
    if both is not None and both != old and optional_items.is_possible(both):
        ctx.heap.plan.later[made] = both
        raise Anew


def learn_number(
    ctx: Context, node: cst.CSTNode, made: cst.CSTNode | None, held: DType, value: Operand
) -> None:
    """Note that a list of numbers holds ``value`` later; ``made``: None for one inside another."""
    type_ = Scalar(held)
    if not held.is_int or not is_scalar(value) or not loses(value, type_):
        return
    plan, wider = ctx.heap.plan, Scalar(dtype(value))
    inner = [one for one, is_inside in plan.integers.items() if is_inside]
    found = [one for one in (inner if made is None else [made]) if plan.later.get(one) != wider]
    if found and (made is None or made in plan.integers):
        plan.later.update(dict.fromkeys(found, wider))
        message = f"a list of {type_} can't hold {describe(value)} when its length is not known"
        raise Anew(ctx.refuse(node, "MK331", message, "begin with floats: [0.0] * n"))
