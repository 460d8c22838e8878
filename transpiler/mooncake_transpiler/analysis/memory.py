"""Alias classes: arrays that may share memory.

Arrays are references. Every array value belongs to one ``Memory``: a class of allocation sites and
parameters that may be the same memory (Steensgaard's unification: a view joins its base, a branch
or loop that chooses between arrays joins them). Parameters of one dtype may overlap, so they form
one class as soon as one of them is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from mooncake_rules.primitives import PRIMITIVES

from mooncake_transpiler import ir
from mooncake_transpiler.types import Array, DType

# For each function the positions of the input leaves that it writes.
Mutated = Mapping[str, frozenset[int]]


@dataclass(slots=True, eq=False)
class Memory:
    """A class of memory that is analysed as one."""

    dtype: DType
    roots: list[ir.Value] = field(default_factory=list)  # parameters, allocations, globals
    is_param: bool = False
    written: bool = False


class Memories:
    """The memory class of each array value of one function."""

    def __init__(
        self,
        func: ir.Func,
        mutated: Mutated | None = None,
        ruled: frozenset[str] = frozenset(),
    ) -> None:
        """Without ``mutated``, calls of functions are taken to write all that they are given.

        ``ruled`` are the functions that have a pullback, so that nobody looks into them.
        """
        self._mutated = mutated
        self.ruled = ruled
        self._parent: dict[ir.Value, ir.Value] = {}
        self._written: set[ir.Value] = set()
        self._params = [v for v in func.inputs if isinstance(v.type, Array)]
        self._roots: list[ir.Value] = list(self._params)
        for stmt in ir.walk(func.body):
            self._scan(stmt)
        self._join_params()
        self._classes: dict[ir.Value, Memory] = {}
        for root in self._roots:
            memory = self.of(root)
            memory.roots.append(root)
            memory.is_param |= root in self._params
        for value in self._written:
            self.of(value).written = True
        self.written_params = set(self._find_written_params(func))

    def of(self, array: ir.Atom) -> Memory:
        assert isinstance(array, ir.Value)
        assert isinstance(array.type, Array)
        leader = self._find(array)
        if leader not in self._classes:
            self._classes[leader] = Memory(array.type.dtype)
        return self._classes[leader]

    def reads(self, stmt: ir.Stmt) -> Iterator[Memory]:
        """The classes that ``stmt`` itself reads."""
        match stmt:
            case ir.Load(base=array) | ir.Accum(base=array) | ir.Sum(array=array):
                yield self.of(array)
            case ir.Copy(src=src):
                yield self.of(src)
            case ir.Assign(src=src):
                if isinstance(src.type, Array):
                    yield self.of(src)
            case ir.AddTo(dst=dst, src=src):
                yield self.of(dst)
                if isinstance(src.type, Array):
                    yield self.of(src)
            case ir.Call(args=args):
                yield from (self.of(a) for a in args if isinstance(a.type, Array))
            case _:
                return

    def writes(self, stmt: ir.Stmt) -> Iterator[Memory]:
        """The classes that ``stmt`` itself writes (fresh memory is not counted)."""
        match stmt:
            case ir.Store(base=array) | ir.Accum(base=array):
                yield self.of(array)
            case ir.Assign(dst=array) | ir.AddTo(dst=array):
                yield self.of(array)
            case ir.Call(func=name, args=args):
                yield from (self.of(a) for a in self._written_args(name, args))
            case _:
                return

    def _written_args(self, name: str, args: tuple[ir.Atom, ...]) -> Iterator[ir.Atom]:
        if name in PRIMITIVES:
            yield from (args[k] for k in PRIMITIVES[name].writes)
            return
        for k, arg in enumerate(args):
            if isinstance(arg.type, Array) and (self._mutated is None or k in self._mutated[name]):
                yield arg

    def all_writes(self, stmt: ir.Stmt) -> set[Memory]:
        """The classes that ``stmt`` writes, blocks included."""
        found = set(self.writes(stmt))
        for block in ir.blocks(stmt):
            for inner in block.stmts:
                found |= self.all_writes(inner)
        return found

    # ---- unification ----------------------------------------------------------------------------

    def _find(self, value: ir.Value) -> ir.Value:
        while (up := self._parent.get(value, value)) is not value:
            self._parent[value] = self._parent.get(up, up)
            value = up
        return value

    def _join(self, a: ir.Atom, b: ir.Atom) -> None:
        if isinstance(a, ir.Value) and isinstance(b, ir.Value) and isinstance(a.type, Array):
            first, second = self._find(a), self._find(b)
            if first is not second:
                self._parent[second] = first

    def _scan(self, stmt: ir.Stmt) -> None:
        match stmt:
            case ir.Copy(out=out, src=src) if stmt.sharing is not ir.Sharing.COPY:
                self._join(src, out)
            case ir.Alloc(out=out) | ir.Global(out=out) | ir.Copy(out=out):
                self._roots.append(out)
            case ir.View(out=out, base=base) | ir.Grow(out=out, array=base):
                self._join(base, out)
            case ir.Reshape(out=out, base=base):
                self._join(base, out)
            case ir.Shadows(outs=outs):
                self._roots.extend(outs)
                for out in outs[1:]:
                    self._join(outs[0], out)
            case ir.Store(base=array) | ir.Accum(base=array):
                self._mark_written(array)
            case ir.Assign(dst=array) | ir.AddTo(dst=array):
                self._mark_written(array)
            case ir.If(outs=outs, then=then, orelse=orelse):
                for out, a, b in zip(outs, then.yields, orelse.yields, strict=True):
                    self._join(out, a)
                    self._join(out, b)
            case (
                ir.For(outs=outs, params=params, inits=inits, body=body)
                | ir.While(outs=outs, params=params, inits=inits, body=body)
            ):
                for out, param, init, last in zip(outs, params, inits, body.yields, strict=True):
                    self._join(param, out)
                    self._join(param, init)
                    self._join(param, last)
            case ir.Call(func=name, outs=outs, args=args):
                self._roots.extend(v for v in outs if isinstance(v.type, Array))
                for arg in self._written_args(name, args):
                    self._mark_written(arg)
            case _:
                pass

    def _find_written_params(self, func: ir.Func) -> Iterator[ir.Value]:
        """The parameters that are written through a name or view of their own, or may be."""
        aliases = (s for s in ir.walk(func.body) if isinstance(s, ir.View | ir.Reshape))
        bases = {s.out: s.base for s in aliases}
        for value in self._written:
            root: ir.Atom = value
            while root in bases:
                root = bases[root]
            if root in self._params:
                assert isinstance(root, ir.Value)
                yield root
            elif root not in self._roots:
                yield from (r for r in self.of(value).roots if r in self._params)

    def _mark_written(self, array: ir.Atom) -> None:
        assert isinstance(array, ir.Value)
        self._written.add(array)

    def _join_params(self) -> None:
        leaders = {self._find(v) for v in self._written}
        dtypes = {
            p.type.dtype
            for p in self._params
            if isinstance(p.type, Array) and self._find(p) in leaders
        }
        for dtype in dtypes:
            same = [p for p in self._params if isinstance(p.type, Array) and p.type.dtype is dtype]
            for other in same[1:]:
                self._join(same[0], other)


def mutated(funcs: Sequence[ir.Func]) -> Mutated:
    """For each function the positions of the input leaves that it writes, calls included."""
    found: dict[str, frozenset[int]] = {func.name: frozenset() for func in funcs}
    changed = True
    while changed:
        changed = False
        for func in funcs:
            memories = Memories(func, found)
            written = frozenset(
                k for k, v in enumerate(func.inputs) if v in memories.written_params
            )
            changed |= written != found[func.name]
            found[func.name] = written
    return found


@lru_cache(maxsize=2)
def memories_of(func: ir.Func) -> Memories:
    """The memories of ``func``, kept for the next pass: most leave a function as it is."""
    return Memories(func)
