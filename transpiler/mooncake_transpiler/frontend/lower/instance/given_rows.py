"""Lists of objects that are parameters and that the function assigns to: rows of a table.

    def step(bodies: list[Body]) -> float:      body_x[:n] = bodies_x
        for b in bodies:            becomes     for k in range(n):
            b.x += b.v                              body_x[k] += body_v[k]

The objects are the first rows of the table of their class. What their fields hold in the end goes
back to the caller's objects, of which no two may be the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.border.borders import CONTENT, flat
from mooncake_transpiler.border.paths import fields
from mooncake_transpiler.frontend.entities import ClassDecl, External
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.instance import tables
from mooncake_transpiler.frontend.lower.memory import ragged, storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import growable, growing, optional_items, rows
from mooncake_transpiler.frontend.lower.scalar.scalars import compute
from mooncake_transpiler.frontend.lower.scalar.text_types import inside
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import atoms, undefined
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand, Static
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.frontend.lower.state.tabled import ROW
from mooncake_transpiler.frontend.name import library_classes
from mooncake_transpiler.types import ClassRef, List, Opaque, StructKind, Tuple


@dataclass(frozen=True, slots=True)
class GivenRows:
    """The list at ``path`` of the parameters, whose objects are the first rows of a table.

    ``start``: the row of the first of its objects.
    """

    path: str
    cls: ClassDecl
    item: Tuple
    count: ir.Atom
    start: ir.Atom = ir.ZERO

    def assigned(self, ctx: Context) -> Iterator[str]:
        """The fields that are assigned, or arrays changed in place, of any object of the class."""
        deeds = ctx.heap.deeds
        for name in self.item.names or ():
            if (self.cls, name) in deeds.fields | deeds.written:
                yield name

    def has_changed(self, ctx: Context) -> bool:
        return any(True for _ in self.assigned(ctx))

    def is_in_place(self, ctx: Context, node: cst.CSTNode, name: str) -> bool:
        """True if arrays in the field are changed, false if it is assigned; refuse both."""
        deeds, field = ctx.heap.deeds, (self.cls, name)
        if field in deeds.fields & deeds.written:
            message = f"arrays in {name!r} are changed in place, and {name!r} is assigned, too"
            help_ = f"do one of them everywhere: p.{name} = p.{name} + ..., or p.{name}[:] = ..."
            raise ctx.refuse(node, "MK312", message, help_)
        return field in deeds.written

    def last(self, ctx: Context, node: cst.CSTNode, name: str) -> tuple[str, List, Operand]:
        """The path of the field ``name`` of all objects, its type, and a list of what it holds."""
        about = containers.growing(ctx, ctx.heap.tables[self.cls])
        end = compute(ctx, node, "add", (self.start, self.count))
        own = growable.about(growable.class_of(about), end, growable.ends(about))
        (found,) = growing.parts(ctx, own).items
        assert isinstance(found, Items)
        assert found.names is not None
        column = found.items[found.names.index(name)]
        if self.start != ir.ZERO:
            index = ir.Slice(self.start, end)
            column = ragged.changed(
                column,
                lambda one: storage.view(ctx, one, (index,)),
                lambda one: ragged.part(ctx, one, index),
            )
        places = zip(self.item.names or (), fields(self.item, f"{self.path}{CONTENT}"), strict=True)
        path, type_ = next((path, List(item)) for own, (path, item) in places if own == name)
        column = optional_items.as_column(column, inside(type_.item))
        held = Items((column,), cls=Held.ROWS, is_list=True)
        return path, type_, held


def taken(
    ctx: Context, node: cst.CSTNode, path: str, given: Ref, type_: List
) -> tuple[Ref, GivenRows] | None:
    """The list ``given`` as one of rows of a table; None if its items are no such objects."""
    item = type_.item
    if not isinstance(item, Tuple) or not (item.is_mutable or item.is_record) or item.of is None:
        return None
    cls = ctx.source.classes[item.of.module, item.of.name]
    cls = library_classes.of_items(ctx.source, cls)
    if not tables.is_tabled(ctx, cls):
        return None
    plan, fields = ctx.heap.plan, zip(item.names or (), item.items, strict=True)
    named = {name: inside(one) for name, one in fields if not isinstance(one, Opaque)}
    plan.opaque |= {(cls, name) for name in item.names or () if name not in named}
    if not all(map(optional_items.is_column, named.values())):
        raise plan.keep_out(cls, "a field of the caller's objects is no number and no array")
    tables.plan_for(plan, cls, {name: undefined(one) for name, one in named.items()})
    if plan.columns[cls] != named:
        raise plan.keep_out(cls, "the caller's objects have other fields")
    table = ctx.heap.tables[cls]
    about = containers.growing(ctx, table)
    if growable.count(about) != ir.ZERO:
        raise plan.keep_out(cls, "several parameters hold its objects")
    content = containers.content(ctx, node, given)
    ctx.heap.given_columns.update(columns(cls, content))
    count = containers.count(ctx, content)
    growing.refill(ctx, node, table, content)
    containers.forget(ctx, given)
    return _listed(ctx, path, cls, count), GivenRows(path, cls, item, count)


def columns(
    cls: ClassDecl, content: Items
) -> Iterator[tuple[tuple[ClassDecl, str], frozenset[ir.Atom]]]:
    """The arrays that hold each field of the objects in a list."""
    held = content.items[0]
    if isinstance(held, Items):
        for name, part in zip(held.names or (), held.items, strict=True):
            yield (cls, name), frozenset(atoms(part))


def _listed(ctx: Context, path: str, cls: ClassDecl, count: ir.Atom) -> Ref:
    """A list of the first ``count`` objects of a table."""
    arange = Static(External("numpy.arange"))
    numbers = delayed.settle(ctx, ctx.lower.call(ctx, cst.Call(cst.Name("_")), arange, (count,)))
    assert isinstance(numbers, ir.Value)
    ctx.memory.counting.add(numbers)  # no item of the list is replaced: the caller would see it
    of = ClassRef(cls.module, cls.name, StructKind.MUTABLE)
    return rows.new(ctx, Items((numbers,), (ROW,), cls.name, of), flat(path))
