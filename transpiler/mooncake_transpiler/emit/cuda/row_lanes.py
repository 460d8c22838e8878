"""Loops within the iterations of a nest, divided among the threads of a block.

for i in 0..n step 1:                for i in 0..n step 1:
  for j in 0..m step 1 (s = 0):        for lane in 0..lanes step 1:
    v = load x, i, j                     for j in lane..m step lanes (s = 0):
    t = add s, v                           ...
    yield t                              s = sum of s over the lanes
  store y, i, s                          if lane == 0: store y, i, s

A row is the work of one iteration; its threads are the lanes. All lanes compute what is outside of
these loops, and the first one writes it. Where a row is short, it has one lane.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.host_functions import LANES, THREADS
from mooncake_transpiler.emit.cuda.loop.extremum_loops import extremum
from mooncake_transpiler.emit.cuda.loop.nests import independent, trip
from mooncake_transpiler.types import BOOL, INT, Scalar

BARRIER = "lanes::barrier"
SUM = "lanes::sum"  # over the lanes; each has it afterwards
SEARCHES = {"argmax": "lanes::argmax", "argmin": "lanes::argmin"}  # an element, and its place
BEST = {"gt": "lanes::largest", "lt": "lanes::smallest"}  # of the lanes'
SHORT = 32  # a loop known to be shorter is one thread's

_Element = ir.Load | ir.Store | ir.Accum


@dataclass(frozen=True, slots=True)
class Lanes:
    """The work of one lane, ``block``; a block of the GPU has so many ``threads``."""

    block: ir.Block
    index: ir.Value
    count: ir.Value
    threads: ir.Value


@dataclass(slots=True)
class _Rows:
    """The statements of a row while they are divided."""

    host: Host
    count: ir.Value
    lane: ir.Value = field(default_factory=lambda: ir.Value("lane", INT))
    is_first: ir.Value = field(default_factory=lambda: ir.Value("", BOOL))
    stmts: list[ir.Stmt] = field(default_factory=list)
    read: set[ir.Atom] = field(default_factory=set)  # memory, since the last barrier
    written: set[ir.Atom] = field(default_factory=set)

    def statement(self, stmt: ir.Stmt) -> bool:
        """Divide ``stmt``; False if that is not possible."""
        parts = list(ir.within(stmt))
        if isinstance(stmt, ir.For):
            return self.loop(stmt)
        if any(isinstance(s, ir.For | ir.While) for s in parts):
            return False
        if any(isinstance(s, ir.Store | ir.Accum) for s in parts):
            if ir.outs(stmt):
                return False
            own = ir.If((), self.is_first, ir.Block((stmt,)), ir.Block(()))
            self.add(own, parts)
        else:
            self.add(stmt, parts)
        return True

    def add(self, stmt: ir.Stmt, parts: Sequence[ir.Stmt]) -> None:
        """``stmt``, behind a barrier if it touches what other lanes have written, or read."""
        elements = [s for s in parts if isinstance(s, _Element)]
        read = {self.host.defs.root(s.base) for s in elements}
        written = {self.host.defs.root(s.base) for s in elements if not isinstance(s, ir.Load)}
        if not (self.written.isdisjoint(read) and self.read.isdisjoint(written)):
            self.stmts.append(ir.Call((), BARRIER, (self.count,)))
            self.passed()
        self.stmts.append(stmt)
        self.read |= read
        self.written |= written

    def passed(self) -> None:
        """All lanes have come to one place."""
        self.read.clear()
        self.written.clear()

    def loop(self, stmt: ir.For) -> bool:
        size = trip(stmt, self.host.defs)
        if size is None:
            return False
        divided = replace(stmt, lo=self.lane, hi=size, step=self.count)
        divided = replace(divided, outs=tuple(ir.Value("", out.type) for out in stmt.outs))
        parts = list(ir.walk(stmt.body))
        found = extremum(stmt, self.host.defs)
        if found is not None and len(found.places) == 1 and found.which in SEARCHES:
            self.add(divided, parts)
            args = (*divided.outs, self.count)
            self.stmts.append(ir.Call(stmt.outs, SEARCHES[found.which], args))
            self.passed()
            return True
        if (best := _best(stmt)) is not None:
            self.add(divided, parts)
            self.stmts.append(ir.Call(stmt.outs, best, (*divided.outs, self.count)))
            self.passed()
            return True
        nests = independent(stmt, self.host.integers)
        if len(nests) != 1 or nests[0].shared or nests[0].private:
            return False
        zeros = tuple(ir.zero(out.type) for out in stmt.outs if isinstance(out.type, Scalar))
        self.add(replace(divided, inits=zeros), parts)
        for out, init, part in zip(stmt.outs, stmt.inits, divided.outs, strict=True):
            total = out if ir.is_zero(init) else ir.Value("", out.type)
            self.stmts.append(ir.Call((total,), SUM, (part, self.count)))
            self.passed()
            if total is not out:
                self.stmts.append(ir.Compute(out, "add", (init, total)))
        return True


def divided(host: Host, axes: tuple[ir.Value, ...], block: ir.Block) -> Lanes | None:
    """``block``, which each iteration of ``axes`` runs, for several lanes; None if one is best."""
    loops = [stmt for stmt in block.stmts if isinstance(stmt, ir.For)]
    size = next((s for s in _sizes(host, loops) if host.has(s)), None)
    if not axes or size is None or not _is_along(axes, loops):
        return None
    count, threads = host.lanes.get(size) or (ir.Value("lanes", INT), ir.Value("threads", INT))
    rows = _Rows(host, count)
    if not all(map(rows.statement, block.stmts)):
        return None
    yields = []
    for atom in block.yields:  # terms of sums over all rows
        assert isinstance(atom.type, Scalar)
        own = ir.Value("", atom.type)
        rows.stmts.append(ir.Compute(own, "select", (rows.is_first, atom, ir.zero(atom.type))))
        yields.append(own)
    first = ir.Compute(rows.is_first, "eq", (rows.lane, ir.ZERO))
    if size not in host.lanes:
        host.lanes[size] = count, threads
        host.numbers.update((count, threads))
        host.emit(LANES.call((count,), (size,)))
        host.emit(THREADS.call((threads,), (count,)))
    body = ir.Block((first, *rows.stmts), tuple(yields))
    return Lanes(body, rows.lane, count, threads)


def _best(loop: ir.For) -> str | None:
    """The call that ends ``loop`` if all that it does is to keep the best of some numbers.

    Those that are not numbers are passed over, unless it starts with one.
    """
    *before, last = loop.body.stmts or (None,)
    match last:
        case ir.Compute(op="select", args=(cond, element, best), out=out):
            pass
        case ir.If(cond=cond, outs=(out,), then=then, orelse=orelse) if not (
            then.stmts or orelse.stmts
        ):
            (element,), (best,) = then.yields, orelse.yields
        case _:
            return None
    plain = all(isinstance(stmt, ir.Compute | ir.Load) for stmt in before)
    if not plain or loop.body.yields != (out,) or loop.params != (best,):
        return None
    if ir.uses(best, loop.body) != 2:
        return None
    match ir.binding(before).get(cond):
        case ir.Compute(op="gt" | "lt" as op, args=(first, second)):
            return BEST[op] if first is element and second is best else None
        case _:
            return None


def _sizes(host: Host, loops: Sequence[ir.For]) -> Iterator[ir.Atom]:
    """The numbers of iterations of ``loops`` that may be many."""
    for loop in loops:
        match trip(loop, host.defs):
            case None:
                pass
            case ir.Const(value=int(count)) if count < SHORT:
                pass
            case count:
                yield count


def _is_along(axes: Sequence[ir.Value], loops: Sequence[ir.For]) -> bool:
    """True if neighbouring elements are more often those of ``loops`` than those of a nest.

    Threads that follow one another are to touch elements that do.
    """
    along = across = 0
    for loop in loops:
        for stmt in ir.walk(loop.body):
            if isinstance(stmt, _Element) and stmt.index:
                along += stmt.index[-1] is loop.index
                across += stmt.index[-1] is axes[-1]
    return along > 0 and along >= across
