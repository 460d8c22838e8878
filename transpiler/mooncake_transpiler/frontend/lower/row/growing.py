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
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.failure import failing, numbers, throwing
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import growable, replacing, rows
from mooncake_transpiler.frontend.lower.scalar.scalars import cast, compute, select
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import atoms, describe, name_of
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Cut, Elements, Items, Operand
from mooncake_transpiler.types import INT, Array, Scalar, Tuple

ZERO, ONE = ir.int_const(0), ir.int_const(1)


def parts(ctx: Context, about: Items) -> Items:
    """The items in arrays of their number: new memory."""

    def copied(of: Operand) -> Operand:
        if isinstance(of, Items):
            return replace(of, items=tuple(map(copied, of.items)))
        assert isinstance(of, ir.Value)
        kept = storage.copy(ctx, growable.part(ctx, of, growable.count(about)))
        if of in ctx.memory.shown:
            ctx.memory.shown[kept] = ctx.memory.shown[of]
        return kept

    return Items(
        (copied(ctx.heap.growing[growable.class_of(about)]),), cls=containers.ROWS, is_list=True
    )


def fill(ctx: Context, node: cst.CSTNode, cls: str, content: Items) -> Items:
    """The description of a list with the items in ``content``, which move to ``cls``."""
    if containers.is_arrays(content):
        old = content if content.cls == containers.ROWS else parts(ctx, content)
        size = containers.count(ctx, old)
        growable.reserve(ctx, cls, size)
        for target, source in zip(growable.leaves(ctx, cls), atoms(old), strict=True):
            ctx.builder.add(ir.Assign(growable.part(ctx, target, size), source, ctx.builder.origin))
            if target in ctx.memory.shown:
                root = ctx.memory.base(source)
                ctx.memory.shown[target] |= ctx.memory.shown.get(root, {root})  # type: ignore[arg-type]
        return growable.about(cls, size)
    size = ir.int_const(len(content.items))
    if content.items:
        growable.reserve(ctx, cls, size)
    for k, item in enumerate(content.items):
        _put(ctx, node, cls, ir.int_const(k), item)
    return growable.about(cls, size)


# ---- what is put in -----------------------------------------------------------------------------


def extend(ctx: Context, node: cst.CSTNode, ref: Ref, more: Sequence[Operand]) -> None:
    """Append each of ``more``."""
    replacing.check_changeable(ctx, node, ref)
    for value in more:
        old = containers.grown(ctx, ref)
        assert old is not None
        cls, at = growable.class_of(old), growable.count(old)
        value = delayed.settle(ctx, value)
        _check(ctx, node, ctx.heap.growing[cls], value)
        size = compute(ctx, node, "add", (at, ONE))
        growable.reserve(ctx, cls, size)
        _put(ctx, node, cls, at, value)
        _set(ctx, ref, cls, size)


def _set(ctx: Context, ref: Ref, cls: str, size: ir.Atom) -> None:
    ctx.frame.bind(containers.variable(ref), growable.about(cls, size))


def _put(ctx: Context, node: cst.CSTNode, cls: str, at: ir.Atom, value: Operand) -> None:
    rows.put(ctx, node, ctx.heap.growing[cls], at, value)
    for array, atom in zip(growable.leaves(ctx, cls), atoms(value), strict=True):
        if array in ctx.memory.shown:
            root = ctx.memory.base(atom)
            ctx.memory.shown[array] |= ctx.memory.shown.get(root, frozenset()) | {root}  # type: ignore[arg-type]


