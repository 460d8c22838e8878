"""Lists in lists whose identity only the run tells: they are numbers, their items in a pool.

    t.append([x] * n)                  pool[p : p + n] = x
    t[i], t[j] = t[j], t[i]            spans[r] = p, n
    t[i][k] = y              becomes   t[m] = r
                                       t[i], t[j] = t[j], t[i]
                                       pool[spans[t[i], 0] + k] = y

Two names of one list are two equal numbers, as with objects in tables (``instance/tables.py``):
lists hold such lists as they hold numbers, branches choose one, loops carry one. A list goes into
the pool when it is put into another one, and whoever holds it sees it there from then on. Its items
can be replaced, its length can't. There is one pool for each type of items (``TablePlan``): a list
of arrays that grows, which nothing else can see, and from which nothing is removed.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import arrays, delayed
from mooncake_transpiler.frontend.lower.failure import failing, numbers
from mooncake_transpiler.frontend.lower.memory import ragged, storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import (
    growing,
    item_kinds,
    items_later,
    replacing,
    rows,
    tuples,
)
from mooncake_transpiler.frontend.lower.scalar.scalars import (
    cast,
    compute,
    dtype,
    is_scalar,
    loses,
    promote,
)
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import describe, name_of
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Cut, Elements, Items, Operand
from mooncake_transpiler.frontend.lower.state.own_kinds import (
    Empty,
    Held,
    Pooled,
    PoolItem,
    Ragged,
    Rowed,
    Tupled,
    text_of,
)
from mooncake_transpiler.frontend.lower.state.tabled import ROW, Again, learn
from mooncake_transpiler.types import BOOL, INT, Array, DType, Scalar

FLAT = frozenset(Array(dtype, 1) for dtype in DType)
BY_NUMBER = "append the arrays to one list, and take them by their number: xs[k]"


def begin(ctx: Context) -> None:
    """Make the pools of the plan: they are empty."""
    tuples.begin(ctx)
    for items in sorted(ctx.heap.plan.pools, key=text_of):
        is_resized = items in ctx.heap.plan.resized
        if (known := ctx.heap.pools.get(items)) and ctx.heap.is_handed(known):
            continue
        pool = growing.empty(ctx, array_of(items), [None], "pool", spare=is_resized)
        ctx.heap.pools[items] = pool


def array_of(items: PoolItem) -> Array:
    """The type of a list in a pool, as an array."""
    return Array(_kept_as(items), 1)


def _kept_as(items: PoolItem) -> DType:
    """The dtype of a pool; lists that nothing is put into may as well hold floats."""
    match items:
        case Pooled() | Rowed() | Tupled():
            return INT.dtype
        case Empty():
            return DType.FLOAT64
        case DType():
            return items


def item(ctx: Context, node: cst.CSTNode, value: Operand, place: str = "") -> Operand:
    """``value`` as an item of a list: a list goes into a pool, if that is the plan.

    So do the lists in a tuple. ``place``: where empty lists are put that are all of one type, if
    that is not the statement.
    """
    plan = ctx.heap.plan
    if isinstance(value, Items) and not value.is_list:
        kept = tuple(item(ctx, node, part) for part in value.items)
        is_same = all(map(operator.is_, kept, value.items))
        return value if is_same else replace(value, items=kept)
    if containers.is_dict(value):
        note_record(ctx, value)
        if is_searched(ctx, value):
            _adopt_dict(ctx, node, value)
    if not containers.is_list(value) and not (isinstance(value, Items) and value.is_list):
        return value
    plan.has_inner_lists = True
    if not plan.is_pooling or plan.is_sharing:
        return value
    ref = delayed.settle(ctx, value)
    assert containers.is_list(ref)
    place = place or _place_of(ctx)
    _adopt(ctx, node, ref, plan.empty.get(place, Empty(place)))
    return ref


def is_searched(ctx: Context, value: Operand) -> bool:
    """True for a dict whose keys the run tells, and for one without any: it may get such."""
    about = ctx.frame.values.get(containers.variable(value)) if containers.is_dict(value) else None
    if not isinstance(about, Items):
        return False
    return about.cls == Held.SEARCHED or (about.cls == "dict" and not about.items)


def _adopt_dict(ctx: Context, node: cst.CSTNode, ref: Ref) -> None:
    """Let the pairs of a dict that is searched for its keys be in a pool, if that is the plan."""
    plan, pairs = ctx.heap.plan, containers.pairs(ctx, ref)
    plan.has_inner_lists = True
    if not plan.is_pooling or plan.is_sharing:
        return
    if pairs is None:
        raise plan.learn_searched(ctx.heap.made_at[ref.key])
    place = _place_of(ctx)
    _adopt(ctx, node, pairs, plan.empty.get(place, Empty(place)))
    if (of := containers.pooled(ctx, pairs)) is not None:
        plan.note_default(containers.items_of(of), ctx.heap.factories.get(ref.key, NOTHING))


def note_record(ctx: Context, value: Ref) -> None:
    """Note that a list gets the dict ``value``, whose keys are known."""
    made_at = ctx.heap.made_at.get(value.key)
    about = ctx.frame.values.get(containers.variable(value))
    if made_at is not None and isinstance(about, Items) and about.cls == "dict":
        ctx.heap.plan.note_record(made_at)


def bound(ctx: Context, node: cst.CSTNode, name: str, value: Operand) -> Operand:
    """``value`` as what is held by a variable or field ``name``, of which the plan tells.

    Several lists are bound to it (``TablePlan.rebound``), which are in one pool.
    """
    plan = ctx.heap.plan
    place = plan.rebound[name]
    found = item(ctx, node, value, place)
    of = containers.pooled(ctx, found)
    if of is None:
        return found
    items, known = containers.items_of(of), plan.empty.get(place)
    if isinstance(items, Empty) and known is not None:
        raise plan.learn_empty(items.place, known)
    if not isinstance(items, Empty) and known is None:
        raise plan.learn_empty(place, items)
    return found


def join(ctx: Context, ref: Ref, of: Items) -> bool:
    """Let ``ref`` be in the pool of the list ``of`` from here on; False if it can't be."""
    items = containers.items_of(of)
    _adopt(ctx, cst.Pass(), ref, items)
    own = containers.pooled(ctx, ref)
    if own is None or items == containers.items_of(own):
        return own is not None
    ctx.heap.plan.meet(items, containers.items_of(own))
    return False


