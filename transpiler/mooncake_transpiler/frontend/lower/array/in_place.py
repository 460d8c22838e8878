"""Arrays in lists, and in fields of objects in tables, changed in place: ``ws[k] -= g``.

The memory that holds such arrays has copies, which others can't see change. The copy itself is
changed, as long as nobody else can see the array that it stands for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import hint_of
from mooncake_transpiler.frontend.lower.state.leaves import atoms
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.frontend.lower.state.properties import ArrayChange
from mooncake_transpiler.types import Array


@dataclass(frozen=True, slots=True)
class _HeldArray:
    """An array in a list or field: ``part`` of ``memory``.

    ``name`` is that of the list or field; ``instead``: an assignment in place of the change.
    """

    part: ir.Value
    memory: ir.Atom
    name: str
    instead: str
    field: tuple[ClassDecl, str] | None = None


def allow(ctx: Context, node: cst.CSTNode, array: ir.Value) -> bool:
    """True if ``array`` is one in a list or field, or a part of it, that may change.

    False if it is in none; one that may not change is refused.
    """
    held = _held(ctx, array)
    if held is None:
        return False
    if held.memory in ctx.memory.inputs and isinstance(held.memory, ir.Value):
        raise ctx.heap.plan.learn_copied(ctx.memory.given[held.memory])
    seen = _check_unseen(ctx, node, held)
    name = held.name
    message = f"the array of {name!r} from before is read after {name!r} is changed in place"
    refusal = ctx.refuse(node, "MK312", message, f"make a new array: {held.instead}")
    message = f"several items may hold the same array as {name!r}, which is changed in place"
    shared = ctx.refuse(node, "MK312", message, "give each a copy: x.copy()")
    ctx.memory.changes.append(ArrayChange(held.part, held.memory, seen, refusal, shared))
    if held.field is not None:
        ctx.heap.deeds.written.add(held.field)
    return True


def _held(ctx: Context, array: ir.Value) -> _HeldArray | None:
    """The array in a list or field that ``array`` is, or is a part of."""
    part = array
    while part not in ctx.memory.cells:
        base = ctx.memory.bases.get(part)
        if not isinstance(base, ir.Value):
            return None
        is_given = base in ctx.memory.given or base not in ctx.memory.inputs
        if base not in ctx.memory.bases and base in ctx.memory.shown and is_given:
            name = _list_of(ctx, base)
            return (
                None
                if name is None
                else _HeldArray(part, base, name, f"{name}[k] = {name}[k] + ...")
            )
        part = base
    field = ctx.memory.cells[part]
    name = field[1]
    return _HeldArray(part, ctx.memory.base(part), name, f"p.{name} = p.{name} + ...", field)


def _list_of(ctx: Context, memory: ir.Value) -> str | None:
    """The name of a list whose items are in ``memory``, if there is such a list."""
    for frame in ctx.frames:
        for variable, operand in frame.values.items():
            if isinstance(operand, Items) and containers.is_arrays(operand):
                arrays = _arrays(ctx, operand)
                if any(one is memory for one in arrays):
                    return hint_of(variable) or "xs"
    return None


def _check_unseen(ctx: Context, node: cst.CSTNode, held: _HeldArray) -> frozenset[ir.Atom]:
    """Refuse arrays that something else than their list or field shows; the memory they are."""
    name, memory = held.name, held.memory
    seen = ctx.memory.seen_in([memory])
    given = set(ctx.memory.inputs)
    if held.field is not None:
        given -= ctx.heap.given_columns.get(held.field, frozenset())
    if not seen.isdisjoint({*given, *ctx.globals.values(), *ctx.memory.permanent}):
        message = f"{name!r} may be an array of the caller's, which would have to change, too"
        raise ctx.refuse(node, "MK312", message, f"hold a copy, or write {held.instead}")
    for variable, arrays in live(ctx):
        roots = ctx.memory.roots(*(one for one in arrays if ctx.memory.base(one) is not memory))
        others = ctx.memory.seen_in(one for one in roots if one in ctx.memory.shown)
        if not (seen | {memory}).isdisjoint(roots | others):
            shown = repr(hint_of(variable)) if hint_of(variable) else "something else"
            message = f"{name!r} is changed in place while {shown} may be the same array"
            raise ctx.refuse(node, "MK312", message, f"make a new array: {held.instead}")
    return seen


def live(ctx: Context) -> Iterator[tuple[str, list[ir.Atom]]]:
    """The variables that somebody may look at from here on, and the arrays that they hold."""
    for frame in ctx.frames:
        live = frame.live(is_at_work=frame is not ctx.frame)
        for variable, operand in frame.values.items():
            is_local = live is not None and variable in frame.locals
            if not is_local or variable in (live or ()):
                yield variable, _arrays(ctx, operand)


def _arrays(ctx: Context, operand: Operand) -> list[ir.Atom]:
    held = containers.arrays_in(ctx, operand)
    return [atom for atom in atoms(held) if isinstance(atom.type, Array)]
