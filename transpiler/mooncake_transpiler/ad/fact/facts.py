"""The analyses of one function before its reverse sweep is planned."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.ad.call.call_snapshots import Snapshots
from mooncake_transpiler.ad.fact.activity import Activity
from mooncake_transpiler.ad.fact.linear import Linear
from mooncake_transpiler.ad.fact.saved_contents import Contents
from mooncake_transpiler.ad.fact.single_writes import written_once
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.dataflow import Dataflow
from mooncake_transpiler.analysis.integers import Integers
from mooncake_transpiler.analysis.later_accesses import LaterAccesses
from mooncake_transpiler.analysis.memory import Memories, Memory
from mooncake_transpiler.types import Array, Scalar, is_differentiable

Loop = ir.For | ir.While
Write = ir.Store | ir.Accum | ir.Assign | ir.AddTo  # of an element, or of all of an array


class Facts:
    """Analyses of ``func``, whose exit loops and while loops carry their iteration count last."""

    def __init__(
        self,
        func: ir.Func,
        memories: Memories,
        activity: Activity,
        linear: Linear,
        snapshots: Snapshots,
        contents: Contents | None = None,
    ) -> None:
        self.func = func
        self.memories = memories
        self.activity = activity
        self.linear = linear
        self.snapshots = snapshots
        self.contents = contents or Contents()
        self.defs = Definitions(func)
        self.integers = Integers(self.defs)
        self.dataflow = Dataflow(memories, self.integers)
        self.later_accesses = LaterAccesses(self.integers)
        self.once = written_once(func, memories, self.integers)
        self.old = _overwritten(func, memories, self.defs)
        self.writer = {old: stmt for stmt, old in self.old.items() if old not in self.defs.stmt}
        self._touched: dict[ir.Stmt, tuple[ir.Value, ...]] = {}
        self._active_memories: dict[ir.Stmt, frozenset[Memory]] = {}
        self._contains: dict[ir.Stmt, bool] = {}

    def count(self, loop: Loop) -> ir.Value | None:
        """The number of iterations that ``loop`` has run, where its range does not tell."""
        counted = isinstance(loop, ir.For) and not loop.exit
        return None if counted else loop.outs[-1]

    def is_snapshot(self, value: ir.Value) -> bool:
        """True if ``value`` is an array whose content alone matters, and stays the same.

        That is what a call was given, what its pullback reads, what a write overwrites, and results
        that nobody writes.
        """
        if value in self.writer:
            return isinstance(value.type, Array)
        if isinstance(self.defs.stmt.get(value), ir.Call):
            return value in self.contents.sizes and not self.memories.of(value).written
        return value in self.contents.copies or any(
            value is copy for taken in self.snapshots.values() for _, copy in taken
        )

    def is_kept(self, stmt: ir.Stmt | None) -> bool:
        """True for the copy of a content that a pullback reads, made for that alone."""
        return isinstance(stmt, ir.Copy) and stmt.out in self.contents.copies

    def put_back(self) -> set[Memory]:
        """The local memories that the reverse sweep puts back before a call is run again."""
        found = {
            self.memories.of(call.args[k])
            for call, taken in self.snapshots.items()
            if isinstance(call, ir.Call)
            for k, _ in taken
        }
        return {memory for memory in found if not memory.is_param}

    def carried(self, loop: Loop) -> list[int]:
        """The positions of the carried values that have a cotangent before or after the loop."""
        active = self.activity.active
        return [
            k
            for k, (param, out) in enumerate(zip(loop.params, loop.outs, strict=True))
            if isinstance(param.type, Scalar) and (active(param) or active(out))
        ]

    def touched(self, stmt: ir.Stmt) -> tuple[ir.Value, ...]:
        """The active scalars bound outside ``stmt`` that are used in its blocks, in order."""
        if stmt not in self._touched:
            inside = ir.bound_by(stmt)
            used = dict.fromkeys(a for block in ir.blocks(stmt) for a in ir.used_in(block))
            self._touched[stmt] = tuple(
                atom
                for atom in used
                if isinstance(atom, ir.Value) and isinstance(atom.type, Scalar)
                if atom not in inside and self.activity.active(atom)
            )
        return self._touched[stmt]

    def active_memories(self, stmt: ir.Stmt) -> frozenset[Memory]:
        """The active memories that ``stmt``, blocks included, reads, writes or creates."""
        if stmt not in self._active_memories:
            found = {*self.memories.reads(stmt), *self.memories.writes(stmt)}
            found.update(map(self.memories.of, ir.grown(stmt)))
            if any(is_differentiable(a.type) for a in ir.sources(stmt)):
                found.update(map(self.memories.of, ir.produced(stmt)))
            active = {m for m in found if self.activity.active_memory(m)}
            for block in ir.blocks(stmt):
                for inner in block.stmts:
                    active |= self.active_memories(inner)
            self._active_memories[stmt] = frozenset(active)
        return self._active_memories[stmt]

    def is_active(self, stmt: ir.Stmt) -> bool:
        """True if ``stmt``, blocks included, moves any cotangent."""
        if stmt not in self._contains:
            self._contains[stmt] = (
                bool(self.active_memories(stmt))
                or any(self.activity.active(v) for v in (*ir.outs(stmt), *ir.binders(stmt)))
                or any(self.is_active(s) for block in ir.blocks(stmt) for s in block.stmts)
            )
        return self._contains[stmt]


def _overwritten(func: ir.Func, memories: Memories, defs: Definitions) -> dict[ir.Stmt, ir.Value]:
    """For each write the value, or array, that it overwrites: an earlier load if there is one."""
    found: dict[ir.Stmt, ir.Value] = {}

    def visit(block: ir.Block) -> None:
        loads: dict[tuple[object, ...], ir.Value] = {}
        for stmt in block.stmts:
            if isinstance(stmt, ir.Load):
                loads[stmt.base, *stmt.index] = stmt.out
            elif isinstance(stmt, ir.Store | ir.Accum):
                assert isinstance(stmt.base.type, Array)
                own = ir.Value("", Scalar(stmt.base.type.dtype))
                found[stmt] = loads.get((stmt.base, *stmt.index), own)
            elif isinstance(stmt, ir.Assign | ir.AddTo):
                found[stmt] = ir.Value(defs.whole(stmt.dst).root.hint, stmt.dst.type)
            written = memories.all_writes(stmt)
            if written:
                loads = {k: v for k, v in loads.items() if memories.of(_base(k)) not in written}
            for inner in ir.blocks(stmt):
                visit(inner)

    visit(func.body)
    return found


def _base(key: tuple[object, ...]) -> ir.Value:
    assert isinstance(key[0], ir.Value)
    return key[0]
