"""The arrays that hold the items of a list which grows, and what there is to say about the list."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.memory import ragged, storage
from mooncake_transpiler.frontend.lower.object import containers, unifying
from mooncake_transpiler.frontend.lower.row import item_kinds, optional_items
from mooncake_transpiler.frontend.lower.scalar import told_values
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import (
    atom_of,
    classes_of,
    fresh,
    options_of,
    told,
    type_of,
    undefined,
)
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Conflict, Items, Operand
from mooncake_transpiler.frontend.lower.state.own_kinds import Growing, Held, Ragged
from mooncake_transpiler.frontend.lower.state.tabled import GrowthNeeded
from mooncake_transpiler.types import Array, Scalar, Selector, Tuple, Type

Shape = tuple[ir.Atom, ...] | None  # of the arrays in all items; None: each has its own


def new(ctx: Context, item: Type, shapes: Sequence[Shape], hint: str, spare: int = 0) -> Growing:
    """The class of a list of such items: new arrays, which are empty.

    ``spare``: how many numbers can be kept with each array that may have any shape.
    """
    ctx.temporaries += 1
    cls = Growing(ctx.temporaries)
    sizes = iter(shapes)

    def memory_for(part: Operand) -> Operand:
        part = optional_items.parts(part)
        if isinstance(part, Items):
            return replace(part, items=tuple(map(memory_for, part.items)))
        assert isinstance(part, ir.Value)
        assert isinstance(part.type, Scalar | Array)
        ndim = part.type.ndim if isinstance(part.type, Array) else 0
        shape = next(sizes) if isinstance(part.type, Array) else ()
        if shape is None:
            assert isinstance(part.type, Array)
            empty = ragged.empty(ctx, part.type, part.hint, spare)
            item_kinds.made(ctx, ragged.memory_of(empty)[1])
            return empty
        out = ir.Value(part.hint, Array(part.type.dtype, ndim + 1))
        ctx.builder.add(
            ir.Alloc(out, (ir.ZERO,) * (ndim + 1), None, ctx.builder.origin, growable=True)
        )
        ctx.memory.local.add(out)
        ctx.sizes.shapes[out] = (ir.ZERO, *shape)
        if not ndim:
            item_kinds.made(ctx, out)
        if ndim:
            ctx.memory.shown[out] = frozenset()  # the items are copies
        return out

    ctx.heap.growing[cls] = memory_for(fresh(item, hint))
    return cls


def filled(item: Type, arrays: Iterator[ir.Value]) -> Operand:
    """The memory of such items, as ``new`` makes it, of ``arrays`` that there are."""

    def memory(part: Operand) -> Operand:
        part = optional_items.parts(part)
        if isinstance(part, Items):
            return replace(part, items=tuple(map(memory, part.items)))
        assert isinstance(part, ir.Value)
        if isinstance(part.type, Array):
            return Items((next(arrays), next(arrays)), cls=Ragged(part.type.ndim))
        return next(arrays)

    return memory(fresh(item, ""))


def is_possible(item: Type) -> bool:
    """True if arrays can hold such items."""
    match item:
        case Tuple(cls=Held.MAYBE | Held.KINDS):
            return optional_items.is_possible(item)
        case Tuple(cls=Held.TOLD):
            return True
        case Tuple(items=items):
            return bool(items) and all(map(is_possible, items))
        case _:
            return isinstance(item, Scalar | Array)


def item_of(held: Operand) -> Type:
    """The type of the items in the arrays ``held``."""
    found = item_type(held)
    assert found is not None
    return found


def item_type(held: Operand) -> Type | None:
    """The type of the items in the arrays ``held``; None if they are more than numbers."""

    def part(of: Operand) -> Operand:
        if ragged.is_ragged(of):
            return ir.Undef(ragged.type_of_item(of))
        if isinstance(of, Items):
            return replace(of, items=tuple(map(part, of.items)))
        if of == NOTHING or isinstance(of, Conflict):
            return of
        assert isinstance(of, ir.Value | ir.Undef)
        assert isinstance(of.type, Array)
        dtype, ndim = of.type.dtype, of.type.ndim
        return ir.Undef(Array(dtype, ndim - 1) if ndim > 1 else Scalar(dtype))

    return type_of(part(held))


def item(ctx: Context, held: Operand, value: Operand) -> Operand:
    """``value`` as an item in the arrays ``held``: objects by their numbers, None by a bool."""
    type_ = item_type(held)
    value = containers.numbered(ctx.frame.values, value)
    if type_ is None:
        return value
    shown = optional_items.shown(type_)
    if shown == type_:
        return optional_items.item(value, type_)
    if unifying.unify(undefined(shown), told_values.with_told(value)) != shown:
        return optional_items.item(value, type_)  # other texts, or other things altogether
    return optional_items.item(unifying.recoded(ctx, value, shown), shown)


def widened(item: Type, more: tuple[Selector, ...]) -> Type:
    """``item``; where it is one of several texts or members, one of ``more``, too."""
    if not isinstance(item, Tuple) or not more:
        return item
    if item.cls == Held.TOLD:
        return told(dict.fromkeys((*options_of(item), *more)))
    return replace(item, items=tuple(widened(part, more) for part in item.items))


def several(item: Type, more: Collection[Type]) -> Type:
    """``item``; where it is an object, one of several classes of which it is in ``more``."""
    if isinstance(item, Tuple) and not classes_of(item):
        return replace(item, items=tuple(several(part, more) for part in item.items))
    for other in more:
        if set(classes_of(item)) & set(classes_of(other)):
            both = unifying.unify(undefined(item), undefined(other))
            item = item if isinstance(both, Conflict) else both
    return item


def leaves(of: Operand) -> Iterator[ir.Value | Items]:
    """The memory of each number or array in an item: an array, or that of arrays of any shape."""
    if isinstance(of, Items) and not ragged.is_ragged(of):
        for part in of.items:
            yield from leaves(part)
    elif isinstance(of, ir.Value | Items):
        yield of


def shapes_of(ctx: Context, of: Operand) -> list[Shape]:
    """The shapes of the arrays in the items that ``of`` holds."""
    found: list[Shape] = []
    for leaf in leaves(of):
        shape = None if isinstance(leaf, Items) else storage.shape(ctx, leaf)[1:]
        if shape != ():
            found.append(shape)
    return found


def check_growing(ctx: Context, node: cst.CSTNode, ref: Ref) -> None:
    """Refuse to let a table grow that is the caller's."""
    if ref.key in ctx.heap.given_tables:
        raise GrowthNeeded


