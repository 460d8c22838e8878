"""Objects that refer to others of their class, as parameters: rows of a table, with links.

    def total(n: Node | None) -> float:     node_next[:count] = n_next
        s = 0.0                             at, there = 0, count > 0
        while n is not None:      becomes   while there:
            s += n.value                        s += node_value[at]
            n = n.next                          at, there = node_next[at], node_next[at] >= 0

All objects that can be reached from the one that is given are the first rows of the table of their
class; it is the first of them. Those of a second parameter follow. What their fields hold in the
end goes back to the caller's objects; their links stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Refused
from mooncake_transpiler.frontend.entities import ClassDecl, External, FunctionDecl, Source
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.failure import failing
from mooncake_transpiler.frontend.lower.instance import given_rows, tables
from mooncake_transpiler.frontend.lower.instance.given_rows import GivenRows
from mooncake_transpiler.frontend.lower.memory import ragged, storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import growing
from mooncake_transpiler.frontend.lower.scalar.scalars import compute
from mooncake_transpiler.frontend.lower.scalar.text_types import inside
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import FALSE, TRUE
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import atom_of, type_of, undefined
from mooncake_transpiler.frontend.lower.state.operands import Items, Maybe, Operand, Static
from mooncake_transpiler.frontend.lower.state.own_kinds import Held, Pooled, Rowed
from mooncake_transpiler.frontend.lower.state.tabled import ROW, Again, TablePlan, learn
from mooncake_transpiler.frontend.text.source import place_of
from mooncake_transpiler.types import INT, ClassRef, List, Opaque, StructKind, Tuple, Type, parts


@dataclass(frozen=True, slots=True)
class Linked:
    """The objects that are reached from the one at ``path``: ``count`` rows from ``start`` on."""

    path: str
    cls: ClassDecl
    item: Tuple
    content: Items
    start: ir.Atom
    count: ir.Atom


def first_plan(types: Iterable[Type]) -> TablePlan:
    """The plan to begin with for a function with parameters of these ``types``."""
    linked = [one for type_ in types for one in parts(type_) if isinstance(one, List) and one.links]
    pooling = any(isinstance(one, List) for of in linked for one in parts(of.item))
    return TablePlan(is_wanted=bool(linked), is_pooling=pooling)


def given(
    ctx: Context, node: cst.CSTNode, type_: List, listed: Ref, path: str, known: dict[str, Linked]
) -> Operand:
    """The object at ``path``, or None, of those in ``listed``; these are ``known`` from here on."""
    item = type_.item
    assert isinstance(item, Tuple)
    assert item.of is not None
    cls = ctx.source.classes[item.of.module, item.of.name]
    content = containers.content(ctx, node, listed)
    containers.forget(ctx, listed)
    others = [one for one in known.values() if one.cls is cls]
    start = compute(ctx, node, "add", (others[-1].start, others[-1].count)) if others else ir.ZERO
    count = containers.count(ctx, content)
    known[path] = Linked(path, cls, item, content, start, count)
    if not type_.may_be_none:
        return _row(cls, start)
    there = compute(ctx, node, "gt", (count, ir.ZERO))
    return Maybe(there, _row(cls, start))


def _row(cls: ClassDecl, at: ir.Atom) -> Items:
    return Items((at,), (ROW,), cls.name, ClassRef(cls.module, cls.name, StructKind.MUTABLE))


def tabulate(ctx: Context, node: cst.CSTNode, known: Mapping[str, Linked]) -> Iterator[GivenRows]:
    """Put the objects into the tables of their classes, which are there for them."""
    for cls in dict.fromkeys(one.cls for one in known.values()):
        own = [one for one in known.values() if one.cls is cls]
        _plan(ctx, node, own)
        columns = [_columns(ctx, node, one) for one in own]
        content = columns[0] if len(own) == 1 else _joined(ctx, node, own, columns)
        ctx.heap.given_columns.update(given_rows.columns(cls, content))
        growing.refill(ctx, node, ctx.heap.tables[cls], content)
        yield from (GivenRows(one.path, cls, one.item, one.count, one.start) for one in own)


def _plan(ctx: Context, node: cst.CSTNode, own: list[Linked]) -> None:
    """Check that the table can hold the fields of the objects; refuse what none can hold."""
    plan, (first, *_) = ctx.heap.plan, own
    cls, item = first.cls, first.item
    if not tables.is_tabled(ctx, cls):
        why = plan.kept_out.get(cls, "objects are made that all calls share")
        message = f"{first.path} is of the class {cls.name}, which contains itself: {why}"
        help_ = f"pass the numbers in arrays, or make the objects of {cls.name} in the function"
        raise ctx.refuse(node, "MK320", message, help_)
    fields = dict(zip(item.names or (), item.items, strict=True))
    opaque = {name for name, type_ in fields.items() if isinstance(type_, Opaque)}
    plan.opaque |= {(cls, name) for name in opaque}
    if any(_list_links(item)):
        _plan_pool(ctx, node, own)
    named = {
        name: _link_type(cls, type_) if name in item.links else inside(type_)
        for name, type_ in fields.items()
        if name not in opaque
    }
    tables.plan_for(plan, cls, {name: undefined(type_) for name, type_ in named.items()})
    if plan.columns[cls] != named:
        raise plan.keep_out(cls, "a field is assigned what is of another type")


def _link_type(cls: ClassDecl, field: Type) -> Type:
    """The type of a column of objects, or None, or of the numbers of lists of these."""
    one: Operand = Maybe(FALSE, _row(cls, ir.ZERO))
    if isinstance(field, List):
        one = Items((ir.ZERO,), (ROW,), Pooled(Rowed(cls.module, cls.name)))
    found = type_of(one)
    assert found is not None
    return found


def _plan_pool(ctx: Context, node: cst.CSTNode, own: Sequence[Linked]) -> None:
    """Check that there is a pool for the lists of objects in fields."""
    plan, cls = ctx.heap.plan, own[0].cls
    items = Rowed(cls.module, cls.name)
    message = f"{own[0].path} has lists of objects of its class {cls.name}, and"
    learn(plan.pools, items, Again)
    for name in _list_links(own[0].item):  # empty ones of objects that the function makes, too
        if plan.empty.setdefault(tables.place_of(cls, name), items) != items:
            raise ctx.refuse(node, "MK320", f"{message} others are put into such lists")
    if len(own) > 1:
        raise ctx.refuse(node, "MK320", f"{message} so has {own[1].path}", "pass one of them")
    if items in plan.resized:
        message = f"{message} lists of such objects get longer in the function"
        raise ctx.refuse(node, "MK320", message, "make a new list: [*node.children, another]")


def _fill_pool(ctx: Context, node: cst.CSTNode, of: Linked, lists: Operand) -> Operand:
    """Put the ``lists`` of objects in fields into their pool; their numbers there."""
    pool = ctx.heap.pools[Rowed(of.cls.module, of.cls.name)]
    assert isinstance(lists, Items)
    growing.refill(ctx, node, pool, lists)
    return _called(ctx, "numpy.arange", of.count)


def _columns(ctx: Context, node: cst.CSTNode, of: Linked) -> Items:
    """The columns of the table for these objects: what links refer to may be None."""
    (held,) = of.content.items
    assert isinstance(held, Items)
    parts: list[Operand] = []
    for name, part in zip(held.names or (), held.items, strict=True):
        if name not in of.item.links:
            parts.append(part)
            continue
        if isinstance(part, Items):
            parts.append(_fill_pool(ctx, node, of, part))
            continue
        there = ctx.lower.compare(ctx, node, cst.GreaterThanEqual(), part, ir.ZERO)
        is_first = of.start == ir.ZERO
        at = part if is_first else ctx.lower.binary(ctx, node, cst.Add(), part, of.start)
        parts.append(Items((delayed.settle(ctx, there), delayed.settle(ctx, at))))
    return replace(of.content, items=(replace(held, items=tuple(parts)),))


def _joined(
    ctx: Context, node: cst.CSTNode, own: Sequence[Linked], columns: Sequence[Items]
) -> Items:
    """The ``columns`` of all parameters, one behind the other."""

    def join(parts: Sequence[Operand]) -> Operand:
        first = parts[0]
        if ragged.is_ragged(first):
            paths = " and ".join(one.path for one in own)
            message = f"{paths} are of one class that contains itself, and have arrays"
            raise ctx.refuse(node, "MK320", message, "pass one of them alone, or no arrays in them")
        if isinstance(first, Items):
            inner = [[part.items[k] for part in parts if isinstance(part, Items)]
                     for k in range(len(first.items))]  # fmt: skip
            return replace(first, items=tuple(map(join, inner)))
        if not isinstance(first, ir.Value):
            return first
        return _called(ctx, "numpy.concatenate", Items(tuple(parts)))

    return replace(columns[0], items=(join([one.items[0] for one in columns]),))


def last_links(
    ctx: Context, node: cst.CSTNode, given: GivenRows, name: str
) -> tuple[str, List, Operand]:
    """The path of the links ``name``, their type, and a list of what they refer to in the end.

    That is the number of another object that is reached from the parameter: else a ValueError.
    """
    fields = dict(zip(given.item.names or (), given.item.items, strict=True))
    if isinstance(fields[name], List):
        message = f"{name!r} of objects of {given.cls.name} is assigned, and {given.path} has some"
        raise ctx.refuse(node, "MK361", message, f"leave {name!r} as it is, and make new objects")
    path, _, held = given.last(ctx, node, name)
    assert isinstance(held, Items)
    (pair,) = held.items
    assert isinstance(pair, Items)
    there, at = pair.items
    end = compute(ctx, node, "add", (given.start, given.count))
    inside = ctx.lower.compare(ctx, node, cst.LessThan(), at, end)
    if given.start != ir.ZERO:
        behind = ctx.lower.compare(ctx, node, cst.GreaterThanEqual(), at, given.start)
        inside = ctx.lower.binary(ctx, node, cst.BitAnd(), inside, behind)
        at = ctx.lower.binary(ctx, node, cst.Subtract(), at, given.start)
    fine = atom_of(_called(ctx, "numpy.all", _called(ctx, "numpy.where", there, inside, TRUE)))
    text = f"parameter {given.path}: {name!r} is assigned an object that is not reached from it"
    failing.require(ctx, node, fine, text, "ValueError")
    numbers = _called(ctx, "numpy.where", there, at, ir.int_const(-1))
    return path, List(INT), Items((numbers,), cls=Held.ROWS, is_list=True)


def _called(ctx: Context, name: str, *args: Operand) -> Operand:
    """The value of a function of NumPy."""
    found = ctx.lower.call(ctx, cst.Call(cst.Name("_")), Static(External(name)), args)
    return delayed.settle(ctx, found)


def check_lists(ctx: Context, node: cst.CSTNode, known: Mapping[str, Linked]) -> None:
    """Check at run time that lists in fields of the caller's objects are as they were, if need be.

    Other lists of such objects are in the same pool, so which ones change is not known here.
    """
    for one in known.values():
        pool = ctx.heap.pools.get(Rowed(one.cls.module, one.cls.name))
        if not _list_links(one.item) or pool is None or pool.key not in ctx.heap.deeds.changed:
            continue
        about = containers.growing(ctx, pool)
        arrays = ctx.heap.arrays_of(about)
        assert isinstance(arrays, Items)
        memory = ragged.memory_of(arrays)
        text = f"parameter {one.path}: lists of its objects are changed, which is not supported"
        for array, old in zip(memory, _given_lists(one), strict=True):
            now = storage.view(ctx, array, (ir.Slice(None, storage.dim(ctx, old, 0)),))
            same = atom_of(_called(ctx, "numpy.array_equal", now, old))
            failing.require(ctx, node, same, text, "ValueError")


def _given_lists(of: Linked) -> tuple[ir.Value, ir.Value]:
    """The places of the lists of objects, and what they hold."""
    (held,) = of.content.items
    assert isinstance(held, Items)
    (name,) = _list_links(of.item)
    lists = held.items[(held.names or ()).index(name)]
    assert isinstance(lists, Items)
    (found,) = lists.items
    assert isinstance(found, Items)
    return ragged.memory_of(found)


def _list_links(item: Tuple) -> list[str]:
    """The links that are lists of objects."""
    fields = zip(item.names or (), item.items, strict=True)
    return [name for name, type_ in fields if name in item.links and isinstance(type_, List)]


# ---- what is refused ----------------------------------------------------------------------------


def root_assigned(ctx: Context, node: cst.CSTNode, path: str) -> Refused:
    """The refusal of a function that puts another object at ``path``."""
    message = f"{path} is assigned, whose objects are linked to each other"
    return ctx.refuse(node, "MK361", message, "assign to a variable, and leave the field as it is")


def unlearnt(source: Source, decl: FunctionDecl) -> Refused:
    """The refusal of a function whose objects are of other types each time that it is lowered."""
    message = f"{decl.name}: the types of the fields of its objects can't be told"
    return Refused(Diagnostic("MK320", message, place_of(source, decl)))
