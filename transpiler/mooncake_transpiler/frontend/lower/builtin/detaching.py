"""``stop_gradient``: values and memory under a name without derivative."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import libcst as cst
from mooncake_rules.arrays import Arr

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import whole
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.frontend.lower.state.tabled import holds_rows
from mooncake_transpiler.types import Array, Scalar, is_differentiable


def stop_gradient(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.all(ctx, node, "stop_gradient", "value")
    return _detached(ctx, node, value, hint)


def _detached(ctx: Context, node: cst.CSTNode, value: Operand, hint: str = "") -> Operand:
    match value:
        case ir.Value(type=type_) if not is_differentiable(type_):
            return value
        case ir.Value(type=Scalar() as type_):
            return ctx.builder.compute("stop_gradient", (value,), type_, hint)
        case ir.Value(type=Array()):
            return storage.part(ctx, value, ir.DETACHED, hint)
        case Arr():
            return whole.apply(ctx, node, "stop_gradient", (value,))
        case Items() if holds_rows(value):
            help_ = "detach its fields one by one"
            raise ctx.refuse(node, "MK406", f"{describe(value)} can't be detached", help_)
        case Items(items=items):
            return replace(value, items=tuple(_detached(ctx, node, item) for item in items))
        case Ref():
            help_ = "detach its fields one by one"
            raise ctx.refuse(node, "MK406", f"{describe(value)} can't be detached", help_)
        case _:
            return value


HANDLERS: Mapping[str, Callable[[Context, cst.Call, Arguments, str], Operand]] = {
    "mooncake_runtime.stop_gradient": stop_gradient
}
