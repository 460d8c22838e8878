"""The order of a region's sweeps, and which statements are fused with their reverse.

    F1 F2 F3 | R3 R2 R1            F1, R3, (F2 R2 in one loop), F3, R1

Forward steps keep their order. A reverse step waits for the forward steps whose values or memory it
needs, and for the reverse steps that complete the cotangents it takes. Fusing a statement contracts
its two steps; it is legal where that leaves the graph without a cycle. What may be out of bounds is
not touched, in either sweep, before a check that stands in front of it.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Facts
from mooncake_transpiler.ad.saving.plan import Needs, Step
from mooncake_transpiler.ad.saving.positions import Positions
from mooncake_transpiler.analysis.memory import Memory

# statements without an effect but on memory that is new
_UNORDERED = (
    ir.Compute | ir.Dim | ir.View | ir.Reshape | ir.Load | ir.Alloc | ir.Copy
)  # fmt: skip


@dataclass(slots=True)
class Unit:
    """A direct statement of the region and what its reverse step depends on."""

    needs: Needs
    reads_again: set[Memory] = field(default_factory=set)  # loaded again in the reverse sweep
    inside: bool = False  # needs values bound within the statement itself
    reruns: bool = False  # runs a loop again, and so writes memory in the reverse sweep


def unit(stmt: ir.Stmt, needs: Needs, reruns: bool, places: Positions, facts: Facts) -> Unit:
    """Follow the ``needs`` of ``stmt`` through everything that may be computed again."""
    made = Unit(needs, reruns=reruns)
    made.reads_again.update(map(facts.memories.of, facts.contents.lasting(ir.Block((stmt,)))))
    stack = [*needs.values, *needs.captured]
    seen = set(stack)
    while stack:
        value = stack.pop()
        if value in places.direct:
            needs.captured.add(value)
            continue
        if value not in places.home:
            continue
        made.inside = True
        found = facts.defs.stmt.get(value)
        if isinstance(found, ir.Load):
            made.reads_again.add(facts.memories.of(found.base))
        for atom in _ingredients(found):
            if isinstance(atom, ir.Value) and atom not in seen:
                seen.add(atom)
                stack.append(atom)
    return made


def _ingredients(stmt: ir.Stmt | None) -> tuple[ir.Atom, ...]:
    if isinstance(stmt, ir.If):
        return (stmt.cond, *stmt.then.yields, *stmt.orelse.yields)
    if isinstance(stmt, ir.Compute | ir.Load | ir.Dim | ir.View | ir.Reshape):
        return ir.operands(stmt)
    return ()


class Graph:
    """Nodes 0..n-1 are the forward steps, n..2n-1 the reverse steps."""

    def __init__(self, block: ir.Block, units: dict[int, Unit], facts: Facts) -> None:
        self.n = len(block.stmts)
        self.after: list[set[int]] = [set() for _ in range(2 * self.n)]
        self._block = block
        self._units = units
        self._facts = facts
        self._owner = {v: k for k, s in enumerate(block.stmts) for v in ir.outs(s)}
        self._usage = [_usage(s, facts) for s in block.stmts]
        self._check = list(_checks(block))
        self._forward_edges()
        for j in units:
            self._reverse_edges(j)
        self._shadow_edges()

    def _forward_edges(self) -> None:
        """Forward steps wait for their operands, for conflicting memory and earlier effects."""
        readers: dict[Memory, list[int]] = {}
        writer: dict[Memory, int] = {}
        effect = -1
        for k, stmt in enumerate(self._block.stmts):
            usage = self._usage[k]
            for value in usage.operands:
                if value in self._owner:
                    self.after[self._owner[value]].add(k)
            for memory in usage.reads | usage.writes:
                if memory in writer:
                    self.after[writer[memory]].add(k)
            for memory in usage.writes:
                for reader in readers.pop(memory, []):
                    self.after[reader].add(k)
                writer[memory] = k
            for memory in usage.reads:
                readers.setdefault(memory, []).append(k)
            if self._check[k] >= 0 and _may_miss(stmt, self._facts):
                self.after[self._check[k]].add(k)
            if not isinstance(stmt, _UNORDERED):
                if effect >= 0:
                    self.after[effect].add(k)
                effect = k
        for targets, k in zip(self.after, range(self.n), strict=False):
            targets.discard(k)

    def _reverse_edges(self, j: int) -> None:
        made = self._units[j]
        me = self.n + j
        for value in made.needs.captured:
            if value in self._owner:
                self.after[self._owner[value]].add(me)
        if made.inside:
            self.after[j].add(me)
        if self._check[j] >= 0 and _may_miss(self._block.stmts[j], self._facts):
            self.after[self._check[j]].add(me)
        rewritten = self._usage[j].restored
        if made.reruns:
            rewritten = rewritten | self._usage[j].writes
        for k, usage in enumerate(self._usage if made.reads_again or rewritten else ()):
            if made.reads_again & usage.writes:
                self.after[k].add(me)
            if rewritten & (usage.reads | usage.writes):
                self.after[k].add(me)
                if k > j and k in self._units:
                    self.after[self.n + k].add(me)
        for value in self._usage[j].scalars:
            if value in self._owner and self._owner[value] in self._units:
                self.after[me].add(self.n + self._owner[value])

    def _shadow_edges(self) -> None:
        """Reverse steps that meet in a shadow keep their order, unless both only add to it."""
        last_set: dict[Memory, int] = {}
        adds: dict[Memory, list[int]] = {}
        for j in sorted(self._units, reverse=True):
            for memory, only_adds in self._usage[j].shadows.items():
                if memory in last_set:
                    self.after[self.n + last_set[memory]].add(self.n + j)
                if only_adds:
                    adds.setdefault(memory, []).append(j)
                else:
                    for k in adds.pop(memory, []):
                        self.after[self.n + k].add(self.n + j)
                    last_set[memory] = j
            for memory in self._usage[j].reserves:  # a shadow is as large as its array gets
                for k in self._units:
                    if memory in self._usage[k].shadows:
                        self.after[j].add(self.n + k)
            for memory in self._usage[j].creates:
                for k in range(j, self.n):
                    if k in self._units and memory in self._usage[k].shadows:
                        self.after[j].add(self.n + k)

    def fuse(self, candidates: list[int]) -> set[int]:
        """Contract as many ``candidates`` as possible, earlier ones first."""
        fused: set[int] = set()
        for j in candidates:
            if not self._on_cycle(j, fused):
                fused.add(j)
        return fused

    def _on_cycle(self, j: int, fused: set[int]) -> bool:
        """True if contracting the two steps of statement ``j`` closes a cycle."""
        pair = (j, self.n + j)
        stack = [t for node in pair for t in self.after[node] if t not in pair]
        seen = set(stack)
        while stack:
            for twin in self._twins(stack.pop(), fused):
                for target in self.after[twin]:
                    if target in pair:
                        return True
                    if target not in seen:
                        seen.add(target)
                        stack.append(target)
        return False

    def _twins(self, node: int, fused: set[int]) -> tuple[int, ...]:
        k = node % self.n
        return (k, self.n + k) if k in fused else (node,)

    def order(self, fused: set[int]) -> list[Step]:
        """The steps in an order that respects all edges; forward steps as early as possible."""
        node_of = [
            k if k < self.n or k - self.n not in fused else k - self.n for k in range(2 * self.n)
        ]
        present = set(range(self.n)) | {self.n + k for k in self._units if k not in fused}
        after: dict[int, set[int]] = {k: set() for k in present}
        for a in range(2 * self.n):
            for b in self.after[a]:
                x, y = node_of[a], node_of[b]
                if x != y and x in present and y in present:
                    after[x].add(y)
        waiting = dict.fromkeys(present, 0)
        for targets in after.values():
            for target in targets:
                waiting[target] += 1
        ready = [self._key(k) for k in present if not waiting[k]]
        heapq.heapify(ready)
        steps: list[Step] = []
        while ready:
            _, node = heapq.heappop(ready)
            kind = "reverse" if node >= self.n else "fused" if node in fused else "forward"
            steps.append(Step(kind, node % self.n))
            for target in after[node]:
                waiting[target] -= 1
                if not waiting[target]:
                    heapq.heappush(ready, self._key(target))
        assert len(steps) == len(present), "the schedule has a cycle"
        return steps

    def _key(self, node: int) -> tuple[int, int]:
        return (node if node < self.n else 3 * self.n - node, node)


def _checks(block: ir.Block) -> Iterator[int]:
    """For each statement the last one up to it that may raise; -1 if none does."""
    last = -1
    for k, stmt in enumerate(block.stmts):
        raises = any(isinstance(inner, ir.Raise) for inner in ir.within(stmt))
        last = k if raises else last
        yield last


def _may_miss(stmt: ir.Stmt, facts: Facts) -> bool:
    """True if an index in ``stmt`` may be out of bounds, unless a check in front of it raises."""
    for inner in ir.within(stmt):
        if isinstance(inner, ir.Load | ir.Store | ir.Accum):
            if not facts.integers.in_bounds(facts.defs.access(inner.base, inner.index)):
                return True
        elif any(True for _ in ir.indices(inner)):
            return True
    return False


@dataclass(slots=True)
class Usage:
    """The memories and values that a statement, blocks included, touches."""

    reads: set[Memory] = field(default_factory=set)
    writes: set[Memory] = field(default_factory=set)
    restored: set[Memory] = field(default_factory=set)  # before a call is run again
    creates: set[Memory] = field(default_factory=set)
    reserves: set[Memory] = field(default_factory=set)
    operands: set[ir.Value] = field(default_factory=set)
    scalars: set[ir.Value] = field(default_factory=set)  # active scalars used
    shadows: dict[Memory, bool] = field(default_factory=dict)  # -> only added to


def _created(stmt: ir.Stmt, facts: Facts) -> Iterator[Memory]:
    """The active memory that ``stmt`` makes."""
    yield from map(facts.memories.of, filter(facts.activity.active, ir.produced(stmt)))


def _usage(stmt: ir.Stmt, facts: Facts) -> Usage:
    usage = Usage()
    active: Callable[[Memory], bool] = facts.activity.active_memory
    for memory, touched in facts.dataflow.touched(stmt).items():
        if touched.reads:
            usage.reads.add(memory)
        if not touched.is_read_only:
            usage.writes.add(memory)
        if active(memory):
            usage.shadows[memory] = touched.is_read_only
    for inner in ir.within(stmt):
        if isinstance(inner, ir.Call):
            taken = facts.snapshots.get(inner, ())
            usage.restored.update(facts.memories.of(inner.args[k]) for k, _ in taken)
        if isinstance(inner, ir.Reserve):
            usage.reserves.add(facts.memories.of(inner.array))
        for memory in _created(inner, facts):
            usage.creates.add(memory)
            if not isinstance(inner, ir.Alloc):
                usage.shadows[memory] = False
    usage.operands.update(a for a in ir.used_by(stmt) if isinstance(a, ir.Value))
    usage.scalars.update(
        a for a in ir.operands(stmt) if isinstance(a, ir.Value) and facts.activity.active(a)
    )
    usage.scalars.update(facts.touched(stmt))
    return usage
