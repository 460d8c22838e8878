"""Binding of arguments to parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from mooncake_transpiler.diagnostic.suggestions import did_you_mean
from mooncake_transpiler.frontend.lower.instance import record_rows
from mooncake_transpiler.frontend.lower.state.arguments import Signature
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Spread
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand


def bind_arguments(
    ctx: Context,
    node: cst.Call,
    of: Signature,
    args: Sequence[Operand],
    keywords: Mapping[str, Operand],
) -> dict[str, Operand]:
    """Python's binding of arguments to parameters, and its words for what does not fit."""
    bound, rest = _by_position(ctx, node, of, args, keywords)
    others: dict[str, Operand] = {}
    for name, value in keywords.items():
        if name in of.names and name not in of.posonly:
            if name in bound:
                message = f"{of.name}() got multiple values for argument {name!r}"
                raise ctx.refuse(node, "MK303", message)
            bound[name] = value
        elif of.stars is not None:
            others[name] = value
        elif name in of.posonly:
            message = f"{of.name}() got a positional-only argument passed as keyword: {name!r}"
            raise ctx.refuse(node, "MK303", message)
        else:
            message = f"{of.name}() got an unexpected keyword argument {name!r}"
            message += did_you_mean(name, of.names)
            raise ctx.refuse(node, "MK303", message)
    missing = [name for name in of.names if name not in bound and name not in of.defaults]
    if missing:
        kind = "positional" if missing[0] in of.names[: of.positional] else "keyword-only"
        message = f"{of.name}() is missing a required {kind} argument: {missing[0]!r}"
        raise ctx.refuse(node, "MK303", message)
    found = {name: bound[name] if name in bound else of.defaults[name] for name in of.names}
    if of.star is not None:
        found[of.star] = rest
    if of.stars is not None:
        found[of.stars] = record_rows.new(ctx, node, others, of.stars)
    return found


def _by_position(
    ctx: Context,
    node: cst.Call,
    of: Signature,
    args: Sequence[Operand],
    keywords: Mapping[str, Operand],
) -> tuple[dict[str, Operand], Operand]:
    """The arguments that are given by position, and the tuple of those left over for ``*args``."""
    for arg in args:
        if isinstance(arg, Spread):
            return arg.bound(of, args, keywords)
    if len(args) > of.positional and of.star is None:
        message = f"{of.name}() takes {_count(of.positional)} but {len(args)} were given"
        raise ctx.refuse(node, "MK303", message)
    bound = dict(zip(of.names, args[: of.positional], strict=False))
    return bound, Items(tuple(args[of.positional :]))


def _count(number: int) -> str:
    return f"{number} positional argument{'s' * (number != 1)}"
