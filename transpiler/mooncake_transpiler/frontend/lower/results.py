"""What a function returns, as its declared type has it."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.lower import whole
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.operands import NOTHING, Items, Operand, describe, type_of
from mooncake_transpiler.frontend.lower.scalars import convert
from mooncake_transpiler.types import NoneType, Scalar, Tuple, Type


def convert_result(ctx: Context, node: cst.CSTNode, value: Operand) -> Operand:
    declared = ctx.frame.result
    if declared is None:
        return whole.settle(ctx, value)
    return convert_to(ctx, node, value, declared, "the result")


def convert_to(ctx: Context, node: cst.CSTNode, value: Operand, type_: Type, what: str) -> Operand:
    """``value`` as a ``type_``: numbers are converted, everything else must fit."""
    match type_:
        case Scalar():
            return convert(ctx, node, value, type_, what)
        case Tuple(items=types, names=names, cls=cls) if isinstance(value, Items):
            if len(types) == len(value.items):
                pairs = enumerate(zip(value.items, types, strict=True))
                labels = names or [f"{what}, item {k}" for k in range(len(types))]
                items = [convert_to(ctx, node, v, t, labels[k]) for k, (v, t) in pairs]
                return Items(tuple(items), names, cls)
        case NoneType() if value == NOTHING:
            return NOTHING
        case _ if type_of(value) == type_:
            return whole.settle(ctx, value)
    raise ctx.refuse(node, "MK213", f"{what} must be {type_}, got {describe(value)}")
