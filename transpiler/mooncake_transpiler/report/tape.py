"""The ledger of a tape: what is saved, where, for whom, and why it is not computed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from mooncake_rules.scalar import OPS

from mooncake_transpiler import ir
from mooncake_transpiler.ad.linear import is_cheap
from mooncake_transpiler.emit.function import Emitted
from mooncake_transpiler.emit.residuals import records
from mooncake_transpiler.emit.traced_lines import statements
from mooncake_transpiler.ir.function_names import short
from mooncake_transpiler.report.facts import Saved, Spot
from mooncake_transpiler.report.sizes import Sizes
from mooncake_transpiler.types import BOOL, Array, Tuple, leaves


@dataclass(frozen=True, slots=True)
class Tape:
    """Residuals, by what they are called: in the function that saves them, and in the pullback."""

    names: tuple[str, ...]
    saved: tuple[ir.Atom, ...]
    read: tuple[ir.Value, ...]

    @staticmethod
    def of(forward: ir.Func, pullback: ir.Func) -> Tape:
        """The residuals that ``forward`` returns and ``pullback`` takes."""
        param = pullback.params[0]
        alias = param.type.alias if isinstance(param.type, Tuple) else None
        if alias is None or not param.leaves:
            return Tape((), (), ())
        names = records([forward, pullback]).get(alias, ())
        saved = tuple(_returned(forward, alias))
        if not len(names) == len(saved) == len(param.leaves):
            names = tuple(f"residuals[{k}]" for k in range(len(param.leaves)))
        return Tape(names, saved, param.leaves)


def _returned(func: ir.Func, alias: str) -> Iterator[ir.Atom]:
    """The results of ``func`` that belong to the tuple that is called ``alias``."""
    at = 0
    for item in func.result.items if isinstance(func.result, Tuple) else ():
        end = at + len(list(leaves(item)))
        if isinstance(item, Tuple) and item.alias == alias:
            yield from func.body.yields[at:end]
        at = end


def ledger(forward: Emitted, pullback: Emitted, sizes: Sizes) -> Iterator[Saved]:
    """What ``forward`` saves for ``pullback``, in the order of the residuals."""
    tape = Tape.of(forward.func, pullback.func)
    filling = Filling(forward.func)
    reading = Reading.of(pullback)
    results = forward.func.body.yields[: -len(tape.saved) or None]
    for name, saved, read in zip(tape.names, tape.saved, tape.read, strict=True):
        readers, only_size = reading.readers(read)
        is_held = any(saved is leaf for leaf in forward.func.inputs)
        if is_held and isinstance(saved.type, Array):
            reason = "an argument: it is kept where it is, nothing is copied"
            if only_size:
                reason = "an argument, for its shape: it is kept where it is, nothing is copied"
            yield Saved(name, str(saved.type), 0, True, None, reason, readers)
            continue
        stored = filling.source(saved)
        spot = spot_of(stored)
        reason = filling.reason(saved, stored, sizes.made)
        if isinstance(saved.type, Array) and only_size:
            reason = "for its shape: an array of the function itself, which is kept alive"
        if isinstance(saved.type, Array) and any(saved is result for result in results):
            reason = "the result itself, which the caller has anyway"
        size = sizes.bytes(saved, name)
        yield Saved(name, str(saved.type), size, False, spot, reason, readers)


def spot_of(stmt: ir.Stmt | None) -> Spot | None:
    """The line of the source that ``stmt`` comes from."""
    return None if stmt is None or stmt.origin is None else (stmt.origin.path, stmt.origin.line)


@dataclass(slots=True)
class Filling:
    """The writes of a function into the memory of its arrays."""

    func: ir.Func
    names: dict[ir.Value, ir.Value] = field(default_factory=dict)  # to another of the same memory
    made: dict[ir.Value, ir.Stmt] = field(default_factory=dict)
    writes: list[tuple[ir.Atom, ir.Atom, ir.Stmt]] = field(default_factory=list)
    read: set[ir.Value] = field(default_factory=set)

    def __post_init__(self) -> None:
        for stmt in ir.walk(self.func.body):
            self.made |= dict.fromkeys((*ir.outs(stmt), *ir.binders(stmt)), stmt)
            self._join(stmt)
        for stmt in ir.walk(self.func.body):
            match stmt:
                case ir.Store(base=base, value=value) | ir.Accum(base=base, value=value):
                    self.writes.append((base, value, stmt))
                case ir.Assign(dst=dst, src=src) | ir.AddTo(dst=dst, src=src):
                    self.writes.append((dst, src, stmt))
                case ir.Load(base=ir.Value() as base) | ir.Sum(array=ir.Value() as base):
                    self.read.add(self._root(base))
                case ir.Call(args=args):
                    self.read |= {self._root(a) for a in args if isinstance(a, ir.Value)}
                case _:
                    pass

    def _join(self, stmt: ir.Stmt) -> None:
        pairs: list[tuple[ir.Value, ir.Atom]] = []
        match stmt:
            case ir.View(out=out, base=base) | ir.Reshape(out=out, base=base):
                pairs.append((out, base))
            case ir.Grow(out=out, array=array):
                pairs.append((out, array))
            case ir.For(body=body) | ir.While(body=body):
                for group in (stmt.inits, stmt.outs, body.yields):
                    pairs += zip(stmt.params, group, strict=True)
            case ir.If(outs=outs, then=then, orelse=orelse):
                pairs += [*zip(outs, then.yields, strict=True)]
                pairs += zip(outs, orelse.yields, strict=True)
            case _:
                pass
        for a, b in pairs:
            if isinstance(a.type, Array) and isinstance(b, ir.Value):
                first, second = self._root(a), self._root(b)
                if first is not second:
                    self.names[first] = second

    def _root(self, value: ir.Value) -> ir.Value:
        while value in self.names:
            value = self.names[value]
        return value

    def source(self, saved: ir.Atom) -> ir.Stmt | None:
        """The statement that computes what is saved; of an array, one that computes its items."""
        if not isinstance(saved, ir.Value):
            return None
        made = self.made.get(saved)
        if not isinstance(saved.type, Array):
            return self._through_branches(saved)
        if self._is_own(saved):
            root = self._root(saved)
            allocs = (s for v, s in self.made.items() if self._root(v) is root)
            return next((s for s in allocs if isinstance(s, ir.Alloc | ir.Copy)), made)
        values = (v for _, v, _ in self._writes(saved) if isinstance(v, ir.Value))
        found = map(self._through_branches, values)
        return next((stmt for stmt in found if stmt is not None), made)

    def _through_branches(self, value: ir.Value) -> ir.Stmt | None:
        """The statement that computes ``value``, in the arm that does so if only one does."""
        made = self.made.get(value)
        if not isinstance(made, ir.If) or value not in made.outs:
            return made
        k = made.outs.index(value)
        arms = [a for arm in (made.then, made.orelse) if isinstance(a := arm.yields[k], ir.Value)]
        return self._through_branches(arms[0]) if len(arms) == 1 else made

    def _writes(self, saved: ir.Value) -> Iterator[tuple[ir.Atom, ir.Atom, ir.Stmt]]:
        root = self._root(saved)
        for target, value, stmt in self.writes:
            if isinstance(target, ir.Value) and self._root(target) is root:
                yield target, value, stmt

    def _is_own(self, saved: ir.Value) -> bool:
        """True for an array of the program, which reads it; stores of saved values are not."""
        return self._root(saved) in self.read

    def reason(
        self, saved: ir.Atom, stored: ir.Stmt | None, made: Mapping[ir.Value, ir.Stmt]
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
        return _reason(kept, stored)


def _reason(kept: ir.Value, stored: ir.Stmt | None) -> str:
    match stored:
        case ir.Compute(op=op, args=args) if is_cheap(stored):
            hints = (a.hint for a in args if isinstance(a, ir.Value))
            gone = " and ".join(dict.fromkeys(filter(None, hints)))
            return f"cheaper to keep than {gone or 'what'}{'' if gone else ' it is computed from'}"
        case ir.Compute(op=op):
            name = OPS[op].name.removeprefix("np.").removeprefix("math.").removeprefix("rt.")
            return f"computing {name} again takes longer than reading it"
        case ir.Load(base=base):
            name = base.hint if isinstance(base, ir.Value) and base.hint else "the array"
            return f"{name}, which it is read from, is not kept or holds something else by then"
        case ir.Call(func=func):
            return f"calling {short(func).removeprefix('rt:')} again takes longer than reading it"
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
            return "it is gone by then"


@dataclass(frozen=True, slots=True)
class Reading:
    """The lines of a pullback, and the statements that each writes."""

    func: ir.Func
    lines: tuple[tuple[ir.Stmt, ...], ...]

    @staticmethod
    def of(pullback: Emitted) -> Reading:
        """The lines of ``pullback``."""
        code = ("" if line.lstrip().startswith("#") else line for line in pullback.lines)
        return Reading(pullback.func, tuple(tuple(statements(line)) for line in code))

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
