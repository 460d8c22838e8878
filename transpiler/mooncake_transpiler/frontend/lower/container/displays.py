"""Dict displays and f-strings."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.container import dicts, keyed, pairs
from mooncake_transpiler.frontend.lower.scalar import enums, texts
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import Operand, Static


def dict_(ctx: Context, node: cst.Dict, hint: str) -> Operand:
    """``{key: value, **other}``."""
    made: Ref | None = None
    held: dict[str, Operand] = {}
    index = dicts.Index(ctx, node)
    for element in node.elements:
        if isinstance(element, cst.DictElement):
            key = ctx.lower.expression(ctx, element.key)
            value = delayed.settle(ctx, ctx.lower.expression(ctx, element.value))
            if made is not None or keyed.is_open(ctx, key):
                made = made or keyed.new(ctx, node, held, hint)
                keyed.write(ctx, element, made, key, value)
                continue
            name = dicts.name_of(ctx, element, key)
            held[index.place(element, name)] = value
        else:
            value = delayed.settle(ctx, ctx.lower.expression(ctx, element.value))
            if made is not None or pairs.are_open(ctx, element, value):
                made = made or keyed.new(ctx, node, held, hint)
                pairs.update(ctx, element, made, value)
                continue
            for name, item in pairs.pairs(ctx, element, value).items():
                held[index.place(element, name)] = item
    return made or keyed.made(ctx, node, held, hint)


def formatted(ctx: Context, node: cst.FormattedString) -> Static:
    """An f-string of what is known ahead of time."""
    return Static("".join(_piece(ctx, node, piece) for piece in node.parts))


def _piece(ctx: Context, whole: cst.FormattedString, node: cst.BaseFormattedStringContent) -> str:
    if isinstance(node, cst.FormattedStringText):
        return texts.unescaped(whole, node)
    assert isinstance(node, cst.FormattedStringExpression)
    value = _static(ctx, node, ctx.lower.expression(ctx, node.expression))
    spec = "".join(_piece(ctx, whole, piece) for piece in node.format_spec or ())
    if node.conversion is not None or node.equal is not None:
        raise ctx.refuse(node, "MK112", "`!r` and `=` in f-strings are not supported")
    try:
        return format(value, spec)
    except (TypeError, ValueError) as error:
        raise ctx.refuse(node, "MK112", str(error)) from None


def _static(ctx: Context, node: cst.CSTNode, operand: Operand) -> object:
    value = texts.shown(ctx, node, operand)
    if value is enums.UNKNOWN:
        message = "an f-string as a value is made of what is known ahead of time"
        raise ctx.unroll(node, "MK112", message, "numbers can be part of a message only")
    return value
