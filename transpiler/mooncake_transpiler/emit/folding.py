"""The values that become part of an expression instead of a variable of their own.

A value without a user's name that is used once, later in the same block, is evaluated where it is
used, provided that nothing between writes to the memory that it reads, nor touches what it writes
itself. An expression is never moved into loops and branches that stay statements. Across these it
moves if it reads no memory: arrays are not kept alive longer.

Expressions are kept short: what would make a line too long becomes a variable. ``pinned`` holds
the values that an earlier attempt has found to be too long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field

from mooncake_rules.scalar import OPS

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memory, memories_of
from mooncake_transpiler.types import INT, Scalar

MAX_WIDTH = 76  # estimated columns of one expression


@dataclass(slots=True)
class Folding:
    """The result of folding: ``inlined`` maps folded values to the statements that compute them."""

    uses: Counter[ir.Value] = field(default_factory=Counter)
    bounds: Counter[ir.Value] = field(default_factory=Counter)  # uses in heads of loops
    inlined: dict[ir.Atom, ir.Stmt] = field(default_factory=dict)
    ternary: set[ir.If] = field(default_factory=set)  # single-out Ifs printed as expressions

    def is_root(self, stmt: ir.Stmt) -> bool:
        """True if ``stmt`` stays a statement."""
        outs = ir.outs(stmt)
        if len(outs) == 1 and outs[0] in self.inlined:
            return False
        return not (is_pure(stmt) and all(self.uses[out] == 0 for out in outs))

    def may_be_pythons(self, atom: ir.Atom) -> bool:
        """True if plain code may have an integer of Python's, of any size, for ``atom``."""
        match self.inlined.get(atom):
            case ir.Load() | ir.Compute(op="rt.fitting"):
                return False
            case _:
                return isinstance(atom, ir.Value) and atom.type == INT

    def roots(self, block: ir.Block) -> Iterator[ir.Stmt]:
        return (stmt for stmt in block.stmts if self.is_root(stmt))

    def variables(self, atom: ir.Atom) -> Iterator[ir.Value]:
        """The variables that evaluating ``atom`` reads."""
        if not isinstance(atom, ir.Value):
            return
        stmt = self.inlined.get(atom)
        if stmt is None:
            yield atom
        else:
            yield from self.reads(stmt)

    def reads(self, stmt: ir.Stmt) -> Iterator[ir.Value]:
        """The variables that evaluating ``stmt`` reads, without those of its nested statements."""
        for operand in ir.operands(stmt):
            yield from self.variables(operand)
        if isinstance(stmt, ir.If) and stmt in self.ternary:
            for arm in (stmt.then, stmt.orelse):
                yield from self.variables(arm.yields[0])

    def parts(self, atom: ir.Atom) -> Iterator[ir.Value]:
        """The folded values inside ``atom``, itself included."""
        stmt = self.inlined.get(atom)
        if stmt is None or not isinstance(atom, ir.Value):
            return
        yield atom
        for operand in ir.operands(stmt):
            yield from self.parts(operand)
        if isinstance(stmt, ir.If) and stmt in self.ternary:
            yield from self.parts(stmt.then.yields[0])
            yield from self.parts(stmt.orelse.yields[0])


def is_pure(stmt: ir.Stmt) -> bool:
    """True if leaving ``stmt`` out changes nothing but its result."""
    return not (ir.blocks(stmt) or _does(stmt))


def _does(stmt: ir.Stmt) -> bool:
    """True if ``stmt`` itself does more than to compute its results."""
    return bool(ir.acts(stmt) or ir.written(stmt) or ir.grown(stmt))


def _width(stmt: ir.Stmt) -> int:
    """The columns that ``stmt`` needs beside its operands, roughly."""
    match stmt:
        case ir.Compute(op=op, args=args):
            return len(OPS[op].template) - 3 * len(args) + (op == "cast") * 7
        case ir.Load(index=index) | ir.Store(index=index):
            return 2 * len(index)
        case ir.Dim():
            return 0  # several often become one ``.shape``
        case _:
            return 8


def _is_target(array: ir.Stmt, writer: ir.Stmt) -> bool:
    """True if Python can assign to the text of ``array``, to all of it or to an element."""
    element = isinstance(writer, ir.Store | ir.Accum)
    return isinstance(array, ir.View) and (element or not (array.axes or array.part))


@dataclass(slots=True)
class _Pending:
    """A value that waits for its use, with all that has been folded into it."""

    stmt: ir.Stmt
    reads: frozenset[Memory] = frozenset()
    writes: frozenset[Memory] = frozenset()
    acts: bool = False
    width: int = 0
    leaves: frozenset[ir.Value] = frozenset()  # the variables that it consists of

    def take(self, other: _Pending) -> None:
        """Add what ``other`` needs and does: it is evaluated where this is."""
        self.reads |= other.reads
        self.writes |= other.writes
        self.acts |= other.acts
        self.width += other.width
        self.leaves |= other.leaves

    def meets(self, later: _Pending) -> bool:
        """True if this must not be evaluated after ``later``."""
        if self.acts or self.writes:
            return bool(later.acts or later.reads or later.writes)
        return not self.reads.isdisjoint(later.writes)


