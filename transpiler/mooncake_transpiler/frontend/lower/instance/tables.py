"""Structs of arrays for objects whose identity only the run tells: a column for each field.

    p = Atom(x, 0.0)                            atom_x[n] = x
    atoms.append(p)           becomes           atom_v[n] = 0.0
    for a in atoms:                             atoms[k] = n
        a.v += a.x * dt                         for k in range(len(atoms)):
                                                    a = atoms[k]
                                                    atom_v[a] += atom_x[a] * dt

An object is the number of its row, so lists hold objects as they hold numbers, branches choose
one, loops carry one, and a field that holds an object is a column of numbers. Two names of one
object are two equal numbers. There is one table for each class (``TablePlan``): a list that grows,
which nothing else can see, and from which nothing is removed.
"""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.failure import failing
from mooncake_transpiler.frontend.lower.instance import heap
from mooncake_transpiler.frontend.lower.memory import ragged, storage
from mooncake_transpiler.frontend.lower.object import containers, objects, unifying
from mooncake_transpiler.frontend.lower.row import growing, item_kinds, optional_items, pooled, rows
from mooncake_transpiler.frontend.lower.scalar import axisless, kinds, told_values
from mooncake_transpiler.frontend.lower.scalar.scalars import cast
from mooncake_transpiler.frontend.lower.state import tabled
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import FALSE, TRUE
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import (
    atom_of,
    atoms,
    describe,
    rebuild,
    type_of,
    undefined,
)
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Conflict, Items, Operand
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.frontend.lower.state.tabled import ROW, TablePlan, is_row
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.types import (
    BOOL,
    NONE,
    Array,
    ClassRef,
    Scalar,
    StructKind,
    Tuple,
    Type,
    leaves,
)


def begin(ctx: Context) -> None:
    """Make the tables of the plan: they are empty."""
    for cls, columns in ctx.heap.plan.columns.items():
        if (known := ctx.heap.tables.get(cls)) and ctx.heap.is_handed(known):
            continue
        hint = tabled.label(cls.name)
        of = item(cls, columns)
        arrays = sum(isinstance(leaf, Array) for leaf in leaves(of))
        ctx.heap.tables[cls] = growing.empty(ctx, of, [None] * arrays, hint)


def item(cls: ClassDecl, columns: Mapping[str, Type]) -> Tuple:
    """The type of the rows of a table."""
    parts = {name: _column(type_) for name, type_ in columns.items()}
    held = {name: part for name, part in parts.items() if part is not None}
    return Tuple(tuple(held.values()), tuple(held), cls.name)


def _column(type_: Type) -> Type | None:
    """The type of what stands in a column for a field: a number or array, or several."""
    found = tuple(leaves(type_))
    return None if not found else found[0] if len(found) == 1 else Tuple(found, _labels(type_))


def _labels(type_: Type) -> tuple[str, ...] | None:
    """The labels of the two arrays of a column for numbers or objects that may be None."""
    is_optional = isinstance(type_, Tuple) and type_.cls == Held.MAYBE
    return ("there", ROW) if is_optional and len(list(leaves(type_))) == 2 else None


def is_tabled(ctx: Context, cls: ClassDecl) -> bool:
    plan = ctx.heap.plan
    return plan.is_wanted and cls not in plan.kept_out and not plan.is_sharing


def adopt(ctx: Context, node: cst.CSTNode, ref: Ref) -> Items:
    """A new row for the object ``ref``, which has just been made and is none any more."""
    plan, cls = ctx.heap.plan, ref.cls
    held = objects.holders(ctx, ctx.frame.values.items())
    if ref.key in held or ctx.source.classes.get((cls.module, cls.name)) is not cls:
        raise plan.keep_out(cls, "it is known to others before it is made")
    fields_ = objects.fields(ctx.frame, ref)
    if plan.is_dropping:
        plan.opaque |= {(cls, name) for name in fields_ if heap.is_idle(ctx, ref, name)}
    opaque = {name for of, name in plan.opaque if of is cls}
    names = [name for name in fields_ if name not in opaque]
    fields = {name: _kept(ctx, node, cls, name, heap.read(ctx, node, ref, name)) for name in names}
    plan_for(plan, cls, fields)
    for name, value in fields.items():
        _note_axisless(ctx, cls, name, value)
    containers.forget(ctx, ref)
    columns = plan.columns[cls]
    cells = {name: _first(ctx, fields, name, type_) for name, type_ in columns.items()}
    named = {name: cell for name, cell in cells.items() if cell is not None}
    row = Items(tuple(named.values()), tuple(named), cls.name)
    at = growing.added(ctx, node, ctx.heap.tables[cls], row)
    return Items((at,), (ROW,), cls.name, ClassRef(cls.module, cls.name, StructKind.MUTABLE))


def _kept(ctx: Context, node: cst.CSTNode, cls: ClassDecl, name: str, value: Operand) -> Operand:
    """``value`` as it is in the column ``name``: lists by their numbers."""
    found = pooled.item(ctx, node, delayed.settle(ctx, value), place_of(cls, name))
    return containers.numbered(ctx.frame.values, found)


