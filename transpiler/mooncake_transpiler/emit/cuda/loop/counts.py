"""Loops that count down to 0 from a number that is written as a size less 1.

t: int64 = sub n, 3                    t: int64 = sub n, 2
for i in t..-1 step -1:                last: int64 = sub t, 1
                                       for i in last..-1 step -1:

So the number of iterations is a value, by preference one that is the size of arrays.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.integers import ONE, Integers, LinearSum
from mooncake_transpiler.emit.cuda.loop.nests import size_above
from mooncake_transpiler.types import INT

Known = dict[object, ir.Value]  # integers, by what sums they are


def with_counts(func: ir.Func) -> ir.Func:
    """``func`` with the numbers of iterations of such loops as values."""
    search = _CountSearch(Integers(Definitions(func)))
    sizes = {_key(search.integers.of(v)): v for v in func.inputs if v.type == INT}
    search.block(func.body, sizes)

    def visit(block: ir.Block) -> ir.Block:
        stmts: list[ir.Stmt] = []
        for stmt in block.stmts:
            if stmt in search.last:
                assert isinstance(stmt, ir.For)
                stmt = replace(stmt, lo=search.last[stmt])
            stmts.append(ir.mapped(stmt, visit))
            stmts += (new for out in ir.outs(stmt) for new in search.behind.get(out, ()))
        return ir.Block(tuple(stmts), block.yields)

    if not search.last:
        return func
    body = visit(func.body)
    first = tuple(new for v in func.inputs for new in search.behind.get(v, ()))
    return _without_unused(ir.with_body(func, ir.Block((*first, *body.stmts), body.yields)))


@dataclass(slots=True)
class _CountSearch:
    """The integers to compute ``behind`` others; loops begin with the ``last`` of them."""

    integers: Integers
    behind: dict[ir.Value, list[ir.Compute]] = field(default_factory=dict)
    made: dict[tuple[ir.Value, bool], ir.Value] = field(default_factory=dict)
    last: dict[ir.Stmt, ir.Value] = field(default_factory=dict)

    def block(self, block: ir.Block, known: Known) -> None:
        for stmt in block.stmts:
            match stmt:
                case ir.For(lo=ir.Value() as lo, hi=ir.Const(value=-1), step=ir.Const(value=-1)):
                    if size_above(lo, self.integers.defs) is None:
                        self.count(stmt, lo, known.get(_key(self.integers.of(lo).plus(ONE))))
                case ir.Compute(out=out) | ir.Dim(out=out) if out.type == INT:
                    known.setdefault(_key(self.integers.of(out)), out)
                case _:
                    pass
            for inner in ir.blocks(stmt):
                self.block(inner, dict(known))

    def count(self, loop: ir.For, lo: ir.Value, size: ir.Value | None) -> None:
        """Let ``loop`` begin with ``size`` - 1, which is ``lo``."""
        anchor = lo if size is None else size
        key = anchor, size is None
        if key not in self.made:
            new = self.behind.setdefault(anchor, [])
            if size is None:
                size = ir.Value("", INT)
                new.append(ir.Compute(size, "add", (lo, ir.int_const(1))))
            self.made[key] = ir.Value("", INT)
            new.append(ir.Compute(self.made[key], "sub", (size, ir.int_const(1))))
        self.last[loop] = self.made[key]


def _key(total: LinearSum) -> object:
    return total.const, frozenset(total.terms.items())


def _without_unused(func: ir.Func) -> ir.Func:
    """``func`` without integers that nobody needs any more."""
    while True:
        used = set(ir.used_in(func.body))

        def change(stmt: ir.Stmt, used: set[ir.Atom] = used) -> list[ir.Stmt] | None:
            return [] if _is_integer(stmt) and used.isdisjoint(ir.outs(stmt)) else None

        body = ir.rewritten(func.body, change)
        if body is func.body:
            return func
        func = ir.with_body(func, body)


def _is_integer(stmt: ir.Stmt) -> bool:
    match stmt:
        case ir.Compute(op=op, out=out):
            return out.type == INT and op in ("add", "sub")
        case _:
            return False
