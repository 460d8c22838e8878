"""Loop fission: a loop that writes elements and carries what it reads there becomes two.

for i in 0..n step 1 (s = s0):       for i in 0..n step 1:
  b[i] += x[i]                         b[i] += x[i]
  t = load b[i]                      for i in 0..n step 1 (s = s0):
  u = add s, t                         t = load b[i]
  y[i] = u                             u = add s, t
  yield u                              y[i] = u
                                       yield u
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.emit.cuda.loop.lifting import needed

_Element = ir.Load | ir.Store | ir.Accum


def early_writes(loop: ir.For, defs: Definitions) -> Sequence[ir.For]:
    """``loop`` as one that writes such elements, and the rest; nothing if it has none.

    Both have statements that write nothing, which ``defs`` learns.
    """
    if loop.exit or not loop.params:
        return ()
    late = dependents(loop.body.stmts, loop.params)
    moved: list[ir.Stmt] = []
    for found in _by_memory(loop, defs).values():
        writes = [stmt for stmt in found if not isinstance(stmt, ir.Load)]
        own = _is_own(loop, found, defs) and found[: len(writes)] == writes
        if own and 0 < len(writes) < len(found) and _may_move(loop, writes, late):
            moved += writes
    if not moved:
        return ()
    kept = tuple(stmt for stmt in loop.body.stmts if stmt not in moved)
    pure = tuple(s for s in loop.body.stmts if s in moved or not any(map(ir.written, ir.within(s))))
    first = replace(loop, params=(), inits=(), outs=(), body=needed(ir.Block(pure)))
    rest = replace(loop, body=ir.Block(kept, loop.body.yields))
    if not defs.written([rest]).isdisjoint(defs.loaded([first])):
        return ()
    made = (stmt for part in (first, rest) for stmt in ir.walk(part.body))
    defs.stmt.update(ir.binding(made))
    return first, rest


def read_first(loop: ir.For, defs: Definitions) -> set[ir.Atom]:
    """Memory of which each iteration touches one element, its own, and reads that before it writes.

    All may be read before any is written.
    """
    found = set()
    for memory, elements in _by_memory(loop, defs).items():
        loads = [stmt for stmt in elements if isinstance(stmt, ir.Load)]
        if _is_own(loop, elements, defs) and elements[: len(loads)] == loads:
            found.add(memory)
    return found


def _by_memory(loop: ir.For, defs: Definitions) -> dict[ir.Atom, list[_Element]]:
    """Reads and writes of elements, in the order of an iteration, by the memory they touch."""
    found: dict[ir.Atom, list[_Element]] = {}
    for stmt in ir.walk(loop.body):
        if isinstance(stmt, _Element):
            found.setdefault(defs.root(stmt.base), []).append(stmt)
    return found


def dependents(stmts: Iterable[ir.Stmt], of: Iterable[ir.Atom]) -> set[ir.Atom]:
    """The atoms ``of``, and the values that ``stmts`` make by way of these."""
    found = set(of)
    for stmt in stmts:
        if not found.isdisjoint(ir.used_by(stmt)):
            found.update(ir.outs(stmt))
    return found


def _is_own(loop: ir.For, found: Sequence[_Element], defs: Definitions) -> bool:
    """True if all of ``found`` are one element, that of the iteration."""
    first, *others = found
    bound = ir.bound_in(loop.body)
    counted = [a for a in first.index if _is_counted(a, loop.index, defs)]
    return (
        bool(counted)
        and all(a in counted or a not in bound for a in first.index)
        and all(s.base is first.base and s.index == first.index for s in others)
    )


def _is_counted(atom: ir.Atom, index: ir.Value, defs: Definitions) -> bool:
    """True if ``atom`` is ``index``, or so much more or less."""
    made = defs.stmt.get(atom)
    match made:
        case ir.Compute(op="add" | "sub", args=(first, ir.Const())):
            return first is index
        case _:
            return atom is index


def _may_move(loop: ir.For, writes: Sequence[ir.Stmt], late: Collection[ir.Atom]) -> bool:
    stmts = loop.body.stmts
    return all(w in stmts and not any(a in late for a in ir.used_by(w)) for w in writes)
