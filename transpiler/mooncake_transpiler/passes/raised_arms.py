"""Lists that one arm of a branch makes, and whose other arm raises, are made behind the branch.

before                          after
y_count = if c:                 d = not c
  y = growable (0)              if d:
  ...                             raise ValueError('…')
  yield n                       y = growable (0)
else:                           ...
  raise ValueError('…')         t = view y[:n]
  yield undef
t = view y[:y_count]

A list that an arm makes is not handed out of it, as numbers and arrays are: it is the one that is
there. Only such branches are changed.
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import BOOL


def raised_arms(func: ir.Func) -> ir.Func:
    """``func`` with arms that raise in branches of their own, where more than numbers is used."""
    leaving = _leaving(func)
    return _RaisedArms(leaving).run(func) if leaving else func


def _leaving(func: ir.Func) -> set[ir.Value]:
    """The values that are used behind the block that binds them."""
    found: set[ir.Value] = set()

    def look(block: ir.Block, known: frozenset[ir.Value]) -> None:
        seen = set(known)
        for stmt in block.stmts:
            found.update(_values(ir.operands(stmt)) - seen)
            if inner := ir.blocks(stmt):
                inside = frozenset(seen | set(ir.binders(stmt)))
                for one in inner:
                    look(one, inside)
            seen.update(ir.outs(stmt))
        found.update(_values(block.yields) - seen)

    look(func.body, frozenset(func.inputs))
    return found


def _values(atoms: tuple[ir.Atom, ...]) -> set[ir.Value]:
    return {atom for atom in atoms if isinstance(atom, ir.Value)}


def _raises(block: ir.Block) -> bool:
    """True if the end of ``block`` is out of reach."""
    last = block.stmts[-1] if block.stmts else None
    if isinstance(last, ir.If):
        return _raises(last.then) and _raises(last.orelse)
    return isinstance(last, ir.Raise)


class _RaisedArms(Rewriter):
    def __init__(self, leaving: set[ir.Value]) -> None:
        super().__init__()
        self._leaving = leaving

    def statement(self, stmt: ir.Stmt) -> None:
        stmt = self.inside(self.resolved(stmt))
        if isinstance(stmt, ir.If):
            for failing, kept in ((stmt.then, stmt.orelse), (stmt.orelse, stmt.then)):
                if _raises(failing) and self._leaves(kept):
                    self._apart(stmt, failing, kept)
                    return
        self.emit(stmt)

    def _leaves(self, block: ir.Block) -> bool:
        return any(out in self._leaving for stmt in block.stmts for out in ir.outs(stmt))

    def _apart(self, stmt: ir.If, failing: ir.Block, kept: ir.Block) -> None:
        cond = stmt.cond
        if failing is stmt.orelse:
            cond = ir.Value("", BOOL)
            self.emit(ir.Compute(cond, "not", (stmt.cond,), stmt.origin))
        raising = ir.Block(failing.stmts, ())
        self.emit(ir.If((), cond, raising, ir.Block((), ()), stmt.origin))
        for one in kept.stmts:
            self.emit(one)
        for out, atom in zip(stmt.outs, kept.yields, strict=True):
            self.put(out, self.use(atom))
