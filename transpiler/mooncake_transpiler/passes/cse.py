"""Common subexpression elimination, with loads, loops and known equalities.

    before                                 after
    n: int64 = dim x, 0                    n: int64 = dim x, 0
    a: float64 = load x[i]                 a: float64 = load x[i]
    m: int64 = dim x, 0                    y[0] = a
    b: float64 = load x[i]                 c: float64 = load x[i]
    y[0] = b
    c: float64 = load x[i]

Known are the expressions of this block and of those around it. A load stays known until something
may write its memory: memory of the function's own is written through its own names only.
So are loops that do nothing but compute, load and fill new arrays, which nobody changes after: of
two that are filled alike one will do. So are choices of the same by the same condition. After
``if a != b: raise`` the integer ``a`` is ``b``, and after ``if c: raise`` the condition ``c`` is
false.
"""

from __future__ import annotations

from collections.abc import Iterator

from mooncake_rules.primitives import PRIMITIVES

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memory, memories_of
from mooncake_transpiler.passes.loop_keys import NewArrays, loop_key
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import BOOL, INT, Array, Scalar, is_differentiable


def cse(func: ir.Func) -> ir.Func:
    """Replace pure expressions that are computed before."""
    return _Common(func).run(func)


_Memory = Memory | None  # a class of own memory, or None for all that is visible outside


