"""Indices that are counted from the end where they are negative."""

from __future__ import annotations

from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.integers import Integers
from mooncake_transpiler.types import BOOL, INT


@dataclass(frozen=True, slots=True)
class Wrapped:
    """An index that counts from the end: ``index + size if index < 0 else index``."""

    index: ir.Value
    size: ir.Atom


def is_from_the_front(atom: ir.Atom, integers: Integers) -> bool:
    """True if the index ``atom`` is not negative, or is counted from the end already."""
    return integers.nonnegative(atom) or wrapped(atom, integers.defs) is not None


def wrap(index: ir.Atom, size: ir.Atom, stmts: list[ir.Stmt]) -> ir.Value:
    """``index`` counted from the end if it is negative, computed behind ``stmts``."""
    negative, end, out = ir.Value("", BOOL), ir.Value("", INT), ir.Value("", INT)
    stmts.append(ir.Compute(negative, "lt", (index, ir.ZERO)))
    stmts.append(ir.Compute(end, "add", (index, size)))
    stmts.append(ir.Compute(out, "select", (negative, end, index)))
    return out


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
