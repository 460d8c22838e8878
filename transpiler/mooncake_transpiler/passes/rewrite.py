"""The tool of the passes: a rebuilding walk.

Whatever does not change is kept as the same object, so a pass that finds nothing returns the very
function that it was given. Stacks are arrays by now (`ad/tape/stacks.py`).
"""

from __future__ import annotations

from operator import is_

from mooncake_transpiler import ir


class Rewriter:
    """Rebuilds blocks in order, statement by statement.

    A pass overrides ``statement``: it emits what stands in place of the statement, and notes in
    ``env`` which atoms stand for values that are gone.
    """

    def __init__(self) -> None:
        self.env: dict[ir.Value, ir.Atom] = {}
        self.stmts: list[ir.Stmt] = []  # of the block under construction
        self.hints: dict[ir.Value, str] = {}  # names for temporaries

    def run(self, func: ir.Func) -> ir.Func:
        body = self.block(func.body)
        if self.hints:
            body = ir.renamed(body, self.hints)
        return ir.with_body(func, body)

    def put(self, value: ir.Value, atom: ir.Atom) -> None:
        """Replace ``value`` by ``atom``; a temporary takes over the user's name for it."""
        self.env[value] = atom
        if value.hint and isinstance(atom, ir.Value) and not atom.hint:
            self.hints.setdefault(atom, value.hint)

    def use(self, atom: ir.Atom) -> ir.Atom:
        return self.env.get(atom, atom) if isinstance(atom, ir.Value) else atom

    def resolved(self, stmt: ir.Stmt) -> ir.Stmt:
        """``stmt`` with the replacements of its operands."""
        return ir.with_operands(stmt, self.use) if self.env else stmt

    def emit(self, stmt: ir.Stmt) -> None:
        self.stmts.append(stmt)

    def statement(self, stmt: ir.Stmt) -> None:
        self.emit(self.inside(self.resolved(stmt)))

    def inside(self, stmt: ir.Stmt) -> ir.Stmt:
        """``stmt`` with its blocks rebuilt."""
        inner = ir.blocks(stmt)
        if not inner:
            return stmt
        return ir.with_blocks(stmt, tuple([self.block(block) for block in inner]))

    def block(self, block: ir.Block) -> ir.Block:
        outer, self.stmts = self.stmts, []
        for stmt in block.stmts:
            self.statement(stmt)
        stmts, self.stmts = self.stmts, outer
        yields = tuple([self.use(atom) for atom in block.yields])
        unchanged = _identical(stmts, block.stmts) and _identical(yields, block.yields)
        return block if unchanged else ir.Block(tuple(stmts), yields)


def _identical(new: list[ir.Stmt] | tuple[ir.Atom, ...], old: tuple[object, ...]) -> bool:
    return len(new) == len(old) and all(map(is_, new, old))
