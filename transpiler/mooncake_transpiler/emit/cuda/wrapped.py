"""Indices that are counted from the end where they are negative."""

from __future__ import annotations

from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions


@dataclass(frozen=True, slots=True)
class Wrapped:
    """``index + size if index < 0 else index``."""

    index: ir.Value
    size: ir.Atom


def wrapped(atom: object, defs: Definitions) -> Wrapped | None:
    """The index that ``atom`` is made of, if it is counted so."""
    made = defs.stmt.get(atom) if isinstance(atom, ir.Value) else None
    match made:
        case ir.Compute(op="select" | "where", args=(cond, end, index)):
            found = cond, end, index
        case ir.If(cond=cond, then=ir.Block(yields=(end,)), orelse=ir.Block(yields=(index,))):
            found = cond, end, index
        case _:
            return None
    cond, end, index = found
    if not all(isinstance(part, ir.Value) for part in found):
        return None
    assert isinstance(cond, ir.Value)
    assert isinstance(end, ir.Value)
    assert isinstance(index, ir.Value)
    match defs.stmt.get(cond), defs.stmt.get(end):
        case (
            ir.Compute(op="lt", args=(tested, ir.Const(value=0))),
            ir.Compute(op="add", args=(first, size)),
        ) if tested is index and first is index:
            return Wrapped(index, size)
        case _:
            return None
