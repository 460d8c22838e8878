"""Members of enums by what is known when the program runs: ``OptionType(kind)``, ``Mode[name]``."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, EnumMember
from mooncake_transpiler.frontend.lower.container import keyed
from mooncake_transpiler.frontend.lower.failure import failing
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.scalar import enums, made_texts, scalars, told_values
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import RunText
from mooncake_transpiler.frontend.lower.state.operands import Filled, Operand, Passed, Static, Told

_UNKNOWN = Filled("what is given", ())


def by_value(ctx: Context, node: cst.CSTNode, cls: ClassDecl, value: Operand) -> Operand:
    """``cls(value)``; a ValueError if no member has it."""
    if not keyed.is_open(ctx, value):
        return enums.by_value(ctx, node, cls, value)
    members = [one.value for one in enums.members(ctx, node, cls).items if isinstance(one, Static)]
    pairs = [
        (own, one) for one in members if isinstance(one, EnumMember)
        and (own := enums.attribute(ctx, node, one, "value")) is not None
    ]  # fmt: skip
    number = Filled("{}", (value,)) if isinstance(value, ir.Value) else _UNKNOWN
    shown = made_texts.quoted(ctx, value) or number
    words = Filled(f"{shown.text} is not a valid {cls.name}", shown.numbers)
    return _found(ctx, node, pairs, value, words, "ValueError")


def by_name(ctx: Context, node: cst.CSTNode, cls: ClassDecl, key: Operand) -> Operand:
    """``cls[key]``; a KeyError if no member is called so."""
    if not keyed.is_open(ctx, key):
        return enums.by_name(ctx, node, cls, key)
    pairs = [
        (Static(name), EnumMember(cls, one.name))
        for name, one in enums.made(ctx, node, cls).__members__.items()
    ]
    shown = made_texts.told(ctx, key) if isinstance(key, RunText | Passed) else None
    return _found(ctx, node, pairs, key, shown or _UNKNOWN, "KeyError")


def _found(
    ctx: Context,
    node: cst.CSTNode,
    pairs: Sequence[tuple[Operand, EnumMember]],
    key: Operand,
    words: Filled,
    exc: str,
) -> Operand:
    """The member in the pair that begins with ``key``; else an exception."""
    tests = [
        protocols.truth(ctx, node, ctx.lower.compare(ctx, node, cst.Equal(), own, key))
        for own, _ in pairs
    ]
    failing.require(ctx, node, failing.any_of(ctx, *tests), words.text, exc, words.numbers)
    found = [told_values.as_told(Static(member)) for _, member in pairs]
    options = told_values.options(*(one for one in found if one is not None))
    places = [ir.int_const(options.index(one.options[0])) for one in found if one is not None]
    which: ir.Atom = places[-1]
    for test, place in reversed(list(zip(tests[:-1], places[:-1], strict=True))):
        which = scalars.select(ctx, test, place, which)
    return Told(which, options)
