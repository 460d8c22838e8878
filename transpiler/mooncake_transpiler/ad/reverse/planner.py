"""Plans regions: which statements to fuse, which loops to rerun, what to wind back and to save."""

from __future__ import annotations

from collections.abc import Container, Iterator

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Facts, Write
from mooncake_transpiler.ad.fact.legality import (
    Later,
    check_depth,
    fusable,
    last_writes,
    rerunnable,
)
from mooncake_transpiler.ad.reverse.primal import Primal, Recorder
from mooncake_transpiler.ad.reverse.scope import Bars, Scope
from mooncake_transpiler.ad.reverse.sweep import Sweep
from mooncake_transpiler.ad.saving.plan import TRIPS, Needs, Plan, Saving, SavingCut, Step
from mooncake_transpiler.ad.saving.positions import Positions
from mooncake_transpiler.ad.saving.schedule import Graph, Unit, unit
from mooncake_transpiler.analysis.memory import Memory
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import Array, Scalar


class Planner:
    """Plans each region once."""

    def __init__(self, facts: Facts, primal: Primal) -> None:
        check_depth(facts.func.body, facts)
        self._facts = facts
        self._primal = primal
        self._plans: dict[ir.Block, Plan] = {}

    def plan_of(self, block: ir.Block) -> Plan:
        """The plan of the body of a fused or rerun statement."""
        if block not in self._plans:
            self._plans[block] = self.plan(block, split=False)
        return self._plans[block]

    def plan(self, block: ir.Block, split: bool) -> Plan:
        """The plan of ``block``; ``split``: all forward steps come before all reverse steps."""
        outer, self._primal.recorder = self._primal.recorder, None
        places = Positions(block)
        plan = Plan(rerun=frozenset(_rerun(block, self._facts)))
        needs = {k: self._record(k, places, plan, split) for k in self._reversible(block)}
        self._primal.recorder = outer
        again = [*plan.rerun, *(s for s in self._facts.snapshots if s in places.start)]
        rerun = {places.unit[stmt] for stmt in again}
        units = {
            k: unit(block.stmts[k], n, k in rerun, places, self._facts) for k, n in needs.items()
        }
        fused = self._order(plan, block, units, split)
        self._save(plan, places, needs, split, fused)
        return plan

    def _reversible(self, block: ir.Block) -> list[int]:
        """The statements of ``block`` that may have a reverse step."""
        facts = self._facts
        return [
            k
            for k, stmt in enumerate(block.stmts)
            if facts.is_active(stmt) or facts.memories.all_writes(stmt)
        ]

    def _record(self, k: int, places: Positions, plan: Plan, split: bool) -> Needs:
        """The needs of the reverse step of statement ``k``, found by generating it on trial."""
        recorder = Recorder(places, split, plan.rerun)
        self._primal.recorder = recorder
        sweep = Sweep(self._facts, self._primal, self.plan_of)
        sweep.plan = plan
        bars = Bars()
        stmt = places.block.stmts[k]
        for out in ir.outs(stmt):
            if isinstance(out.type, Scalar) and self._facts.activity.active(out):
                bars.set(out, ir.cotangent(out))
        sweep.reverse(stmt, Scope(Builder(free=True)), bars)
        self._primal.recorder = None
        return recorder.needs

    def _order(self, plan: Plan, block: ir.Block, units: dict[int, Unit], split: bool) -> set[int]:
        """Fill in the schedule; returns the fused statements."""
        n = len(block.stmts)
        if split:
            plan.order = [Step("forward", k) for k in range(n)]
            plan.order += [Step("reverse", k) for k in sorted(units, reverse=True)]
            return set()
        graph = Graph(block, units, self._facts)
        candidates = [k for k in units if fusable(block.stmts[k], self._facts)]
        candidates.sort(key=lambda k: (not units[k].inside, k))
        fused = graph.fuse(candidates)
        plan.order = graph.order(fused)
        return fused

    def _save(
        self, plan: Plan, places: Positions, needs: dict[int, Needs], split: bool, fused: set[int]
    ) -> None:
        """Choose what is wound back and what is saved, and file it by place."""
        facts = self._facts
        cut = SavingCut(places, facts, split, self._merged(needs, fused, len(places.at) - 1))
        wound: frozenset[Memory] = frozenset()
        saving = cut.solve(wound)
        lost = {m for s in places.start if self._keeps(s, saving) for m in facts.memories.reads(s)}
        for memory in self._windable(plan, places, split, fused, lost):
            trial = cut.solve(wound | {memory})
            restoring = TRIPS if memory.is_param and self._is_outermost(places) else 0
            if trial.cost < saving.cost + restoring or (restoring and trial.cost == saving.cost):
                wound, saving = wound | {memory}, trial
        plan.wound = frozenset(cut.winding(wound))
        plan.saved, plan.equals = saving.values, saving.equals
        plan.wound_memories = wound
        if split:
            plan.barriers = dict(cut.barriers(plan.saved, wound))
        for value in sorted(plan.saved, key=lambda v: _position(v, places, self._facts)):
            is_lasting = not isinstance(value.type, Array) or self._facts.is_snapshot(value)
            if not is_lasting and places.loops(places.home[value][1]):
                raise self._primal.lost(value)
            _file(value, plan, places, self._facts)

    def _merged(self, needs: dict[int, Needs], fused: set[int], end: int) -> dict[ir.Value, int]:
        """All values that are needed; contents from around what is fused, to the ``end``."""
        merged: dict[ir.Value, int] = {}
        for k, found in needs.items():
            kept = dict.fromkeys(found.captured & self._facts.contents.copies, end)
            for value, last in (kept if k in fused else found.values).items():
                merged[value] = max(last, merged.get(value, -1))
        return merged

    def _keeps(self, stmt: ir.Stmt, saving: Saving) -> bool:
        """True if ``stmt`` copies a content, and ``saving`` saves that."""
        return self._facts.is_kept(stmt) and not saving.values.isdisjoint(ir.outs(stmt))

    def _is_outermost(self, places: Positions) -> bool:
        return places.block is self._facts.func.body

    def _windable(
        self, plan: Plan, places: Positions, split: bool, fused: set[int], kept: set[Memory]
    ) -> Iterator[Memory]:
        """The memories that the region writes and that may be wound back.

        Winding back whole arrays is worth while only where contents would be ``kept`` otherwise.
        """
        facts = self._facts
        found: dict[Memory, None] = {}
        barred: set[Memory] = set()
        for stmt in places.start:
            inside_rerun = any(p in plan.rerun for p in places.path[stmt])
            for memory in facts.memories.writes(stmt):
                found[memory] = None
                is_write = isinstance(stmt, Write if memory in kept else ir.Store | ir.Accum)
                if not is_write or inside_rerun or places.unit[stmt] in fused:
                    barred.add(memory)
        units = _touching(places, facts)
        for memory in found:
            if (
                memory not in barred
                and _is_local_or_param(memory, places)
                and not (split and not self._may_change(memory))
                and facts.activity.active_memory(memory)
                and _in_order(plan, places, units[memory])
            ):
                yield memory

    def _may_change(self, memory: Memory) -> bool:
        """True if a pullback may change ``memory``: arguments alone, or what it copies before."""
        arguments = all(root in self._facts.func.inputs for root in memory.roots)
        return arguments or is_copied(memory, self._facts)


