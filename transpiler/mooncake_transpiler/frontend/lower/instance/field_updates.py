"""Arrays in the fields of objects in tables, changed in place: ``p.pos += dt * p.vel``.

A table holds copies of arrays, which others can't see change. So the changed array is a new one,
put in the place of the old one, as long as nobody else can see the old one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import aliasing
from mooncake_transpiler.frontend.lower.instance import tables
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import hint_of
from mooncake_transpiler.frontend.lower.state.leaves import atoms
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.frontend.lower.state.properties import Replaced
from mooncake_transpiler.types import Array


def update(
    ctx: Context,
    node: cst.CSTNode,
    row: Items,
    name: str,
    old: ir.Value,
    change: Callable[[ir.Value], None],
) -> None:
    """Change the array ``row.name``, which is ``old``, by ``change``."""
    cls = tables.class_of(ctx, row)
    table = ctx.heap.tables[cls]
    before = containers.grown(ctx, table)
    new = storage.copy(ctx, old)
    change(new)
    if containers.grown(ctx, table) is not before:
        message = f"an array is assigned to a field while {name!r} is changed in place"
        raise ctx.refuse(node, "MK312", message, "compute the change first")
    seen = _check_unseen(ctx, node, name, old)
    message = f"the array of {name!r} from before is read after {name!r} is changed in place"
    refusal = ctx.refuse(node, "MK312", message, f"make a new array: p.{name} = p.{name} + ...")
    ctx.memory.replaced.append(Replaced(new, ctx.memory.base(old), seen, refusal))
    ctx.heap.plan.changed.add((cls, name))
    tables.check_sole(ctx, node, cls, name)
    tables.write(ctx, node, row, name, new)


def _check_unseen(ctx: Context, node: cst.CSTNode, name: str, old: ir.Value) -> frozenset[ir.Atom]:
    """Refuse an array that something else than its field may show; the memory that it is."""
    memory = ctx.memory.base(old)
    aliasing.check_viewed(ctx, node, old)
    seen = ctx.memory.seen_in([memory]) | {memory}
    fixed = {*ctx.memory.inputs, *ctx.globals.values(), *ctx.memory.permanent}
    if not seen.isdisjoint(fixed):
        message = f"{name!r} may be an array of the caller's, which would have to change, too"
        raise ctx.refuse(node, "MK312", message, f"give each object a copy, or assign {name!r}")
    for variable, arrays in _live(ctx):
        roots = ctx.memory.roots(*(one for one in arrays if one is not memory))
        others = ctx.memory.seen_in(one for one in roots if one in ctx.memory.shown)
        if not seen.isdisjoint(roots | others):
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
    return [atom for atom in atoms(aliasing.held(ctx, operand)) if isinstance(atom.type, Array)]
