"""Items of lists that grow: each one must be like the others."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.memory import ragged
from mooncake_transpiler.frontend.lower.object import unifying
from mooncake_transpiler.frontend.lower.row import growable, optional_items
from mooncake_transpiler.frontend.lower.scalar import told_values
from mooncake_transpiler.frontend.lower.scalar.scalars import loses
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe, type_of, undefined
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.frontend.lower.state.own_kinds import Held, Pooled, ToldItems
from mooncake_transpiler.frontend.lower.state.tabled import Anew, learn
from mooncake_transpiler.types import Array, Scalar, Tuple


def check(ctx: Context, node: cst.CSTNode, target: Operand, value: Operand) -> None:
    """Check that ``value`` is an item like the others."""
    match target, value:
        case Items(), ir.Value() if ragged.is_ragged(target):
            if value.type == ragged.type_of_item(target):
                return
        case Items(items=wanted), Items(items=given) if target.is_like(value):
            for one, other in zip(wanted, given, strict=True):
                check(ctx, node, one, other)
            return
        case ir.Value(type=Array(dtype=dtype, ndim=ndim)), (
            ir.Value() | ir.Const() | ir.Undef()
        ) if isinstance(value.type, Scalar | Array):
            rank = value.type.ndim if isinstance(value.type, Array) else 0
            keeps = not loses(ir.Undef(Scalar(value.type.dtype)), Scalar(dtype))
            if isinstance(value, ir.Const):
                keeps = not loses(value, Scalar(dtype))
            if rank + 1 == ndim and (keeps if rank == 0 else dtype is value.type.dtype):
                return
        case Items(cls=Pooled(items=one)), Items(cls=Pooled(items=other)):
            ctx.heap.plan.meet(one, other)
        case Items(cls=ToldItems()), _ if told := told_values.as_told(value):
            ctx.heap.plan.learn_told(told.options)
        case Items(), Items():
            _note_kinds(ctx, target, value)
        case _:
            pass
    message = f"this list, whose length is not known ahead of time, can't hold {describe(value)}"
    help_ = "let all items have one type: begin with 0.0, not with 0"
    raise ctx.refuse(node, "MK370", message, help_)


def _note_kinds(ctx: Context, target: Items, value: Items) -> None:
    """Note that a list of objects gets one of another class, ``value``."""
    item_, own = growable.item_type(target), type_of(value)
    if item_ is None or own is None:
        return
    both = unifying.unify(undefined(optional_items.shown(item_)), undefined(own))
    if isinstance(both, Tuple) and both.cls == Held.KINDS:
        learn(ctx.heap.plan.kinds, both, Anew)
