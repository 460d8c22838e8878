"""Alias classes: arrays that may share memory.

Arrays are references. Every array value belongs to one ``Memory``: a class of allocation sites and
parameters that may be the same memory (Steensgaard's unification: a view joins its base, a branch
or loop that chooses between arrays joins them). Parameters of one dtype may overlap, so they form
one class as soon as one of them is written.

Memory is the function's *own* if it is made in it and neither callers nor callees see it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from mooncake_transpiler import ir
from mooncake_transpiler.types import Array, DType, Stack

# For each function the positions of the input leaves that it writes.
Mutated = Mapping[str, frozenset[int]]


@dataclass(slots=True, eq=False)
class Memory:
    """An alias class: arrays that may share memory, analysed as one."""

    dtype: DType
    roots: list[ir.Value] = field(default_factory=list)  # parameters, allocations, globals
    is_param: bool = False
    written: bool = False
    own: bool = True  # made in the function, and never seen outside


class Memories:
    """The memory class of each array value of one function."""

    def __init__(
        self, func: ir.Func, mutated: Mutated | None = None, ruled: frozenset[str] = frozenset()
    ) -> None:
        """Without ``mutated``, calls of functions are taken to write all that they are given.

        ``ruled`` are the functions that have a pullback, so that nobody looks into them.
        """
        self._mutated = mutated
        self.ruled = ruled
        self._parent: dict[ir.Value, ir.Value] = {}
        self._written: set[ir.Value] = set()
        self._shown: dict[ir.Atom, ir.Atom] = {}  # views and reshaped arrays, by what they are of
        self.params = [v for v in func.inputs if isinstance(v.type, Array)]
        self._roots: list[ir.Value] = list(self.params)
        self._seen: list[ir.Atom] = [*self.params, *func.body.yields]  # by callers and callees
        for stmt in ir.walk(func.body):
            self._scan(stmt)
        self._join_params()
        self._classes: dict[ir.Value, Memory] = {}
        for root in self._roots:
            memory = self.of(root)
            memory.roots.append(root)
            memory.is_param |= root in self.params
        for value in self._written:
            self.of(value).written = True
        for atom in self._seen:
            if isinstance(atom, ir.Value) and isinstance(atom.type, Array):
                self.of(atom).own = False

    @cached_property
    def written_params(self) -> set[ir.Value]:
        """The parameters that are written through a name or view of their own, or may be."""
        return set(self._find_written_params())

    def own(self, array: ir.Atom) -> Memory | None:
        """The class of ``array``, if it is the function's own."""
        memory = self.of(array) if isinstance(array, ir.Value) else None
        return memory if memory is not None and memory.own else None

    def of(self, array: ir.Atom) -> Memory:
        assert isinstance(array, ir.Value)
        assert isinstance(array.type, Array | Stack)
        leader = self._find(array)
        if leader not in self._classes:
            self._classes[leader] = Memory(array.type.dtype)
        return self._classes[leader]

    def reads(self, stmt: ir.Stmt) -> Iterator[Memory]:
        """The classes whose content ``stmt`` itself reads."""
        return map(self.of, (*ir.read(stmt), *ir.added(stmt)))

    def writes(self, stmt: ir.Stmt) -> Iterator[Memory]:
        """The classes that ``stmt`` itself writes (fresh memory is not counted)."""
        return map(self.of, ir.written(stmt, self.changed))

    def is_ruled(self, call: ir.Call) -> bool:
        """True if ``call`` is taken as it is: of a primitive, or with a pullback."""
        return ir.is_primitive(call) or call.func in self.ruled

    def changed(self, call: ir.Call) -> tuple[ir.Atom, ...]:
        """The arguments that ``call`` may write to."""
        if self._mutated is None or ir.is_primitive(call):
            return ir.any_argument(call)
        return tuple([call.args[k] for k in sorted(self._mutated[call.func])])

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
        known = ir.outside(stmt)
        self._roots += (*ir.made(stmt), *known)
        self._seen += known
        if ir.acts(stmt):
            self._seen += ir.operands(stmt)
        for atom, name in ir.aliases(stmt):
            self._join(name, atom)
            if not isinstance(stmt, ir.If | ir.For | ir.While):
                self._shown[name] = atom
        if isinstance(stmt, ir.Shadows):
            for out in stmt.outs[1:]:
                self._join(stmt.outs[0], out)
        written = ir.written(stmt, self.changed)
        self._written.update(array for array in written if isinstance(array, ir.Value))

    def _find_written_params(self) -> Iterator[ir.Value]:
        """The parameters that are written through their own names and views, or may be chosen."""
        roots = set(self._roots)
        for value in self._written:
            root: ir.Atom = value
            while root in self._shown:
                root = self._shown[root]
            assert isinstance(root, ir.Value)
            if root in self.params:
                yield root
            elif root not in roots:
                leader = self._find(root)
                yield from (p for p in self.params if self._find(p) is leader)

    def _join_params(self) -> None:
        """Join the parameters of a dtype of which one is written: callers may pass one array."""
        written = list(self._find_written_params())
        dtypes = {p.type.dtype for p in written if isinstance(p.type, Array)}
        for dtype in dtypes:
            same = [p for p in self.params if isinstance(p.type, Array) and p.type.dtype is dtype]
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
