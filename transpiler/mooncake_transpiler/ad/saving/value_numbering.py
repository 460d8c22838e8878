"""Values that are equal in corresponding iterations of loops with the same range.

    for i in range(n): y[i] = f(w[i])      a = w[i]
    for j in range(n): z[j] = g(w[j])      b = w[j] is equal to a: it need not be saved again

Expressions are numbered as in value numbering, the index of a loop by the loop's range and depth.
Values of one number in corresponding places are equal, unless something in between writes what
they load.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Facts
from mooncake_transpiler.ad.saving.positions import Positions
from mooncake_transpiler.analysis.memory import Memory

_Loads = frozenset[ir.Load]


class ValueNumbering:
    """The equal values among those bound in one region."""

    def __init__(self, places: Positions, facts: Facts, writers: dict[Memory, list[int]]) -> None:
        """``writers`` are the positions of the writes to each memory, in order."""
        self._places = places
        self._facts = facts
        self._writers = writers
        self._known: dict[object, int] = {}
        self._place: dict[ir.Stmt, int] = {}  # equal in corresponding blocks
        self._number: dict[ir.Value, int] = {}
        self._loads: dict[ir.Value, _Loads] = {}  # those that a numbered expression contains
        for stmt in places.at:  # in order: operands first
            if stmt in self._place:
                self._name(stmt)
            self._enter(stmt)

    def leaders(self, values: Iterable[ir.Value]) -> dict[ir.Value, ir.Value]:
        """For each of ``values`` the first among them that is equal to it, or itself."""
        found = {value: value for value in values}
        first: dict[tuple[int, int], ir.Value] = {}
        for value in sorted((v for v in found if v in self._loads), key=self._start):
            key = self._place[self._facts.defs.stmt[value]], self._number[value]
            equal = first.get(key)
            if equal is not None and self._lasts(equal, value):
                found[value] = equal
            else:
                first[key] = value
        return found

    def _start(self, value: ir.Value) -> int:
        return self._places.start[self._facts.defs.stmt[value]]

    def _lasts(self, first: ir.Value, second: ir.Value) -> bool:
        """True if nothing writes, from the one to the other, what both of them load."""
        places, facts = self._places, self._facts
        a, b = facts.defs.stmt[first], facts.defs.stmt[second]
        ways = zip((*places.path[a], a), (*places.path[b], b), strict=True)
        one, other = next((p, q) for p, q in ways if p is not q)
        loads = self._loads[first] | self._loads[second]
        begin = min(places.start[stmt] for stmt in (one, *loads))
        for memory in {facts.memories.of(load.base) for load in loads}:
            writers = self._writers.get(memory, [])
            k = bisect_left(writers, begin)
            if k < len(writers) and writers[k] <= places.end[other]:
                return False
        return True

    # ---- numbering ------------------------------------------------------------------------------

    def _enter(self, stmt: ir.Stmt) -> None:
        """Number the places in ``stmt``; loops that run over the same range get the same number."""
        around = self._place.get(stmt)
        for block in ir.blocks(stmt):
            if isinstance(stmt, ir.For) and not stmt.exit:
                bounds = map(self._of, (stmt.lo, stmt.hi, stmt.step))
                place = self._intern(("range", around, *bounds))
                self._number[stmt.index] = self._intern(("index", place))
            else:
                place = self._intern(block)
            self._place.update(dict.fromkeys(block.stmts, place))

    def _name(self, stmt: ir.Stmt) -> None:
        """Number the result of ``stmt``, which is inside a loop or branch."""
        loads: _Loads = frozenset()
        match stmt:
            case ir.Compute(op=op):
                key: tuple[object, ...] = (op,)
            case ir.Dim(axis=axis):
                key = (ir.Dim, axis)
            case ir.View(index=index, axes=axes, part=part):
                key = (ir.View, axes, part, *map(_form, index))
            case ir.Load():
                key = (ir.Load, self._place[stmt])
                loads = frozenset({stmt})
            case _:
                return
        (out,) = ir.outs(stmt)
        operands = tuple(ir.operands(stmt))
        self._number[out] = self._intern((key, out.type, *map(self._of, operands)))
        inner = (self._loads.get(a, frozenset()) for a in operands if isinstance(a, ir.Value))
        self._loads[out] = loads.union(*inner)

    def _intern(self, key: object) -> int:
        return self._known.setdefault(key, len(self._known))

    def _of(self, atom: ir.Atom) -> int:
        match atom:
            case ir.Value():
                return self._number[atom] if atom in self._number else self._intern(atom)
            case ir.Const(value=value, type=type_):
                return self._intern((repr(value), type_))  # 0.0 and -0.0 are two numbers
            case ir.Undef():
                return self._intern(atom)


def _form(item: ir.Index) -> tuple[object, ...]:
    """The parts of an index that are given."""
    if isinstance(item, ir.Slice):
        return tuple(part is None for part in (item.lo, item.hi, item.step))
    return (isinstance(item, ir.NewAxis),)