class _Waiting:
    """The values that wait in one block, found by what would end their wait."""

    def __init__(self) -> None:
        self._entries: dict[ir.Value, _Pending] = {}
        self._touching: dict[ir.Value, None] = {}  # those that read or write memory, or act
        self._hinted: dict[str, dict[ir.Value, None]] = {}  # those that contain a user's variable

    def get(self, atom: ir.Atom) -> _Pending | None:
        return self._entries.get(atom) if isinstance(atom, ir.Value) else None

    def add(self, value: ir.Value, entry: _Pending) -> None:
        self._entries[value] = entry
        if entry.reads or entry.writes or entry.acts:
            self._touching[value] = None
        for leaf in entry.leaves:
            if leaf.hint:
                self._hinted.setdefault(leaf.hint, {})[value] = None

    def remove(self, value: ir.Value) -> None:
        entry = self._entries.pop(value)
        self._touching.pop(value, None)
        for leaf in entry.leaves:
            if leaf.hint:
                self._hinted[leaf.hint].pop(value, None)

    def pass_by(self, entry: _Pending, bound: Iterable[str]) -> None:
        """Drop what must not be evaluated after ``entry``, which binds variables ``bound``."""
        if entry.reads or entry.writes or entry.acts:
            for value in [v for v in self._touching if self._entries[v].meets(entry)]:
                self.remove(value)
        for hint in bound:
            for value in list(self._hinted.get(hint, ())):
                self.remove(value)

    def pass_block(self, copied: Container[ir.Value]) -> None:
        """Drop what touches memory, and what would keep the old value of a variable alive."""
        for value in list(self._touching):
            self.remove(value)
        for value, entry in list(self._entries.items()):
            if any(leaf in copied for leaf in entry.leaves):
                self.remove(value)


def fold(func: ir.Func, pinned: frozenset[ir.Value] = frozenset()) -> Folding:
    """Choose the values of ``func`` to fold; ``pinned`` values stay variables."""
    folding = Folding()
    _count(func.body, folding.uses)
    loops = (stmt for stmt in ir.walk(func.body) if isinstance(stmt, ir.For))
    folding.bounds.update(a for s in loops for a in (s.lo, s.hi) if isinstance(a, ir.Value))
    _Folder(folding, pinned, func).block(func.body)
    return folding


def _count(block: ir.Block, uses: Counter[ir.Value]) -> None:
    """Count uses backwards, so that what only feeds an unused result of an If is not counted."""
    uses.update(a for a in block.yields if isinstance(a, ir.Value))
    for stmt in reversed(block.stmts):
        if isinstance(stmt, ir.If):
            for arm in (stmt.then, stmt.orelse):
                live = zip(arm.yields, stmt.outs, strict=True)
                yields = tuple(a for a, out in live if uses[out])
                _count(ir.Block(arm.stmts, yields), uses)
        else:
            for inner in ir.blocks(stmt):
                _count(inner, uses)
        if is_pure(stmt) and not any(uses[out] for out in ir.outs(stmt)):
            continue
        uses.update(a for a in ir.operands(stmt) if isinstance(a, ir.Value))


