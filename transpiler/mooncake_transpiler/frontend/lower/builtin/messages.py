"""``print``, and the text of messages."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import texts
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Conflict,
    Filled,
    Operand,
    Static,
)


def lower_print(ctx: Context, node: cst.Call) -> Operand:
    """``print(...)`` of numbers and text."""
    printed: list[ir.Atom | str] = []
    for arg in node.args:
        if arg.keyword is not None or arg.star:
            raise ctx.refuse(arg, "MK303", "print takes positional arguments only")
        if isinstance(arg.value, cst.FormattedString):
            printed += _pieces(ctx, arg.value)
        else:
            printed.append(_printable(ctx, arg.value))
    ctx.builder.add(ir.Print(tuple(printed), ctx.builder.origin))
    return NOTHING


def _printable(ctx: Context, node: cst.BaseExpression) -> ir.Atom | str:
    found = ctx.lower.expression(ctx, node)
    match found:
        case Static(value=str(value)):
            return value
        case Static(value=None):
            return "None"
        case ir.Value() | ir.Const() | ir.Undef():
            return found
        case _:
            raise ctx.refuse(node, "MK213", f"{describe(found)} can't be printed")


def _pieces(ctx: Context, node: cst.FormattedString) -> list[ir.Atom | str]:
    """An f-string as arguments of print, which puts a space between each two."""
    found: list[ir.Atom | str] = []
    last = len(node.parts) - 1
    for k, part in enumerate(node.parts):
        match part:
            case cst.FormattedStringText():
                words = _part(node, part)
                apart = (k == 0 or words.startswith(" ")) and (k == last or words.endswith(" "))
                if apart:
                    found.append(words[k > 0 : len(words) - (k < last)])
                    continue
            case cst.FormattedStringExpression(format_spec=None, conversion=None, equal=None):
                if k == 0 or isinstance(node.parts[k - 1], cst.FormattedStringText):
                    found.append(_printable(ctx, part.expression))
                    continue
            case _:
                pass
        help_ = "put single spaces around {...}, or give print several arguments"
        raise ctx.refuse(node, "MK110", "this f-string can't be printed", help_)
    return found


def text(ctx: Context, node: cst.BaseExpression) -> str:
    """The text of a message; what an f-string would fill in stays as it is written."""
    match node:
        case cst.SimpleString() if isinstance(node.evaluated_value, str):
            return node.evaluated_value
        case cst.ConcatenatedString(left=left, right=right):
            return text(ctx, left) + text(ctx, right)
        case cst.FormattedString(parts=parts):
            return "".join(_part(node, part) for part in parts)
        case _:
            found = ctx.lower.expression(ctx, node)
            if isinstance(found, Static) and isinstance(found.value, str):
                return found.value
            raise ctx.refuse(node, "MK110", "a message must be a string that is known here")


def _part(node: cst.FormattedString, part: cst.BaseFormattedStringContent) -> str:
    if isinstance(part, cst.FormattedStringText):
        return texts.unescaped(node, part)
    return cst.Module([]).code_for_node(part)


def bound(ctx: Context, node: cst.Name) -> Filled | None:
    """The text with numbers that is bound to a name."""
    frame = ctx.frame
    variable = frame.variable(node.value)
    value = frame.values.get(variable) if frame.is_bound(variable) else None
    return value.filled if isinstance(value, Conflict) else None
