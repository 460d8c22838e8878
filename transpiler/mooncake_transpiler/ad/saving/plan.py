"""The values that the reverse sweep of a region needs, and those that are saved for it.

A *region* is a block whose forward and reverse sweep run one after the other in the same scope: the
function body, or the body of a fused or rerun loop. Values that it binds directly are at hand in
its reverse sweep. For those bound inside its other (*taped*) loops and branches, and for all of
them where the two sweeps are split into two functions, the cheapest set to save is a minimum cut
between what can't be computed again and what is needed.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Facts, Loop
from mooncake_transpiler.ad.fact.linear import is_cheap
from mooncake_transpiler.ad.saving.minimum_cut import min_vertex_cut
from mooncake_transpiler.ad.saving.positions import Positions
from mooncake_transpiler.ad.saving.value_numbering import ValueNumbering
from mooncake_transpiler.analysis.memory import Memory
from mooncake_transpiler.reaching import closure, grouped
from mooncake_transpiler.types import Array

_NEVER = 1 << 48  # the cost of what can't be saved
_FAR = 100  # values between a saved one and what it is computed from that a reason looks at
TRIPS = 16  # what a loop is taken to run, where costs are compared


@dataclass(slots=True)
class Plan:
    """The way in which one region is reversed."""

    order: list[Step] = field(default_factory=list)
    rerun: frozenset[ir.Stmt] = frozenset()
    wound: frozenset[ir.Stmt] = frozenset()  # the writes that are wound back
    wound_memories: frozenset[Memory] = frozenset()
    saved: set[ir.Value] = field(default_factory=set)
    equals: dict[ir.Value, ir.Value] = field(default_factory=dict)  # saved -> where, if elsewhere
    saved_in: dict[ir.Block, list[ir.Value]] = field(default_factory=dict)
    saved_under: dict[ir.Stmt, list[ir.Value]] = field(default_factory=dict)  # by direct stmt
    exports: dict[ir.Stmt, list[ir.Value]] = field(default_factory=dict)
    home: dict[ir.Value, ir.Block] = field(default_factory=dict)
    barriers: Mapping[ir.Value, tuple[ir.Overwritten, ...]] = field(default_factory=dict)
    loops: dict[ir.Value, tuple[Loop, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a region's schedule: a sweep over statement ``k``."""

    kind: str  # "forward", "reverse" or "fused"
    k: int


@dataclass(frozen=True, slots=True)
class Saving:
    """The values to save, those among them that equal an earlier saved value, and the cost."""

    values: set[ir.Value]
    equals: dict[ir.Value, ir.Value]
    cost: int


@dataclass(slots=True)
class Needs:
    """The values that the reverse sweep of one statement uses."""

    values: dict[ir.Value, int] = field(default_factory=dict)  # -> last position of use
    captured: set[ir.Value] = field(default_factory=set)  # bound directly in the region