def place_of(cls: ClassDecl, name: str) -> str:
    """The place, in the plan, of empty lists in the field ``name``."""
    return f"{cls.module}:{cls.name}.{name}"


def plan_for(plan: TablePlan, cls: ClassDecl, fields: dict[str, Operand]) -> None:
    """Check that the table for ``cls`` can hold these ``fields``; else the plan is another one."""
    columns = plan.columns.get(cls)
    if columns is None:
        columns = {name: _column_for(plan, cls, name, value) for name, value in fields.items()}
        columns = columns or {_flag("fields"): BOOL}  # a table has a column at least
        if not any(True for type_ in columns.values() for _ in leaves(type_)):
            raise plan.keep_out(cls, "no field is a number or an array")
        raise plan.learn(cls, columns)
    wider = dict(columns)
    for name, value in fields.items():
        if name in columns:
            wider[name] = _wider(plan, cls, name, columns[name], value)
        else:
            wider |= _late(plan, cls, name, value)
    for name in columns:
        if not is_flag(name) and name not in fields:
            wider |= _late(plan, cls, name)
    if wider != columns:
        raise plan.learn(cls, wider)


def _note_axisless(ctx: Context, cls: ClassDecl, name: str, value: Operand) -> None:
    """Note a field that holds an array without axes, as others may hold it, too."""
    plan, numbers = ctx.heap.plan, (a for a in atoms(value) if isinstance(a.type, Scalar))
    if (cls, name) not in plan.axisless and any(axisless.is_one(ctx, a) for a in numbers):
        plan.axisless.add((cls, name))
        raise plan.learn(cls, plan.columns[cls])


def _column_for(plan: TablePlan, cls: ClassDecl, name: str, value: Operand) -> Type:
    """The type of a column that begins with ``value``."""
    return _checked(plan, cls, name, type_of(told_values.as_told(value) or value), value)


def _late(
    plan: TablePlan, cls: ClassDecl, name: str, value: Operand | None = None
) -> dict[str, Type]:
    """The columns for a field that not all objects have, and that ``value`` is put in."""
    if name in cls.constants:
        raise plan.keep_out(cls, f"{name} is an attribute of the class, too")
    flag: dict[str, Type] = {_flag(name): BOOL}
    return flag if value is None else flag | {name: _column_for(plan, cls, name, value)}


def _flag(name: str) -> str:
    """The name of the column that tells whether ``name`` is set; not all objects have it."""
    return f"has {name}"


def is_flag(name: str) -> bool:
    return " " in name


def _wider(plan: TablePlan, cls: ClassDecl, name: str, type_: Type, value: Operand) -> Type:
    """The type of a column for what it holds, and ``value``."""
    if type_ == NONE and value == NOTHING:
        return type_
    found = unifying.unify(undefined(type_), value)
    return _checked(plan, cls, name, None if isinstance(found, Conflict) else found, value, type_)


def _checked(
    plan: TablePlan,
    cls: ClassDecl,
    name: str,
    type_: Type | None,
    value: Operand,
    old: Type | None = None,
) -> Type:
    """``type_``, if a column can have it and bools stay bools."""
    held = None if type_ is None else list(leaves(type_))
    if type_ is None or held is None or not all(isinstance(leaf, Scalar | Array) for leaf in held):
        raise plan.keep_out(cls, f"the field {name} is {describe(value)}")
    before = [] if old is None else list(leaves(old))
    if len(before) == len(held) and any(
        (one == BOOL) != (other == BOOL) for one, other in zip(before, held, strict=True)
    ):
        raise plan.keep_out(cls, f"the field {name} is a bool in some objects")
    return type_


# ---- cells --------------------------------------------------------------------------------------


def _first(ctx: Context, fields: Mapping[str, Operand], name: str, type_: Type) -> Operand | None:
    """The cell of the column ``name`` for an object that is made with ``fields``."""
    if is_flag(name):
        return TRUE if any(_flag(one) == name for one in fields) else FALSE
    return _cell(ctx, fields.get(name, undefined(type_)), type_)


def _unset(ctx: Context, leaf: Type) -> ir.Atom:
    """A number or array that nobody reads."""
    if isinstance(leaf, Array):
        return storage.alloc(ctx, leaf.dtype, (ir.ZERO,) * leaf.ndim, None)
    assert isinstance(leaf, Scalar)
    return optional_items.unread(leaf)


def _cell(ctx: Context, value: Operand, type_: Type) -> Operand | None:
    """The number or numbers that stand for ``value`` in a column of a ``type_``."""
    whole = optional_items.parts(unifying.fitted(unifying.recoded(ctx, value, type_), type_))
    found = tuple(_leaf(ctx, *both) for both in zip(atoms(whole), leaves(type_), strict=True))
    return None if not found else found[0] if len(found) == 1 else Items(found, _labels(type_))


def _leaf(ctx: Context, atom: ir.Atom, type_: Type) -> ir.Atom:
    """``atom`` in a column of a ``type_``."""
    if isinstance(atom, ir.Undef):
        return _unset(ctx, type_)
    if not isinstance(type_, Scalar):
        return atom
    item_kinds.put(ctx, atom, type_.dtype)
    return cast(ctx, atom, type_)