class _Common(Rewriter):
    def __init__(self, func: ir.Func) -> None:
        super().__init__()
        self.memories = memories_of(func)
        self.known: dict[object, tuple[ir.Value, ...]] = {}
        self.added: list[object] = []  # keys of ``known`` in this block
        self.versions: dict[_Memory, int] = {}  # of memory, counting writes
        self.writes: dict[ir.Block, frozenset[_Memory]] = {}
        self.ever_written = self.written(func.body)
        self.tests: dict[ir.Value, tuple[ir.Atom, ...]] = {}  # results of ``a != b``
        self.equal: list[ir.Value] = []  # keys of ``env`` that hold in this block
        made = (s for s in ir.walk(func.body) if isinstance(s, ir.Alloc))
        self.growable = {s.out for s in made if s.growable}
        self.new = NewArrays(func, self.memories)
        self.names: dict[ir.Atom, object] = {}  # of numbers, conditions and choices

    def use(self, atom: ir.Atom) -> ir.Atom:
        while (other := super().use(atom)) is not atom:
            atom = other
        return atom

    def block(self, block: ir.Block) -> ir.Block:
        outer, self.added, self.equal = (self.added, self.equal), [], []
        new = self.new.enter()
        result = super().block(block)
        for name in self.added:
            del self.known[name]
        for value in self.equal:
            del self.env[value]
        self.added, self.equal = outer
        self.new.leave(new)
        return result

    def statement(self, stmt: ir.Stmt) -> None:
        stmt = self.resolved(stmt)
        name = self.name(stmt)
        if self.is_known(name, stmt):
            return
        if isinstance(stmt, ir.Compute):
            self.names[stmt.out] = name
        if isinstance(stmt, ir.For | ir.While):  # what it writes, an earlier iteration may write
            self.touch(m for b in ir.blocks(stmt) for m in self.written(b))
        made = self.inside(stmt)
        if isinstance(made, ir.For):
            new = self.new.filled_by(made)
            if self.is_known(loop_key(made, self.version, new), made, tuple(new)):
                return
        self.emit(made)
        self.new.note(made)
        if isinstance(made, ir.If):
            self.choices(made)
        self.touch(self.writes_of(stmt))
        self.learn(stmt)

    def is_known(self, name: object, stmt: ir.Stmt, filled: tuple[ir.Value, ...] = ()) -> bool:
        """Use what is known by ``name`` for the results of ``stmt``; else they are known by it.

        ``filled`` are the arrays that it fills.
        """
        if name is None:
            return False
        known = self.known.get(name)
        if _is_free_sum(stmt):  # an exact one stands for it, but not the other way round
            name = (_FREE, name)
            known = known or self.known.get(name)
        if known is None:
            self.known[name] = (*ir.outs(stmt), *filled)
            self.added.append(name)
            return False
        for out, value in zip((*ir.outs(stmt), *filled), known, strict=True):
            self.put(out, self.use(value))
        return True

    def learn(self, stmt: ir.Stmt) -> None:
        """Note what holds behind a test and a raise: the test fails, integers are equal."""
        match stmt:
            case ir.Compute(out=out, op="ne", args=args) if all(a.type == INT for a in args):
                self.tests[out] = args
            case ir.If(cond=ir.Value() as cond, then=then) if _raises(then):
                self.env[cond] = _FALSE
                self.equal.append(cond)
                if cond not in self.tests:
                    return
                a, b = map(self.use, self.tests[cond])
                if not isinstance(a, ir.Value) or (isinstance(b, ir.Value) and not b.hint):
                    a, b = b, a
                if isinstance(a, ir.Value) and a is not b:
                    self.env[a] = b
                    self.equal.append(a)
            case _:
                pass

    def choices(self, stmt: ir.If) -> None:
        """Use what has been chosen already for the results of ``stmt``."""
        before: list[tuple[ir.Value, list[ir.Atom]]] = []
        for out, *arms in zip(stmt.outs, stmt.then.yields, stmt.orelse.yields, strict=True):
            named = [self.names.get(atom, ir.key(atom)) for atom in (stmt.cond, *arms)]
            name = self.names[out] = (ir.If, out.type, *named)
            known = self.known.get(name) or [o for o, others in before if _will_do(others, arms)]
            if known:
                self.put(out, self.use(known[0]))
            else:
                self.known[name] = (out,)
                self.added.append(name)
                before.append((out, arms))

    def name(self, stmt: ir.Stmt) -> object:
        """A key that is equal for statements with equal results; None if there is none."""
        match stmt:
            case ir.Compute(out=out, op=op, args=args):
                return (op, out.type, *map(ir.key, args))
            case ir.Dim(array=array, axis=axis):
                return None if array in self.growable else (ir.Dim, array, axis)
            case ir.Global(module=module, name=name):
                return (ir.Global, module, name)
            case ir.View(out=out, base=base, index=index, axes=axes, part=part):
                return (ir.View, out.type, ir.key(base), axes, part, *map(_index_key, index))
            case ir.Load(base=base, index=index):
                return (ir.Load, self.version(base), base, *map(ir.key, index))
            case ir.Call(func=func, outs=outs, args=args) if self.is_repeatable(func, outs):
                versions = (self.version(a) for a in args if isinstance(a.type, Array))
                return (func, *(v.type for v in outs), *map(ir.key, args), *versions)
            case _:
                return None

    def version(self, array: ir.Atom) -> int:
        """The number of writes so far to the memory of ``array``."""
        return self.versions.get(self.memories.own(array), 0)

    def is_repeatable(self, func: str, outs: tuple[ir.Value, ...]) -> bool:
        """True if a call may be shared: it writes nothing, and nobody writes to ``outs``."""
        known = PRIMITIVES.get(func)
        if known is None or known.writes or not outs:
            return False
        arrays = (self.memories.own(out) for out in outs if not isinstance(out.type, Scalar))
        return all(own is not None and own not in self.ever_written for own in arrays)

    def touch(self, memories: Iterator[_Memory]) -> None:
        for memory in memories:
            self.versions[memory] = self.versions.get(memory, 0) + 1

    def writes_of(self, stmt: ir.Stmt) -> Iterator[_Memory]:
        """The memory that ``stmt`` itself writes."""
        yield from map(self.memories.own, (*ir.written(stmt), *ir.grown(stmt)))

    def written(self, block: ir.Block) -> frozenset[_Memory]:
        """All memory that ``block`` writes, at any depth."""
        if block not in self.writes:
            found: set[_Memory] = set()
            for stmt in block.stmts:
                found.update(self.writes_of(stmt))
                for inner in ir.blocks(stmt):
                    found |= self.written(inner)
            self.writes[block] = frozenset(found)
        return self.writes[block]


_FREE = object()
_FALSE = ir.Const(False, BOOL)


def _raises(block: ir.Block) -> bool:
    return bool(block.stmts) and isinstance(block.stmts[-1], ir.Raise)


def _will_do(atoms: list[ir.Atom], others: list[ir.Atom]) -> bool:
    """True if ``atoms`` are ``others``, as far as anybody looks at these."""
    pairs = zip(atoms, others, strict=True)
    return all(isinstance(b, ir.Undef) or ir.same(a, b) for a, b in pairs)


def _is_free_sum(stmt: ir.Stmt) -> bool:
    """True for sums and differences of floats whose zeros may lose their sign."""
    if not isinstance(stmt, ir.Compute) or stmt.op not in ("add", "sub"):
        return False
    return stmt.free and is_differentiable(stmt.out.type)


def _index_key(item: ir.Index) -> object:
    if not isinstance(item, ir.Slice):
        return item if isinstance(item, ir.NewAxis) else ir.key(item)
    return ir.Slice, *(None if x is None else ir.key(x) for x in (item.lo, item.hi, item.step))
