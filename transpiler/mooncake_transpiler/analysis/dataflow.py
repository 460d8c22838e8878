"""Array dataflow: what statements do to memory, where, in which order, and which of it can't meet.

The passes that move, merge or drop loads and stores ask this, and so do the schedules of sweeps.
Statements that a pass has rebuilt are looked at when they are asked for; arrays stay what they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product, starmap

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Access
from mooncake_transpiler.analysis.integers import Integers, integers_of
from mooncake_transpiler.analysis.memory import Memories, Memory, memories_of
from mooncake_transpiler.types import Array


@dataclass(slots=True)
class Touched:
    """The accesses of a piece of code to one memory."""

    accesses: set[Access | None] = field(default_factory=set)  # None: anywhere, in any order
    kinds: set[ir.Touch] = field(default_factory=set)
    only_sums: bool = True  # nothing but sums that are free
    reads: int = 0  # of all these

    @property
    def is_read_only(self) -> bool:
        return self.kinds == {ir.Touch.READ}

    def add(self, other: Touched) -> None:
        self.accesses |= other.accesses
        self.kinds |= other.kinds
        self.only_sums &= other.only_sums
        self.reads += other.reads

    def __or__(self, other: Touched) -> Touched:
        both = Touched()
        both.add(self)
        both.add(other)
        return both


Uses = Mapping[Memory, Touched]


class Dataflow:
    """The array dataflow of one function."""

    def __init__(self, memories: Memories, integers: Integers) -> None:
        self.memories = memories
        self.integers = integers
        self.defs = integers.defs
        self._touched: dict[ir.Stmt, Uses] = {}
        self._involved: dict[ir.Stmt, frozenset[Memory]] = {}

    # ---- what is done to memory -----------------------------------------------------------------

    def touched(self, stmt: ir.Stmt) -> Uses:
        """The accesses of ``stmt``, blocks included, to each memory."""
        if stmt not in self._touched:
            found: dict[Memory, Touched] = {}
            sums = isinstance(stmt, ir.Accum | ir.AddTo) and stmt.free
            for memory, kind, access in self._accesses(stmt):
                only_adds, reads = sums and kind is ir.Touch.ADD, kind is not ir.Touch.WRITE
                one = Touched({access}, {kind}, only_adds, int(reads))
                found.setdefault(memory, Touched()).add(one)
            for block in ir.blocks(stmt):
                for memory, inner in self.inside(block).items():
                    found.setdefault(memory, Touched()).add(inner)
            self._touched[stmt] = found
        return self._touched[stmt]

    def inside(self, block: ir.Block) -> Uses:
        """The accesses of the statements of ``block``."""
        found: dict[Memory, Touched] = {}
        for stmt in block.stmts:
            for memory, touched in self.touched(stmt).items():
                found.setdefault(memory, Touched()).add(touched)
        return found

    def _accesses(self, stmt: ir.Stmt) -> Iterator[tuple[Memory, ir.Touch, Access | None]]:
        """The accesses of ``stmt`` itself (None: anything, by a call that is run again)."""
        again = isinstance(stmt, ir.Call) and not self.memories.is_ruled(stmt)
        element = stmt.index if isinstance(stmt, ir.Load | ir.Store | ir.Accum) else None
        for array, touch in ir.touched(stmt, self.memories.changed):
            access = self.defs.access(array, element) if element else self.defs.whole(array)
            yield self.memories.of(array), touch, None if again else access

    def reads(self, stmt: ir.Stmt) -> Iterator[tuple[Memory, Access | None]]:
        """The accesses by which ``stmt`` itself reads, or adds to, what is in each memory."""
        for memory, kind, access in self._accesses(stmt):
            if kind is not ir.Touch.WRITE:
                yield memory, access
        for array in ir.copied(stmt):
            yield self.memories.of(array), None

    def writes(self, stmt: ir.Stmt, memory: Memory) -> Iterator[Access | None]:
        """The accesses by which ``stmt`` itself writes to ``memory``, or adds to what is there."""
        for one, kind, access in self._accesses(stmt):
            if one is memory and kind is not ir.Touch.READ:
                yield access

    # ---- the order of statements ----------------------------------------------------------------

    def next(self, stmts: Sequence[ir.Stmt], start: int, array: ir.Value) -> int | None:
        """The position of the next statement that has to do with the memory of ``array``."""
        return next((k for k in range(start, len(stmts)) if self.involves(stmts[k], array)), None)

    def last(self, stmts: Sequence[ir.Stmt], array: ir.Value) -> int | None:
        """The position of the last statement that does."""
        backwards = range(len(stmts) - 1, -1, -1)
        return next((k for k in backwards if self.involves(stmts[k], array)), None)

    def involves(self, stmt: ir.Stmt, array: ir.Value) -> bool:
        """True if ``stmt`` has to do with what is in the memory of ``array``, blocks included."""
        return self.memories.of(array) in self._all_involved(stmt)

    def involved(self, stmt: ir.Stmt, array: ir.Value) -> Iterator[ir.Stmt]:
        """The statements in ``stmt`` that do."""
        memory = self.memories.of(array)
        if memory in self._all_involved(stmt):
            if memory in self._own_involved(stmt):
                yield stmt
            for block in ir.blocks(stmt):
                for inner in block.stmts:
                    yield from self.involved(inner, array)

    def _all_involved(self, stmt: ir.Stmt) -> frozenset[Memory]:
        found = self._involved.get(stmt)
        if found is None:
            inner = (s for block in ir.blocks(stmt) for s in block.stmts)
            found = self._own_involved(stmt).union(*map(self._all_involved, inner))
            self._involved[stmt] = found
        return found

    def _own_involved(self, stmt: ir.Stmt) -> frozenset[Memory]:
        """The memories that ``stmt`` itself reads, writes, copies, chooses or carries."""
        atoms = [*ir.read(stmt), *ir.copied(stmt), *ir.written(stmt), *ir.grown(stmt)]
        if ir.blocks(stmt):
            atoms += [a for a, _ in ir.aliases(stmt)]
        return frozenset(self.memories.of(a) for a in atoms if _is_array(a))

    def shares(self, atom: ir.Atom, array: ir.Value) -> bool:
        """True if ``atom`` is an array that may be in the memory of ``array``."""
        return _is_array(atom) and self.memories.of(atom) is self.memories.of(array)

    # ---- what can't meet ------------------------------------------------------------------------

    def may_touch(self, stmt: ir.Stmt, base: ir.Value, index: tuple[ir.Atom, ...]) -> bool:
        """True if ``stmt``, blocks included, may read or write an element of ``base``."""
        touched = self.touched(stmt).get(self.memories.of(base))
        own = self.defs.access(base, index)
        return touched is not None and not all(
            a is not None and self.are_apart(own, a) for a in touched.accesses
        )

    def are_apart(self, a: Access, b: Access) -> bool:
        """True if two accesses are certainly to different elements."""
        return a.root is b.root and any(map(self.integers.differ, a.index, b.index))

    def may_meet(self, a: ir.Atom, b: ir.Atom) -> bool:
        """True if the arrays ``a`` and ``b`` may have an element in common."""
        if not self.shares(a, b):  # type: ignore[arg-type]
            return False
        return not self.are_apart(self.defs.whole(a), self.defs.whole(b))

    def are_other_arrays(
        self, memory: Memory, some: Touched, others: Touched, inside: Set[ir.Value]
    ) -> bool:
        """True if two pieces of code, which bind what is ``inside``, touch other arrays there.

        That is known of arrays that are bound before both, and stay what they are while both run.
        """
        roots = [{None if a is None else a.root for a in t.accesses} for t in (some, others)]
        given = sum(root in self.memories.params for root in memory.roots)
        if given > 1 or None in roots[0] | roots[1] or not inside.isdisjoint(roots[0] | roots[1]):
            return False
        return not any(starmap(self.defs.choices.may_meet, product(*roots)))

    def is_split(self, memory: Memory, touched: Touched, loops: Collection[ir.For]) -> bool:
        """True if iterations of ``loops`` meet in no element of ``memory`` but for equal indices.

        All accesses are to the element, on some axis, that is the index of a loop.
        """
        found = [a for a in touched.accesses if a is not None and a.root in memory.roots]
        if len(found) != len(touched.accesses) or len({a.root for a in found}) != 1:
            return False
        indices = {loop.index for loop in loops}
        return all(map(self.integers.nonnegative, indices)) and any(
            all(a.index[axis] in indices for a in found) for axis in range(len(found[0].index))
        )


def _is_array(atom: ir.Atom) -> bool:
    return isinstance(atom, ir.Value) and isinstance(atom.type, Array)


@lru_cache(maxsize=2)
def dataflow_of(func: ir.Func) -> Dataflow:
    """The dataflow of ``func``, kept for the next pass: most leave a function as it is."""
    return Dataflow(memories_of(func), integers_of(func))