class SavingCut:
    """The saved values of a region, as a minimum cut."""

    def __init__(
        self, places: Positions, facts: Facts, split: bool, needs: dict[ir.Value, int]
    ) -> None:
        self._places = places
        self._facts = facts
        self._split = split
        self._needs = needs
        self._own_old = {v: s for v, s in facts.writer.items() if s in places.start}
        self._writers: dict[Memory, list[int]] = {}
        self._loads: dict[Memory, list[tuple[int, ir.Stmt | None]]] = {}
        for stmt, start in places.start.items():
            for memory in facts.memories.writes(stmt):
                self._writers.setdefault(memory, []).append(start)
            if isinstance(stmt, ir.Load) or facts.is_kept(stmt):
                for memory in facts.memories.reads(stmt):
                    self._loads.setdefault(memory, []).append((start, self._outermost(stmt)))
        self._final = set(_final(facts))
        self._put_back = facts.put_back()
        self._numbering = ValueNumbering(places, facts, self._writers)

    def solve(self, wound: frozenset[Memory]) -> Saving:
        """The cheapest saving if the memories ``wound`` are wound back; equal values count once."""
        needs = self._needed(wound)
        last, edges, sources = self._graph(needs, wound)
        leader = self._numbering.leaders(v for v in last if v not in sources)
        leader |= self._numbering.leaders(sources)
        capacity = {v: self._capacity(v) for v in leader.values()}
        cut = min_vertex_cut(
            capacity,
            [(leader[a], leader[b]) for a, b in edges if leader[a] is not leader[b]],
            [leader[v] for v in sources],
            [leader[v] for v in needs],
        )
        saved = _reached(needs, edges, {v for v in leader if leader[v] in cut})
        equals = self._numbering.leaders(saved)
        equals = {v: first for v, first in equals.items() if v is not first}
        return Saving(saved, equals, sum(capacity[v] for v in cut))

    def _needed(self, wound: frozenset[Memory]) -> dict[ir.Value, int]:
        needs = dict(self._needs)
        for stmt in self.winding(wound):
            self._need_old(stmt, self._places.start[stmt], needs)
        return needs

    def barriers(
        self, saved: Iterable[ir.Value], wound: frozenset[Memory]
    ) -> Iterator[tuple[ir.Value, tuple[ir.Overwritten, ...]]]:
        """For each of ``saved`` the loads that it follows from and that can't be repeated."""
        last, edges, _ = self._graph(self._needed(wound), wound)
        operands = grouped((value, operand) for operand, value in edges)
        for value in saved:
            seen = {value: None}
            for one in (queue := [value]):
                fresh = [v for v in operands.get(one, ()) if v not in seen and len(seen) < _FAR]
                queue += fresh
                seen |= dict.fromkeys(fresh)
            found = (self._overwritten(one, last[one], wound) for one in queue if one in last)
            yield value, tuple(dict.fromkeys(one for one in found if one is not None))

    def _overwritten(
        self, value: ir.Value, last: int, wound: frozenset[Memory]
    ) -> ir.Overwritten | None:
        stmt = self._facts.defs.stmt.get(value)
        if not isinstance(stmt, ir.Load) or not isinstance(stmt.base, ir.Value):
            return None
        write = self._in_the_way(stmt, stmt.base, last, wound)
        roots = self._facts.memories.of(stmt.base).roots
        name = next((v.hint for v in (stmt.base, *roots) if v.hint), "")
        if write is None or write.origin is None or not name:
            return None
        return ir.Overwritten(name, write.origin)

    def winding(self, wound: frozenset[Memory]) -> list[ir.Stmt]:
        """The writes to wind back: all of a parameter, else those that a load must look behind."""
        found = []
        for stmt, start in self._places.start.items():
            for memory in self._facts.memories.writes(stmt):
                loads = self._loads.get(memory, [])
                outer = self._outermost(stmt)
                if memory in wound and (
                    memory.is_param or any(q < start or (o is outer and o) for q, o in loads)
                ):
                    found.append(stmt)
        return found

    def _outermost(self, stmt: ir.Stmt) -> ir.Stmt | None:
        loops = self._places.loops(self._places.path[stmt])
        return loops[0] if loops else None

    def _need_old(self, stmt: ir.Stmt, start: int, needs: dict[ir.Value, int]) -> None:
        """Add to ``needs`` the values for winding ``stmt`` back: what it overwrites, the index."""
        index = stmt.index if isinstance(stmt, ir.Store | ir.Accum) else ()
        arrays = (a for array in ir.written(stmt) for a in self._array_needs(array))
        atoms = [self._facts.old[stmt], *index, *arrays]
        for atom in atoms:
            if isinstance(atom, ir.Value) and not self.at_hand(atom):
                needs[atom] = max(start, needs.get(atom, -1))

    def at_hand(self, value: ir.Value) -> bool:
        """True if the reverse sweep has ``value`` without saving or computing anything."""
        if value in self._facts.defs.loop and value in self._places.home:
            return True  # loop indices are reconstructed
        if value in self._places.home and self._facts.is_kept(self._facts.defs.stmt.get(value)):
            return False
        if value in self._places.direct:
            return not self._split or isinstance(value.type, Array)
        return value not in self._places.home and value not in self._own_old

    def _graph(
        self, needs: dict[ir.Value, int], wound: frozenset[Memory]
    ) -> tuple[dict[ir.Value, int], list[tuple[ir.Value, ir.Value]], list[ir.Value]]:
        """Vertices with the last position of their use, edges, and sources."""
        last: dict[ir.Value, int] = dict(needs)
        edges: list[tuple[ir.Value, ir.Value]] = []
        sources: list[ir.Value] = []
        # Latest definitions first, so that a value is expanded when all its users are known.
        queue = [(-self._defined(v), k, v) for k, v in enumerate(needs)]
        heapq.heapify(queue)
        number = len(queue)
        done: set[ir.Value] = set()
        while queue:
            _, _, value = heapq.heappop(queue)
            if value in done:
                continue
            done.add(value)
            operands = self.operands(value, last[value], wound)
            if operands is None:
                sources.append(value)
                continue
            for operand in operands:
                edges.append((operand, value))
                last[operand] = max(last[value], last.get(operand, -1))
                heapq.heappush(queue, (-self._defined(operand), number, operand))
                number += 1
        return last, edges, sources

    def _defined(self, value: ir.Value) -> int:
        stmt = self._facts.defs.stmt.get(value)
        if stmt in self._places.start:
            return self._places.start[stmt]
        home = self._places.home.get(value)
        return self._places.start[home[1][-1]] if home and home[1] else 0

    def operands(
        self, value: ir.Value, last: int, wound: frozenset[Memory]
    ) -> list[ir.Value] | None:
        """The values that ``value`` can be recomputed from in the reverse sweep; None: it can't.

        An extent that only the array itself tells is needed to take that from its stack.
        """
        stmt = self._facts.defs.stmt.get(value)
        match stmt:
            case ir.Compute(args=args) if is_cheap(stmt):
                atoms: list[ir.Atom] = list(args)
            case ir.Dim(array=ir.Value() as array) if value in self._facts.contents.sizes.get(
                array, ()
            ):
                return None
            case ir.Dim(array=array):
                atoms = self._array_needs(array)
            case ir.Load(base=base, index=index) if (
                self._in_the_way(stmt, base, last, wound) is None
            ):
                atoms = [*index, *self._array_needs(base)]
            case ir.Copy(src=src) if self._comes_back(stmt, last, wound):
                atoms = self._array_needs(src)
            case _:
                return None
        return [a for a in atoms if isinstance(a, ir.Value) and not self.at_hand(a)]

    def _comes_back(self, stmt: ir.Copy, last: int, wound: frozenset[Memory]) -> bool:
        """True if winding back leaves in the array itself what ``stmt`` keeps of it."""
        memory = self._facts.memories.of(stmt.src)
        if memory not in wound or not self._facts.is_kept(stmt):
            return False
        horizon, start = self._places.horizon(stmt, last), self._places.start[stmt]
        return not any(start < w <= horizon for w in self._writers.get(memory, []))

    def _array_needs(self, array: ir.Atom) -> list[ir.Atom]:
        """The values from which the reference ``array`` is made again."""
        if not isinstance(array, ir.Value):  # the arm of a branch that leaves it unset
            return []
        if array in self._places.direct or array not in self._places.home:
            return []
        stmt = self._facts.defs.stmt.get(array)
        match stmt:
            case ir.View() | ir.Reshape():
                base, *others = ir.operands(stmt)
                return [*others, *self._array_needs(base)]
            case ir.If(cond=cond):
                arms = ir.arms(stmt, array)
                return [cond, *(a for arm in arms for a in self._array_needs(arm))]
            case ir.Global():
                return []
            case _:
                return [array]

    def _in_the_way(
        self, stmt: ir.Load, base: ir.Atom, last: int, wound: frozenset[Memory]
    ) -> ir.Stmt | None:
        """The write because of which the element can't be loaded again where it is needed."""
        memory = self._facts.memories.of(base)
        writers = self._writers.get(memory, [])
        start = self._places.start[stmt]
        if memory in wound:
            horizon = self._places.horizon(stmt, last)
            return self._at(w for w in writers if start < w <= horizon)
        if memory in self._final:
            return None
        loops = self._places.loops(self._places.path[stmt])
        first = self._places.start[loops[0]] if loops else start
        later = (w for w in writers if first < w)
        return self._at(w for w in later if not self._is_spared(stmt, self._places.at[w], memory))

    def _is_spared(self, load: ir.Load, writer: ir.Stmt, memory: Memory) -> bool:
        """True if ``writer`` never writes to the element after it was loaded."""
        facts, places = self._facts, self._places
        if memory in self._put_back:
            return False
        around = places.loops(places.path[writer])
        both = [loop for loop in places.loops(places.path[load]) if loop in around]
        is_below = places.start[writer] > places.start[load]
        read = facts.defs.access(load.base, load.index)
        return all(
            facts.later_accesses.miss(read, write, both, is_below=is_below)
            for write in facts.dataflow.writes(writer, memory)
        )

    def _at(self, positions: Iterator[int]) -> ir.Stmt | None:
        found = next(positions, None)
        return None if found is None else self._places.at[found]

    def _capacity(self, value: ir.Value) -> int:
        home = self._places.home.get(value)
        if home is None:  # an overwritten value, loaded only for winding back
            path = self._places.path[self._own_old[value]]
        else:
            path = home[1]
        loops = self._places.loops(path)
        if isinstance(value.type, Array) and loops and not self._facts.is_snapshot(value):
            return _NEVER
        cost: int = TRIPS ** len(loops)
        return cost * (TRIPS**value.type.ndim if isinstance(value.type, Array) else 1)


def _final(facts: Facts) -> Iterator[Memory]:
    """The memories that any load finds final: elements are unset, and then written once."""
    for store in facts.once:
        assert isinstance(store, ir.Store)
        memory = facts.memories.of(store.base)
        made = facts.defs.stmt[memory.roots[0]]
        if isinstance(made, ir.Alloc) and made.fill is None:
            yield memory


def _reached(
    needs: Iterable[ir.Value], edges: list[tuple[ir.Value, ir.Value]], cut: set[ir.Value]
) -> set[ir.Value]:
    """The values in ``cut`` that are met first on the way from ``needs`` to their sources."""
    operands = grouped((value, operand) for operand, value in edges)

    def sources(value: ir.Value) -> Iterable[ir.Value]:
        return () if value in cut else operands.get(value, ())

    return cut & closure(needs, sources).keys()