def is_copied(memory: Memory, facts: Facts) -> bool:
    """True if a pullback has a copy of ``memory`` to wind back: one array, with no other name."""
    names = (
        v for v in facts.defs.stmt if isinstance(v.type, Array) and facts.memories.of(v) is memory
    )
    made = [facts.defs.stmt[name] for name in names]
    return memory.own and len(made) == 1 and isinstance(made[0], ir.Alloc) and not made[0].growable


def _touching(places: Positions, facts: Facts) -> dict[Memory, dict[int, None]]:
    """The statements of the region that read or write each memory."""
    found: dict[Memory, dict[int, None]] = {}
    for stmt in places.start:
        for memory in (*facts.memories.reads(stmt), *facts.memories.writes(stmt)):
            found.setdefault(memory, {})[places.unit[stmt]] = None
    return found


def _in_order(plan: Plan, places: Positions, touching: Container[int]) -> bool:
    """True if all forward steps of ``touching`` precede the steps that wind it back."""
    seen_reverse = False
    last = len(places.block.stmts)
    for step in plan.order:
        if step.k not in touching:
            continue
        if step.kind == "reverse":
            if step.k > last:
                return False
            seen_reverse, last = True, step.k
        elif seen_reverse:
            return False
    return True


def _is_local_or_param(memory: Memory, places: Positions) -> bool:
    """True if ``memory`` is the region's own or a parameter: others are not worth winding back.

    What each iteration makes for itself is gone when the iteration is reversed.
    """
    return memory.is_param or all(
        root in places.home and not places.loops(places.home[root][1]) for root in memory.roots
    )


def _rerun(
    block: ir.Block,
    facts: Facts,
    around: Later | None = None,
    looping: frozenset[Memory] = frozenset(),
) -> Iterator[ir.Stmt]:
    """The loops in ``block`` that are run again; ``looping`` is what a loop around it writes."""
    last = last_writes(block, facts)
    for k, stmt in enumerate(block.stmts):
        later = Later(last, k, around, looping)
        inner: frozenset[Memory] = frozenset()
        if isinstance(stmt, ir.For | ir.While):
            if facts.is_active(stmt) and rerunnable(stmt, later, facts):
                yield stmt
                continue
            inner = frozenset(facts.memories.all_writes(stmt))
        for body in ir.blocks(stmt):
            yield from _rerun(body, facts, later, inner)


def _position(value: ir.Value, places: Positions, facts: Facts) -> tuple[int, int, int]:
    """The position where ``value`` is bound, different for each: it fixes the order of values."""
    stmt = facts.defs.stmt.get(value)
    if stmt is not None and stmt in places.start:
        return places.start[stmt], 0, ir.outs(stmt).index(value)
    if value in places.home:
        owner = places.home[value][1][-1]
        return places.start[owner], 1, ir.binders(owner).index(value)
    return places.start[facts.writer[value]], 2, 0


def _file(value: ir.Value, plan: Plan, places: Positions, facts: Facts) -> None:
    """Note where ``value`` is bound: its block, its loops, the branches it must leave."""
    if value in places.home:
        block, path = places.home[value]
    else:
        stmt = facts.writer[value]
        path = places.path[stmt]
        block = _home_of(stmt, path, places)
    loops = places.loops(path)
    if loops:
        plan.loops[value] = loops
        plan.home[value] = block
        plan.saved_in.setdefault(block, []).append(value)
        plan.saved_under.setdefault(path[0], []).append(value)
    else:
        for branch in path:
            plan.exports.setdefault(branch, []).append(value)


def _home_of(stmt: ir.Stmt, path: tuple[ir.Stmt, ...], places: Positions) -> ir.Block:
    around = ir.blocks(path[-1]) if path else (places.block,)
    return next(block for block in around if stmt in block.stmts)
