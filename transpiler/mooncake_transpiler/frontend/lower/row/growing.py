"""Lists that are as long as the run makes them: their items are in arrays that grow.

    while t < end:              reserve ts, n + 1
        ts.append(t)    ->      ts[n] = t
                                n = n + 1

What there is to say about such a list is ``Items((n,))`` of a class that names its arrays
(``Context.growing``): an array for each number or array in an item, with one more axis. The arrays
are made once, so branches choose between lengths, and loops carry them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.failure import failing, numbers, throwing, unset_names
from mooncake_transpiler.frontend.lower.memory import ragged, storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import (
    checked_items,
    growable,
    item_kinds,
    replacing,
    rows,
)
from mooncake_transpiler.frontend.lower.scalar.scalars import cast, compute, select
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import atoms, name_of
from mooncake_transpiler.frontend.lower.state.operands import Cut, Elements, Items, Operand
from mooncake_transpiler.frontend.lower.state.own_kinds import Growing, Held
from mooncake_transpiler.types import INT, Array, Type


def parts(ctx: Context, about: Items) -> Items:
    """The items in arrays of their number: new memory."""
    return Items((_copied(ctx, about, None),), cls=Held.ROWS, is_list=True)


def content(ctx: Context, node: cst.CSTNode, ref: Ref) -> Items:
    """The items that ``ref`` holds now; those of a list that grows in new memory."""
    grown = containers.grown(ctx, ref)
    return containers.content(ctx, node, ref) if grown is None else parts(ctx, grown)


def _copied(ctx: Context, about: Items, index: ir.Slice | None) -> Operand:
    """The items, or those at ``index``, in new memory."""

    def kept(array: ir.Value) -> ir.Value:
        shown = growable.part(ctx, array, growable.count(about))
        copy = storage.copy(ctx, shown if index is None else storage.view(ctx, shown, (index,)))
        if array in ctx.memory.shown:
            ctx.memory.shown[copy] = ctx.memory.shown[array]
        return item_kinds.copied(ctx, copy, array)

    def packed(of: Items) -> Items:
        spans, elements = ragged.memory_of(of)
        there = replace(of, items=(growable.part(ctx, spans, growable.count(about)), elements))
        return ragged.packed(ctx, there if index is None else ragged.part(ctx, there, index))

    return ragged.changed(ctx.heap.arrays_of(about), kept, packed)


def empty(
    ctx: Context, item: Type, shapes: Sequence[growable.Shape], hint: str, spare: int = 0
) -> Ref:
    """A new list of such items, which knows each one by its number."""
    made = growable.new(ctx, item, shapes, hint, spare)
    ends = [ir.ZERO for shape in shapes if shape is None]
    return containers.owned(ctx, growable.about(made, ir.ZERO, ends), f"{hint}s")


def refill(ctx: Context, node: cst.CSTNode, ref: Ref, content: Items) -> None:
    """Let ``content`` be what ``ref``, a list that grows, holds from here on."""
    made = growable.class_of(containers.growing(ctx, ref))
    ctx.frame.bind(containers.variable(ref), fill(ctx, node, made, content))


def fill(ctx: Context, node: cst.CSTNode, cls: Growing, content: Items) -> Items:
    """The description of a list with the items in ``content``, which move to ``cls``."""
    held = ctx.heap.growing[cls]
    ends: list[ir.Atom] = [ir.ZERO for leaf in growable.leaves(held) if isinstance(leaf, Items)]
    if containers.is_arrays(content):
        old = content if content.cls == Held.ROWS else parts(ctx, content)
        size = containers.count(ctx, old)
        growable.reserve(ctx, cls, size)
        pairs = zip(growable.leaves(held), growable.leaves(old.items[0]), strict=True)
        ends = [end for both in pairs for end in _move(ctx, *both, size)]
        return growable.about(cls, size, ends)
    size = ir.int_const(len(content.items))
    if content.items:
        growable.reserve(ctx, cls, size)
    for k, item in enumerate(content.items):
        value = growable.item(ctx, held, item)
        ends = _put(ctx, node, held, ir.int_const(k), value, ends)
    return growable.about(cls, size, ends)


def _move(
    ctx: Context, target: ir.Value | Items, source: ir.Value | Items, size: ir.Atom
) -> list[ir.Atom]:
    """Let ``target`` hold what ``source`` has; where its elements end if it tells that."""
    if isinstance(target, Items):
        found = ragged.of_rows(ctx, source) if isinstance(source, ir.Value) else source
        end = ragged.move(ctx, target, found, size)
        _shows(ctx, target, source)
        return [end]
    assert isinstance(source, ir.Value)
    assert isinstance(target.type, Array)
    item_kinds.moved(ctx, source, target.type.dtype)
    ctx.builder.assign(growable.part(ctx, target, size), source)
    _shows(ctx, target, source)
    return []


def _shows(ctx: Context, target: ir.Value | Items, source: Operand) -> None:
    """Note that items of ``target`` are copies of what ``source`` shows."""
    array = ragged.memory_of(target)[1] if isinstance(target, Items) else target
    if array in ctx.memory.shown:
        for atom in atoms(source):
            root = ctx.memory.base(atom)
            ctx.memory.show(array, ctx.memory.shown.get(root, frozenset()) | {root})  # type: ignore[arg-type]


# ---- what is put in -----------------------------------------------------------------------------


def extend(ctx: Context, node: cst.CSTNode, ref: Ref, more: Sequence[Operand]) -> None:
    """Append each of ``more``."""
    replacing.check_changeable(ctx, node, ref)
    for value in more:
        old = containers.growing(ctx, ref)
        growable.check_growing(ctx, node, ref)
        held = ctx.heap.arrays_of(old)
        value = growable.item(ctx, held, delayed.settle(ctx, value))
        checked_items.check(ctx, node, held, value)
        if not _is_of_shape(ctx, held, value):
            old = _loosened(ctx, node, ref, old)
        cls, at = growable.class_of(old), growable.count(old)
        size = compute(ctx, node, "add", (at, ir.ONE))
        growable.reserve(ctx, cls, size)
        held = ctx.heap.growing[cls]
        _set(ctx, ref, cls, size, _put(ctx, node, held, at, value, growable.ends(old)))


def added(ctx: Context, node: cst.CSTNode, ref: Ref, value: Operand) -> ir.Atom:
    """Append ``value``; the number of the item that it is."""
    at = growable.count(containers.growing(ctx, ref))
    extend(ctx, node, ref, [value])
    return at


def _set(ctx: Context, ref: Ref, cls: Growing, size: ir.Atom, ends: Sequence[ir.Atom]) -> None:
    ctx.frame.bind(containers.variable(ref), growable.about(cls, size, ends))


def _loosened(ctx: Context, node: cst.CSTNode, ref: Ref, old: Items) -> Items:
    """``ref``, whose items are ``old``, with arrays that may have any shape."""
    held = ctx.heap.arrays_of(old)
    shapes: list[growable.Shape] = [None for _ in growable.shapes_of(ctx, held)]
    cls = growable.new(ctx, growable.item_of(held), shapes, ref.hint)
    about = fill(ctx, node, cls, old)
    ctx.frame.bind(containers.variable(ref), about)
    return about


def _put(
    ctx: Context,
    node: cst.CSTNode,
    held: Operand,
    at: ir.Atom,
    value: Operand,
    ends: Sequence[ir.Atom],
) -> list[ir.Atom]:
    """Set the item at ``at``; behind the ``ends`` of elements, which are others then."""
    before, after = iter(ends), list[ir.Atom]()

    def put(target: Operand, value: Operand) -> None:
        if ragged.is_ragged(target):
            assert isinstance(value, ir.Value)
            after.append(ragged.put(ctx, target, at, value, next(before)))
        elif isinstance(target, Items):
            assert isinstance(value, Items)
            for pair in zip(target.items, value.items, strict=True):
                put(*pair)
        else:
            rows.put(ctx, node, target, at, value)

    put(held, value)
    for leaf, atom in zip(growable.leaves(held), atoms(value), strict=True):
        _shows(ctx, leaf, atom)
    return after


def _is_of_shape(ctx: Context, target: Operand, value: Operand) -> bool:
    """True if arrays surely have the shape that ``target`` asks for."""
    for leaf, atom in zip(growable.leaves(target), atoms(value), strict=True):
        if isinstance(leaf, ir.Value) and isinstance(atom.type, Array):
            wanted = storage.shape(ctx, leaf)[1:]
            if not all(map(ctx.sizes.same, storage.shape(ctx, atom), wanted)):
                return False
    return True


# ---- what is read -------------------------------------------------------------------------------


def item(ctx: Context, node: cst.CSTNode, of: Items, key: Operand) -> Operand:
    """``xs[key]``; of a slice a list of as many items."""
    if isinstance(key, Cut):
        return rows.new(ctx, _copied(ctx, of, rows.slice_of(ctx, node, key)))
    at = within(ctx, node, of, key)
    return rows.at(ctx, ctx.heap.arrays_of(of), at)


def within(
    ctx: Context, node: cst.CSTNode, of: Items, key: Operand, text: str = "list index out of range"
) -> ir.Atom:
    """The index ``key`` of a list of so many items, from the front; else an IndexError."""
    index, size = numbers.as_place(ctx, node, key), growable.count(of)
    if isinstance(index, ir.Const) and isinstance(index.value, int):
        least = -index.value if index.value < 0 else index.value + 1
        there = compute(ctx, node, "le", (ir.int_const(least), size))
        unset_names.require_there(ctx, node, there, text)
        return index if index.value >= 0 else compute(ctx, node, "add", (size, index))
    index = cast(ctx, index, INT)
    if isinstance(index, ir.Value) and ctx.numbers.below.get(index) == size:
        return index
    known = {} if throwing.active(ctx) else ctx.sizes.places
    if (index, size) not in known:
        there = compute(ctx, node, "lt", (index, size))
        known[index, size] = index
        if index not in ctx.numbers.below:
            least_ = compute(ctx, node, "neg", (size,))
            there = compute(ctx, node, "and", (there, compute(ctx, node, "le", (least_, index))))
            negative = compute(ctx, node, "lt", (index, ir.ZERO))
            from_front = compute(ctx, node, "add", (index, size))
            known[index, size] = select(ctx, negative, from_front, index)
        failing.require(ctx, node, there, text, "IndexError")
    return known[index, size]


def elements(ctx: Context, node: cst.CSTNode, ref: Ref, of: Items) -> Elements:
    """To iterate over; the list must stay as it is."""

    def at(k: ir.Atom, hint: object) -> Operand:
        now = containers.grown(ctx, ref)
        if now is None or now.cls != of.cls:
            raise changes(ctx, node)
        check_length(ctx, node, growable.count(now), growable.count(of))
        return rows.at(ctx, ctx.heap.arrays_of(of), k, name_of(hint))  # type: ignore[arg-type]

    return Elements(growable.count(of), at)


def check_length(ctx: Context, node: cst.CSTNode, now: ir.Atom, before: ir.Atom) -> None:
    """Check that the list that a loop runs over is as long as before.

    It may be another one where that iteration is the last, which the run tells.
    """
    if ctx.sizes.same(now, before):
        return
    if not ctx.frame.loops or not ctx.frame.loops[-1].early:
        raise changes(ctx, node)
    same = compute(ctx, node, "eq", (now, before))
    failing.require(ctx, node, same, "list changed size during iteration", "RuntimeError")


def changes(ctx: Context, node: cst.CSTNode) -> Refused:
    message = "the length of this list changes while a loop runs over it"
    return ctx.refuse(node, "MK332", message, "loop over a copy: list(xs)")


# ---- changes ------------------------------------------------------------------------------------


def _with_places(ctx: Context, node: cst.CSTNode, ref: Ref, old: Items) -> Items:
    """The list so that the place of an array, which others may still have, can be left."""
    shapes = growable.shapes_of(ctx, ctx.heap.arrays_of(old))
    return old if all(shape is None for shape in shapes) else _loosened(ctx, node, ref, old)


def place(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand, text: str) -> ir.Atom:
    """The index ``key`` of a list, from the front; else an IndexError with ``text``."""
    return within(ctx, node, Items((containers.length(ctx, node, ref),)), key, text)


def pop(ctx: Context, node: cst.CSTNode, ref: Ref) -> Operand:
    """``ref.pop()``."""
    old = _changeable(ctx, node, ref)
    some = compute(ctx, node, "gt", (growable.count(old), ir.ZERO))
    unset_names.require_there(ctx, node, some, "pop from empty list")
    last = compute(ctx, node, "sub", (growable.count(old), ir.ONE))
    found = rows.at(ctx, ctx.heap.arrays_of(old), last)
    _set(ctx, ref, growable.class_of(old), last, growable.ends(old))
    return found


def clear(ctx: Context, node: cst.CSTNode, ref: Ref) -> None:
    old = _changeable(ctx, node, ref)
    _set(ctx, ref, growable.class_of(old), ir.ZERO, growable.ends(old))


def _changeable(ctx: Context, node: cst.CSTNode, ref: Ref) -> Items:
    """The content of ``ref``, of which items may be left out from here on."""
    replacing.check_changeable(ctx, node, ref)
    old = containers.growing(ctx, ref)
    return _with_places(ctx, node, ref, old)


def write(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand, value: Operand) -> None:
    """``xs[key] = value``."""
    if isinstance(key, Cut):
        message = "slices with a step of a list of run-time length can't be assigned to"
        raise ctx.refuse(node, "MK371", message, "assign to its items one by one, in a loop")
    of = _changeable(ctx, node, ref)
    cls = growable.class_of(of)
    value = growable.item(ctx, ctx.heap.growing[cls], delayed.settle(ctx, value))
    checked_items.check(ctx, node, ctx.heap.growing[cls], value)
    at = within(ctx, node, of, key)
    held = ctx.heap.growing[cls]
    _set(ctx, ref, cls, growable.count(of), _put(ctx, node, held, at, value, growable.ends(of)))


def write_part(
    ctx: Context, node: cst.CSTNode, ref: Ref, k: int, at: ir.Atom, value: Operand
) -> None:
    """Set part ``k`` of the item at ``at``, whose arrays may have any shape."""
    of = containers.growing(ctx, ref)
    ctx.heap.deeds.changed.add(ref.key)
    held = ctx.heap.arrays_of(of)
    assert isinstance(held, Items)
    first, own = (
        sum(isinstance(leaf, Items) for part in parts for leaf in growable.leaves(part))
        for parts in (held.items[:k], held.items[k : k + 1])
    )
    ends = growable.ends(of)
    after = _put(ctx, node, held.items[k], at, value, ends[first : first + own])
    if own:
        ends[first : first + own] = after
        _set(ctx, ref, growable.class_of(of), growable.count(of), ends)


def holds_arrays(ctx: Context, content: Items) -> bool:
    """True if the items of a list are in arrays, and are arrays, or have some in them."""
    return content.cls == Held.ROWS and bool(growable.shapes_of(ctx, content.items[0]))


def copied(ctx: Context, node: cst.CSTNode, ref: Ref) -> Ref:
    """``list(xs)``: another list of the same items, which are in arrays."""
    of = containers.grown(ctx, ref)
    if of is None:
        return rows.copied(ctx, containers.content(ctx, node, ref))
    held = ctx.heap.arrays_of(of)
    made = growable.new(ctx, growable.item_of(held), growable.shapes_of(ctx, held), "")
    return containers.owned(ctx, fill(ctx, node, made, of))
