"""Lists at the border: parameters come as arrays of their items, and results leave as such.

Inside, a list that is a parameter is one whose items are in arrays (``rows``); it may grow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.border.border_types import is_optional, is_told_or_none
from mooncake_transpiler.border.borders import flat
from mooncake_transpiler.frontend.lower.array import delayed, whole
from mooncake_transpiler.frontend.lower.container import lists, searched
from mooncake_transpiler.frontend.lower.instance import tables
from mooncake_transpiler.frontend.lower.memory import ragged, storage
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import containers, unifying
from mooncake_transpiler.frontend.lower.row import optional_items, rows, tuples
from mooncake_transpiler.frontend.lower.scalar import run_texts
from mooncake_transpiler.frontend.lower.scalar.scalars import cast, is_scalar, loses, select
from mooncake_transpiler.frontend.lower.scalar.text_types import selectors
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.leaves import atoms, describe, type_of
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Conflict, Items, Operand
from mooncake_transpiler.frontend.lower.state.own_kinds import Held, Ragged, ToldItems, Tupled
from mooncake_transpiler.frontend.lower.state.tabled import ROW
from mooncake_transpiler.types import (
    INT,
    NONE,
    Array,
    DType,
    List,
    ListKind,
    NoneType,
    OneOf,
    Opaque,
    Scalar,
    Tuple,
    Type,
    without_none,
)


def given(
    ctx: Context, node: cst.CSTNode, type_: List, values: Iterator[ir.Value], path: str
) -> Ref:
    """The list at ``path`` of the parameters, whose items are in ``values``."""
    held = _held(ctx, node, type_.item, values, path)
    columns = [atom for atom in atoms(held) if isinstance(atom, ir.Value)]
    count = storage.dim(ctx, columns[0], 0)
    message = f"parameter {path}: as many parts are needed as there are items"
    for column in columns[1:]:
        if column not in ctx.memory.shown:  # all elements of arrays have another length
            branches.require_size(ctx, node, storage.dim(ctx, column, 0), count, message)
    ref = rows.new(ctx, held, flat(path))
    ctx.heap.given.add(ref.key)
    if isinstance(type_.item, List):
        ctx.heap.given_rows.add(path)
    match type_.kind:
        case ListKind.LIST:
            return ref
        case ListKind.TUPLE:
            return replace(ref, cls=containers.TUPLE)
        case ListKind.DICT:
            return searched.of_pairs(ctx, node, ref, flat(path))


def _held(
    ctx: Context, node: cst.CSTNode, item: Type, values: Iterator[ir.Value], path: str = ""
) -> Operand:
    """The content of the list at ``path``, or a part of that."""
    match item:
        case Tuple(items=items, names=names, cls=cls, of=of):
            if item.is_mutable and of is not None:
                ctx.heap.plan.made.add(ctx.source.classes[of.module, of.name])
            return Items(tuple(_held(ctx, node, part, values) for part in items), names, cls, of)
        case Array(ndim=ndim):
            spans, elements = next(values), next(values)
            if path in ctx.heap.plan.copied:
                elements = storage.copy(ctx, elements)
            if path:
                ctx.memory.given[elements] = path
            return ragged.given(ctx, spans, elements, ndim)
        case List(item=inner, kind=kind):
            row = _row(ctx, node, inner, values)
            content = Items((row,), cls=Held.ROWS, is_list=kind is not ListKind.TUPLE)
            return Items((content,), cls=Held.SEARCHED) if kind is ListKind.DICT else content
        case Scalar(is_text=True):
            return Items((next(values),), ("text",), Held.TEXT)
        case OneOf() if NONE in item.options:
            return _may_be_none(ctx, node, item, values)
        case OneOf():
            return _told(next(values), item)
        case NoneType():
            return NOTHING
        case Opaque(spelled=spelled):
            return Conflict(f"values of type {spelled} in a list can't be worked with")
        case _:
            return next(values)


def _told(which: ir.Value, item: OneOf) -> Items:
    """The content of a list of texts or members of enums, of which ``which`` tells."""
    return Items((which,), ("which",), ToldItems(selectors(item)))


def _may_be_none(
    ctx: Context, node: cst.CSTNode, item: OneOf, values: Iterator[ir.Value]
) -> Operand:
    """The content of a list of what may be None."""
    which, none = next(values), ir.int_const(item.options.index(NONE))
    there = delayed.settle(ctx, whole.apply(ctx, node, "ne", (which, none)))
    if is_told_or_none(item):
        return optional_items.flagged(there, _told(which, item))
    return optional_items.flagged(there, _held(ctx, node, without_none(item), values))


def _row(ctx: Context, node: cst.CSTNode, item: Type, values: Iterator[ir.Value]) -> Operand:
    """The content of lists in a list: each number in their items is a vector for each of them."""
    match item:
        case Tuple(items=items):
            return Items(tuple(_row(ctx, node, part, values) for part in items))
        case Scalar(dtype=dtype):
            row = _held(ctx, node, Array(dtype, 1), values)
            return Items((row,), ("text",), Held.TEXT) if item.is_text else row
        case _:
            raise AssertionError(f"lists in lists do not hold {item}")


def as_tuple(ctx: Context, node: cst.CSTNode, value: Items, item: Type) -> Operand:
    """The tuple ``value``, whose items are of the type ``item``, in arrays."""
    kept = [delayed.settle(ctx, one) for one in value.items]
    return containers.as_tuple(rows.new(ctx, _gathered(ctx, node, kept, item)))


# ---- results ------------------------------------------------------------------------------------


def closed(ctx: Context, node: cst.CSTNode, value: Operand, type_: List) -> Items:
    """The items of a list in the arrays that are the leaves of a ``type_``."""
    if isinstance(value, Items) and value.cls == Held.SEARCHED:
        (value,) = value.items
    if lists.kind(value) is None or not isinstance(value, Items):
        raise ctx.refuse(node, "MK213", f"this must be a {type_}, got {describe(value)}")
    if value.cls == Held.ROWS:
        return Items((_columns(ctx, node, value.items[0], type_.item),))
    return Items((_gathered(ctx, node, value.items, type_.item),))


def _spread(ctx: Context, node: cst.CSTNode, held: Operand) -> Operand:
    """``held`` with the arrays of tuples and objects in place of their numbers."""
    if optional_items.is_held(held):
        held = optional_items.all_there(ctx, node, held)
    if isinstance(held, Items) and isinstance(held.cls, Tupled):
        return tuples.spread(ctx, held)
    if isinstance(held, Items) and held.names == (ROW,) and held.of is not None:
        return tables.spread(ctx, node, held)
    return held


def _columns(ctx: Context, node: cst.CSTNode, held: Operand, item: Type) -> Operand:
    """The arrays ``held`` as those of a list of ``item``."""
    if (flagged := _or_none(ctx, node, held, item)) is not None:
        return flagged
    held = _spread(ctx, node, held)
    match item, held:
        case Tuple(items=types), Items(items=parts) if _fits(held, item):
            pairs = zip(parts, types, strict=True)
            return replace(held, items=tuple(_columns(ctx, node, v, t) for v, t in pairs))
        case Array(dtype=dtype, ndim=ndim), Items(cls=cls) if cls == Ragged(ndim):
            if held.items[1].type == Array(dtype, 1):  # type: ignore[union-attr]
                return held if held.items[0] in ctx.memory.packed else ragged.packed(ctx, held)
        case Array(dtype=dtype, ndim=ndim), ir.Value(type=found):
            if found == Array(dtype, ndim + 1):
                return ragged.of_rows(ctx, held)
        case List(), Items(cls=Held.SEARCHED, items=(inner,)):
            return _columns(ctx, node, inner, item)
        case List(item=inner), Items(cls=Held.ROWS, items=(row,)):
            return _row_columns(ctx, node, row, inner)
        case List(item=Scalar() as number), Items(cls=None, is_list=True, items=(_, *_) as parts):
            return ragged.of_rows(ctx, _side_by_side(ctx, node, parts, number))
        case Scalar(is_text=True), Items(items=(column,)) if optional_items.is_text(held):
            return column
        case OneOf(options=own), Items(cls=ToldItems(options=of), items=(column,)):
            if set(of) <= set(own):
                return _renumbered(ctx, node, column, of, own)
        case Scalar(is_text=True), _:
            pass
        case Scalar(dtype=dtype), ir.Value(type=Array(dtype=own, ndim=1)):
            if own is dtype:
                return held
            if not loses(ir.Undef(Scalar(own)), item):
                return _wider(ctx, held, dtype)
        case NoneType(), _ if held == NOTHING:
            return held
        case Opaque(), _:
            return held
        case _:
            pass
    raise ctx.refuse(node, "MK213", f"the items of this list are not {item}")


def _wider(ctx: Context, numbers: ir.Value, dtype: DType) -> ir.Value:
    """The ``numbers`` in an array of the ``dtype``."""
    out = storage.alloc(ctx, dtype, storage.shape(ctx, numbers), None)
    ctx.builder.assign(out, numbers)
    return out


def _or_none(ctx: Context, node: cst.CSTNode, held: Operand, item: Type) -> Operand | None:
    """The arrays ``held`` as those of a list of what may be None; None for other lists."""
    if is_optional(item):
        return _with_flags(ctx, node, held, item)
    if is_told_or_none(item) and isinstance(held, Items) and held.cls == Held.MAYBE:
        return _member_or_none(ctx, node, held, item)
    return None


def _with_flags(ctx: Context, node: cst.CSTNode, held: Operand, item: OneOf) -> Operand:
    """The arrays ``held`` as those of a list of numbers that may be None."""
    none = item.options.index(NONE)
    if isinstance(held, Items) and held.cls == Held.MAYBE:
        there, inner = held.items
        value = _columns(ctx, node, inner, without_none(item))
        return Items((_which(ctx, node, there, ir.int_const(1 - none), none), value))
    value = _columns(ctx, node, held, without_none(item))
    size = storage.dim(ctx, next(iter(atoms(value))), 0)
    which = storage.alloc(ctx, INT.dtype, (size,), ir.int_const(1 - none))
    return Items((which, value))


def _member_or_none(ctx: Context, node: cst.CSTNode, held: Items, item: OneOf) -> Operand:
    """The array ``held`` as that of a list of members of an enum, or texts, that may be None."""
    there, told = held.items
    members = _columns(ctx, node, told, OneOf(item.options[:-1]))
    return _which(ctx, node, there, members, len(item.options) - 1)


def _which(ctx: Context, node: cst.CSTNode, there: Operand, number: Operand, none: int) -> Operand:
    """The numbers of options: ``number`` where ``there``, else ``none``."""
    found = whole.library_call(ctx, node, "numpy.where", there, number, ir.int_const(none))
    return delayed.settle(ctx, found)


def _renumbered(
    ctx: Context, node: cst.CSTNode, column: Operand, of: Sequence[Type], own: Sequence[Type]
) -> Operand:
    """The numbers ``column`` of options among ``of`` as those among ``own``, which has them all."""
    if own[: len(of)] == of:
        return column
    *others, last = of
    size = storage.dim(ctx, next(iter(atoms(column))), 0)
    found: Operand = storage.alloc(ctx, INT.dtype, (size,), ir.int_const(own.index(last)))
    for k, option in enumerate(others):
        is_this = whole.apply(ctx, node, "eq", (column, ir.int_const(k)))
        number = ir.int_const(own.index(option))
        found = whole.library_call(ctx, node, "numpy.where", is_this, number, found)
    return delayed.settle(ctx, found)


def _row_columns(ctx: Context, node: cst.CSTNode, row: Operand, item: Type) -> Operand:
    """The arrays of lists in a list, whose items are of the type ``item``."""
    match item, row:
        case Tuple(items=types), Items(items=parts) if len(types) == len(parts):
            pairs = zip(parts, types, strict=True)
            return Items(tuple(_row_columns(ctx, node, *both) for both in pairs))
        case Scalar(is_text=True), Items(items=(column,)) if optional_items.is_text(row):
            return _columns(ctx, node, column, Array(DType.INT64, 1))
        case Scalar(dtype=dtype, is_text=False), _:
            return _columns(ctx, node, row, Array(dtype, 1))
        case _:
            raise ctx.refuse(node, "MK213", f"the items of this list are not {item}")


def _side_by_side(
    ctx: Context, node: cst.CSTNode, parts: Sequence[Operand], number: Scalar
) -> ir.Value:
    """A matrix of rows, of which ``parts`` holds one column each."""
    columns = [_columns(ctx, node, part, number) for part in parts]
    found = [column for column in columns if isinstance(column, ir.Value)]
    shape = (storage.dim(ctx, found[0], 0), ir.int_const(len(found)))
    out = storage.alloc(ctx, number.dtype, shape, None)
    for k, column in enumerate(found):
        to = storage.view(ctx, out, (ir.Slice(None, None), ir.int_const(k)))
        ctx.builder.assign(to, column)
    return out


def _fits(value: Items, type_: Tuple) -> bool:
    """True for a tuple or struct of the ``type_``, and for a dict with its keys in their order."""
    if type_.is_record:
        return value.names == type_.names
    return len(value.items) == len(type_.items) and type_.of in (None, value.of)


def _gathered(ctx: Context, node: cst.CSTNode, items: Sequence[Operand], item: Type) -> Operand:
    """New arrays that hold ``items``."""
    match item:
        case Tuple(items=types):
            found = [one for one in items if isinstance(one, Items) and _fits(one, item)]
            if len(found) == len(items):
                parts = (
                    _gathered(ctx, node, [one.items[k] for one in found], type_)
                    for k, type_ in enumerate(types)
                )
                return Items(tuple(parts))
        case Array():
            arrays = [x for x in items if isinstance(x, ir.Value) and type_of(x) == item]
            if len(arrays) == len(items):
                return ragged.of_arrays(ctx, arrays, item)
        case List(item=inner):
            held = [x for x in items if isinstance(x, Items) and _is_of_kind(x, item.kind)]
            if len(held) == len(items):
                rows_ = [closed(ctx, node, one, List(inner)).items[0] for one in held]
                return _gathered_rows(ctx, node, rows_, inner)
        case OneOf() if is_optional(item):
            return _gathered_with_flags(ctx, node, items, item)
        case Scalar(is_text=True):
            texts = [run_texts.key(ctx, x) for x in items]
            words = [one.number for one in texts if isinstance(one, RunText)]
            if len(words) == len(items):
                return _gathered(ctx, node, words, INT)
        case Scalar(dtype=dtype):
            numbers = [x for x in items if is_scalar(x) and not loses(x, item)]
            if len(numbers) == len(items):
                out = storage.alloc(ctx, dtype, (ir.int_const(len(items)),), None)
                for k, number in enumerate(numbers):
                    ctx.builder.store(out, (ir.int_const(k),), cast(ctx, number, item))
                return out
        case NoneType() if all(one == NOTHING for one in items):
            return NOTHING
        case _:
            pass
    wrong = next((describe(one) for one in items), "nothing")
    raise ctx.refuse(node, "MK213", f"the items of this list must be {item}, got {wrong}")


def _is_of_kind(value: Items, kind: ListKind) -> bool:
    return value.cls == Held.SEARCHED if kind is ListKind.DICT else value.is_list


def _gathered_rows(ctx: Context, node: cst.CSTNode, held: Sequence[Operand], item: Type) -> Operand:
    """New arrays that hold lists in a list, each number in their items in arrays of its own."""
    match item:
        case Tuple(items=types):
            parts = zip(*(one.items for one in held if isinstance(one, Items)), strict=True)
            pairs = zip(parts, types, strict=True)
            return Items(tuple(_gathered_rows(ctx, node, part, type_) for part, type_ in pairs))
        case Scalar(dtype=dtype):
            return _gathered(ctx, node, held, Array(DType.INT64 if item.is_text else dtype, 1))
        case _:
            raise ctx.refuse(node, "MK213", f"the items of this list are not lists of {item}")


def _gathered_with_flags(
    ctx: Context, node: cst.CSTNode, items: Sequence[Operand], item: OneOf
) -> Operand:
    """New arrays that hold ``items``, numbers or None."""
    none, type_ = item.options.index(NONE), without_none(item)
    found = [unifying.as_maybe(one, type_) for one in items]
    numbers = (ir.int_const(1 - none), ir.int_const(none))
    which = [select(ctx, one.there, *numbers) for one in found]
    values = [_read(one.value, type_) for one in found]
    return Items((_gathered(ctx, node, which, INT), _gathered(ctx, node, values, type_)))


def _read(value: Operand, type_: Type) -> Operand:
    """``value``, or a number that nobody reads."""
    is_missing = value == NOTHING or isinstance(value, ir.Undef)
    return optional_items.unread(type_) if is_missing and isinstance(type_, Scalar) else value
