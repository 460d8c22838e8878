"""Reshaped arrays, and copies that NumPy makes only where it must.

Before: a ``Reshape`` or ``Copy`` says whether NumPy has one memory or two (``Sharing``).
After: nobody can tell, or it is as NumPy has it.

    r = reshape y (k) copy           c = copy y
    r[0] = 7.0                       r = reshape c (k)
    s = load y[0, 0]                 r[0] = 7.0
                                     ...

The difference can be seen where one of the two arrays is written and the other one is read later.
Where it can, and what NumPy does depends on sizes or on the caller, the program is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.contiguity import Contiguity
from mooncake_transpiler.analysis.memory import Memories
from mooncake_transpiler.analysis.refusal import refused
from mooncake_transpiler.ir.function_names import is_of_library
from mooncake_transpiler.types import Array

Asked = ir.Reshape | ir.Copy
HELP = "write to the array itself, or take a copy first: x.copy()"


def sharing(func: ir.Func, writes: ir.Changed = ir.any_argument) -> ir.Func:
    """``func`` with one memory or two wherever that makes a difference."""
    if not any(map(_asks, ir.walk(func.body))):
        return func
    return ir.with_body(func, _SharedOrCopied(func, writes).block(func.body))


def sharing_known(ruled: Mapping[str, ir.Func], func: ir.Func) -> ir.Func:
    """As ``sharing``; ``ruled`` are functions with a pullback, which write to no argument."""
    return sharing(func, lambda call: () if call.func in ruled else ir.any_argument(call))


def _asks(stmt: ir.Stmt) -> bool:
    if isinstance(stmt, ir.Reshape):
        return stmt.sharing is not ir.Sharing.ANY
    return isinstance(stmt, ir.Copy) and stmt.sharing is not ir.Sharing.COPY


class _SharedOrCopied:
    def __init__(self, func: ir.Func, writes: ir.Changed) -> None:
        self._func = func
        self._names = Names(func, writes)
        defs = Definitions(func)
        self._sure = Contiguity(defs, lambda array, made: False)
        self._usual = Contiguity(defs, lambda array, made: True)
        self._path: list[tuple[ir.Block, int]] = []
        self._instead: dict[ir.Atom, ir.Atom] = {}  # of copies that are left out

    def block(self, block: ir.Block) -> ir.Block:
        stmts: list[ir.Stmt] = []
        for k, stmt in enumerate(block.stmts):
            self._path.append((block, k))
            if isinstance(stmt, ir.Reshape) and _asks(stmt):
                stmts += self._reshape(stmt)
            elif isinstance(stmt, ir.Copy) and _asks(stmt):
                stmts += self._copy(stmt)
            else:
                stmts.append(ir.mapped(ir.with_operands(stmt, self._use), self.block))
            self._path.pop()
        return ir.Block(tuple(stmts), tuple(map(self._use, block.yields)))

    def _use(self, atom: ir.Atom) -> ir.Atom:
        while atom in self._instead:
            atom = self._instead[atom]
        return atom

    def _reshape(self, stmt: ir.Reshape) -> Iterator[ir.Stmt]:
        seen = self._seen(stmt)
        is_view = stmt.sharing is ir.Sharing.VIEW
        if seen and is_view and not self._sure.holds(stmt.base):
            message = "this write changes a part of an array under another shape"
            raise refused("MK313", message, seen.origin or stmt.origin, HELP)
        if not self._usual.holds(stmt.base) or (seen and not is_view):
            copy = ir.Value("", stmt.base.type)
            yield ir.Copy(copy, self._use(stmt.base), stmt.origin)
            stmt = replace(stmt, base=copy)
        yield ir.with_operands(replace(stmt, sharing=ir.Sharing.ANY), self._use)

    def _copy(self, stmt: ir.Copy) -> Iterator[ir.Stmt]:
        if self._seen(stmt) or self._names.writes(self._names.shown_by(stmt)):
            yield ir.with_operands(replace(stmt, sharing=ir.Sharing.COPY), self._use)
        else:
            self._instead[stmt.out] = stmt.src

    def _seen(self, stmt: Asked) -> ir.Stmt | None:
        """The write that makes a difference, if there is one; refused where NumPy does either."""
        found = _Watch(self._func, self._names, stmt).run(self._path)
        if found is not None and stmt.sharing is ir.Sharing.UNKNOWN:
            message = "whether this write changes a reshaped array, or what it is made of, as well"
            message += " depends on how memory is laid out"
            if isinstance(stmt, ir.Copy):
                message = "this write may change another array as well: both may be one memory"
            raise refused("MK311", message, found.origin or stmt.origin, HELP)
        return found


# ---- names of memory -----------------------------------------------------------------------------


class Names:
    """The names that show the memory of others, and their uses in statements."""

    def __init__(self, func: ir.Func, writes: ir.Changed) -> None:
        self._body = func.body
        self._inputs = frozenset(func.inputs)
        self._writes = writes
        self._memories = Memories(func)
        self._edges = [(s, a, out) for s in ir.walk(func.body) for a, out in _aliases(s)]

    def shown_by(self, stmt: Asked) -> frozenset[ir.Atom]:
        """The names that show ``stmt.out``."""
        return self._reached({stmt.out}, None)

    def others(self, stmt: Asked) -> frozenset[ir.Atom]:
        """The names that show the memory of the source of ``stmt``, but for its result."""
        sources = self._sources(stmt.base if isinstance(stmt, ir.Reshape) else stmt.src)
        if not sources.isdisjoint(self._inputs):  # arguments may overlap
            sources |= self._inputs.intersection(self._memories.of(stmt.out).roots)
        return self._reached(sources, stmt)

    def _sources(self, array: ir.Atom) -> set[ir.Atom]:
        """The names whose memory ``array`` may show: not what loops bind to its name later."""
        found, before = {array}, 0
        while len(found) > before:
            before = len(found)
            found |= {a for _, a, out in self._edges if out in found}
        return found

    def _reached(self, found: set[ir.Atom], without: ir.Stmt | None) -> frozenset[ir.Atom]:
        before = -1
        while len(found) > before:
            before = len(found)
            found |= {out for stmt, a, out in self._edges if a in found and stmt is not without}
        return frozenset(found)

    def writes(self, names: frozenset[ir.Atom]) -> bool:
        """True if any of ``names`` may be written."""
        return any(not names.isdisjoint(self.written(stmt)) for stmt in ir.walk(self._body))

    def written(self, stmt: ir.Stmt) -> tuple[ir.Atom, ...]:
        """The arrays that ``stmt`` itself may write."""
        return ir.written(stmt, self._writes)


def _aliases(stmt: ir.Stmt) -> Iterator[tuple[ir.Atom, ir.Value]]:
    """The pairs of a name and another one for its memory that ``stmt`` binds."""
    yield from ir.aliases(stmt)
    if isinstance(stmt, ir.Call) and not is_of_library(stmt.func):
        for out in ir.outside(stmt):
            yield from ((atom, out) for atom in ir.operands(stmt) if _may_be_part(atom, out))


def _may_be_part(atom: ir.Atom, out: ir.Value) -> bool:
    match atom.type, out.type:
        case Array(dtype=dtype), Array(dtype=other):
            return dtype is other
        case _:
            return False


def _read(stmt: ir.Stmt) -> tuple[ir.Atom, ...]:
    """The arrays whose content ``stmt`` itself reads."""
    return (*ir.read(stmt), *ir.added(stmt))


# ---- what can be seen ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Written:
    """The first write to the result, and to anything else of its memory, so far."""

    new: ir.Stmt | None = None
    old: ir.Stmt | None = None

    def __or__(self, other: _Written) -> _Written:
        return _Written(self.new or other.new, self.old or other.old)


class _Seen(Exception):
    def __init__(self, write: ir.Stmt) -> None:
        super().__init__()
        self.write = write


class _Watch:
    """Runs through all that may happen behind ``stmt``, and notes who writes what."""

    def __init__(self, func: ir.Func, names: Names, stmt: Asked) -> None:
        self._func = func
        self._stmt = stmt
        self._names = names
        self._new = names.shown_by(stmt)
        self._old = names.others(stmt)
        loops = (s for s in ir.walk(func.body) if isinstance(s, ir.For | ir.While))
        self._is_carried = any(not self._new.isdisjoint(loop.params) for loop in loops)
        self._arguments = not self._old.isdisjoint(func.inputs)

    def run(self, path: Sequence[tuple[ir.Block, int]]) -> ir.Stmt | None:
        """The write that is seen, from the statement at the end of ``path`` on."""
        try:
            written, lives = _Written(), True
            for block, k in reversed(path):
                here, *later = block.stmts[k:]
                lives = self._outlives(here)
                if not lives:
                    break
                if isinstance(here, ir.For | ir.While):
                    written = self._statement(here, written)
                written = self._run(later, written)
            if lives:
                self._reads(self._func.body.yields, written)
        except _Seen as seen:
            return seen.write
        return None

    def _outlives(self, stmt: ir.Stmt) -> bool:
        """True if an array of the blocks of ``stmt`` is known outside of them, too."""
        inside = {v for block in ir.blocks(stmt) for v in ir.bound_in(block)}
        return not (self._new | self._old) <= inside

    def _run(self, stmts: Sequence[ir.Stmt], written: _Written) -> _Written:
        for stmt in stmts:
            written = self._statement(stmt, written)
        return written

    def _statement(self, stmt: ir.Stmt, written: _Written) -> _Written:
        match stmt:
            case ir.If(then=then, orelse=orelse):
                return self._run(then.stmts, written) | self._run(orelse.stmts, written)
            case ir.For(body=body):
                return self._loop((body,), written)
            case ir.While(cond=cond, body=body):
                return self._loop((cond, body), written)
            case _ if stmt is self._stmt:
                if written.new is not None:
                    raise _Seen(written.new)
                return written if self._is_carried else _Written()
            case _:
                return self._plain(stmt, written)

    def _loop(self, blocks: tuple[ir.Block, ...], written: _Written) -> _Written:
        for _ in range(2):  # what an iteration writes, the next one may read
            for block in blocks:
                written |= self._run(block.stmts, written)
        return written

    def _plain(self, stmt: ir.Simple, written: _Written) -> _Written:
        self._reads(_read(stmt), written)
        for array in self._names.written(stmt):
            if array in self._new:
                if self._arguments:  # the caller sees them
                    raise _Seen(stmt)
                written = replace(written, new=written.new or stmt)
            if array in self._old:
                written = replace(written, old=written.old or stmt)
        if isinstance(stmt, ir.Call):
            self._reads(_read(stmt), written)
        return written

    def _reads(self, atoms: Sequence[ir.Atom], written: _Written) -> None:
        for atom in atoms:
            if not isinstance(atom.type, Array):
                continue
            if atom in self._old and written.new is not None:
                raise _Seen(written.new)
            if atom in self._new and written.old is not None:
                raise _Seen(written.old)
