"""New arrays that the arms of a branch yield, and the names that these have behind it."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.types import Array


def makes(block: ir.Block, atom: ir.Atom) -> bool:
    """True if ``block`` itself makes the array ``atom``, or all arms of a branch in it that do."""
    for stmt in block.stmts:
        match stmt:
            case ir.If(outs=outs, then=then, orelse=orelse) if atom in outs:
                k = outs.index(atom)
                arms = ((arm, arm.yields[k]) for arm in (then, orelse))
                return all(isinstance(made, ir.Undef) or makes(arm, made) for arm, made in arms)
            case _ if atom in ir.produced(stmt):
                return True
            case _:
                pass
    return False


def named_too(block: ir.Block, k: int) -> list[int]:
    """The other places where ``block`` yields the array of its own that it yields at ``k``."""
    array = block.yields[k]
    if not any(array in ir.outs(stmt) for stmt in block.stmts):
        return []
    return [j for j, atom in enumerate(block.yields) if j != k and atom is array]


def together(stmt: ir.If, k: int) -> list[int]:
    """The results of ``stmt`` that may be one new array, with the one at ``k``: of one shadow."""
    found, pending = set[int](), [k]
    while pending:
        j = pending.pop()
        if j not in found:
            found.add(j)
            pending += [*named_too(stmt.then, j), *named_too(stmt.orelse, j)]
    return sorted(found)


def overlap_by_nested(stmt: ir.If, k: int) -> bool:
    """True if a branch inside an arm decides whether the result at ``k`` is another one, too."""
    for arm in (stmt.then, stmt.orelse):
        own = _new(arm, arm.yields[k])
        for atom in arm.yields:
            if atom is not arm.yields[k] and not own.isdisjoint(_new(arm, atom)):
                return True
    return False


def _new(block: ir.Block, atom: ir.Atom) -> set[ir.Atom]:
    """The arrays made in ``block`` that ``atom`` may be."""
    if not isinstance(atom.type, Array):
        return set()
    for stmt in block.stmts:
        match stmt:
            case ir.If(outs=outs, then=then, orelse=orelse) if atom in outs:
                k = outs.index(atom)
                inner = (_new(block, a.yields[k]) | _new(a, a.yields[k]) for a in (then, orelse))
                return set[ir.Atom]().union(*inner)
            case _ if atom in ir.produced(stmt):
                return {atom}
            case _:
                pass
    return set()
