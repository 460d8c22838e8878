"""Names of what a function saves for its pullback, where the user has given none."""

from __future__ import annotations

from mooncake_transpiler import ir

_WORDS = {
    "add": "sum", "radd": "sum", "sub": "difference", "mul": "product", "div": "quotient",
    "floordiv": "quotient", "mod": "remainder", "neg": "negative", "pow": "power",
    "where": "chosen", "select": "chosen",
}  # fmt: skip
_TESTS = frozenset({"lt", "le", "gt", "ge", "eq", "ne", "and", "or", "not"})


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
            return _WORDS.get(op, op.rpartition(".")[2])
        case _:
            return ""
