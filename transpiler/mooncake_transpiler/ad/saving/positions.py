"""Positions of all statements in a region, with their enclosing loops and branches."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Loop


class Positions:
    """Positions count statements as they are written, those of nested blocks included."""

    def __init__(self, block: ir.Block) -> None:
        self.block = block
        self.start: dict[ir.Stmt, int] = {}
        self.end: dict[ir.Stmt, int] = {}
        self.at: list[ir.Stmt] = []
        self.path: dict[ir.Stmt, tuple[ir.Stmt, ...]] = {}  # enclosing compound statements
        self.home: dict[ir.Value, tuple[ir.Block, tuple[ir.Stmt, ...]]] = {}
        self.unit: dict[ir.Stmt, int] = {}
        for k, stmt in enumerate(block.stmts):
            self._visit(stmt, block, (), k)
        self.direct = {v for stmt in block.stmts for v in ir.outs(stmt)}

    def _visit(self, stmt: ir.Stmt, home: ir.Block, path: tuple[ir.Stmt, ...], unit: int) -> None:
        self.start[stmt] = len(self.at)
        self.at.append(stmt)
        self.path[stmt] = path
        self.unit[stmt] = unit
        for out in ir.outs(stmt):
            self.home[out] = (home, path)
        inner = (*path, stmt)
        for block in ir.blocks(stmt):
            for value in ir.binders(stmt):
                self.home[value] = (block, inner)
            for child in block.stmts:
                self._visit(child, block, inner, unit)
        self.end[stmt] = len(self.at) - 1

    def loops(self, path: tuple[ir.Stmt, ...]) -> tuple[Loop, ...]:
        return tuple(s for s in path if isinstance(s, ir.For | ir.While))

    def horizon(self, stmt: ir.Stmt, last: int) -> int:
        """The last position where writes matter for a value of ``stmt`` used at ``last``."""
        outer = self.loops(self.path[stmt])
        for loop in self.loops(self.path[self.at[last]]):
            if loop not in outer:
                return self.end[loop]
        return last
