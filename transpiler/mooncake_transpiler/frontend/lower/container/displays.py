"""Dict displays and f-strings."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import EnumMember
from mooncake_transpiler.frontend.lower import expressions
from mooncake_transpiler.frontend.lower.array import whole
from mooncake_transpiler.frontend.lower.container import dicts
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.operands import Operand, Ref, Static


def dict_(ctx: Context, node: cst.Dict, hint: str = "") -> Ref:
    """``{key: value, **other}``."""
    held: dict[str, Operand] = {}
    for element in node.elements:
        value = whole.settle(ctx, expressions.lower(ctx, element.value))
        if isinstance(element, cst.DictElement):
            key = expressions.lower(ctx, element.key)
            held[dicts.name_of(ctx, element, key)] = value
        else:
            held |= dicts.pairs(ctx, element, value)
    return dicts.new(ctx, held, hint)


def formatted(ctx: Context, node: cst.FormattedString) -> Static:
    """An f-string of what is known ahead of time."""
    return Static("".join(_piece(ctx, piece) for piece in node.parts))


def _piece(ctx: Context, node: cst.BaseFormattedStringContent) -> str:
    if isinstance(node, cst.FormattedStringText):
        text = node.value.replace("{{", "{").replace("}}", "}")
        return text.encode().decode("unicode_escape") if "\\" in text else text
    assert isinstance(node, cst.FormattedStringExpression)
    value = _static(ctx, node, expressions.lower(ctx, node.expression))
    spec = "".join(_piece(ctx, piece) for piece in node.format_spec or ())
    if node.conversion is not None or node.equal is not None:
        raise ctx.refuse(node, "MK112", "`!r` and `=` in f-strings are not supported")
    return format(value, spec)


def _static(ctx: Context, node: cst.CSTNode, value: Operand) -> object:
    match value:
        case ir.Const(value=number):
            return number
        case Static(value=str() | None as text):
            return text
        case Static(value=EnumMember(cls=cls, name=name)):
            return f"{cls.name}.{name}"
        case _:
            message = "an f-string as a value is made of what is known ahead of time"
            raise ctx.refuse(node, "MK112", message, "numbers can be part of a message only")
