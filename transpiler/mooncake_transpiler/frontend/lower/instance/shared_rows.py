"""Objects that all calls share, in variables that hold objects in tables, too: copies of them.

    total = BLACK                        total = a new row with what BLACK holds
    for ray in rays:                     for ray in rays:
        total = total + ray.color            total = total + ray.color

Nobody can tell, as objects of such a class are neither written to nor compared by identity, which
is refused. Which variables these are is learnt (``TablePlan.among_rows``).
"""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.lower.instance import heap, tables
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.frontend.lower.state.tabled import Again, learn


def held(ctx: Context, node: cst.CSTNode, name: str, value: Operand) -> Operand:
    """``value`` as the variable ``name`` keeps it."""
    if (ctx.frame.node, name) not in ctx.heap.plan.among_rows:
        return value
    if not isinstance(value, Ref) or not _is_shared(ctx, value):
        return value
    fields = {of: heap.read(ctx, node, value, of) for of in objects.fields(ctx.frame, value)}
    if not all(map(is_scalar, fields.values())):
        return value
    learn(ctx.heap.plan.shared, value.cls, Again)
    made = objects.new(ctx, value.cls)
    for of, number in fields.items():
        heap.write(ctx, node, made, of, number)
    return tables.adopt(ctx, node, made)


def _is_shared(ctx: Context, ref: Ref) -> bool:
    """True for an object outside of tables that may not be changed."""
    is_object = not containers.is_container(ref) and tables.is_tabled(ctx, ref.cls)
    return is_object and ref.key in ctx.heap.ambiguous