def _check(ctx: Context, node: cst.CSTNode, target: Operand, value: Operand) -> None:
    """Check that ``value`` is an item like the others; the shapes of arrays are compared."""
    match target, value:
        case Items(items=wanted), Items(items=given) if target.is_like(value):
            for one, other in zip(wanted, given, strict=True):
                _check(ctx, node, one, other)
            return
        case ir.Value(type=Array(dtype=dtype, ndim=ndim)), (
            ir.Value() | ir.Const() | ir.Undef()
        ) if isinstance(value.type, Scalar | Array):
            rank = value.type.ndim if isinstance(value.type, Array) else 0
            keeps = not rows.cast_loses(ir.Undef(Scalar(value.type.dtype)), Scalar(dtype))
            if isinstance(value, ir.Const):
                keeps = not rows.cast_loses(value, Scalar(dtype))
            if rank + 1 == ndim and (keeps if rank == 0 else dtype is value.type.dtype):
                _check_shape(ctx, node, target, value)
                return
        case _:
            pass
    message = f"this list, whose length is not known ahead of time, can't hold {describe(value)}"
    help_ = "let all items have one type: begin with 0.0, not with 0"
    raise ctx.refuse(node, "MK370", message, help_)


def _check_shape(ctx: Context, node: cst.CSTNode, target: ir.Value, value: ir.Atom) -> None:
    assert isinstance(value.type, Scalar | Array)
    given = storage.shape(ctx, value) if isinstance(value.type, Array) else ()
    for size, wanted in zip(given, ctx.sizes.shapes[target][1:], strict=True):
        if not ctx.sizes.same(size, wanted):
            equal = compute(ctx, node, "eq", (size, wanted))
            text = "the arrays in this list must have one shape"
            failing.require(ctx, node, equal, text, "ValueError")


# ---- what is read -------------------------------------------------------------------------------


def item(ctx: Context, node: cst.CSTNode, of: Items, key: Operand) -> Operand:
    """``xs[key]``; of a slice a list of as many items."""
    if isinstance(key, Cut):
        return _slice(ctx, node, of, key)
    at = _place(ctx, node, of, key)
    return rows.at(ctx, ctx.heap.growing[growable.class_of(of)], at)


def _slice(ctx: Context, node: cst.CSTNode, of: Items, key: Cut) -> Ref:
    bounds = (
        None if b == NOTHING else numbers.as_index(ctx, node, b, "a bound")
        for b in (key.lo, key.hi, key.step)
    )  # fmt: skip
    index = ir.Slice(*bounds)

    def cut(array: Operand) -> Operand:
        if isinstance(array, Items):
            return replace(array, items=tuple(map(cut, array.items)))
        assert isinstance(array, ir.Value)
        shown = storage.view(ctx, growable.part(ctx, array, growable.count(of)), (index,))
        kept = storage.copy(ctx, shown)
        if array in ctx.memory.shown:
            ctx.memory.shown[kept] = ctx.memory.shown[array]
        return kept

    return rows.new(ctx, cut(ctx.heap.growing[growable.class_of(of)]))


def _place(
    ctx: Context,
    node: cst.CSTNode,
    of: Items,
    key: Operand,
    text: str = "list index out of range",
) -> ir.Atom:
    """The index ``key``, from the front; IndexError where there is no such item."""
    index, size = numbers.as_index(ctx, node, key, "an index"), growable.count(of)
    if isinstance(index, ir.Const) and isinstance(index.value, int):
        least = -index.value if index.value < 0 else index.value + 1
        there = compute(ctx, node, "le", (ir.int_const(least), size))
        failing.require(ctx, node, there, text, "IndexError")
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
            negative = compute(ctx, node, "lt", (index, ZERO))
            from_front = compute(ctx, node, "add", (index, size))
            known[index, size] = select(ctx, negative, from_front, index)
        failing.require(ctx, node, there, text, "IndexError")
    return known[index, size]


def elements(ctx: Context, node: cst.CSTNode, ref: Ref, of: Items) -> Elements:
    """To iterate over; the list must stay as it is."""

    def at(k: ir.Atom, hint: object) -> Operand:
        now = containers.grown(ctx, ref)
        if (
            now is None
            or growable.class_of(now) != growable.class_of(of)
            or growable.count(now) != growable.count(of)
        ):
            message = "the length of this list changes while a loop runs over it"
            raise ctx.refuse(node, "MK332", message, "loop over a copy: list(xs)")
        return rows.at(ctx, ctx.heap.growing[growable.class_of(of)], k, name_of(hint))  # type: ignore[arg-type]

    return Elements(growable.count(of), at)


