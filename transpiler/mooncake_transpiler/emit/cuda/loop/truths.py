"""Loops that compute ``any`` or ``all`` become reductions: they count how often it holds.

for i in 0..n (t: bool = False):           for i in 0..n (k: int64 = 0):
  u = or t, c                                one = cast c
  yield u                                    more = add k, one
                                             yield more
                                           t = gt k, 0

Counts are sums, whose order is free. Of ``and`` those are counted of which it is not true. A branch
in place of ``or`` and ``and`` is the same (`truth_branches.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.loop.nests import leads
from mooncake_transpiler.emit.cuda.loop.truth_branches import combined
from mooncake_transpiler.types import BOOL, INT

_ARGUMENTS = {"or": 2, "and": 2}
_ABSORBING = {"or": True, "and": False}  # what the result is as soon as one operand is


@dataclass(frozen=True, slots=True, eq=False)
class _Folded:
    """The loop ``loop`` with its carried value ``k`` as a count, begun with ``init``."""

    loop: ir.For
    k: int
    op: str

    def counted(self, init: ir.Atom, out: ir.Value) -> ir.For:
        loop, k = self.loop, self.k
        param = ir.Value(loop.params[k].hint, INT)
        body, found = _counting(loop.body, loop.params[k], loop.body.yields[k], param, self.op)
        return replace(
            loop,
            inits=ir.with_item(loop.inits, k, init),
            params=ir.with_item(loop.params, k, param),
            outs=ir.with_item(loop.outs, k, out),
            body=ir.Block(body, ir.with_item(loop.body.yields, k, found)),
        )


def with_counted_truths(func: ir.Func) -> ir.Func:
    """``func`` with such loops."""

    def visit(block: ir.Block) -> ir.Block:
        stmts: list[ir.Stmt] = []
        for stmt in block.stmts:
            found = _without_truths(combined(stmt)) if isinstance(stmt, ir.For) else [stmt]
            stmts += (ir.mapped(inner, visit) for inner in found)
        return ir.with_stmts(block, stmts)

    return ir.with_body(func, visit(func.body))


def _without_truths(loop: ir.For) -> list[ir.Stmt]:
    """``loop``, and between what its counts begin with and what they tell."""
    before: list[ir.Stmt] = []
    behind: list[ir.Stmt] = []
    for k, out in enumerate(loop.outs):
        op = next((op for op in _ABSORBING if _folds(loop, k, op)), None)
        if op is None:
            continue
        count = ir.Value("", INT)
        start = _one_where(loop.inits[k], op, before.append)
        test = "gt" if _ABSORBING[op] else "eq"
        behind.append(ir.Compute(out, test, (count, ir.ZERO), loop.origin))
        loop = _Folded(loop, k, op).counted(start, count)
    return [*before, loop, *behind]


def _folds(loop: ir.For, k: int, op: str) -> bool:
    """True if all that ``loop`` does with its carried value ``k`` is to combine it by ``op``."""
    param = loop.params[k]
    if param.type != BOOL or loop.exit or loop.body.yields[k] is param:
        return False
    made = ir.binding(loop.body.stmts)
    at = loop.body.yields[k]
    while at is not param:
        stmt = made.get(at)
        if ir.uses(at, loop.body) != 1:
            return False
        match stmt:
            case ir.Compute(op=found, args=(first, second)) if found == op:
                at = first if leads(first, param, made, _ARGUMENTS) else second
            case ir.For(outs=outs, inits=inits) if isinstance(at, ir.Value):
                if not _folds(stmt, outs.index(at), op):
                    return False
                at = inits[outs.index(at)]
            case _:
                return False
    return ir.uses(param, loop.body) == 1


def _counting(
    block: ir.Block, param: ir.Value, last: ir.Atom, count: ir.Value, op: str
) -> tuple[tuple[ir.Stmt, ...], ir.Atom]:
    """The statements of ``block`` with additions to ``count``, and what that is behind them."""
    counts: dict[ir.Atom, ir.Atom] = {param: count}
    stmts: list[ir.Stmt] = []
    for stmt in block.stmts:
        match stmt:
            case ir.Compute(op=found, args=(first, second), out=out) if found == op and (
                first in counts or second in counts
            ):
                before, other = (first, second) if first in counts else (second, first)
                more = ir.Value("", INT)
                one = _one_where(other, op, stmts.append)
                stmts.append(ir.Compute(more, "add", (counts[before], one), stmt.origin))
                counts[out] = more
            case ir.For(inits=inits) if any(a in counts for a in inits):
                k = next(k for k, a in enumerate(inits) if a in counts)
                more = ir.Value("", INT)
                stmts.append(_Folded(stmt, k, op).counted(counts[inits[k]], more))
                counts[stmt.outs[k]] = more
            case _:
                stmts.append(stmt)
    return tuple(stmts), counts[last]


def _one_where(atom: ir.Atom, op: str, add: Callable[[ir.Stmt], None]) -> ir.Atom:
    """1 where ``atom`` settles what ``op`` gives, else 0."""
    if isinstance(atom, ir.Const):
        return ir.int_const(int(bool(atom.value) == _ABSORBING[op]))
    if not _ABSORBING[op]:
        inverse = ir.Value("", BOOL)
        add(ir.Compute(inverse, "not", (atom,)))
        atom = inverse
    one = ir.Value("", INT)
    add(ir.Compute(one, "cast", (atom,)))
    return one
