"""Arrays in fields of objects in tables, changed in place: ``p.pos[0] += dt``, ``p.vel *= 0.5``.

A table holds copies of arrays, which others can't see change. The copy itself is changed, as long
as nobody else can see the array that it stands for.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import hint_of
from mooncake_transpiler.frontend.lower.state.leaves import atoms
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.frontend.lower.state.properties import ArrayChange
from mooncake_transpiler.types import Array


def allow(ctx: Context, node: cst.CSTNode, array: ir.Value) -> bool:
    """True if ``array`` is one in a field, or a part of it, that may change; False if in none."""
    part: ir.Atom = array
    while part not in ctx.memory.cells:
        if not isinstance(part, ir.Value) or part not in ctx.memory.bases:
            return False
        part = ctx.memory.bases[part]
    assert isinstance(part, ir.Value)
    cls, name = ctx.memory.cells[part]
    memory = ctx.memory.base(part)
    seen = _check_unseen(ctx, node, (cls, name), memory)
    message = f"the array of {name!r} from before is read after {name!r} is changed in place"
    refusal = ctx.refuse(node, "MK312", message, f"make a new array: p.{name} = p.{name} + ...")
    ctx.memory.changes.append(ArrayChange(part, memory, seen, refusal))
    ctx.heap.plan.changed.add((cls, name))
    ctx.heap.deeds.written.add((cls, name))
    check_sole(ctx, node, cls, name)
    return True


def check_sole(ctx: Context, node: cst.CSTNode, cls: ClassDecl, name: str) -> None:
    """Refuse changes of arrays in place that several objects may hold."""
    if {(cls, name)} <= ctx.heap.plan.shared & ctx.heap.plan.changed:
        message = f"several objects may hold the same array as {name!r}, which is changed in place"
        raise ctx.refuse(node, "MK312", message, "give each object a copy: x.copy()")


def _check_unseen(
    ctx: Context, node: cst.CSTNode, field: tuple[ClassDecl, str], memory: ir.Atom
) -> frozenset[ir.Atom]:
    """Refuse arrays that something else than their field may show; the memory that they are."""
    _, name = field
    seen = ctx.memory.seen_in([memory])
    given = ctx.memory.inputs - ctx.heap.given_columns.get(field, frozenset())
    if not seen.isdisjoint({*given, *ctx.globals.values(), *ctx.memory.permanent}):
        message = f"{name!r} may be an array of the caller's, which would have to change, too"
        raise ctx.refuse(node, "MK312", message, f"give each object a copy, or assign {name!r}")
    for variable, arrays in _live(ctx):
        roots = ctx.memory.roots(*(one for one in arrays if ctx.memory.base(one) is not memory))
        others = ctx.memory.seen_in(one for one in roots if one in ctx.memory.shown)
        if not (seen | {memory}).isdisjoint(roots | others):
            shown = repr(hint_of(variable)) if hint_of(variable) else "something else"
            message = f"{name!r} is changed in place while {shown} may be the same array"
            raise ctx.refuse(node, "MK312", message, f"make a new array: p.{name} = p.{name} + ...")
    return seen


def _live(ctx: Context) -> Iterator[tuple[str, list[ir.Atom]]]:
    """The variables that somebody may look at from here on, and the arrays that they hold."""
    for frame in (ctx.frame, *ctx.callers):
        live = frame.live(is_at_work=frame is not ctx.frame)
        for variable, operand in frame.values.items():
            is_local = live is not None and variable in frame.locals
            if not is_local or variable in (live or ()):
                yield variable, _arrays(ctx, operand)


def _arrays(ctx: Context, operand: Operand) -> list[ir.Atom]:
    held = containers.arrays_in(ctx, operand)
    return [atom for atom in atoms(held) if isinstance(atom.type, Array)]