def _adopt(ctx: Context, node: cst.CSTNode, ref: Ref, empty: PoolItem) -> None:
    """Let the items of ``ref`` be in a pool from here on, if they are of one type.

    ``empty``: the pool for it where it has no items.
    """
    is_seen = ref.key in ctx.heap.given and not containers.is_tuple(ref)  # by the caller
    if is_seen or ref.key in ctx.heap.in_tables:  # copies of parameters are not
        ctx.heap.plan.note_rebound([ref.hint] if is_seen else ctx.heap.given_rows)
    is_open = not is_seen and ref.key not in ctx.heap.ambiguous
    if not is_open or containers.pooled(ctx, ref) is not None:
        return
    found = _items(ctx, node, ref, empty)
    if found is None:
        return
    plan = ctx.heap.plan
    array, items = found
    learn(plan.pools, items, Again)
    replacing.check_changeable(ctx, node, ref)
    item_kinds.moved(ctx, array, _kept_as(items))
    number = growing.added(ctx, node, ctx.heap.pools[items], array)
    made = Items((number,), (ROW,), Pooled(items))
    if items in plan.resized:
        spans, _ = ragged.memory_of(containers.pool(ctx, made))
        ctx.builder.store(spans, (number, ir.int_const(2)), storage.dim(ctx, array, 0))
    containers.store(ctx, ref, made)


