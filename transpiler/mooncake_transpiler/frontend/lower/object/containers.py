"""Lists and dicts, as far as everything else has to know them.

Either is an object that can be changed (``Ref``) with a variable per item, and one that says which
there are: branches and loops treat items like any variables. Read together they are an ``Items``,
for a dict with names that stand for the keys. The items of a list that is only known by its length
at run time (``rows``) are in arrays; its content is of the kind ``ROWS``. What there is to say
about a list that grows (``growing``) is its length, of a kind that names its arrays; and about a
list in a pool (``pooled``) its number, of a kind that names the pool.

A list display is an ``Items`` with ``is_list`` until it is bound to something: ``owned`` then gives
it an identity.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TypeGuard

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, ClassKind, External
from mooncake_transpiler.frontend.lower.memory import ragged, storage
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import RESULT, cell, hint_of, is_cell_of
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import atom_of, atoms
from mooncake_transpiler.frontend.lower.state.operands import (
    Bound,
    Conflict,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.own_kinds import (
    Empty,
    Growing,
    Held,
    Pooled,
    PoolItem,
    Rowed,
    Tupled,
)
from mooncake_transpiler.frontend.lower.state.tabled import ROW, KeysNeeded
from mooncake_transpiler.reaching import closure
from mooncake_transpiler.types import ClassRef, DType, StructKind


def _built_in(name: str) -> ClassDecl:
    node = cst.ClassDef(cst.Name(name), cst.IndentedBlock([]))
    return ClassDecl("builtins", name, node, ClassKind.PLAIN)


LIST, TUPLE, DICT = _built_in("list"), _built_in("tuple"), _built_in("dict")
ITEMS = "items"
_DESCRIBING = (Held.ROWS, Held.SEARCHED, Held.RECORD)

METHODS = {
    "list": frozenset({
        "append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse",
        "sort",
    }),
    "tuple": frozenset({"count", "index"}),
    "dict": frozenset({
        "clear", "copy", "get", "items", "keys", "pop", "popitem", "setdefault", "update",
        "values",
    }),
}  # fmt: skip


def is_list(operand: object) -> TypeGuard[Ref]:
    """True for a list, and for a tuple of a length that the run tells."""
    return isinstance(operand, Ref) and operand.cls in (LIST, TUPLE)


def is_tuple(operand: object) -> TypeGuard[Ref]:
    """True for a tuple of a length that the run tells; it is kept as a list that stays."""
    return isinstance(operand, Ref) and operand.cls is TUPLE


def as_tuple(operand: Operand) -> Operand:
    """``operand``, a list that nobody else holds, as a tuple."""
    return replace(operand, cls=TUPLE) if is_list(operand) else operand


def is_dict(operand: object) -> TypeGuard[Ref]:
    return isinstance(operand, Ref) and operand.cls is DICT


def is_container(operand: object) -> TypeGuard[Ref]:
    return is_list(operand) or is_dict(operand)


def variable(ref: Ref, field: str = ITEMS) -> str:
    """The variable that holds an item of a list or dict, or what there is to say about all."""
    label = field.partition("_")[2] or field
    hint = ref.hint if field == ITEMS or not ref.hint else f"{ref.hint}_{label}"
    return cell(ref.key, field, hint)


def owned(ctx: Context, content: Items, hint: str = "") -> Ref:
    """A new list or dict with this content."""
    if isinstance(content.cls, Pooled) and content.cls.is_dict:
        listed = owned(ctx, replace(content, cls=Pooled(content.cls.items)), hint)
        content = Items((listed,), cls=Held.SEARCHED)
    cls = LIST if content.is_list or is_pooled(content) else DICT
    if content.cls == Held.ROWS and not content.is_list:
        cls, content = TUPLE, replace(content, is_list=True)
    elif isinstance(content.cls, Pooled) and content.cls.is_tuple:
        cls, content = TUPLE, replace(content, cls=Pooled(content.cls.items))
    ref = Ref(ctx.new_key(), cls, hint_of(hint), ctx.arms)
    store(ctx, ref, content)
    return ref


def store(ctx: Context, ref: Ref, content: Items) -> None:
    """``ref`` holds ``content`` from here on."""
    frame = ctx.frame
    forget(ctx, ref)
    if content.cls in _DESCRIBING or is_growing(content) or is_pooled(content):
        frame.bind(variable(ref), content)
        return
    for k, item in enumerate(content.items):
        frame.bind(variable(ref, _field(content.names, k)), item)
    labels = tuple(map(Static, content.names or map(str, range(len(content.items)))))
    cls = Held.LISTED if content.is_list else content.cls
    frame.bind(variable(ref), Items(labels, cls=cls, is_list=True))


def forget(ctx: Context, ref: Ref) -> None:
    """Drop what ``ref`` holds."""
    for name in [name for name in ctx.frame.values if is_cell_of(name, ref.key)]:
        del ctx.frame.values[name]


def _field(names: tuple[str, ...] | None, k: int) -> str:
    """Under which name item ``k`` is held."""
    if names is None:
        return str(k)
    return f"{k}_" + "".join(c if c.isalnum() else "_" for c in names[k])


def content(ctx: Context, node: cst.CSTNode, ref: Ref) -> Items:
    """The items that ``ref`` holds now, one by one or in arrays."""
    frame = ctx.frame
    about = frame.values.get(variable(ref))
    if not isinstance(about, Items) or not frame.is_bound(variable(ref)):
        raise _unknown(ctx, node, ref, about)
    if about.cls == Held.ROWS:
        if next(atoms(about), None) is None:  # rows that are kept in other ways on other paths
            raise _unknown(ctx, node, ref, None)
        return about
    if is_pooled(about):
        return from_pool(ctx, about)
    if about.cls == Held.RECORD:
        message = "which other keys this dict has is not known: it is a parameter"
        help_ = "look up its keys one by one, written out, and write to a dict of your own"
        raise ctx.refuse(node, "MK333", message, help_)
    if about.cls == Held.SEARCHED:
        message = "the keys of this dict are known at run time only"
        raise ctx.refuse(node, "MK333", message, "look up its keys, and loop over its items")
    if is_growing(about):
        message = "the items of this list are known at run time only, and so is their number"
        raise ctx.unroll(node, "MK331", message, "make an array of it: np.array(xs)")
    labels = [label.value for label in about.items if isinstance(label, Static)]
    names = tuple(label for label in labels if isinstance(label, str))
    if len(names) < len(about.items):
        raise _unknown(ctx, node, ref, about.items[0])
    named = names if is_dict(ref) else None
    items = [frame.values[variable(ref, _field(named, k))] for k in range(len(names))]
    for item in items:
        if isinstance(item, Conflict):
            message = f"an item of this {ref.cls.name} has no single type here: {item.reason}"
            raise ctx.unroll(node, "MK212", message)
    cls = None if about.cls == Held.LISTED else about.cls
    return Items(tuple(items), named, cls, None, is_list(ref))


def from_pool(ctx: Context, about: Items) -> Items:
    """A copy of the items of a list in a pool."""
    held = pool(ctx, about)
    items = storage.copy(ctx, ragged.element(ctx, held, number(about)))
    return Items((in_pool(about, items),), cls=Held.ROWS, is_list=True)


def pool(ctx: Context, about: Items) -> Items:
    """The spans and elements of all lists in the pool of a list."""
    table = growing(ctx, ctx.heap.pools[items_of(about)])
    held = ctx.heap.arrays_of(table)
    assert ragged.is_ragged(held)
    return held


def number(about: Items) -> ir.Atom:
    """The number of a list in its pool."""
    return atom_of(about)


def items_of(about: Items) -> PoolItem:
    """The items of a list in a pool: the name of that pool."""
    assert isinstance(about.cls, Pooled)
    return about.cls.items


def are_numbers(about: Items) -> bool:
    """True if the items of a list in a pool are numbers: no lists and no objects."""
    return isinstance(items_of(about), DType | Empty)


def in_pool(about: Items, number: ir.Atom) -> ir.Atom | Items:
    """The item of a list in a pool that ``number`` stands for: itself, a list, or an object."""
    match items_of(about):
        case Pooled() | Tupled() as items:
            return Items((number,), (ROW,), items)
        case Rowed(module=module, name=name):
            return Items((number,), (ROW,), name, ClassRef(module, name, StructKind.MUTABLE))
        case DType() | Empty():
            return number


def named_items(value: Items) -> PoolItem | None:
    """The items of a list in a pool that holds ``value``; None if it is told by no number."""
    if isinstance(value.cls, Pooled | Tupled):
        return value.cls
    if value.names != (ROW,) or value.of is None:
        return None
    return Rowed(value.of.module, value.of.name)


def is_pooled(operand: object) -> TypeGuard[Items]:
    """True if this is what there is to say about a list in a pool."""
    return isinstance(operand, Items) and isinstance(operand.cls, Pooled)


def names_of(values: Mapping[str, Operand], keys: Collection[str]) -> list[str]:
    """The variables that hold a list with one of these ``keys``."""
    return [name for name, one in values.items() if is_list(one) and one.key in keys]


def pooled(ctx: Context, ref: object) -> Items | None:
    """The number of ``ref``, if it is a list in a pool."""
    about = _described(ctx, ref) if is_list(ref) else None
    return _number_of(ref, about) if is_list(ref) and is_pooled(about) else None


def _number_of(ref: Ref, about: Items) -> Items:
    """``about``, the number of ``ref`` in a pool; it says so if that is a tuple."""
    return replace(about, cls=Pooled(items_of(about), is_tuple(ref))) if is_tuple(ref) else about


def _described(ctx: Context, ref: Ref) -> Items | None:
    """The description of ``ref``, if it has one here."""
    about = ctx.frame.values[variable(ref)] if ctx.frame.is_bound(variable(ref)) else None
    return about if isinstance(about, Items) else None


def numbered(values: Mapping[str, Operand], operand: Operand) -> Operand:
    """``operand`` with their numbers in place of lists in pools, where the variables are those."""
    about = values.get(variable(operand)) if is_container(operand) else None
    if is_list(operand) and is_pooled(about):
        return _number_of(operand, about)
    if is_dict(operand) and is_of_pairs(about):
        listed = numbered(values, about.items[0])
        if is_pooled(listed):
            return replace(listed, cls=Pooled(items_of(listed), is_dict=True))
    if isinstance(operand, Items):
        return replace(operand, items=tuple(numbered(values, item) for item in operand.items))
    return operand


def is_growing(about: Items) -> bool:
    return isinstance(about.cls, Growing)


def is_arrays(about: Items) -> bool:
    """True if the items of the list are in arrays."""
    return about.cls == Held.ROWS or is_growing(about)


def is_of_list(about: Items) -> bool:
    """True if this is what there is to say about a list."""
    return about.cls == Held.LISTED or is_arrays(about)


def arrays_in(ctx: Context, operand: Operand) -> Operand:
    """The arrays that hold the items of a list that grows; anything else as it is."""
    if isinstance(operand, Items) and is_growing(operand):
        return ctx.heap.arrays_of(operand)
    return operand


def grown(ctx: Context, ref: object) -> Items | None:
    """The description of ``ref``, if it is a list that grows."""
    about = _described(ctx, ref) if is_list(ref) else None
    return about if about is not None and is_growing(about) else None


def growing(ctx: Context, ref: Ref) -> Items:
    """The description of ``ref``, which is a list that grows."""
    found = grown(ctx, ref)
    assert found is not None
    return found


def is_of_pairs(about: object) -> TypeGuard[Items]:
    """True if this is what there is to say about a dict that is searched for its keys."""
    return isinstance(about, Items) and about.cls == Held.SEARCHED


def pairs(ctx: Context, ref: object) -> Ref | None:
    """The list of keys and values of a dict that is searched for its keys."""
    about = _described(ctx, ref) if is_dict(ref) else None
    if about is None or about.cls != Held.SEARCHED:
        return None
    found = about.items[0]
    return found if is_list(found) else None


def held(values: Mapping[str, Operand], ref: Ref) -> Items | None:
    """The items of the list ``ref`` where the variables are ``values``, if they are known."""
    about = values[variable(ref)]
    if not isinstance(about, Items) or about.cls != Held.LISTED:
        return about if isinstance(about, Items) else None
    names = (variable(ref, str(k)) for k in range(len(about.items)))
    items = tuple(numbered(values, values[name]) for name in names)
    return None if any(isinstance(i, Conflict) for i in items) else Items(items, is_list=True)


def _unknown(ctx: Context, node: cst.CSTNode, ref: Ref, found: Operand | None) -> Exception:
    """The refusal of a list or dict that differs between paths; such a dict may be searched."""
    if is_list(ref):
        ctx.heap.plan.note_rebound([ref.hint or RESULT])
    reason = found.reason if isinstance(found, Conflict) else "they differ between paths"
    help_ = "let all paths leave it as long as it was: begin with [0.0] * n"
    if is_list(ref) and ctx.heap.given:
        help_ += ", or with a copy if it may be the caller's: list(xs)"
    if ref.key in ctx.heap.rigid:
        reason = f"{reason}, and it can't grow: {ctx.heap.rigid[ref.key]}"
        help_ = "let its items be objects of one dataclass, or tuples: such a list grows"
    what = "length of this list is" if is_list(ref) else "keys of this dict are"
    refusal = ctx.unroll(node, "MK330", f"the {what} not known ahead of time: {reason}", help_)
    if is_list(ref) or ctx.unrollable or ref.key in ctx.heap.ambiguous:
        return refusal
    known = ctx.heap.made_at
    made_at = (known[key] for key in sorted(may_be(ctx, ref)) if key in known)
    open_ = next((node for node in made_at if node not in ctx.heap.plan.searched), None)
    return refusal if open_ is None else KeysNeeded(open_, refusal)


def may_be(ctx: Context, ref: Ref) -> set[str]:
    """The keys of the lists or dicts that ``ref`` may be, chosen by branches; its own is one."""
    return set(closure({ref.key}, lambda key: ctx.heap.parts.get(key, ())))


def length(ctx: Context, node: cst.CSTNode, ref: Ref) -> ir.Atom:
    ref = pairs(ctx, ref) or ref
    if (about := grown(ctx, ref)) is not None:
        return atom_of(about.items[0])
    if (of := pooled(ctx, ref)) is not None:
        return pooled_length(ctx, of)
    items = content(ctx, node, ref)
    return count(ctx, items) if items.cls == Held.ROWS else ir.int_const(len(items.items))


def pooled_length(ctx: Context, about: Items) -> ir.Atom:
    """The length of a list in a pool: 0 while it is not known what it gets."""
    if isinstance(items_of(about), Empty):
        return ir.ZERO
    spans, _ = ragged.memory_of(pool(ctx, about))
    found = ctx.builder.load(spans, (number(about), ir.ONE))
    ctx.numbers.naturals.add(found)
    return found


def count(ctx: Context, held: Items) -> ir.Atom:
    """The number of items of a list in arrays."""
    array = next(atoms(held), None)
    assert array is not None, "an item without a number in it"
    return storage.dim(ctx, array, 0)


def method(base: Operand, name: str) -> Operand | None:
    """``base.name`` of a list, dict or tuple."""
    match base:
        case Ref(cls=cls) if cls in (LIST, TUPLE, DICT):
            kind = cls.name
        case Items(names=None):
            kind = "list" if base.is_list else "tuple"
        case _:
            return None
    if name == "__getitem__":
        return Bound(Static(External("operator.getitem")), (base,))
    known = name in METHODS[kind]
    return Bound(Static(External(f"builtins.{kind}.{name}")), (base,)) if known else None