def reserve(ctx: Context, cls: Growing, size: ir.Atom) -> None:
    """Make room for so many items; elements of arrays of any shape need their own."""
    for leaf in leaves(ctx.heap.growing[cls]):
        array = ragged.memory_of(leaf)[0] if isinstance(leaf, Items) else leaf
        shape = ctx.sizes.shapes[array][1:]
        ctx.builder.add(ir.Reserve(array, size, shape, ctx.builder.origin))


def part(ctx: Context, array: ir.Value, count: ir.Atom) -> ir.Value:
    """The items that there are."""
    out = ir.Value("", array.type)
    view = ir.View(out, array, (ir.Slice(None, count),), ctx.builder.origin)
    ctx.builder.add(view)
    ctx.memory.views[out], ctx.memory.bases[out] = view, array
    ctx.sizes.shapes[out] = (count, *ctx.sizes.shapes[array][1:])
    return out


def about(cls: Growing, size: ir.Atom, ends: Sequence[ir.Atom]) -> Items:
    """``ends``: how many elements there are of arrays that may have any shape."""
    names = ["end", *(f"end{k}" for k in range(2, len(ends) + 1))][: len(ends)]
    return Items((size, *ends), ("count", *names), cls, is_list=True)


def ends(of: Items) -> list[ir.Atom]:
    return [end for end in of.items[1:] if isinstance(end, ir.Value | ir.Const | ir.Undef)]


def count(of: Items) -> ir.Atom:
    return atom_of(of.items[0])


def class_of(of: Items) -> Growing:
    assert isinstance(of.cls, Growing)
    return of.cls


def unified(types: Sequence[Type]) -> Type | None:
    """The one type of all items."""
    found, *others = types
    for other in others:
        both = unifying.unify(undefined(found), undefined(other))
        if isinstance(both, Conflict):
            return None
        found = both
    return found
