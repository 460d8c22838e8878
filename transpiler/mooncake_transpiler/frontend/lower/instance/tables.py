"""Objects that can't be told apart ahead of time: rows of a table, with a column for each field.

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

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.instance import heap
from mooncake_transpiler.frontend.lower.object import containers, objects, unifying
from mooncake_transpiler.frontend.lower.row import growable, growing, optional_items, rows
from mooncake_transpiler.frontend.lower.scalar import told_values
from mooncake_transpiler.frontend.lower.scalar.scalars import cast
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import (
    atoms,
    describe,
    rebuild,
    type_of,
    undefined,
)
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Conflict,
    Items,
    Operand,
)
from mooncake_transpiler.frontend.lower.state.tabled import ROW, TablePlan
from mooncake_transpiler.types import (
    BOOL,
    NONE,
    ClassRef,
    Scalar,
    StructKind,
    Tuple,
    Type,
    has_mutable,
    leaves,
)

ZERO = ir.int_const(0)


def begin(ctx: Context) -> None:
    """Make the tables of the plan: they are empty."""
    for cls, columns in ctx.heap.plan.columns.items():
        hint = cls.name.strip("_").lower()
        parts = {name: _column(type_) for name, type_ in columns.items()}
        held = {name: part for name, part in parts.items() if part is not None}
        item = Tuple(tuple(held.values()), tuple(held), cls.name)
        arrays = growable.new(ctx, item, (), hint)
        about = growable.about(arrays, ZERO, ())
        ctx.heap.tables[cls] = containers.owned(ctx, about, f"{hint}s")


def _column(type_: Type) -> Type | None:
    """The type of what stands in a column for a field: a number, or several."""
    found = tuple(leaves(type_))
    return None if not found else found[0] if len(found) == 1 else Tuple(found)


def is_tabled(ctx: Context, cls: ClassDecl) -> bool:
    plan = ctx.heap.plan
    return plan.is_wanted and cls not in plan.kept_out and not plan.is_sharing


def adopt(ctx: Context, node: cst.CSTNode, ref: Ref) -> Items:
    """A new row for the object ``ref``, which has just been made and is none any more."""
    plan, cls = ctx.heap.plan, ref.cls
    held = objects.holders(ctx, ctx.frame.values.items())
    if ref.key in held or ctx.source.classes.get((cls.module, cls.name)) is not cls:
        raise plan.keep_out(cls, "it is known to others before it is made")
    fields = {name: heap.read(ctx, node, ref, name) for name in objects.fields(ctx.frame, ref)}
    _plan_for(plan, cls, fields)
    containers.forget(ctx, ref)
    table = ctx.heap.tables[cls]
    at = growable.count(_about(ctx, table))
    columns = plan.columns[cls]
    cells = {name: _cell(ctx, fields[name], type_) for name, type_ in columns.items()}
    named = {name: cell for name, cell in cells.items() if cell is not None}
    growing.extend(ctx, node, table, [Items(tuple(named.values()), tuple(named), cls.name)])
    return Items((at,), (ROW,), cls.name, ClassRef(cls.module, cls.name, StructKind.MUTABLE))


def _plan_for(plan: TablePlan, cls: ClassDecl, fields: dict[str, Operand]) -> None:
    """Check that the table for ``cls`` can hold these ``fields``; else the plan is another one."""
    columns = plan.columns.get(cls)
    if columns is None or columns.keys() != fields.keys():
        if columns is not None:
            raise plan.keep_out(cls, "not all objects of the class have the same fields")
        columns = {}
        for name, value in fields.items():
            columns[name] = _checked(
                plan, cls, name, type_of(told_values.as_told(value) or value), value
            )
        if not any(True for type_ in columns.values() for _ in leaves(type_)):
            raise plan.keep_out(cls, "no field is a number")
        raise plan.learn(cls, columns)
    wider = {name: _wider(plan, cls, name, t, fields[name]) for name, t in columns.items()}
    if wider != columns:
        raise plan.learn(cls, wider)


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
    if type_ is None or held is None or not all(isinstance(leaf, Scalar) for leaf in held):
        raise plan.keep_out(cls, f"the field {name} is {describe(value)}")
    before = [] if old is None else list(leaves(old))
    if len(before) == len(held) and any(
        (one == BOOL) != (other == BOOL) for one, other in zip(before, held, strict=True)
    ):
        raise plan.keep_out(cls, f"the field {name} is a bool in some objects")
    return type_


# ---- cells --------------------------------------------------------------------------------------


def _about(ctx: Context, table: Ref) -> Items:
    found = containers.grown(ctx, table)
    assert found is not None
    return found


def _cell(ctx: Context, value: Operand, type_: Type) -> Operand | None:
    """The number or numbers that stand for ``value`` in a column of a ``type_``."""
    whole = optional_items.parts(unifying.fitted(unifying.recoded(ctx, value, type_), type_))
    scalars = (leaf for leaf in leaves(type_) if isinstance(leaf, Scalar))
    found = tuple(cast(ctx, *both) for both in zip(atoms(whole), scalars, strict=True))
    return None if not found else found[0] if len(found) == 1 else Items(found)


def class_of(ctx: Context, row: Items) -> ClassDecl:
    assert row.of is not None
    return ctx.source.classes[row.of.module, row.of.name]


def has(ctx: Context, row: Items, name: str) -> bool:
    return name in ctx.heap.plan.columns[class_of(ctx, row)]


def _held(ctx: Context, row: Items, name: str) -> tuple[Operand, ir.Atom]:
    """The column ``name``, and which row of it is meant."""
    about = _about(ctx, ctx.heap.tables[class_of(ctx, row)])
    arrays = ctx.heap.growing[growable.class_of(about)]
    assert isinstance(arrays, Items)
    assert arrays.names is not None
    (at,) = atoms(row)
    return arrays.items[arrays.names.index(name)], at


def read(ctx: Context, row: Items, name: str) -> Operand:
    """``row.name``, a field."""
    type_ = ctx.heap.plan.columns[class_of(ctx, row)][name]
    if _column(type_) is None:
        return rebuild(type_, iter(()))
    column, at = _held(ctx, row, name)
    return rebuild(type_, atoms(rows.at(ctx, column, at, name)))


def write(ctx: Context, node: cst.CSTNode, row: Items, name: str, value: Operand) -> None:
    """``row.name = value``, of a field."""
    plan, cls = ctx.heap.plan, class_of(ctx, row)
    columns = plan.columns[cls]
    if name not in columns:
        raise plan.keep_out(cls, f"the field {name} is set later than the object is made")
    value = delayed.settle(ctx, value, name)
    type_ = _wider(plan, cls, name, columns[name], value)
    if type_ != columns[name]:
        raise plan.learn(cls, columns | {name: type_})
    cell = _cell(ctx, value, type_)
    if cell is not None:
        column, at = _held(ctx, row, name)
        ctx.heap.deeds.changed.add(ctx.heap.tables[cls].key)
        rows.put(ctx, node, column, at, cell)


def copied(ctx: Context, node: cst.CSTNode, row: Items, *, is_deep: bool = False) -> Items:
    """Another object with the same fields."""
    cls = class_of(ctx, row)
    columns = ctx.heap.plan.columns[cls].values()
    if is_deep and any(map(has_mutable, columns)):
        message = f"{cls.name} holds other objects: how many there are to copy is not known"
        raise ctx.refuse(node, "MK343", message)
    ref = objects.new(ctx, cls)
    for name in ctx.heap.plan.columns[cls]:
        heap.write(ctx, node, ref, name, read(ctx, row, name))
    return adopt(ctx, node, ref)