# ---- changes ------------------------------------------------------------------------------------


def _numbers(ctx: Context, node: cst.CSTNode, of: Items, what: str) -> None:
    """Refuse to free the place of an array, which others may still have."""
    if growable.shapes_of(ctx, growable.class_of(of)):
        message = f"{what} a list of arrays whose length is not known ahead of time"
        raise ctx.refuse(node, "MK371", message, "keep the number of those in use beside it")


def place(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand, text: str) -> ir.Atom:
    """The index ``key`` of a list that grows, from the front; else an IndexError with ``text``."""
    of = containers.grown(ctx, ref)
    assert of is not None
    return _place(ctx, node, of, key, text)


def pop(ctx: Context, node: cst.CSTNode, ref: Ref) -> Operand:
    """``ref.pop()``."""
    replacing.check_changeable(ctx, node, ref)
    old = containers.grown(ctx, ref)
    assert old is not None
    _numbers(ctx, node, old, "can't pop from")
    some = compute(ctx, node, "gt", (growable.count(old), ZERO))
    failing.require(ctx, node, some, "pop from empty list", "IndexError")
    last = compute(ctx, node, "sub", (growable.count(old), ONE))
    found = rows.at(ctx, ctx.heap.growing[growable.class_of(old)], last)
    _set(ctx, ref, growable.class_of(old), last)
    return found


def clear(ctx: Context, node: cst.CSTNode, ref: Ref) -> None:
    replacing.check_changeable(ctx, node, ref)
    old = containers.grown(ctx, ref)
    assert old is not None
    _numbers(ctx, node, old, "can't clear")
    _set(ctx, ref, growable.class_of(old), ZERO)


def write(ctx: Context, node: cst.CSTNode, of: Items, key: Operand, value: Operand) -> None:
    """``xs[key] = value``."""
    if isinstance(key, Cut):
        message = "slices of a list whose length is not known can't be assigned to"
        raise ctx.refuse(node, "MK371", message)
    _numbers(ctx, node, of, "can't replace items of")
    value = delayed.settle(ctx, value)
    _check(ctx, node, ctx.heap.growing[growable.class_of(of)], value)
    _put(ctx, node, growable.class_of(of), _place(ctx, node, of, key), value)


def copied(ctx: Context, node: cst.CSTNode, of: Items) -> Ref:
    """``list(xs)``: another list of the same items."""
    cls = growable.class_of(of)
    item_ = growable.item_type(ctx, Items((ctx.heap.growing[cls],), cls=containers.ROWS))
    assert isinstance(item_, Tuple)
    made = growable.new(ctx, item_.items[0], growable.shapes_of(ctx, cls), "")
    return containers.owned(ctx, fill(ctx, node, made, of))


def grow(ctx: Context, node: cst.CSTNode, ref: Ref, content: Items) -> None:
    """Let ``ref``, whose items are in arrays of their number, grow from here on."""
    found = growable.item_type(ctx, content)
    assert isinstance(found, Tuple)
    shapes = [storage.shape(ctx, a)[1:] for a in atoms(content) if isinstance(a, ir.Value)]
    cls = growable.new(ctx, found.items[0], [shape for shape in shapes if shape], ref.hint)
    ctx.frame.bind(containers.variable(ref), fill(ctx, node, cls, content))


def let_grow(ctx: Context, node: cst.CSTNode, ref: Ref) -> None:
    """Let a list whose items are in arrays of their number have others."""
    if replacing.is_rows(ctx, node, ref):
        replacing.check_changeable(ctx, node, ref)
        grow(ctx, node, ref, containers.content(ctx, node, ref))
