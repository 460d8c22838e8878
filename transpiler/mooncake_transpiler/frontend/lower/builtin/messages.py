"""The text of messages, as it is written."""

from __future__ import annotations

from contextlib import suppress

import libcst as cst

from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.lower.scalar import texts
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Conflict, Filled, Static


def text(ctx: Context, node: cst.BaseExpression) -> str:
    """The text of a message; what an f-string would fill in stays as it is written."""
    match node:
        case cst.SimpleString() if isinstance(node.evaluated_value, str):
            return node.evaluated_value
        case cst.ConcatenatedString(left=left, right=right):
            return text(ctx, left) + text(ctx, right)
        case cst.FormattedString(parts=parts):
            return "".join(part_text(node, part) for part in parts)
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            return _joined(ctx, left) + _joined(ctx, right)
        case _:
            found = ctx.lower.expression(ctx, node)
            if isinstance(found, Static) and isinstance(found.value, str):
                return found.value
            raise ctx.refuse(node, "MK110", "a message must be a string that is known here")


def _joined(ctx: Context, node: cst.BaseExpression) -> str:
    """The text of what is joined with other text, in braces if it is not known here."""
    match node:
        case cst.Call(func=cst.Name("str" | "repr"), args=[cst.Arg(value=inner)]):
            return _joined(ctx, inner)
        case cst.SimpleString() | cst.FormattedString() | cst.BinaryOperation():
            return text(ctx, node)
        case cst.Call() if is_join(node):
            found = known_join(ctx, node)
            return f"{{{cst.Module([]).code_for_node(node)}}}" if found is None else found
        case _:
            match ctx.lower.expression(ctx, node):
                case Static(value=str(known)):
                    return known
                case _:
                    return f"{{{cst.Module([]).code_for_node(node)}}}"


def is_join(node: cst.BaseExpression) -> bool:
    """True for ``", ".join(...)``."""
    join = node.func if isinstance(node, cst.Call) else None
    is_method = isinstance(join, cst.Attribute) and isinstance(join.value, cst.SimpleString)
    return is_method and isinstance(join, cst.Attribute) and join.attr.value == "join"


def known_join(ctx: Context, node: cst.BaseExpression) -> str | None:
    """The text of ``", ".join(...)``; None where a list of texts of the run is joined."""
    before = ctx.mark()
    with suppress(Refused):
        found = ctx.lower.expression(ctx, node)
        if isinstance(found, Static) and isinstance(found.value, str):
            return found.value
    ctx.reset(before)
    return None


def part_text(node: cst.FormattedString, part: cst.BaseFormattedStringContent) -> str:
    """The text of a part of an f-string, which may be braces with what stands in them."""
    if isinstance(part, cst.FormattedStringText):
        return texts.unescaped(node, part)
    return cst.Module([]).code_for_node(part)


def bound(ctx: Context, node: cst.Name) -> Filled | None:
    """The text with numbers that is bound to a name."""
    frame = ctx.frame
    variable = frame.variable(node.value)
    value = frame.values.get(variable) if frame.is_bound(variable) else None
    return value.filled if isinstance(value, Conflict) else None
