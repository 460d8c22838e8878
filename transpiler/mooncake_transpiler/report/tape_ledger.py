"""The ledger of a tape: what is saved, where, for whom, and why it is not computed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mooncake_rules.op_names import bare
from mooncake_rules.scalar import OPS

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.linear import is_cheap
from mooncake_transpiler.analysis.memory import Memories, Memory, memories_of
from mooncake_transpiler.emit.function import Emitted
from mooncake_transpiler.emit.residuals import records
from mooncake_transpiler.emit.traced_lines import statements
from mooncake_transpiler.interface.saved_names import returned, taken
from mooncake_transpiler.ir.function_names import short
from mooncake_transpiler.report.byte_formulas import ByteFormulas
from mooncake_transpiler.report.findings import Saved, Spot
from mooncake_transpiler.types import BOOL, Array


@dataclass(frozen=True, slots=True)
class Tape:
    """Residuals, by what they are called: in the function that saves them, and in the pullback."""

    names: tuple[str, ...]
    saved: tuple[ir.Atom, ...]
    read: tuple[ir.Value, ...]
    barriers: tuple[tuple[ir.Overwritten, ...], ...]

    @staticmethod
    def of(forward: ir.Func, pullback: ir.Func) -> Tape:
        """The residuals that ``forward`` returns and ``pullback`` takes."""
        alias, read = next(taken(pullback), ("", ()))
        if not read:
            return Tape((), (), (), ())
        names = records([forward, pullback]).get(alias, ())
        saved = dict(returned(forward)).get(alias, ())
        if not len(names) == len(saved) == len(read):
            names = tuple(f"residuals[{k}]" for k in range(len(read)))
        barriers = forward.barriers
        if len(barriers) != len(saved):
            barriers = ((),) * len(saved)
        return Tape(names, saved, read, barriers)


def ledger(forward: Emitted, pullback: Emitted, sizes: ByteFormulas) -> Iterator[Saved]:
    """The values that ``forward`` saves for ``pullback``, in the order of the residuals."""
    tape = Tape.of(forward.func, pullback.func)
    filling = Filling(forward.func)
    reading = Readers.of(pullback)
    results = forward.func.body.yields[: -len(tape.saved) or None]
    keepers = _keepers(tape, sizes, [*forward.func.inputs, *results])
    rows = zip(tape.names, tape.saved, tape.read, tape.barriers, strict=True)
    for name, saved, read, barriers in rows:
        readers, only_size = reading.readers(read)
        stored = filling.source(saved)
        reason = filling.reason(saved, stored, barriers)
        memory = _memory(saved, sizes)
        if isinstance(saved.type, Array) and any(memory is leaf for leaf in forward.func.inputs):
            yield Saved(name, str(saved.type), 0, True, None, _of_argument(only_size), readers)
        elif isinstance(saved.type, Array) and any(memory is result for result in results):
            reason = "the result itself, which the caller has anyway"
            yield Saved(name, str(saved.type), 0, True, spot_of(stored), reason, readers)
        elif (keeper := keepers.get(memory, name)) != name:
            reason = f"a part of {keeper}, which is kept anyway"
            yield Saved(name, str(saved.type), 0, True, spot_of(stored), reason, readers)
        else:
            if isinstance(saved.type, Array) and only_size:
                reason = "for its shape: an array of the function itself, which is kept alive"
            size = sizes.bytes(memory, name)
            yield Saved(name, str(saved.type), size, False, spot_of(stored), reason, readers)


def _of_argument(only_size: bool) -> str:
    what = "an argument, for its shape" if only_size else "an argument"
    return f"{what}: it is kept where it is, nothing is copied"


def _memory(saved: ir.Atom, sizes: ByteFormulas) -> ir.Atom:
    """The array that ``saved`` is, or is a part of."""
    made = sizes.made.get(saved)
    if isinstance(made, ir.View | ir.Reshape) and isinstance(saved.type, Array):
        return _memory(made.base, sizes)
    return saved


def _keepers(tape: Tape, sizes: ByteFormulas, others: list[ir.Atom]) -> dict[ir.Atom, str]:
    """The residual that stands for each memory: the whole of it where that is saved, too."""
    found: dict[ir.Atom, str] = {}
    for whole in (True, False):
        for name, saved in zip(tape.names, tape.saved, strict=True):
            memory = _memory(saved, sizes)
            is_new = isinstance(memory.type, Array) and not any(memory is a for a in others)
            if is_new and (memory is saved) == whole:
                found.setdefault(memory, name)
    return found


def spot_of(stmt: ir.Stmt | None) -> Spot | None:
    """The line of the source that ``stmt`` comes from."""
    return None if stmt is None or stmt.origin is None else (stmt.origin.path, stmt.origin.line)


@dataclass(slots=True)
class Filling:
    """The writes of a function into the memory of its arrays."""

    func: ir.Func
    made: dict[ir.Atom, ir.Stmt] = field(default_factory=dict)
    writes: list[tuple[ir.Atom, ir.Atom, ir.Stmt]] = field(default_factory=list)
    read: set[Memory | None] = field(default_factory=set)
    memories: Memories = field(init=False)

    def __post_init__(self) -> None:
        self.memories = memories_of(self.func)
        for stmt in ir.walk(self.func.body):
            self.made |= dict.fromkeys((*ir.outs(stmt), *ir.binders(stmt)), stmt)
            match stmt:
                case ir.Store(base=base, value=value) | ir.Accum(base=base, value=value):
                    self.writes.append((base, value, stmt))
                case ir.Assign(dst=dst, src=src) | ir.AddTo(dst=dst, src=src):
                    self.writes.append((dst, src, stmt))
                case ir.Load(base=base) | ir.Sum(array=base):
                    self.read.add(self._memory(base))
                case ir.Call(args=args):
                    self.read |= set(map(self._memory, args))
                case _:
                    pass

    def _memory(self, atom: ir.Atom) -> Memory | None:
        """The memory of an array; None for anything else."""
        is_array = isinstance(atom, ir.Value) and isinstance(atom.type, Array)
        return self.memories.of(atom) if is_array else None

    def source(self, saved: ir.Atom) -> ir.Stmt | None:
        """The statement that computes what is saved; of an array, one that computes its items."""
        if not isinstance(saved, ir.Value):
            return None
        made = self.made.get(saved)
        if not isinstance(saved.type, Array):
            return self._through_branches(saved)
        if self._is_own(saved):
            own = self._memory(saved)
            allocs = (s for s in self.made.values() if isinstance(s, ir.Alloc | ir.Copy))
            return next((s for s in allocs if self._memory(s.out) is own), made)
        values = (v for _, v, _ in self._writes(saved) if isinstance(v, ir.Value))
        found = map(self._through_branches, values)
        return next((stmt for stmt in found if stmt is not None), made)

    def _through_branches(self, value: ir.Value) -> ir.Stmt | None:
        """The statement that computes ``value``, in the arm that does so if only one does."""
        made = self.made.get(value)
        if not isinstance(made, ir.If) or value not in made.outs:
            return made
        arms = ir.values_of(ir.arms(made, value))
        return self._through_branches(arms[0]) if len(arms) == 1 else made

    def _writes(self, saved: ir.Value) -> Iterator[tuple[ir.Atom, ir.Atom, ir.Stmt]]:
        own = self._memory(saved)
        for target, value, stmt in self.writes:
            if own is not None and self._memory(target) is own:
                yield target, value, stmt

    def _is_own(self, saved: ir.Value) -> bool:
        """True for an array of the program, which reads it; stores of saved values are not."""
        return self._memory(saved) in self.read

    def reason(
        self, saved: ir.Atom, stored: ir.Stmt | None, barriers: Sequence[ir.Overwritten]
    ) -> str:
        """The reason for keeping ``saved``, whose content ``stored`` computes."""
        if not isinstance(saved, ir.Value):
            return "a number that is known ahead of time"
        if any(saved is leaf for leaf in self.func.inputs):
            return "an argument, one number"
        if isinstance(saved.type, Array) and self._is_own(saved):
            return "an array of the function itself: it is kept alive, nothing is copied"
        if saved.type == BOOL:
            return "the branch that was taken"
        kept = next((v for _, v, _ in self._writes(saved) if isinstance(v, ir.Value)), saved)
        if kept.type == BOOL:
            return "the branch that was taken"
        return _reason(kept, stored, self.made, barriers)


def _sources(stmt: ir.Stmt, made: Mapping[ir.Atom, ir.Stmt]) -> Iterator[str]:
    """The names that people know of what ``stmt`` computes its result from."""
    for atom in ir.operands(stmt):
        inner = made.get(atom)
        if isinstance(atom, ir.Value) and atom.hint:
            yield atom.hint
        elif isinstance(inner, ir.Load):
            yield _name(inner.base, made)
        elif isinstance(inner, ir.Compute):
            yield from _sources(inner, made)


def _name(array: ir.Atom, made: Mapping[ir.Atom, ir.Stmt]) -> str:
    """The name that people know of ``array``, or of what it is a part of."""
    if isinstance(array, ir.Value) and not array.hint:
        stmt = made.get(array)
        if isinstance(stmt, ir.View | ir.Reshape):
            return _name(stmt.base, made)
    return array.hint if isinstance(array, ir.Value) and array.hint else "an array"


def _function(stmt: ir.Stmt | None, made: Mapping[ir.Atom, ir.Stmt]) -> str:
    """The function that makes ``stmt`` expensive, or what it is computed from."""
    if not isinstance(stmt, ir.Compute):
        return ""
    if not is_cheap(stmt):
        return bare(OPS[stmt.op].name)
    nameless = (a for a in stmt.args if isinstance(a, ir.Value) and not a.hint)
    return next(filter(None, (_function(made.get(arg), made) for arg in nameless)), "")


def _barred(barriers: Sequence[ir.Overwritten], stored: ir.Stmt) -> str:
    """The variables that are overwritten, and where, in words; ``stored`` tells the own path."""
    first: dict[str, ir.Origin] = {}
    for barrier in barriers:
        known = first.setdefault(barrier.name, barrier.at)
        if (barrier.at.path, barrier.at.line) < (known.path, known.line):
            first[barrier.name] = barrier.at
    own = stored.origin.path if stored.origin is not None else ""
    places = (
        (n, f"line {at.line}{'' if at.path == own else f' of {at.path}'}")
        for n, at in first.items()
    )
    return " and ".join(f"{name}, which {place} overwrites" for name, place in places)


def _reason(
    kept: ir.Value,
    stored: ir.Stmt | None,
    made: Mapping[ir.Atom, ir.Stmt],
    barriers: Sequence[ir.Overwritten],
) -> str:
    match stored:
        case ir.Compute() if name := _function(stored, made):
            return f"computing {name} again takes longer than reading it"
        case ir.Compute() if barred := _barred(barriers, stored):
            return f"cheaper to keep than {barred}"
        case ir.Load() if barred := _barred(barriers, stored):
            return f"read from {barred}"
        case ir.Compute():
            sources = " and ".join(dict.fromkeys(_sources(stored, made)))
            of = ", which it is computed from" if sources else " it is computed from"
            return f"cheaper to keep than {sources or 'what'}{of}"
        case ir.Load(base=base):
            what = "which it is read from, is not kept or holds something else by then"
            return f"{_name(base, made)}, {what}"
        case ir.Call(func=func):
            return f"calling {short(func)} again takes longer than reading it"
        case ir.For() | ir.While() if kept in stored.outs:
            return "the result of a loop, which would have to run again"
        case ir.For() | ir.While():
            return "carried from one iteration to the next: the loop would have to run again"
        case ir.If():
            return "it comes out of a branch, which would have to be taken again"
        case ir.Sum():
            return "a sum over an array, which would have to be read again"
        case ir.Copy():
            return "a copy of what is overwritten later"
        case _:
            return "it would have to be made again"


@dataclass(frozen=True, slots=True)
class Readers:
    """The lines of a pullback, and the statements that each writes."""

    func: ir.Func
    lines: tuple[tuple[ir.Stmt, ...], ...]

    @staticmethod
    def of(pullback: Emitted) -> Readers:
        """The lines of ``pullback``."""
        code = ("" if line.lstrip().startswith("#") else line for line in pullback.lines)
        return Readers(pullback.func, tuple(tuple(statements(line)) for line in code))

    def readers(self, read: ir.Value) -> tuple[tuple[int, ...], bool]:
        """The lines that use ``read`` or what is loaded from it, and if all take its shape only."""
        known = {read}
        users: list[ir.Stmt] = []
        only_size = True
        for stmt in ir.walk(self.func.body):
            if known.isdisjoint(_values(ir.operands(stmt))):
                continue
            if isinstance(stmt, ir.View | ir.Load | ir.Reshape) and stmt.base in known:
                known.update(ir.outs(stmt))
                only_size = only_size and not isinstance(stmt, ir.Load)
            elif not isinstance(stmt, ir.Dim):
                only_size = False
                users.append(stmt)
        wanted = set(users)
        found = [k for k, stmts in enumerate(self.lines) if not wanted.isdisjoint(stmts)]
        return tuple(found), only_size and not users


def _values(atoms: Iterable[object]) -> set[ir.Value]:
    return {atom for atom in atoms if isinstance(atom, ir.Value)}
