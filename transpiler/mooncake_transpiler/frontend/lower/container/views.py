"""Lists for those who only read: as tuples of items, or as arrays."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.lower.array import whole
from mooncake_transpiler.frontend.lower.container import filling, lists
from mooncake_transpiler.frontend.lower.memory import ragged, storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import growing, optional_items, pooled, replacing, rows
from mooncake_transpiler.frontend.lower.state import layouts
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import Elements, Generator, Items, Operand
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.frontend.lower.state.tabled import holds_rows


def view(ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand:
    """``operand`` for a reader: lists as they are now, inner ones too, without an identity."""
    match operand:
        case Ref() if lists.is_run_time(ctx, operand, node):
            return as_array(ctx, node, pooled.spread(ctx, growing.content(ctx, node, operand)))
        case Ref() if containers.is_list(operand):
            return view(ctx, node, containers.content(ctx, node, operand))
        case Items() if holds_rows(operand):
            raise _no_number(ctx, node)
        case Items(items=held):
            return replace(operand, items=tuple(view(ctx, node, item) for item in held))
        case Generator() | Elements():
            found = lists.one_by_one(ctx, node, operand)
            return operand if found is None else view(ctx, node, Items(found, is_list=True))
        case _:
            return operand


def _no_number(ctx: Context, node: cst.CSTNode) -> Refused:
    message = "objects are here where numbers or arrays are needed"
    return ctx.refuse(node, "MK372", message, "take their fields: [a.x for a in atoms]")


def viewed(ctx: Context, node: cst.CSTNode, given: Arguments) -> Arguments:
    """The arguments of a function that only reads."""
    args = [view(ctx, node, arg) for arg in given.args]
    return Arguments(args, {key: view(ctx, node, arg) for key, arg in given.keywords.items()})


def may_hold_none(ctx: Context, node: cst.CSTNode, operand: Operand) -> bool:
    """True for a list in arrays whose items may be None."""
    held = replacing.arrays_of(ctx, node, operand)
    return held is not None and optional_items.is_held(held)


def _holds_texts(held: Operand) -> bool:
    """True for texts and members of enums, by their numbers, in a list."""
    if not isinstance(held, Items):
        return False
    return optional_items.is_told(held) or any(map(_holds_texts, held.items))


def as_array(ctx: Context, node: cst.CSTNode, held: Items) -> Operand:
    """The list as ``np.array`` makes it an array, as far as it is one already.

    NumPy has no such array, and lays out otherwise what it makes of the items.
    """
    if _holds_texts(held):
        message = "texts or members of an enum are here where numbers or arrays are needed"
        raise ctx.refuse(node, "MK372", message, "loop over them, or compare them one by one")
    inside = rows.leaves(held)
    if optional_items.is_held(inside):
        inside = optional_items.all_there(ctx, node, inside)
    found = _stacked(ctx, node, inside)
    if not isinstance(found, ir.Value) or storage.is_in_order(ctx, found):
        return found
    shown = storage.view(ctx, found, ())
    ctx.memory.layouts[shown] = layouts.fresh(storage.shape(ctx, shown))
    return shown


def _stacked(ctx: Context, node: cst.CSTNode, of: Operand) -> Operand:
    if isinstance(of, Items) and ragged.is_ragged(of):
        return _stacked(ctx, node, _of_one_shape(ctx, of))
    if not isinstance(of, Items):
        return of
    if of.cls == Held.ROWS:
        return _stacked(ctx, node, rows.leaves(of))
    if optional_items.is_held(of):
        message = "items of this list may be None, so it is no array of numbers"
        help_ = "leave these out: [x for x in xs if x is not None]"
        raise ctx.refuse(node, "MK331", message, help_)
    if holds_rows(of):
        raise _no_number(ctx, node)
    parts = Items(tuple(_stacked(ctx, node, part) for part in of.items))
    return whole.library_call(ctx, node, "numpy.stack", parts, axis=1)


def _of_one_shape(ctx: Context, of: Items) -> Operand:
    """Arrays of any shapes in one array; ValueError if their shapes differ."""
    each = cst.ensure_type(cst.parse_expression("[x for x in xs]"), cst.ListComp)
    over = rows.elements(ctx, Items((of,), cls=Held.ROWS, is_list=True))
    ref = filling.filled(ctx, each, over, stacked=True)
    assert isinstance(ref, Ref)
    return rows.leaves(containers.content(ctx, each, ref))