def _items(
    ctx: Context, node: cst.CSTNode, ref: Ref, empty: PoolItem
) -> tuple[ir.Value, PoolItem] | None:
    """The items of ``ref`` in an array, and what they are: numbers, or lists by their numbers."""
    held = growing.content(ctx, node, ref)
    if held.cls == Held.ROWS:
        array, inner = _bare(ctx, node, rows.leaves(held))
        if not isinstance(array, ir.Value):
            return tuples.put_all(ctx, node, held)
        if array.type not in FLAT:
            return None
        return array, inner or ir.dtype_of(array)
    if not held.items:
        return item_kinds.made(ctx, storage.alloc(ctx, _kept_as(empty), (ir.ZERO,), None)), empty
    parts = [_bare(ctx, node, item) for item in held.items]
    inners = {inner for _, inner in parts}
    atoms = [atom for atom, _ in parts if is_scalar(atom)]
    if len(inners) != 1 or len(atoms) != len(parts):
        return None
    common = promote(atoms)
    if any((atom.type == BOOL) != (common is DType.BOOL) for atom in atoms):
        return None
    array = item_kinds.made(ctx, storage.alloc(ctx, common, (ir.int_const(len(atoms)),), None))
    for k, atom in enumerate(atoms):
        item_kinds.put(ctx, atom, common)
        ctx.builder.store(array, (ir.int_const(k),), cast(ctx, atom, Scalar(common)))
    return array, inners.pop() or common


def _place_of(ctx: Context) -> str:
    """The place of the statement that is lowered, in the program."""
    origin = ctx.builder.origin
    assert origin is not None
    return f"{origin.line}:{origin.col} {origin.path}"


def _bare(ctx: Context, node: cst.CSTNode, item: Operand) -> tuple[Operand, PoolItem | None]:
    """``item``; or the number of a list or object, and what it is."""
    kept = tuples.parts(containers.numbered(ctx.frame.values, item))
    if isinstance(kept, Items) and (items := containers.named_items(kept)) is not None:
        return containers.number(kept), items
    if tuples.is_possible(kept):
        named = tuples.named(ctx, kept)
        return tuples.put(ctx, node, named, kept) or kept, named
    return kept, None


# ---- all at once --------------------------------------------------------------------------------


def spread(ctx: Context, held: Items) -> Items:
    """A list whose items are in arrays, with copies of inner lists in place of their numbers."""
    of = containers.items_of(held) if containers.is_pooled(held) else None
    if isinstance(of, DType | Empty | Tupled):
        spans, elements = ragged.memory_of(containers.pool(ctx, held))
        found = ragged.spans_at(ctx, spans, containers.number(held), 2)
        items = ragged.packed(ctx, Items((found, elements), cls=Ragged(1)))
        row = tuples.spread_rows(ctx, items, of) if isinstance(of, Tupled) else items
        made = Items((row,), cls=Held.ROWS, is_list=True)
        is_dict = isinstance(held.cls, Pooled) and held.cls.is_dict
        return Items((made,), cls=Held.SEARCHED) if is_dict else made
    if ragged.is_ragged(held):
        return held
    parts = (spread(ctx, part) if isinstance(part, Items) else part for part in held.items)
    return replace(held, items=tuple(parts))


# ---- reading and writing ------------------------------------------------------------------------


def read(ctx: Context, node: cst.CSTNode, of: Items, key: Operand) -> Operand:
    """``xs[key]``; of a slice a new list."""
    if isinstance(key, Cut):
        held = rows.new(ctx, rows.leaves(containers.from_pool(ctx, of)))
        return rows.item(ctx, node, containers.content(ctx, node, held), key)
    return at(ctx, of, _place(ctx, node, of, key, "list index out of range"))


def _place(ctx: Context, node: cst.CSTNode, of: Items, key: Operand, text: str) -> ir.Atom:
    return growing.within(ctx, node, Items((containers.pooled_length(ctx, of),)), key, text)


def at(ctx: Context, of: Items, index: ir.Atom, hint: str = "") -> Operand:
    """The item at ``index``, which is there."""
    found = arrays.element(ctx, _elements(ctx, of), (_position(ctx, of, index),), hint)
    item_kinds.taken(ctx, _elements(ctx, of), found)
    item = containers.in_pool(of, found)
    if isinstance(item, Items) and isinstance(item.cls, Tupled):
        return tuples.read(ctx, item.cls, found)
    return containers.owned(ctx, item, hint) if containers.is_pooled(item) else item


def _elements(ctx: Context, of: Items) -> ir.Value:
    return ragged.memory_of(containers.pool(ctx, of))[1]


def _position(ctx: Context, of: Items, index: ir.Atom) -> ir.Atom:
    """The place of the item at ``index`` among the elements of the pool."""
    spans, _ = ragged.memory_of(containers.pool(ctx, of))
    start = ctx.builder.load(spans, (containers.number(of), ir.ZERO))
    return ctx.builder.compute("add", (start, index), INT)


