"""Sums to which a branch adds, as sums of what it makes: each thread of a kernel has a term.

for i in 0..n (s: float64 = 0.0):          for i in 0..n (s: float64 = 0.0):
  t = if c: yield add s, x                   x2 = if c: yield x
      else: yield s                                else: yield 0.0
  yield t                                    t = add s, x2
                                             yield t
"""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.loop.lifting import needed
from mooncake_transpiler.types import Scalar


def with_terms(func: ir.Func) -> ir.Func:
    """``func`` with such sums."""

    def visit(block: ir.Block, carried: frozenset[ir.Value]) -> ir.Block:
        stmts: list[ir.Stmt] = []
        for stmt in block.stmts:
            own = carried | set(stmt.params) if isinstance(stmt, ir.For) else carried
            inner = ir.mapped(stmt, lambda part, own=own: visit(part, own))  # type: ignore[misc]
            stmts += _added(inner, carried) if isinstance(inner, ir.If) else [inner]
        return ir.with_stmts(block, stmts)

    return ir.with_body(func, visit(func.body, frozenset()))


def _added(stmt: ir.If, carried: frozenset[ir.Value]) -> list[ir.Stmt]:
    """``stmt``, and behind it the additions to what is ``carried``."""
    outs, then, orelse = list(stmt.outs), list(stmt.then.yields), list(stmt.orelse.yields)
    behind: list[ir.Stmt] = []
    for k, out in enumerate(stmt.outs):
        if not isinstance(out.type, Scalar):
            continue
        for total in (*_parts(stmt.then, k), *_parts(stmt.orelse, k)):
            if not isinstance(total, ir.Value) or total not in carried:
                continue
            one, other = _term(stmt.then, k, total), _term(stmt.orelse, k, total)
            if one is None or other is None or total.type != out.type:
                continue
            outs[k] = ir.Value("", out.type)
            then[k], orelse[k] = one, other
            behind.append(ir.Compute(out, "add", (total, outs[k]), stmt.origin))
            break
    if not behind:
        return [stmt]
    first = needed(replace(stmt.then, yields=tuple(then)))
    second = needed(replace(stmt.orelse, yields=tuple(orelse)))
    return [replace(stmt, outs=tuple(outs), then=first, orelse=second), *behind]


def _parts(block: ir.Block, k: int) -> tuple[ir.Atom, ...]:
    """The numbers that item ``k`` of what ``block`` yields may be the sum of."""
    found = block.yields[k]
    made = next((stmt for stmt in block.stmts if found in ir.outs(stmt)), None)
    match made:
        case ir.Compute(op="add", args=args):
            return args
        case None:
            return (found,)
        case _:
            return ()


def _term(block: ir.Block, k: int, total: ir.Value) -> ir.Atom | None:
    """The term that ``block`` adds to ``total`` for its item ``k``; None if it does not."""
    match _parts(block, k):
        case (found,) if found is total:
            assert isinstance(total.type, Scalar)
            return ir.zero(total.type)
        case (first, term) if first is total and term is not total:
            return term
        case (term, last) if last is total and term is not total:
            return term
        case _:
            return None