class _Folder:
    def __init__(self, folding: Folding, pinned: frozenset[ir.Value], func: ir.Func) -> None:
        self.folding = folding
        self.pinned = pinned
        self.memories = memories_of(func)
        self.sizes: set[ir.Atom] = set(func.inputs)  # and extents and indices: never assigned to

    def block(self, block: ir.Block, live: tuple[ir.Atom, ...] | None = None) -> _Pending | None:
        """Fold inside ``block``; a single yield that needs no statement comes back as pending."""
        pending = _Waiting()
        for stmt in block.stmts:
            self.stmt(stmt, pending)
        yields = block.yields if live is None else live
        taken = [self.take(atom, pending) for atom in yields]
        return taken[0] if len(taken) == 1 else None

    def stmt(self, stmt: ir.Stmt, pending: _Waiting) -> None:
        if is_pure(stmt) and not any(self.folding.uses[out] for out in ir.outs(stmt)):
            return
        if isinstance(stmt, ir.Global):
            self.folding.inlined[stmt.out] = stmt
            return
        if isinstance(stmt, ir.Dim):
            self.sizes.add(stmt.out)
        if isinstance(stmt, ir.For):
            self.sizes.add(stmt.index)
        if isinstance(stmt, ir.Compute) and self.is_beside(stmt):
            self.folding.inlined[stmt.out] = stmt  # wherever it is used
            return
        entry = self.consume(stmt, pending)
        if isinstance(stmt, ir.If):
            self.arms(stmt, entry)
        else:
            for inner in ir.blocks(stmt):
                self.block(inner)
        outs = ir.outs(stmt)
        self.flush(stmt, entry, pending)
        if len(outs) == 1 and self.may_fold(stmt, outs[0]):
            pending.add(outs[0], entry)

    def is_beside(self, stmt: ir.Compute) -> bool:
        """True for ``n - 1`` and ``i + 1``, where ``n`` is a size and ``i`` the index of a loop."""
        out = stmt.out
        short = stmt.op in ("add", "sub") and isinstance(stmt.args[1], ir.Const) and not out.hint
        return short and out.type == INT and stmt.args[0] in self.sizes and out not in self.pinned

    def may_fold(self, stmt: ir.Stmt, out: ir.Value) -> bool:
        if out.hint or self.folding.uses[out] != 1 or out in self.pinned:
            return False
        if isinstance(stmt, ir.If):
            return stmt in self.folding.ternary
        return not (ir.blocks(stmt) or isinstance(stmt, ir.Grow))

    def consume(self, stmt: ir.Stmt, pending: _Waiting) -> _Pending:
        """Fold the operands of ``stmt`` that wait; the entry sums up what it then contains."""
        of = self.memories.of
        reads = frozenset((*self.memories.reads(stmt), *map(of, ir.copied(stmt))))
        writes = frozenset(self.memories.writes(stmt))
        entry = _Pending(stmt, reads, writes, bool(ir.acts(stmt) or ir.grown(stmt)), _width(stmt))
        for written in () if isinstance(stmt, ir.Call) else ir.written(stmt):
            waits = pending.get(written)
            if waits is not None and not _is_target(waits.stmt, stmt):
                pending.remove(ir.outs(waits.stmt)[0])  # not a target that Python can assign to
        added = frozenset(map(of, ir.added(stmt)))
        for operand in ir.operands(stmt):
            entry.take(self.take(operand, pending, MAX_WIDTH - entry.width, added))
        return entry

    def take(
        self,
        atom: ir.Atom,
        pending: _Waiting,
        room: int = MAX_WIDTH,
        added: frozenset[Memory] = frozenset(),
    ) -> _Pending:
        """The entry that waits for ``atom``, or a leaf.

        ``added``: memory that is loaded before all operands: ``x[i] += f(x)`` loads ``x[i]`` first.
        """
        found = pending.get(atom)
        if found is None or not isinstance(atom, ir.Value):
            return _leaf(atom)
        pending.remove(atom)
        if found.width > room or not found.writes.isdisjoint(added):
            return _leaf(atom)
        self.folding.inlined[atom] = found.stmt
        return found

    def arms(self, stmt: ir.If, entry: _Pending) -> None:
        """Fold inside both arms; find out whether ``stmt`` can be a conditional expression."""
        parts = []
        for arm in (stmt.then, stmt.orelse):
            pairs = zip(arm.yields, stmt.outs, strict=True)
            parts.append(self.block(arm, tuple(a for a, out in pairs if self.folding.uses[out])))
        roots = any(self.folding.is_root(s) for a in (stmt.then, stmt.orelse) for s in a.stmts)
        if roots or len(stmt.outs) != 1 or stmt.outs[0] in self.pinned:
            return
        if any(isinstance(a.yields[0], ir.Undef) for a in (stmt.then, stmt.orelse)):
            return
        for part in parts:
            if part is None:
                return
            entry.take(part)
        if entry.width <= MAX_WIDTH and isinstance(stmt.outs[0].type, Scalar):
            self.folding.ternary.add(stmt)

    def flush(self, stmt: ir.Stmt, entry: _Pending, pending: _Waiting) -> None:
        """Drop the entries that must not be evaluated after ``stmt``: they become variables."""
        bound = {out.hint for out in ir.outs(stmt)}
        if isinstance(stmt, ir.For | ir.While | ir.If) and stmt not in self.folding.ternary:
            copied = set(_copied(stmt))
            bound |= {value.hint for value in copied}
            pending.pass_block(copied)
        # evaluating it later would keep the old value of a user's variable alive
        pending.pass_by(entry, bound - {""})


def _copied(stmt: ir.Stmt) -> Iterator[ir.Value]:
    """The values that ``stmt`` and the statements in it bind, or hand on to variables."""
    if isinstance(stmt, ir.For | ir.While):
        yield from (a for a in stmt.inits if isinstance(a, ir.Value))
    yield from (*ir.binders(stmt), *ir.outs(stmt))
    for block in ir.blocks(stmt):
        yield from (a for a in block.yields if isinstance(a, ir.Value))
        for inner in block.stmts:
            yield from _copied(inner)


def _leaf(atom: ir.Atom) -> _Pending:
    nothing = ir.Raise("", None)
    match atom:
        case ir.Value(hint=hint):
            return _Pending(nothing, width=len(hint) or 3, leaves=frozenset({atom}))
        case ir.Const(value=value):
            return _Pending(nothing, width=len(repr(value)))
        case ir.Undef():
            return _Pending(nothing)