def write(ctx: Context, node: cst.CSTNode, of: Items, key: Operand, value: Operand) -> None:
    """``xs[key] = value``."""
    if isinstance(key, Cut):
        message = "slices with a step of an item of another list can't be assigned to"
        raise ctx.refuse(node, "MK317", message, "assign to its items one by one")
    number = number_for(ctx, node, of, value)
    at = _place(ctx, node, of, key, "list assignment index out of range")
    ctx.heap.change_lists(containers.items_of(of))
    ctx.builder.store(_elements(ctx, of), (_position(ctx, of, at),), number)


def number_for(ctx: Context, node: cst.CSTNode, of: Items, value: Operand) -> ir.Atom:
    """The number that stands for ``value`` in a list: ``value`` itself, or its place elsewhere."""
    type_ = Scalar(ir.dtype_of(_elements(ctx, of)))
    items = containers.items_of(of)
    kept = tuples.parts(containers.numbered(ctx.frame.values, delayed.settle(ctx, value)))
    if isinstance(items, Empty) and (found := _name(ctx, kept)) is not None:
        raise ctx.heap.plan.learn_empty(items.place, found)
    if isinstance(kept, Items) and containers.named_items(kept) == items:
        return containers.number(kept)
    if isinstance(items, Tupled) and tuples.is_possible(kept):
        at = tuples.put(ctx, node, items, kept)
        if at is not None:
            return at
    tuples.note_kinds(ctx, items, kept)
    if isinstance(kept, Items) or delayed.is_array(kept) or not containers.are_numbers(of):
        message = f"this list, one of several in a list or variable, can't hold {describe(value)}"
        help_ = BY_NUMBER if delayed.is_array(kept) else "let all items have one type"
        raise ctx.refuse(node, "MK370", message, help_)
    number = numbers.as_scalar(ctx, node, kept)
    item_kinds.put(ctx, number, type_.dtype)
    items_later.learn_number(ctx, node, None, type_.dtype, number)
    if loses(number, type_) or (number.type == BOOL) != (type_.dtype is DType.BOOL):
        _widen(ctx, type_, number)
        message = f"this list, which is an item of another one, can't hold {describe(number)}"
        raise ctx.refuse(node, "MK370", message, "begin with floats: [0.0] * n")
    return cast(ctx, number, type_)


def _name(ctx: Context, value: Operand) -> PoolItem | None:
    """The pool of lists that hold ``value``."""
    if isinstance(value, Items):
        found = containers.named_items(value)
        is_tuple = found is None and tuples.is_possible(value)
        return tuples.named(ctx, value) if is_tuple else found
    return dtype(value) if is_scalar(value) else None


def _widen(ctx: Context, old: Scalar, number: ir.Atom) -> None:
    """Let lists that begin without items hold what ``number`` is, if they held numbers."""
    plan, wider = ctx.heap.plan, dtype(number)
    places = [place for place, items in plan.empty.items() if items == old.dtype]
    if places and BOOL not in (old, number.type):
        plan.empty.update(dict.fromkeys(places, wider))
        raise Again


def elements(ctx: Context, node: cst.CSTNode, of: Items, what: str = "list") -> Elements:
    """To iterate over: the items as they are when their turn comes; ``what`` it is that has them.

    There are none while no item is known that a list of this place gets (``number_for``).
    """
    size = containers.pooled_length(ctx, of)
    if isinstance(containers.items_of(of), Empty):
        return Elements(ir.ZERO, lambda k, hint: at(ctx, of, k, name_of(hint)), 0)
    if containers.items_of(of) not in ctx.heap.plan.resized:
        return Elements(size, lambda k, hint: at(ctx, of, k, name_of(hint)))

    def check() -> None:
        same = compute(ctx, node, "eq", (size, containers.pooled_length(ctx, of)))
        failing.require(ctx, node, same, f"{what} changed size during iteration", "RuntimeError")

    def checked(k: ir.Atom, hint: object) -> Operand:
        check()
        return at(ctx, of, k, name_of(hint))  # type: ignore[arg-type]

    return Elements(size, checked, None, check)
