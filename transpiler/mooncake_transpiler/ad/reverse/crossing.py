"""Live-ins of blocks: values that are bound in one of them and used in another."""

from __future__ import annotations

from mooncake_transpiler import ir


def bound_in(block: ir.Block) -> list[ir.Value]:
    """The values that ``block`` binds directly, in order."""
    return [value for stmt in block.stmts for value in ir.outs(stmt)]


def free_in(block: ir.Block) -> list[ir.Value]:
    """The values that ``block`` uses but does not bind, in order of first use."""
    bound: set[ir.Value] = set()
    found: dict[ir.Value, None] = {}

    def visit(inner: ir.Block) -> None:
        for stmt in inner.stmts:
            for atom in ir.operands(stmt):
                note(atom)
            bound.update(ir.binders(stmt))
            for nested in ir.blocks(stmt):
                visit(nested)
            bound.update(ir.outs(stmt))
        for atom in inner.yields:
            note(atom)

    def note(atom: ir.Atom) -> None:
        if isinstance(atom, ir.Value) and atom not in bound:
            found[atom] = None

    visit(block)
    return list(found)
