"""Residuals, what a function saves for its pullback, and their names where users gave none."""

from __future__ import annotations

from collections.abc import Iterator

from mooncake_rules.op_names import bare

from mooncake_transpiler import ir
from mooncake_transpiler.types import Tuple, Type, leaves

_WORDS = {
    "add": "sum", "radd": "sum", "sub": "difference", "mul": "product", "div": "quotient",
    "floordiv": "quotient", "mod": "remainder", "neg": "negative", "pow": "power",
    "where": "chosen", "select": "chosen",
}  # fmt: skip
_TESTS = frozenset({"lt", "le", "gt", "ge", "eq", "ne", "and", "or", "not"})


def residuals_name(type_: Type) -> str:
    """The name of the NamedTuple that a type of residuals is; nothing for other types."""
    return type_.alias or "" if isinstance(type_, Tuple) else ""


def taken(func: ir.Func) -> Iterator[tuple[str, tuple[ir.Value, ...]]]:
    """The residuals among the parameters of ``func``, behind the name of their NamedTuple."""
    for param in func.params:
        if name := residuals_name(param.type):
            yield name, param.leaves


def returned(func: ir.Func) -> Iterator[tuple[str, tuple[ir.Atom, ...]]]:
    """The residuals among the results of ``func``, likewise."""
    at = 0
    for item in func.result.items if isinstance(func.result, Tuple) else ():
        end = at + len(list(leaves(item)))
        if name := residuals_name(item):
            yield name, func.body.yields[at:end]
        at = end


def saved_name(value: ir.Atom, made: ir.Stmt | None) -> str:
    """``cov_saved`` for ``cov[i, j]``, ``exp_saved`` for an exponential; ``saved`` for others.

    ``made`` is the statement that makes ``value``, or that overwrites it.
    """
    word = _word(value, made)
    return f"{word}_saved" if word else "saved"


def _word(value: ir.Atom, made: ir.Stmt | None) -> str:
    if isinstance(value, ir.Value) and value.hint:
        return value.hint
    match made:
        case ir.Load(base=ir.Value(hint=hint)) | ir.View(base=ir.Value(hint=hint)):
            return hint
        case ir.Store(base=ir.Value(hint=hint)) | ir.Accum(base=ir.Value(hint=hint)):
            return hint
        case ir.Compute(op=op) if op in _TESTS:
            return "test"
        case ir.Compute(op=op):
            return _WORDS.get(op, bare(op))
        case _:
            return ""
