"""While-to-for: while loops that count become for loops.

    before                                 after
    i.2 = while (i = lo):                  i.3 = for i in lo..n step 2 (i.1 = lo):
      c: bool = lt i, n                      x[i.1] = 0.0
      yield c                                i.2: int64 = add i.1, 2
    do:                                      yield i.2
      x[i] = 0.0
      i.1: int64 = add i, 2
      yield i.1

The counter stays carried, so its last value is right; ``induction`` replaces it by the index.
"""

from __future__ import annotations

from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.steps import Steps
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import INT

_FLIPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def while_to_for(func: ir.Func) -> ir.Func:
    """Turn each ``while i < n`` whose body adds a constant to ``i`` into a ``for``."""
    return _Counted().run(func)


@dataclass(frozen=True, slots=True)
class _Range:
    """``while params[k] op bound``, in which each iteration adds ``step``."""

    k: int
    op: str
    bound: ir.Atom
    step: int


class _Counted(Rewriter):
    def statement(self, stmt: ir.Stmt) -> None:
        stmt = self.resolved(stmt)
        found = _range(stmt) if isinstance(stmt, ir.While) else None
        if not isinstance(stmt, ir.While) or found is None:
            self.emit(self.inside(stmt))
            return
        for inner in stmt.cond.stmts[:-1]:  # what computes the bound
            self.statement(inner)
        bound = hi = self.use(found.bound)
        if found.op in ("le", "ge"):
            hi = ir.Value("", INT)
            op = "add" if found.op == "le" else "sub"
            self.emit(ir.Compute(hi, op, (bound, ir.ONE), stmt.origin))
        index, lo, step = (
            ir.fresh(stmt.params[found.k]),
            stmt.inits[found.k],
            ir.int_const(found.step),
        )
        body = self.block(stmt.body)
        self.emit(
            ir.For(
                stmt.outs, index, lo, hi, step, stmt.params, stmt.inits, body, stmt.exit,
                stmt.origin,
            )
        )  # fmt: skip


def _range(loop: ir.While) -> _Range | None:
    compare = loop.cond.stmts[-1] if loop.cond.stmts else None
    if not isinstance(compare, ir.Compute) or compare.out is not loop.cond.yields[0]:
        return None
    if compare.op not in _FLIPPED or not _computes_bound(loop):
        return None
    a, b = compare.args
    for op, counter, bound in ((compare.op, a, b), (_FLIPPED[compare.op], b, a)):
        if counter in loop.params and bound not in loop.params and bound.type == INT:
            k = loop.params.index(counter)
            step = _constant(Steps(loop).of(k))
            if step > 0 if op in ("lt", "le") else step < 0:
                return _Range(k, op, bound, step)
    return None


def _computes_bound(loop: ir.While) -> bool:
    """True if all but the comparison in the condition is pure and does not change."""
    params = set(loop.params)
    for stmt in loop.cond.stmts[:-1]:
        pure = isinstance(stmt, ir.Compute | ir.Dim)
        if not pure or any(atom in params for atom in ir.operands(stmt)):
            return False
    return True


def _constant(step: ir.Atom | None) -> int:
    """The constant step, 0 if there is none."""
    match step:
        case ir.Const(value=int() as value):
            return value
        case _:
            return 0
