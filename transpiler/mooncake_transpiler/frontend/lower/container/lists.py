"""Items of lists and tuples, one by one; ``+`` and ``*`` of lists and tuples."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl
from mooncake_transpiler.frontend.lower.array import delayed, whole
from mooncake_transpiler.frontend.lower.container import algorithms, dicts, resizing, selecting
from mooncake_transpiler.frontend.lower.failure import numbers, unset_names
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import (
    begun_growing,
    growing,
    pooled,
    replacing,
    rows,
    tuples,
)
from mooncake_transpiler.frontend.lower.scalar import enums, texts
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import describe, is_sequence
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Cut,
    Elements,
    Generator,
    IntRange,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.taken_apart import check_size

MANY = 1_000  # items of a list of numbers that is rather an array


def items(ctx: Context, node: cst.CSTNode, operand: Operand) -> tuple[Operand, ...]:
    """The items of a list, one by one."""
    if isinstance(operand, Items):
        return operand.items
    assert isinstance(operand, Ref)
    held = containers.content(ctx, node, operand)
    if held.cls == Held.ROWS:
        message = "the items of this list are known at run time only"
        help_ = "make an array of it: np.array(xs)"
        raise ctx.refuse(node, "MK331", message, help_)
    return held.items


def one_by_one(ctx: Context, node: cst.CSTNode, operand: Operand) -> tuple[Operand, ...] | None:
    """The items of anything whose items are known one by one; None for what else there is."""
    operand = enums.plain(ctx, node, protocols.iterable(ctx, node, operand))
    match operand:
        case Items() if is_sequence(operand):
            return operand.items
        case Static(value=str(text)):
            return tuple(map(Static, text))
        case Static(value=ClassDecl() as cls) if enums.is_enum(operand):
            return enums.members(ctx, node, cls).items
        case IntRange(lo=ir.Const(), hi=ir.Const(), step=ir.Const()):
            return tuple(map(ir.int_const, whole.range_items(ctx, node, operand)))
        case Generator():
            return operand.known()
        case Elements(limit=int(limit), count=ir.Const(value=count)) if limit == count:
            found = tuple(operand.at(ir.int_const(k), "") for k in range(limit))
            if operand.done is not None:
                operand.done()
            return found
        case Ref() if containers.pairs(ctx, operand) is not None:
            return None
        case Ref() if containers.is_dict(operand):
            return dicts.keys(ctx, node, operand)
        case Ref() if containers.grown(ctx, operand) is not None:
            return None
        case Ref() if containers.is_list(operand) and not replacing.is_rows(ctx, node, operand):
            return items(ctx, node, operand)
        case _:
            return None


def item(ctx: Context, node: cst.CSTNode, of: Items, key: Operand) -> Operand:
    """``of[key]`` for a list or tuple whose items are known one by one."""
    what = "list" if of.is_list else "tuple"
    if isinstance(key, Cut):
        return replace(of, items=of.items[bounds(ctx, node, key)], names=None, cls=None, of=None)
    index = numbers.as_place(ctx, node, key)
    if of.is_list and not of.items:
        unset_names.never_there(ctx, node, f"{what} index out of range")
    if not isinstance(index, ir.Const):
        return selecting.read(ctx, node, of.items, index, what)
    return of.items[position(ctx, node, of, index)]


def is_beyond(ctx: Context, node: cst.CSTNode, of: Items, key: Operand) -> bool:
    """True for a constant index of a list that has items, but none there."""
    if not of.is_list or not of.items or not isinstance(key, ir.Const):
        return False
    index = numbers.as_place(ctx, node, key)
    count = len(of.items)
    return isinstance(index, ir.Const) and not -count <= index.value < count  # type: ignore[operator]


def position(ctx: Context, node: cst.CSTNode, of: Items, index: ir.Const) -> int:
    """The place of a constant index, counted from the front."""
    what, count = "list" if of.is_list else "tuple", len(of.items)
    assert isinstance(index.value, int)
    if not -count <= index.value < count:
        unset_names.where_caught(ctx, node, "IndexError", f"{what} index out of range")
        raise ctx.refuse(node, "MK218", f"index {index.value} of a {what} of {count} items")
    return index.value % count


def bounds(ctx: Context, node: cst.CSTNode, cut: Cut) -> slice:
    """A slice with constant bounds."""
    found: list[int | None] = []
    for bound in (cut.lo, cut.hi, cut.step):
        match bound:
            case ir.Const(value=int(value)):
                found.append(value)
            case Static(value=None):
                found.append(None)
            case _:
                message = "the bounds of a slice of a list or tuple must be constants"
                raise ctx.unroll(node, "MK218", message)
    if found[2] == 0:
        raise ctx.refuse(node, "MK218", "the step of a slice must not be zero")
    return slice(*found)


def constant_position(ctx: Context, node: cst.CSTNode, of: Items, key: Operand) -> int:
    index = numbers.as_place(ctx, node, key)
    if not isinstance(index, ir.Const):
        raise ctx.unroll(node, "MK331", "the index must be a constant here")
    return position(ctx, node, of, index)


def must_be_known(ctx: Context, node: cst.CSTNode, operand: Operand) -> tuple[Operand, ...]:
    found = one_by_one(ctx, node, operand)
    if found is None:
        message = f"the items of {describe(operand)} are not known one by one"
        raise ctx.refuse(node, "MK331", message, "use an array, and np.concatenate")
    return found


# ---- operators ----------------------------------------------------------------------------------


def _displayed(ctx: Context, node: cst.CSTNode, operand: Operand) -> Items | None:
    """A list or tuple as ``Items``; None for anything else."""
    if containers.is_list(operand):
        return Items(items(ctx, node, operand), is_list=not containers.is_tuple(operand))
    return operand if isinstance(operand, Items) and operand.names is None else None


def binary(
    ctx: Context, node: cst.CSTNode, op: str, left: Operand, right: Operand
) -> Operand | None:
    """``+`` and ``*`` of lists and tuples, ``|`` of dicts; None where it is none of those."""
    if containers.is_dict(left) and containers.is_dict(right) and op == "bitor":
        return dicts.joined(ctx, node, left, right)
    if delayed.is_array(left) or delayed.is_array(right):
        return None
    if isinstance(left, Static) or isinstance(right, Static):
        return texts.combined(op, enums.plain(ctx, node, left), enums.plain(ctx, node, right))
    if op == "mul" and is_scalar(left):
        left, right = right, left
    is_sequence = containers.is_list(left) or isinstance(left, Items)
    if op == "mul" and is_sequence and is_scalar(right):
        return _repeated(ctx, node, left, numbers.as_index(ctx, node, right, "a number"))
    if op != "add" or not is_sequence:
        return None
    sides = {kind(left), kind(right)}
    if sides == {list, tuple}:
        raise ctx.refuse(node, "MK213", "a list and a tuple can't be added")
    if None not in sides and (is_run_time(ctx, left) or is_run_time(ctx, right)):
        return _as(ctx, sides, algorithms.run(ctx, "joined", left, right))
    first, second = _displayed(ctx, node, left), _displayed(ctx, node, right)
    if first is None or second is None:
        return None
    return Items(first.items + second.items, is_list=first.is_list)


def kind(operand: Operand) -> type | None:
    """``list`` or ``tuple``, as one of which ``operand`` was made; None for anything else."""
    if containers.is_list(operand):
        return tuple if containers.is_tuple(operand) else list
    if isinstance(operand, Items) and operand.names is None:
        return list if operand.is_list else tuple
    return None


def _as(ctx: Context, kinds: Set[type | None], value: Operand) -> Operand:
    """A new list ``value``; as a tuple, if that is among the ``kinds``."""
    return containers.as_tuple(delayed.settle(ctx, value)) if tuple in kinds else value


def is_run_time(ctx: Context, operand: Operand, node: cst.CSTNode | None = None) -> bool:
    """True for a list whose items are in arrays."""
    is_growing = containers.grown(ctx, operand) is not None
    return is_growing or replacing.is_rows(ctx, node or cst.Pass(), operand)


def _repeated(ctx: Context, node: cst.CSTNode, of: Operand, count: ir.Atom) -> Operand | None:
    if is_run_time(ctx, of):
        return _as(ctx, {kind(of)}, algorithms.run(ctx, "all_repeated", of, count))
    shown = _displayed(ctx, node, of)
    if shown is None:
        return None
    kept = tuple(delayed.settle(ctx, item) for item in shown.items)  # each is one object, repeated
    known = count.value if isinstance(count, ir.Const) and isinstance(count.value, int) else None
    is_long = known is not None and known > MANY and shown.is_list
    if known is not None and not (is_long and len(kept) == 1 and is_scalar(kept[0])):
        check_size(len(kept) * known)
        return Items(kept * known, is_list=shown.is_list)
    if len(kept) != 1:
        made = algorithms.run(ctx, "all_repeated", Items(kept), count)
    elif is_scalar(kept[0]) or kept[0] == NOTHING:
        made = rows.filled(ctx, node, kept[0], count)
    else:
        made = algorithms.run(ctx, "repeated", kept[0], count)
    return _as(ctx, {kind(of)}, made)


def extend(ctx: Context, node: cst.CSTNode, ref: Ref, value: Operand) -> None:
    """``xs.extend(value)``; also ``append``, with one item."""
    more = one_by_one(ctx, node, value)
    if more is None:
        added = delayed.settle(ctx, value)
        is_pooled = containers.pooled(ctx, ref) is not None
        is_backwards = isinstance(added, Elements) and added.backwards
        if is_backwards or (is_pooled and containers.pooled(ctx, added) is not None):
            added = algorithms.run(ctx, "listed", added)  # it may be the list itself
        algorithms.run(ctx, "extend", ref, added)
        return
    more = tuple(pooled.item(ctx, node, item) for item in more)
    if containers.pooled(ctx, ref) is not None:
        for item in more:
            resizing.append(ctx, node, ref, item)
        return
    begun_growing.needed(ctx, node, ref)
    if (about := containers.grown(ctx, ref)) is not None:
        arrays = ctx.heap.arrays_of(about)
        more = tuple(tuples.like(ctx, node, arrays, item) for item in more)
        growing.extend(ctx, node, ref, more)
        return
    held = items(ctx, node, ref)
    replacing.replaced(ctx, node, ref, Items((*held, *more), is_list=True))
