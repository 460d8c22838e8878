"""Prefix sums: CuPy makes them, and the rest of such loops has independent iterations.

for i in 0..n step 1 (s = s0):      terms[i] = x[i], for all i
  t = load x[i]                     sums = running sums of terms
  u = add s, t                      y[i] = s0 + sums[i], for all i
  y[i] = u
  yield u
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.host_functions import RUNNING
from mooncake_transpiler.emit.cuda.launch import Launch
from mooncake_transpiler.emit.cuda.loop.early_writes import dependents, read_first
from mooncake_transpiler.emit.cuda.loop.lifting import needed
from mooncake_transpiler.emit.cuda.loop.nests import independent, is_reversed, trip
from mooncake_transpiler.types import BOOL, Array, Scalar


@dataclass(frozen=True, slots=True)
class Scan:
    """A prefix sum: ``first`` stores ``terms``, ``sums`` are running sums, ``then`` reads these."""

    allocs: tuple[ir.Alloc, ...]
    first: ir.For
    terms: tuple[ir.Value, ...]
    sums: tuple[ir.Value, ...]
    is_reversed: bool
    then: ir.For


def run_scan(host: Host, parts: Scan, loop: ir.For) -> None:
    """A kernel that stores the terms, the sums, which CuPy makes, and kernels for the rest."""
    new = (*parts.allocs, *parts.first.body.stmts, *parts.then.body.stmts)
    host.defs.stmt.update(ir.binding(new))
    first, then = (independent(p, host.integers) for p in (parts.first, parts.then))
    if len(first) != 1 or not then:
        raise host.refuse(loop, "MK603", "a loop over elements that need one another")
    for alloc in parts.allocs:
        host.emit(alloc)
    host.check(ir.within(parts.first))
    Launch(host, first[0], parts.first).run()
    for terms, sums in zip(parts.terms, parts.sums, strict=True):
        way = ir.Const(parts.is_reversed, BOOL)
        host.defs.stmt[sums] = RUNNING.call((sums,), (terms, way))
        host.emit(host.defs.stmt[sums])
    host.check(ir.within(parts.then))
    for nest in then:
        Launch(host, nest, parts.then).run()


def scan(loop: ir.For, defs: Definitions, used: set[ir.Atom]) -> Scan | None:
    """``loop`` taken apart, if all that it carries are sums that it only stores on the way."""
    count = trip(loop, defs)
    if count is None or loop.exit:
        return None
    body = loop.body.stmts
    made = ir.binding(body)
    inside = [atom for stmt in body for atom in ir.used_by(stmt)]
    added: dict[ir.Value, ir.Atom] = {}  # the term of each total
    for param, total, last in zip(loop.params, loop.body.yields, loop.outs, strict=True):
        if total not in inside:
            continue  # it stays a sum of all iterations
        if last in used:
            return None
        match made.get(total):
            case ir.Compute(out=out, op="add" | "radd", args=(a, b)) if (a is param) != (
                b is param
            ):
                added[out] = b if a is param else a
            case _:
                return None
        if inside.count(param) != 1 or not isinstance(param.type, Scalar):
            return None
        if not param.type.dtype.is_differentiable:
            return None
    if not added:
        return None
    if not dependents(body, added).isdisjoint(added.values()):
        return None
    found = _apart(loop, count, added)
    written = defs.written([loop]) - read_first(loop, defs)
    return found if written.isdisjoint(defs.loaded([found.first])) else None


def _apart(loop: ir.For, count: ir.Atom, added: dict[ir.Value, ir.Atom]) -> Scan:
    allocs, terms, sums = [], [], []
    first: list[ir.Stmt] = []
    then: list[ir.Stmt] = []
    for stmt in loop.body.stmts:
        outs = ir.outs(stmt)
        if not (outs and outs[0] in added):
            first += [stmt] if not any(ir.written(s) for s in ir.within(stmt)) else []
            then.append(stmt)
            continue
        (total,) = outs
        assert isinstance(total, ir.Value)
        assert isinstance(total.type, Scalar)
        type_ = Array(total.type.dtype, 1)
        term, running = ir.Value("terms", type_), ir.Value("sums", type_)
        allocs.append(ir.Alloc(term, (count,)))
        first.append(ir.Store(term, (loop.index,), added[total], stmt.origin))
        init = loop.inits[loop.body.yields.index(total)]
        at = total if ir.is_zero(init) else ir.Value("", total.type)
        then.append(ir.Load(at, running, (loop.index,), stmt.origin))
        if at is not total:
            then.append(ir.Compute(total, "add", (init, at), stmt.origin))
        terms.append(term)
        sums.append(running)
    rest = ir.only_carried(loop, [total not in added for total in loop.body.yields])
    rest = replace(rest, body=ir.with_stmts(rest.body, then))
    body = needed(ir.Block(tuple(first)))
    before = replace(loop, params=(), inits=(), outs=(), body=body)
    return Scan(tuple(allocs), before, tuple(terms), tuple(sums), is_reversed(loop), rest)
