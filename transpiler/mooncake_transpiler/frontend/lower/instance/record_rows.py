"""Dicts that lists of run-time length hold: objects with a field for each key, rows of a table.

    log.append({"t": t, "x": x})               record_t[n], record_x[n] = t, x
    for row in log:                  becomes   log[m] = n
        s += row["x"]                          for k in range(len(log)):
                                                   s += record_x[log[k]]

That is where a list of dicts is refused otherwise: the plan then tells which expressions make such
dicts (``TablePlan.recorded``); so it is, of all of them, where a variable holds one dict on one
path, and another one on another. Which keys there are must be known, and does not change.
"""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from mooncake_transpiler.frontend.entities import ClassDecl
from mooncake_transpiler.frontend.lower.instance import heap, tables
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.row import replacing
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand, Static
from mooncake_transpiler.frontend.lower.state.tabled import is_row
from mooncake_transpiler.frontend.name import library_classes


def made(ctx: Context, node: cst.CSTNode, held: Mapping[str, Operand], hint: str) -> Items | None:
    """The dict that the expression ``node`` makes as an object; None if the plan is no such one."""
    plan = ctx.heap.plan
    cls = library_classes.record_class(ctx.source, tuple(held))
    if cls is None or plan.is_sharing:
        return None
    plan.has_dicts = True
    is_wanted = plan.has_all_recorded or node in plan.recorded
    if not is_wanted or not tables.is_tabled(ctx, cls):
        return None
    ref = objects.new(ctx, cls, hint)
    for name, value in held.items():
        heap.write(ctx, node, ref, name, value)
    return tables.adopt(ctx, node, ref)


def new(ctx: Context, node: cst.CSTNode, held: Mapping[str, Operand], hint: str = "") -> Operand:
    """The dict that the expression ``node`` makes, whose keys are known."""
    if (found := made(ctx, node, held, hint)) is not None:
        return found
    ref = replacing.new_dict(ctx, held, hint)
    ctx.heap.made_at[ref.key] = node
    return ref


def class_of(ctx: Context, operand: Operand) -> ClassDecl | None:
    """The class of ``operand``, if it is such a dict."""
    cls = objects.declared(ctx, operand) if isinstance(operand, Items) else None
    return cls if cls is not None and library_classes.is_record(cls) else None


def items(ctx: Context, node: cst.CSTNode, row: Items) -> dict[str, Operand]:
    """The values that such a dict has now, by its keys."""
    if not is_row(row):
        return dict(zip(row.names or (), row.items, strict=True))
    names = ctx.heap.plan.columns[tables.class_of(ctx, row)]
    return {name: tables.read(ctx, node, row, name) for name in names}


def as_dict(ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand:
    """``operand``; of such a dict a new one with the same items, which is no object."""
    if class_of(ctx, operand) is None:
        return operand
    assert isinstance(operand, Items)
    return replacing.new_dict(ctx, items(ctx, node, operand))


def write(ctx: Context, node: cst.CSTNode, row: Operand, key: Operand, value: Operand) -> None:
    """``row[key] = value``, of such a dict."""
    assert isinstance(row, Items)
    if not is_row(row):
        heap.check_told_apart(ctx, node, row)
    name = key.value if isinstance(key, Static) else None
    if not isinstance(name, str) or name not in ctx.heap.plan.columns[tables.class_of(ctx, row)]:
        message = "a dict that is in a list gets a key that it has not had"
        help_ = "give it all keys where it is made, and write them out"
        raise ctx.refuse(node, "MK333", message, help_)
    tables.write(ctx, node, row, name, value)