def class_of(ctx: Context, row: Items) -> ClassDecl:
    assert row.of is not None
    return ctx.source.classes[row.of.module, row.of.name]


def has(ctx: Context, base: Operand, name: str) -> bool:
    """True if ``base`` is an object in a table, with a column for the field ``name``."""
    if not isinstance(base, Items) or not is_row(base):
        return False
    cls = class_of(ctx, base)
    return name in ctx.heap.plan.columns[cls] or (cls, name) in ctx.heap.plan.opaque


def _held(ctx: Context, row: Items, name: str) -> tuple[Ref, int, ir.Atom]:
    """The table, the number of the column ``name``, and which row of it is meant."""
    table = ctx.heap.tables[class_of(ctx, row)]
    (at,) = atoms(row)
    names = _arrays(ctx, table).names
    assert names is not None
    return table, names.index(name), at


def _arrays(ctx: Context, table: Ref) -> Items:
    """The columns of a table."""
    arrays = ctx.heap.arrays_of(containers.growing(ctx, table))
    assert isinstance(arrays, Items)
    return arrays


def _load(ctx: Context, row: Items, name: str) -> Operand:
    table, k, at = _held(ctx, row, name)
    return rows.at(ctx, _arrays(ctx, table).items[k], at, name.replace(" ", "_"))


def flag(ctx: Context, base: Operand, name: str) -> ir.Atom | None:
    """A bool: the field is set; None if it surely is, or is none of an object in a table."""
    if not has(ctx, base, name):
        return None
    assert isinstance(base, Items)
    if _flag(name) not in ctx.heap.plan.columns[class_of(ctx, base)]:
        return None
    return atom_of(_load(ctx, base, _flag(name)))


def read(ctx: Context, node: cst.CSTNode, row: Items, name: str) -> Operand:
    """``row.name``, a field."""
    cls = class_of(ctx, row)
    if (cls, name) in ctx.heap.plan.opaque:
        message = f"{name!r} of objects in a list can't be worked with: it is no number or array"
        raise ctx.refuse(node, "MK212", message)
    columns = ctx.heap.plan.columns[cls]
    if (there := flag(ctx, row, name)) is not None:
        text = f"{cls.name!r} object has no attribute {name!r}"
        failing.require(ctx, node, there, text, "AttributeError")
    if _column(columns[name]) is None:
        return rebuild(columns[name], iter(()))
    found = list(atoms(_load(ctx, row, name)))
    if ctx.heap.tables[cls].key not in ctx.heap.given_tables:  # where they can be changed
        arrays = (one for one in found if isinstance(one, ir.Value) and isinstance(one.type, Array))
        ctx.memory.cells.update((array, (cls, name)) for array in arrays)
    if (cls, name) in ctx.heap.plan.axisless:
        found = [kinds.as_kind(ctx, one, Kind.ANY) for one in found]
    value = rebuild(columns[name], iter(found))
    return containers.owned(ctx, value, name) if containers.is_pooled(value) else value


def spread(ctx: Context, node: cst.CSTNode, row: Items) -> Items:
    """Arrays of what the objects of a list hold now; ``row`` has their places."""
    cls, columns = class_of(ctx, row), list[Operand]()
    known = ctx.heap.plan.columns[cls]
    names = tuple(spec.name for spec in cls.fields) or tuple(known)
    for name in names:
        type_ = known.get(name)
        if not optional_items.is_column(type_) or _flag(name) in known:
            message = "objects whose number is not known ahead of time can't leave the function"
            raise ctx.refuse(node, "MK372", message, "return their numbers: [a.x for a in atoms]")
        table, k, at = _held(ctx, row, name)
        column = _arrays(ctx, table).items[k]
        columns.append(optional_items.as_column(ragged.taken(ctx, column, at), type_))
    return Items(tuple(columns), names, cls.name, row.of)


def write(ctx: Context, node: cst.CSTNode, row: Items, name: str, value: Operand) -> None:
    """``row.name = value``, of a field."""
    plan, cls = ctx.heap.plan, class_of(ctx, row)
    if cls in plan.shared:
        message = f"this {cls.name} may be one that is made once, and all calls share it"
        raise ctx.refuse(node, "MK320", message, "make a new one in the function")
    columns = plan.columns[cls]
    value = _kept(ctx, node, cls, name, delayed.settle(ctx, value, name))
    if name not in columns:
        raise plan.learn(cls, columns | _late(plan, cls, name, value))
    type_ = _wider(plan, cls, name, columns[name], value)
    if type_ != columns[name]:
        raise plan.learn(cls, columns | {name: type_})
    _note_axisless(ctx, cls, name, value)
    ctx.heap.deeds.fields.add((cls, name))
    if (cell := _cell(ctx, value, type_)) is not None:
        _put(ctx, node, row, name, cell)
    if _flag(name) in columns:
        _put(ctx, node, row, _flag(name), TRUE)


def _put(ctx: Context, node: cst.CSTNode, row: Items, name: str, cell: Operand) -> None:
    table, k, at = _held(ctx, row, name)
    growing.write_part(ctx, node, table, k, at, cell)
