"""Checkpoints of arrays that the pullbacks of calls read: as they were right after the call.

    c = call f(a, b)           c = call f(a, b)
    b[0] = 1.0                 b_kept = b.copy()
                               b[0] = 1.0

The reverse sweep reads an array itself where it is at hand and nothing has written to it after the
call, else the copy; a copy that nobody reads is dead code. A copy that is the same in all
iterations of a loop is made before the loop. Of arrays in loops the extents are noted, too, so that
the reverse sweep can make zeros of their shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.call.ruled_functions import Library, Rule
from mooncake_transpiler.ad.fact.activity import Activity
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.dataflow import Dataflow
from mooncake_transpiler.analysis.integers import Integers
from mooncake_transpiler.analysis.later_accesses import LaterAccesses
from mooncake_transpiler.analysis.memory import Memories, Memory
from mooncake_transpiler.analysis.shapes import CallExtent, Extent, Extents
from mooncake_transpiler.types import INT, Array

Path = tuple[ir.Stmt, ...]  # enclosing branches and loops, outer ones first
Sizes = dict[ir.Value, tuple[ir.Atom, ...]]


@dataclass(frozen=True, slots=True)
class Content:
    """The source of the content of ``array``: itself, if it ``lasts``, and ``copy``."""

    array: ir.Atom
    copy: ir.Value | None
    lasts: bool


@dataclass(frozen=True, slots=True)
class Contents:
    """For each call that has a pullback its rule, and by formal array what it reads.

    ``sizes`` are the extents of arrays that are bound in loops, ``copies`` the copies.
    """

    rules: Mapping[ir.Stmt, Rule] = field(default_factory=dict)
    read: Mapping[ir.Stmt, Mapping[ir.Value, Content]] = field(default_factory=dict)
    sizes: Mapping[ir.Value, tuple[ir.Atom, ...]] = field(default_factory=dict)
    copies: frozenset[ir.Value] = frozenset()

    def lasting(self, block: ir.Block) -> Iterator[ir.Atom]:
        """The arrays that the pullbacks of calls in ``block`` read themselves."""
        for stmt in ir.walk(block):
            for content in self.read.get(stmt, {}).values():
                if content.lasts:
                    yield content.array


def keep_contents(
    func: ir.Func, memories: Memories, activity: Activity, library: Library, calls: CallExtent
) -> tuple[ir.Func, Contents]:
    """``func`` with copies of contents, and extents, that pullbacks need; and the map to them."""
    keeper = _Keeper(func, memories, library, activity, calls)
    for call, path in keeper.calls():
        keeper.keep(call, path)
    sizes = keeper.note_sizes()
    contents = Contents(keeper.rules, keeper.read, sizes, frozenset(keeper.copies))
    if not (keeper.before or keeper.after or keeper.first or keeper.last):
        return func, contents
    return replace(func, body=keeper.rebuilt(func.body)), contents


class _Keeper:
    def __init__(
        self,
        func: ir.Func,
        memories: Memories,
        library: Library,
        activity: Activity,
        calls: CallExtent,
    ) -> None:
        self._func = func
        self._memories = memories
        self._library = library
        self._activity = activity
        self._defs = Definitions(func)
        self._extents = Extents(self._defs, {}, calls)
        integers = Integers(self._defs)
        self._dataflow = Dataflow(memories, integers)
        self._later = LaterAccesses(integers)
        self._paths: dict[ir.Stmt, Path] = {}
        self._blocks: dict[ir.Stmt, ir.Block] = {}
        self._homes: dict[ir.Value, Path] = {}
        self._number: dict[ir.Stmt, int] = {}
        self._writers: dict[Memory, list[ir.Stmt]] = {}
        self._scan(func.body, ())
        self.rules: dict[ir.Stmt, Rule] = {}
        self.read: dict[ir.Stmt, dict[ir.Value, Content]] = {}
        self.copies: dict[ir.Value, ir.Value] = {}  # of what
        self._newest: dict[tuple[ir.Value, ir.Block], tuple[int, ir.Value]] = {}  # behind what
        self._sizes: Sizes = {}
        self.before: dict[ir.Stmt, list[ir.Stmt]] = {}
        self.after: dict[ir.Stmt, list[ir.Stmt]] = {}
        self.first: dict[ir.Stmt, list[ir.Stmt]] = {}  # at the start of the body of a loop
        self.last: dict[ir.Stmt, list[ir.Stmt]] = {}  # at the end of the block

    def _scan(self, block: ir.Block, path: Path) -> None:
        for stmt in block.stmts:
            self._paths[stmt] = path
            self._blocks[stmt] = block
            self._number[stmt] = len(self._number)
            self._homes.update((out, path) for out in ir.outs(stmt))
            self._homes.update((value, (*path, stmt)) for value in ir.binders(stmt))
            for memory in self._memories.writes(stmt):
                self._writers.setdefault(memory, []).append(stmt)
            for inner in ir.blocks(stmt):
                self._scan(inner, (*path, stmt))

    def calls(self) -> Iterator[tuple[ir.Call, Path]]:
        """The calls that move cotangents, and the statements around each."""
        for stmt, path in self._paths.items():
            if isinstance(stmt, ir.Call) and self._moves_cotangents(stmt):
                yield stmt, path

    def _moves_cotangents(self, call: ir.Call) -> bool:
        active = self._activity.active
        ruled = call.func in self._library.names
        return ruled and any(map(active, call.args)) and any(map(active, call.outs))

    # ---- contents -------------------------------------------------------------------------------

    def keep(self, call: ir.Call, path: Path) -> None:
        """Note the arrays that the pullback of ``call`` reads, and plan copies of them."""
        rule = self.rules[call] = self._library.rule(call, self._activity.active)
        found = self.read[call] = {}
        actuals = (*call.args, *call.outs)
        for formal, array in zip((*rule.args, *rule.outs), actuals, strict=True):
            if isinstance(array.type, Array) and formal in rule.used:
                found[formal] = self._content(array, call, path)

    def _content(self, array: ir.Atom, call: ir.Call, path: Path) -> Content:
        lasts = not self._written_after(array, call, path)
        if lasts and self._is_found_again(array):
            return Content(array, None, lasts)
        assert isinstance(array, ir.Value)
        home = self._blocks[call]
        made, copy = self._newest.get((array, home), (0, None))
        if copy is not None and not self._is_written_between(array, made, self._number[call]):
            return Content(array, copy, lasts)
        copy = ir.Value(f"{array.hint}_kept" if array.hint else "", array.type)
        self.copies[copy] = array
        self._newest[array, home] = self._number[call], copy
        if (outer := self._outermost(array, path)) is not None:
            self.before.setdefault(outer, []).append(ir.Copy(copy, array, outer.origin))
            return Content(array, copy, lasts)
        stmts = self.after.setdefault(call, [])
        stmts.append(ir.Copy(copy, array, call.origin))
        if any(_loops(path)) and not any(_loops(self._homes.get(array, ()))):
            self._sizes[copy] = _dims(self._shape(array), stmts)
        return Content(array, copy, lasts)

    def _written_after(self, array: ir.Atom, call: ir.Call, path: Path) -> bool:
        """True if anything may write to ``array`` after ``call``, while it is the same memory."""
        memory, read = self._memories.of(array), self._defs.whole(array)
        kept = [loop for loop in _loops(path) if not self._is_new(memory, loop)]
        for writer in self._writers.get(memory, ()):
            is_below = self._number[writer] > self._number[call]
            both = [loop for loop in kept if loop in self._paths[writer]]
            writes = self._dataflow.writes(writer, memory) if is_below or both else ()
            if not all(self._later.miss(read, w, both, is_below=is_below) for w in writes):
                return True
        return False

    def _is_written_between(self, array: ir.Value, first: int, last: int) -> bool:
        """True if something may write to ``array`` between two statements of one block."""
        writers = self._writers.get(self._memories.of(array), ())
        return any(first < self._number[writer] < last for writer in writers)

    def _is_new(self, memory: Memory, loop: ir.For | ir.While) -> bool:
        """True if each iteration of ``loop`` makes its own ``memory``."""
        carried = (p for p in loop.params if isinstance(p.type, Array))
        return all(loop in self._homes.get(root, ()) for root in memory.roots) and not any(
            self._memories.of(param) is memory for param in carried
        )

    def _is_found_again(self, array: ir.Atom) -> bool:
        """True if the reverse sweep finds ``array`` from what is bound outside of all loops."""
        if not isinstance(array, ir.Value) or not any(_loops(self._homes.get(array, ()))):
            return True
        sources = self._defs.sources(array)
        if sources:
            return all(map(self._is_found_again, sources))
        return isinstance(self._defs.stmt.get(array), ir.Global)

    def _outermost(self, array: ir.Value, path: Path) -> ir.Stmt | None:
        """The outermost loop around that leaves ``array`` and its content alone."""
        memory = self._memories.of(array)
        home = self._homes.get(array, ())
        found = None
        for stmt in reversed(path):
            written = any(stmt in self._paths[w] for w in self._writers.get(memory, ()))
            if stmt in home or written:
                break
            if isinstance(stmt, ir.For | ir.While):
                found = stmt
        return found

    # ---- extents --------------------------------------------------------------------------------

    def _shape(self, array: ir.Value) -> Iterable[Extent]:
        return self._extents.shape(array) or _own(array)

    def note_sizes(self) -> Sizes:
        """Note the extents of arrays bound in loops, as statements of their own where need be."""
        found = self._sizes
        for array in list(self._bound_in_loops()):
            made = self._defs.stmt.get(array)
            stmts: list[ir.Stmt] = []
            if isinstance(made, ir.Alloc) and made.growable:
                found[array] = _dims(_own(array), stmts)
                self.last[made] = stmts
                continue
            if isinstance(made, ir.Alloc):
                found[array] = made.shape
                continue
            found[array] = _dims(self._shape(array), stmts)
            if made is not None:
                self.after.setdefault(made, [])[:0] = stmts
            else:
                self.first.setdefault(self._homes[array][-1], []).extend(stmts)
        for copy, source in self.copies.items():
            if source in found:
                found[copy] = found[source]
        return found

    def _bound_in_loops(self) -> Iterator[ir.Value]:
        """The arrays that the reverse sweep may want zeros for, or keep the content of."""
        wanted = {a for call in self.rules for a in (*ir.operands(call), *ir.outs(call))}
        for value, path in self._homes.items():
            if not isinstance(value.type, Array) or not any(_loops(path)):
                continue
            made = self._defs.stmt.get(value)
            is_part = made is not None and ir.shown(made) is not None
            if value in wanted or (self._activity.active(value) and not is_part):
                yield value

    # ---- the function again ---------------------------------------------------------------------

    def rebuilt(self, block: ir.Block) -> ir.Block:
        stmts: list[ir.Stmt] = []
        for stmt in block.stmts:
            inner = list(map(self.rebuilt, ir.blocks(stmt)))
            if stmt in self.first:
                inner[-1] = ir.Block((*self.first[stmt], *inner[-1].stmts), inner[-1].yields)
            stmts += self.before.get(stmt, [])
            stmts.append(ir.with_blocks(stmt, tuple(inner)))
            stmts += self.after.get(stmt, [])
        last = [one for stmt in block.stmts for one in self.last.get(stmt, [])]
        stmts[len(stmts) - _raises(stmts) : len(stmts) - _raises(stmts)] = last
        return ir.with_stmts(block, stmts)


def _raises(stmts: list[ir.Stmt]) -> bool:
    return bool(stmts) and isinstance(stmts[-1], ir.Raise)


def _own(array: ir.Value) -> list[Extent]:
    assert isinstance(array.type, Array)
    return [Extent(array, axis) for axis in range(array.type.ndim)]


def _dims(shape: Iterable[Extent], stmts: list[ir.Stmt]) -> tuple[ir.Atom, ...]:
    """The sizes that ``shape`` stands for; appends the statements that find them."""
    sizes: list[ir.Atom] = []
    for extent in shape:
        if extent.axis is None:
            sizes.append(extent.atom)
        else:
            size = ir.Value("", INT)
            stmts.append(ir.Dim(size, extent.atom, extent.axis))
            sizes.append(size)
    return tuple(sizes)


def _loops(path: Path) -> Iterator[ir.For | ir.While]:
    return (stmt for stmt in path if isinstance(stmt, ir.For | ir.While))
