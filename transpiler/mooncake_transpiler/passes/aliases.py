"""Alias classes of the memory that is the function's own: made in it, and never seen outside.

Values that may be the same memory are in one class (views join their base, branches and loops join
what they choose between). Everything that callers or callees can see is one class, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from mooncake_transpiler import ir
from mooncake_transpiler.types import NONE, Array


class Aliases:
    """The classes of the arrays of one function."""

    def __init__(self, func: ir.Func) -> None:
        self._parent: dict[ir.Value, ir.Value] = {}
        self._outside = ir.Value("", NONE)
        self._expose(func.inputs)
        self._expose(func.body.yields)
        for stmt in ir.walk(func.body):
            self._scan(stmt)

    def own(self, memory: ir.Atom) -> ir.Value | None:
        """The class of ``memory``, or None if it is not the function's own."""
        if not isinstance(memory, ir.Value):
            return None
        leader = self._find(memory)
        return None if leader is self._find(self._outside) else leader

    def written(self, stmt: ir.Stmt) -> tuple[ir.Atom, ...]:
        """The memory that ``stmt`` itself changes, be it the extents."""
        return (*ir.written(stmt), *ir.grown(stmt))

    def read(self, stmt: ir.Stmt) -> tuple[ir.Atom, ...]:
        """The memory whose content reaches a result of ``stmt``, or other memory."""
        return (*ir.read(stmt), *ir.copied(stmt))

    # ---- unification ----------------------------------------------------------------------------

    def _find(self, value: ir.Value) -> ir.Value:
        parent = self._parent
        while (up := parent.get(value, value)) is not value:
            parent[value] = parent.get(up, up)
            value = up
        return value

    def _join(self, a: ir.Atom, b: ir.Atom) -> None:
        if isinstance(a, ir.Value) and isinstance(b, ir.Value):
            first, second = self._find(a), self._find(b)
            if first is not second:
                self._parent[second] = first

    def _expose(self, atoms: Iterable[ir.Atom]) -> None:
        for atom in atoms:
            if isinstance(atom.type, Array):
                self._join(self._outside, atom)

    def _scan(self, stmt: ir.Stmt) -> None:
        for atom, name in ir.aliases(stmt):
            self._join(name, atom)
        self._expose(ir.outside(stmt))
        if ir.acts(stmt):
            self._expose(ir.operands(stmt))
        if isinstance(stmt, ir.Shadows):
            for out in stmt.outs[1:]:
                self._join(stmt.outs[0], out)


@lru_cache(maxsize=2)
def aliases_of(func: ir.Func) -> Aliases:
    """The classes of ``func``, kept for the next pass: most leave a function as it is."""
    return Aliases(func)
