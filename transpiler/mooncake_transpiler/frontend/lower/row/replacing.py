"""Lists and dicts get a new content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import libcst as cst

from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.memory import ragged
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.frontend.lower.state.own_kinds import Held


def new_dict(ctx: Context, held: Mapping[str, Operand], hint: str = "") -> Ref:
    kept = {name: delayed.settle(ctx, value) for name, value in held.items()}
    return containers.owned(ctx, dict_content(kept), hint)


def dict_content(held: Mapping[str, Operand]) -> Items:
    return Items(tuple(held.values()), tuple(held), "dict")


def replaced(ctx: Context, node: cst.CSTNode, ref: Ref, new: Items) -> None:
    """``ref`` holds ``new`` from here on."""
    check_changeable(ctx, node, ref)
    kept = [delayed.settle(ctx, item) for item in new.items]
    containers.store(ctx, ref, replace(new, items=tuple(kept)))


def check_changeable(ctx: Context, node: cst.CSTNode, ref: Ref) -> None:
    ctx.heap.deeds.changed.add(ref.key)
    about = ctx.frame.values.get(containers.variable(ref))
    if ref.key in ctx.heap.given and isinstance(about, Items) and ragged.holds(about):
        message = "a list or dict of arrays or lists that is a parameter can't be changed"
        raise ctx.refuse(node, "MK371", message, "change a copy: list(xs), dict(d)")
    if containers.is_pooled(about):
        message = "this list is an item of another one: items of it can be replaced, no more"
        help_ = "make a new list, and put it in the place of this one: rows[k] = rows[k] + [x]"
        raise ctx.refuse(node, "MK317", message, help_)
    if ref.key in ctx.heap.ambiguous:
        if containers.is_list(ref):
            keys = containers.may_be(ctx, ref)
            names = (containers.names_of(frame.values, keys) for frame in ctx.frames)
            ctx.heap.plan.note_rebound({ref.hint}.union(*names))
        message = f"this {ref.cls.name} may be another one too: {ctx.heap.ambiguous[ref.key]}"
        help_ = f"change a copy: {ref.cls.name}(...)"
        raise ctx.unroll(node, "MK320", message, help_)


def is_rows(ctx: Context, node: cst.CSTNode, operand: Operand | None) -> bool:
    """True if ``operand`` is a list whose items are in arrays."""
    if not containers.is_list(operand) or containers.grown(ctx, operand) is not None:
        return False
    if containers.pooled(ctx, operand) is not None:
        return True
    return containers.content(ctx, node, operand).cls == Held.ROWS


def arrays_of(ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand | None:
    """The arrays that hold the items of the list ``operand``; None for anything else."""
    if (about := containers.grown(ctx, operand)) is not None:
        return ctx.heap.arrays_of(about)
    if not isinstance(operand, Ref) or not is_rows(ctx, node, operand):
        return None
    return containers.content(ctx, node, operand).items[0]


def is_in_arrays(ctx: Context, operand: Operand) -> bool:
    """True if ``operand`` holds a list whose items are in arrays."""
    found = (ctx.frame.values.get(containers.variable(ref)) for ref in objects.refs(operand))
    return any(isinstance(about, Items) and containers.is_arrays(about) for about in found)
