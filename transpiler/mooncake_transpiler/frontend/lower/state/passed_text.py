"""Text of parameters that is not known ahead of time, and what is known of it nevertheless."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Passed, Static

# Methods of text that give another text, of whatever text.
TURNING = frozenset({"casefold", "lower", "lstrip", "rstrip", "strip", "upper"})
_KEEPING = frozenset({"casefold", "lower", "upper"})  # those that make no text empty


def not_known(ctx: Context, node: cst.CSTNode, passed: Passed) -> Refused:
    """The refusal where a value is looked at that is only passed on."""
    message = f"{passed.path} may be any value of type {passed.spelled}"
    help_ = f'say which ones there are: {passed.path}: Literal["a", "b"]'
    return ctx.refuse(node, "MK363", message, help_)


def turned(passed: Passed, method: str) -> Passed | Static:
    """The text that a method makes of ``passed``; known only where a fact tells it."""
    methods = (*passed.methods, method)
    for fact in passed.facts:
        if fact.methods == methods and fact.holds:
            return Static(fact.text)
    return replace(passed, methods=methods)


def is_filled(passed: Passed) -> bool:
    """True if ``passed`` is certainly not empty: methods that strip it are not used."""
    return "" in passed.but and _KEEPING.issuperset(passed.methods)


def is_not(passed: Passed, text: object) -> bool:
    """True if ``passed`` is certainly not ``text``."""
    if not isinstance(text, str):
        return False
    if passed.methods:
        return any(fact.methods == passed.methods and fact.text == text for fact in passed.facts)
    tested = [(_applied(fact.methods, text) == fact.text, fact.holds) for fact in passed.facts]
    return text in passed.but or any(would != does for would, does in tested)


def _applied(methods: tuple[str, ...], text: str) -> str:
    for method in methods:
        text = getattr(text, method)()
    return text
