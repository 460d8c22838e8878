"""Recursive functions that are given objects in tables: the columns of these become parameters.

    def total(t):                               def total(t, tree_value, tree_left):
        if t is None:                               if t < 0:
            return 0.0                     ->           return 0.0
        return t.value + total(t.left)              return tree_value[t] + total(tree_left[t], ...)

The tables are the caller's: their numbers can be changed, and no object can be added. The lists
that columns refer to come with them, as the arrays of their pool.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.border.border_types import has_mutable, structs
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Refused
from mooncake_transpiler.frontend.entities import FunctionDecl, ParamDecl, Source
from mooncake_transpiler.frontend.lower.call import lifted, making_objects
from mooncake_transpiler.frontend.lower.memory import ragged, storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import growable, item_kinds
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import FALSE, TRUE
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.known import Callee
from mooncake_transpiler.frontend.lower.state.leaves import atoms, type_of
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Items, Maybe, Operand, Static
from mooncake_transpiler.frontend.lower.state.own_kinds import (
    Growing,
    Pooled,
    PoolItem,
    PoolOf,
    Rowed,
    RowOf,
    TableOf,
    Tupled,
    text_of,
)
from mooncake_transpiler.frontend.lower.state.tabled import ROW, ColumnsNeeded, GrowthNeeded, is_row
from mooncake_transpiler.frontend.lower.state.tabled import label as label_of
from mooncake_transpiler.frontend.lower.state.whose import Whose
from mooncake_transpiler.frontend.text.source import place_of
from mooncake_transpiler.frontend.text.trees import walk
from mooncake_transpiler.types import ClassRef, Scalar, StructKind, Type, leaves

WAY_OUT = "write a loop, with a list of what is next"


def _is_table(value: Operand) -> bool:
    """True for the arrays of a table or pool, as a function is given them."""
    return isinstance(value, Items) and isinstance(value.cls, TableOf | PoolOf)


def call(
    ctx: Context, node: cst.Call, decl: FunctionDecl, bound: Mapping[str, Operand]
) -> Operand | None:
    """The call of ``decl``, which calls itself, as a function; None if it has no objects."""
    if any(type_of(value) is None for value in bound.values()):
        return None
    state, classes = ctx.functions.over_tables, list(filter(None, map(_class_of, bound.values())))
    makes = making_objects.makes(ctx, decl, classes)
    if makes:
        making_objects.check_loops(ctx, node)
        classes += making_objects.known(ctx, decl)
    held = _held(ctx, classes, grows=makes) if classes or makes else None
    if held is None:
        return None
    other = next(iter(classes or (making_objects.classes(ctx.source, decl) if makes else ())), None)
    given = {name: _as_row(value, other) for name, value in bound.items()}
    rows = frozenset(name for name in given if given[name] is not bound[name])
    inside = {one.value for one in walk(decl.node) if isinstance(one, cst.Name)}
    tables_ = {lifted.unused(f"_{name}", inside): value for name, value in held.items()}
    if makes:  # it is another function, even without any table
        tables_[lifted.unused("_made", inside)] = Items(())
    made = _function(ctx, decl, tuple(tables_), rows)
    state.makers |= {made.node} if makes else set()
    try:
        found = ctx.lower.call(ctx, node, Static(made), (), {**given, **tables_})
    except ColumnsNeeded as needed:
        raise making_objects.learn(ctx, node, needed) from None
    except GrowthNeeded:
        if decl.node in state.makers:
            raise _growing(ctx, node, decl) from None
        state.makers.add(decl.node)
        return call(ctx, node, decl, bound)
    found = making_objects.taken_back(ctx, node, held, found) if makes else found
    of = state.gives.get(made.node)
    return found if of is None or found == NOTHING else _row(of, *atoms(found))


def _growing(ctx: Context, node: cst.CSTNode, decl: FunctionDecl) -> Exception:
    """The exception where ``decl`` makes objects in tables that can't grow here.

    The function around must make objects, too, but not beside objects that Python has given.
    """
    around = (ctx.callers[0] if ctx.callers else ctx.frame).decl
    if around is not None and is_made(ctx, around):
        return GrowthNeeded()
    message = f"{decl.name}, which is recursive, makes objects beside those of the caller"
    return ctx.refuse(node, "MK304", message, "begin with an object that the function makes")


def is_made(ctx: Context, decl: FunctionDecl) -> bool:
    """True for a function that is given tables."""
    return any(decl.node is one.node for one in ctx.functions.over_tables.made.values())


def is_known(ctx: Context, decl: FunctionDecl) -> bool:
    """True if ``decl`` has been called so before."""
    return any(node is decl.node for node, _ in ctx.functions.over_tables.made)


def seen(bound: Mapping[str, Operand]) -> Iterator[Operand]:
    """The arguments but for tables."""
    return (value for value in bound.values() if not _is_table(value))


def changed(source: Source, decl: FunctionDecl) -> Refused:
    """A refusal: ``decl`` would need tables that its caller does not have."""
    message = f"{decl.name}, which is recursive, gives objects fields of other types"
    return Refused(Diagnostic("MK304", message, place_of(source, decl), WAY_OUT))


def note_written(ctx: Context, node: cst.CSTNode, callee: Callee, array: ir.Atom) -> None:
    """Note the field of objects that a function changes which is given ``array``."""
    if array not in ctx.heap.shown_columns or callee.writes is None:
        return
    cls, name, key = ctx.heap.shown_columns[array]
    column = ctx.heap.plan.columns[cls].get(name)
    if column is None or not all(isinstance(leaf, Scalar) for leaf in leaves(column)):
        message = f"a recursive function can't change {name!r} of objects: it is no number"
        raise ctx.refuse(node, "MK304", message, WAY_OUT)
    ctx.heap.deeds.fields.add((cls, name))
    ctx.heap.deeds.changed.add(key)


def _class_of(value: Operand) -> ClassRef | None:
    """The class of an object in a table, or of what may be one."""
    inner = value.value if isinstance(value, Maybe) else value
    return inner.of if isinstance(inner, Items) and is_row(inner) else None


def _as_row(value: Operand, other: ClassRef | None) -> Operand:
    """An object in a table as a function is given it; any other value as it is.

    None may be an object of the class ``other`` in another call.
    """
    if value == NOTHING and other is not None:
        return Items((FALSE, ir.ZERO), ("there", "number"), RowOf(other))
    of = _class_of(value)
    if of is None:
        return value
    there = value.there if isinstance(value, Maybe) else TRUE
    (number,) = atoms(value.value if isinstance(value, Maybe) else value)
    return Items((there, number), ("there", "number"), RowOf(of))


def _function(
    ctx: Context, decl: FunctionDecl, names: tuple[str, ...], rows: frozenset[str]
) -> FunctionDecl:
    """``decl`` with parameters ``names`` behind its own, of which ``rows`` are objects."""
    known, key = ctx.functions.over_tables.made, (decl.node, (*sorted(rows), *names))
    if key not in known:
        own = decl.node.params
        more = [cst.Param(cst.Name(name)) for name in names]
        kwonly = (*own.kwonly_params, *more)
        made = decl.node.with_changes(params=own.with_changes(kwonly_params=kwonly))
        module = ctx.source.modules[decl.module]
        if decl.node in module.positions:
            place = module.positions[decl.node]
            ctx.source.modules[decl.module] = module.with_positions({made: place})
        params = [replace(p, annotation=None) if p.name in rows else p for p in decl.params]
        params += [ParamDecl(p.name.value, None, None, True, p) for p in more]
        gives_objects = decl.result is not None and has_mutable(decl.result.type)
        result = None if gives_objects else decl.result
        known[key] = replace(decl, node=made, params=tuple(params), result=result)
    return known[key]


# ---- on the side of the caller ------------------------------------------------------------------


def _held(
    ctx: Context, classes: list[ClassRef], *, grows: bool = False
) -> dict[str, Operand] | None:
    """The arrays of all tables and pools that objects of ``classes`` lead to.

    None if there are others among them than of numbers, objects and lists of these.
    """
    found: dict[str, Operand] = {}
    pending: list[ClassRef | PoolItem] = [*classes]
    while pending:
        of = pending.pop()
        name = f"{label_of(of.name)}s" if isinstance(of, ClassRef) else _pool_name(of)
        if name in found:
            continue
        if isinstance(of, ClassRef):
            cls = ctx.source.classes[of.module, of.name]
            columns = ctx.heap.plan.columns[cls]
            found[name] = _columns(ctx, of, ctx.heap.tables[cls], columns, grows)
            pending += [one for type_ in columns.values() for one in _referred(type_)]
        elif isinstance(of, Tupled):
            return None
        else:
            found[name] = _pool(ctx, of, grows)
            if isinstance(of, Pooled):
                pending.append(of.items)
            if isinstance(of, Rowed):
                pending.append(ClassRef(of.module, of.name, StructKind.MUTABLE))
    return found


def _pool_name(items: PoolItem) -> str:
    """A name for the lists of a pool."""
    return "lists_of_" + re.sub(r"\W+", "_", text_of(items).strip("%"))


def _referred(type_: Type) -> Iterator[ClassRef | PoolItem]:
    """The classes and pools of the objects and lists in a column."""
    for one in structs(type_):
        if isinstance(one.cls, Pooled):
            yield one.cls.items
        elif isinstance(one.cls, Tupled):
            yield one.cls
        elif one.names == (ROW,) and one.of is not None:
            yield one.of


def _columns(
    ctx: Context, of: ClassRef, table: Ref, columns: Mapping[str, Type], grows: bool
) -> Operand:
    """The columns of a table, flat; which fields they are for is noted."""
    cls = ctx.source.classes[of.module, of.name]
    arrays: dict[str, ir.Value] = {}
    for label, array in _shown(ctx, table):
        ctx.heap.shown_columns[array] = cls, label.partition(".")[0], table.key
        arrays[label] = array
    kind = TableOf(of, tuple(columns.items()), _kinds(ctx, arrays.values()), grows)
    return Items(tuple(arrays.values()), tuple(arrays), kind)


def _pool(ctx: Context, items: PoolItem, grows: bool) -> Operand:
    arrays = [array for _, array in _shown(ctx, ctx.heap.pools[items])]
    return Items(tuple(arrays), ("spans", "items"), PoolOf(items, _kinds(ctx, arrays), grows))


def _shown(ctx: Context, table: Ref) -> Iterator[tuple[str, ir.Value]]:
    """Views of the arrays of a list that grows, as long as it is, with labels."""
    about = containers.growing(ctx, table)
    count, ends = growable.count(about), iter(growable.ends(about))
    is_whole = table.key in ctx.heap.given_tables

    def part(array: ir.Value, count: ir.Atom) -> ir.Value:
        return array if is_whole else growable.part(ctx, array, count)

    def shown(of: Operand, label: str) -> Iterator[tuple[str, ir.Value]]:
        if ragged.is_ragged(of):
            spans, elements = ragged.memory_of(of)
            yield f"{label}.spans", part(spans, count)
            yield label, part(elements, next(ends))
        elif isinstance(of, Items):
            names = of.names or map(str, range(len(of.items)))
            for name, inner in zip(names, of.items, strict=True):
                yield from shown(inner, ".".join(filter(None, (label, name))))
        else:
            assert isinstance(of, ir.Value)
            yield label, part(of, count)

    return shown(ctx.heap.arrays_of(about), "")


def _kinds(ctx: Context, arrays: Iterable[ir.Value]) -> tuple[Whose | None, ...]:
    return tuple(item_kinds.of_array(ctx, array) for array in arrays)


# ---- on the side of the function ----------------------------------------------------------------


def row(ctx: Context, of: RowOf, values: Iterator[ir.Value]) -> Operand:
    """The object that a parameter is, or None, as it is where there is no object of its class."""
    there, number = next(values), next(values)
    decl, cls = ctx.frame.decl, ctx.source.classes[of.of.module, of.of.name]
    makes = decl is not None and decl.node in ctx.functions.over_tables.makers
    return NOTHING if makes and cls not in ctx.heap.plan.columns else _row(of.of, there, number)


def _row(of: ClassRef, there: ir.Atom, number: ir.Atom) -> Operand:
    found = Items((number,), (ROW,), of.name, of)
    return found if there == TRUE else Maybe(there, found)


def given_back(ctx: Context, decl: FunctionDecl, value: Operand | None) -> Operand | None:
    """The result of ``decl`` for its caller, whose tables it was given: an object by its number."""
    is_over = bool(ctx.heap.given_tables) or decl.node in ctx.functions.over_tables.makers
    of = None if value is None or not is_over else _class_of(value)
    if value is not None and of is not None:
        ctx.functions.over_tables.gives[decl.node] = of
        value = Items(tuple(atoms(_as_row(value, of))))
    is_maker = decl.node in ctx.functions.over_tables.makers
    return making_objects.given_back(ctx, value) if is_maker else value


def given(ctx: Context, of: TableOf | PoolOf, arrays: Sequence[ir.Value]) -> Operand:
    """Let a table of the caller be that of its class here, or a pool that of its lists."""
    for array, kind in zip(arrays, of.kinds, strict=True):
        ctx.numbers.origins[array] = kind
        ctx.sizes.shapes[array] = storage.shape(ctx, array)
    known, key = making_objects.place(ctx, of)
    if isinstance(of, TableOf):
        ctx.heap.plan.columns[ctx.source.classes[of.of.module, of.of.name]] = dict(of.columns)
    else:
        ctx.heap.plan.pools[of.items] = None
    hint = "rows" if isinstance(of, TableOf) else "pools"
    if of.grows:
        known[key] = making_objects.begin(ctx, of, arrays, hint)
        ctx.heap.own_tables.append(known[key])
    else:
        held = growable.filled(making_objects.item_of(ctx, of), iter(arrays))
        known[key] = _owned(ctx, held, arrays, hint)
        ctx.heap.given_tables.add(known[key].key)
    return known[key]


def _owned(ctx: Context, held: Operand, arrays: Sequence[ir.Value], hint: str) -> Ref:
    """A list that grows no more, whose items are in ``arrays``."""
    ctx.temporaries += 1
    cls = Growing(ctx.temporaries)
    ctx.heap.growing[cls] = held
    whole = [leaf for leaf in growable.leaves(held) if isinstance(leaf, Items)]
    ends = [storage.dim(ctx, ragged.memory_of(leaf)[1], 0) for leaf in whole]
    for leaf in whole:
        ctx.memory.shown[ragged.memory_of(leaf)[1]] = frozenset()  # written by nobody
    return containers.owned(ctx, growable.about(cls, storage.dim(ctx, arrays[0], 0), ends), hint)
