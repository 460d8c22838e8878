"""Lists of a length that is known at run time only: their items are in arrays.

``[f(x, i) for i in range(n)]`` is an array of ``n`` numbers; where an item is an array, a tuple or
a struct there is an array for each of its leaves, with one more axis. The content of such a list is
``Items((arrays,))`` of the class ``ROWS``; ``arrays`` is built like an item.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import aliasing, arrays, checking, stores
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.memory import ragged, storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import growable, item_kinds, items_later, optional_items
from mooncake_transpiler.frontend.lower.scalar import signs, told_values
from mooncake_transpiler.frontend.lower.scalar.scalars import (
    cast,
    compute,
    is_scalar,
    loses,
    select,
)
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.leaves import atoms, describe, name_of, type_of
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Choice,
    Conflict,
    Cut,
    Elements,
    Items,
    Maybe,
    Operand,
    Static,
    Told,
)
from mooncake_transpiler.frontend.lower.state.own_kinds import Held, ToldItems, Tupled
from mooncake_transpiler.types import INT, NONE, Array, Opaque, Scalar


def new(ctx: Context, held: Operand, hint: str = "") -> Ref:
    return containers.owned(ctx, Items((held,), cls=Held.ROWS, is_list=True), hint)


def filled(ctx: Context, node: cst.CSTNode, value: Operand, number: ir.Atom) -> Ref:
    """``[value] * number``."""
    ref = new(ctx, items_later.filled(ctx, node, value, at_least_none(ctx, node, number)))
    ctx.heap.made_at[ref.key] = node
    return ref


def at_least_none(ctx: Context, node: cst.CSTNode, number: ir.Atom) -> ir.Atom:
    """``max(number, 0)``; sizes of arrays are that already."""
    if isinstance(number, ir.Const) or _is_size(ctx, number):
        return number
    negative = compute(ctx, node, "lt", (number, ir.ZERO))
    size = select(ctx, negative, ir.ZERO, number)
    if isinstance(size, ir.Value):
        ctx.numbers.naturals.add(size)
    return size


def _is_size(ctx: Context, number: ir.Atom) -> bool:
    sizes = ctx.sizes
    return any(number is size for size in (*sizes.inputs.values(), *sizes.dims.values()))


def count(ctx: Context, held: Items) -> ir.Atom:
    return containers.count(ctx, held)


def leaves(held: Items) -> Operand:
    return held.items[0]


def _each(ctx: Context, of: Operand, index: ir.Atom, hint: str = "") -> Operand:
    """The item at ``index``."""
    return _with_identity(ctx, at(ctx, of, index, hint))


def at(ctx: Context, of: Operand, index: ir.Atom, hint: str = "") -> Operand:
    """The item at ``index``, lists by what they hold."""
    if isinstance(of, Conflict | Static):
        return of
    if isinstance(of, Items) and ragged.is_ragged(of):
        return ragged.element(ctx, of, index, hint)
    if containers.is_pooled(of):
        return containers.owned(ctx, replace(of, items=(at(ctx, of.items[0], index),)), hint)
    if isinstance(of, Items) and isinstance(of.cls, Tupled):
        held = containers.growing(ctx, ctx.heap.tuples[of.cls])
        number = at(ctx, of.items[0], index)
        assert isinstance(number, ir.Value | ir.Undef)
        return at(ctx, ctx.heap.arrays_of(held), number, hint)
    if isinstance(of, Items):
        parts = replace(of, items=tuple(at(ctx, part, index) for part in of.items))
        in_parts = optional_items.is_held(of) or optional_items.is_one_by_number(parts)
        in_parts |= optional_items.is_kinds(of)
        return optional_items.whole(parts) if in_parts else parts
    assert isinstance(of, ir.Value | ir.Undef)
    if of in ctx.memory.counting and signs.is_natural(ctx, index):
        return cast(ctx, index, INT)
    found = arrays.element(ctx, of, (index,), hint)
    if is_scalar(found):
        item_kinds.taken(ctx, of, found)
    if of in ctx.memory.shown and isinstance(of, ir.Value):
        ctx.memory.shown[found] = ctx.memory.shown[of]
    return found


def _with_identity(ctx: Context, held: Operand) -> Operand:
    """``held`` with lists in place of what they hold; they are items of one that sees no change."""
    if not isinstance(held, Items):
        return held
    if held.cls != Held.ROWS:
        items = tuple(_with_identity(ctx, part) for part in held.items)
        held = replace(held, items=items)
    if held.cls == Held.SEARCHED:
        made = containers.owned(ctx, held)
        ctx.heap.made_at[made.key] = cst.Pass()
        return made
    if not held.is_list and held.cls != Held.ROWS:
        return held
    ref = containers.owned(ctx, held)
    keep(ctx, {ref.key})
    if held.cls == Held.ROWS and isinstance(held.items[0], ir.Value):
        ctx.heap.in_tables.add(ref.key)
    return ref


def keep(ctx: Context, keys: Set[str]) -> None:
    """Lists are items of another one, which would not see them change."""
    ctx.heap.ambiguous |= dict.fromkeys(keys, "it is an item of a list that is held in arrays")
    ctx.heap.deeds.copied.update(keys)


def lists_in(ctx: Context, node: cst.CSTNode, operand: Operand) -> Iterator[Ref]:
    """The lists that ``operand`` holds, those in lists too."""
    match operand:
        case Ref() if containers.is_list(operand):
            yield operand
            if containers.grown(ctx, operand) is None:
                yield from lists_in(ctx, node, containers.content(ctx, node, operand))
        case Items(items=items):
            for item_ in items:
                yield from lists_in(ctx, node, item_)
        case _:
            return


def item(ctx: Context, node: cst.CSTNode, held: Items, key: Operand) -> Operand:
    if isinstance(key, Cut):
        return new(ctx, _cut(ctx, leaves(held), slice_of(ctx, node, key)))
    return _each(ctx, leaves(held), place(ctx, node, held, key))


def slice_of(ctx: Context, node: cst.CSTNode, key: Cut) -> ir.Slice:
    """The slice ``key`` with numbers as its bounds."""
    bounds = (
        None if b == NOTHING else numbers.as_index(ctx, node, b, "a bound")
        for b in (key.lo, key.hi, key.step)
    )
    return ir.Slice(*bounds)


def _cut(ctx: Context, of: Operand, index: ir.Slice) -> Operand:
    """A part of the items; arrays in it are the same ones."""
    return ragged.changed(
        of,
        lambda one: _copied(ctx, storage.view(ctx, one, (index,))),
        lambda one: ragged.part(ctx, one, index),
    )


def place(ctx: Context, node: cst.CSTNode, held: Items, key: Operand) -> ir.Atom:
    """The index ``key``; a constant one may count from the end."""
    index = numbers.as_place(ctx, node, key)
    checking.before_position(ctx, node, index, count(ctx, held))
    if isinstance(index, ir.Const) and isinstance(index.value, int) and index.value < 0:
        return compute(ctx, node, "add", (count(ctx, held), index))
    return cast(ctx, index, INT)


def learn(ctx: Context, node: cst.CSTNode, ref: Ref, value: Operand) -> None:
    """Note that ``value`` becomes an item of ``ref``, if it can hold it from the start."""
    about = ctx.frame.values.get(containers.variable(ref))
    if isinstance(about, Items) and about.cls == Held.ROWS:
        items_later.learn(ctx, node, ctx.heap.made_at.get(ref.key), leaves(about), value)


def lacks(ctx: Context, held: Items, value: Operand) -> bool:
    """True if ``value`` has a text or member that no item of a list in arrays is so far."""
    target = leaves(held) if held.cls == Held.ROWS else None
    if not isinstance(target, Items) or not _holds_told(target):
        return False
    return not _is_item(growable.item(ctx, target, value), target)


def _holds_told(held: Operand) -> bool:
    """True if a part of the items that are ``held`` is one of several texts or members."""
    return isinstance(held, Items) and (
        isinstance(held.cls, ToldItems) or any(map(_holds_told, held.items))
    )


def write(ctx: Context, node: cst.CSTNode, held: Items, key: Operand, value: Operand) -> None:
    """``xs[key] = value`` for numbers and tuples of them: an array would have to be the same."""
    target = leaves(held)
    value = growable.item(ctx, target, value)
    if not isinstance(key, Cut) and isinstance(target, Items) and _is_item(value, target):
        put(ctx, node, target, place(ctx, node, held, key), value)
        return
    if isinstance(key, Cut) or not arrays.is_array(target) or not _holds_numbers(target):
        message = "items of this list can't be replaced: its length is known at run time only"
        raise ctx.refuse(node, "MK331", message, "store into an array: np.zeros((n, 3))")
    assert isinstance(target.type, Array)
    number = numbers.as_scalar(ctx, node, value)
    type_ = Scalar(target.type.dtype)
    if loses(number, type_):
        message = f"a list of {type_} can't hold {describe(number)} when its length is not known"
        raise ctx.refuse(node, "MK331", message, "begin with floats: [0.0] * n")
    at = place(ctx, node, held, key)
    item_kinds.put(ctx, number, type_.dtype)
    ctx.builder.store(target, (at,), cast(ctx, number, type_))


def write_in_table(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand, value: Operand) -> bool:
    """``ref[key] = value`` for a list that is a row of a table; False if it is none."""
    if ref.key not in ctx.heap.in_tables or isinstance(key, Cut):
        return False
    held = containers.content(ctx, node, ref)
    row = leaves(held)
    assert isinstance(row, ir.Value)
    if not ctx.memory.roots(row).isdisjoint(ctx.memory.shown):
        return False  # others hold the list, too
    aliasing.writable(ctx, node, row)
    write(ctx, node, held, key, value)
    return True


def _is_item(value: Operand, target: Operand) -> bool:
    """True if ``value`` has numbers of the types of those in the arrays ``target``."""
    match value, target:
        case Items(items=given), Items(items=wanted) if value.is_like(target):
            return all(map(_is_item, given, wanted))
        case ((ir.Value() | ir.Const() | ir.Undef()), ir.Value(type=Array(dtype=dtype, ndim=1))):
            return value.type == Scalar(dtype)
        case _:
            return False


def _holds_numbers(target: ir.Value | ir.Undef) -> bool:
    assert isinstance(target.type, Array)
    return target.type.ndim == 1


def elements(ctx: Context, held: Items) -> Elements:
    """To iterate over."""
    return Elements(count(ctx, held), lambda k, hint: _each(ctx, leaves(held), k, name_of(hint)))


def copied(ctx: Context, held: Items) -> Ref:
    """A list of the same items."""
    return new(ctx, _copied(ctx, leaves(held)))


def _copied(ctx: Context, of: Operand) -> Operand:
    """Numbers are copied; arrays in both lists are the same ones."""
    if isinstance(of, Conflict | Static) or ragged.is_ragged(of):
        return of
    if isinstance(of, Items):
        return replace(of, items=tuple(_copied(ctx, part) for part in of.items))
    assert isinstance(of, ir.Value | ir.Undef)
    assert isinstance(of.type, Array)
    if of.type.ndim > 1:
        return of
    copy = storage.copy(ctx, of)
    return item_kinds.copied(ctx, copy, of) if isinstance(of, ir.Value) else copy


def _displayed(node: cst.Call, given: Arguments) -> list[Ref]:
    """The lists among the arguments that nothing else can see: comprehensions."""
    if len(node.args) != len(given.args):
        return []
    pairs = zip(node.args, given.args, strict=True)
    return [x for arg, x in pairs if isinstance(arg.value, cst.ListComp) and containers.is_list(x)]


def is_new(ctx: Context, node: cst.Call, given: Arguments) -> bool:
    """True if the array of the only argument can be taken as it is."""
    found = _displayed(node, given)
    if len(found) != 1 or len(node.args) != 1 or containers.grown(ctx, found[0]) is not None:
        return False
    held = leaves(containers.content(ctx, node, found[0]))
    return isinstance(held, ir.Value) and held not in ctx.memory.shown


def forget(ctx: Context, node: cst.Call, given: Arguments) -> None:
    """Drop the lists among the arguments that nothing can see after the call."""
    for ref in _displayed(node, given):
        containers.forget(ctx, ref)


# ---- filling ------------------------------------------------------------------------------------


def plain(ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand:
    """``operand`` with what lists hold in place of the lists, or with their numbers."""
    match operand:
        case Ref() if (about := containers.pooled(ctx, operand)) is not None:
            return about
        case Ref() if containers.is_list(operand):
            held = containers.content(ctx, node, operand)
            return plain(ctx, node, replace(held, is_list=not containers.is_tuple(operand)))
        case RunText() | Told() | Choice():
            return optional_items.parts(operand)
        case Static() if (told := told_values.as_told(operand)) is not None:
            return optional_items.parts(told)
        case Items(items=items):
            return replace(operand, items=tuple(plain(ctx, node, one) for one in items))
        case _:
            return operand


def like(ctx: Context, node: cst.CSTNode, model: Operand, size: ir.Atom) -> Operand:
    """Unset arrays for ``size`` items like ``model``."""
    model = told_values.as_told(model) or model
    if isinstance(model, Maybe) and optional_items.is_possible(type_of(model) or NONE):
        model = optional_items.parts(model)
    if isinstance(model, RunText | Told | Choice):
        model = optional_items.parts(model)
    match model:
        case Items() if any(True for _ in atoms(model)):
            parts = tuple(like(ctx, node, part, size) for part in model.items)
            return replace(model, items=parts)
        case ir.Value() | ir.Const() | ir.Undef() if isinstance(model.type, Scalar):
            return item_kinds.made(ctx, storage.alloc(ctx, model.type.dtype, (size,), None))
        case ir.Value() | ir.Undef() if isinstance(model.type, Array):
            return storage.alloc(ctx, model.type.dtype, (size, *storage.shape(ctx, model)), None)
        case Conflict(reason=reason):
            raise ctx.refuse(node, "MK331", reason, "sort by a number, and compare text with ==")
        case _:
            message = f"a list of {describe(model)} needs a length that is known ahead of time"
            raise ctx.refuse(node, "MK331", message, _with_known_texts(model))


def _with_known_texts(model: Operand) -> str | None:
    """A way out for an object with text that may be any."""
    for field in model.cls.fields if isinstance(model, Ref) else ():
        if field.annotation is not None and isinstance(field.annotation.type, Opaque):
            return f'if {field.name} is one of a few texts, say so: {field.name}: Literal["a", "b"]'
    return None


def put(ctx: Context, node: cst.CSTNode, target: Operand, index: ir.Atom, value: Operand) -> None:
    """Set the item of ``target`` at ``index``."""
    value = plain(ctx, node, value)
    if optional_items.is_held(target) and not optional_items.is_held(value):
        value = optional_items.item(value, growable.item_of(target))
    if isinstance(target, Items):
        assert isinstance(value, Items)
        for one, item_ in zip(target.items, value.items, strict=True):
            put(ctx, node, one, index, item_)
        return
    assert isinstance(target, ir.Value)
    assert isinstance(target.type, Array)
    if is_scalar(value):
        item_kinds.put(ctx, value, target.type.dtype)
        ctx.builder.store(target, (index,), cast(ctx, value, Scalar(target.type.dtype)))
    else:
        stores.overwrite(ctx, node, storage.view(ctx, target, (index,)), value)
