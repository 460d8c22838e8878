"""Values that may be one of several, as the border shows them: a number, and the alternatives."""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import told_values
from mooncake_transpiler.frontend.lower.scalar.scalars import select
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import type_of
from mooncake_transpiler.frontend.lower.state.operands import Items, Maybe, Operand, Told
from mooncake_transpiler.types import NONE, OneOf, Tuple, Type


def shown(ctx: Context, value: Operand) -> tuple[Type | None, Operand]:
    """``value`` with its type at the border; without a type if it has none."""
    match value:
        case Told(options=options):
            return OneOf(options), value
        case Maybe(there=there, value=inner):
            told = told_values.as_told(inner)
            if told is not None:
                at = select(ctx, there, told.which, ir.int_const(len(told.options)))
                return OneOf((*told.options, NONE)), Items((at,))
            type_, inner = shown(ctx, inner)
            if type_ is None or isinstance(type_, OneOf):
                return None, value
            at = select(ctx, there, ir.int_const(0), ir.int_const(1))
            return OneOf((type_, NONE)), Items((at, inner))
        case Items(items=items) if isinstance(type_of(value), Tuple):
            pairs = [shown(ctx, item) for item in items]
            types = tuple(type_ for type_, _ in pairs if type_ is not None)
            if len(types) < len(pairs):
                return None, value
            made = replace(value, items=tuple(item for _, item in pairs))
            return Tuple(types, value.names, value.cls, value.of), made
        case _:
            return type_of(value), value
