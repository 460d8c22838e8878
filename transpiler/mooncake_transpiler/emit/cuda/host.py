"""The host code of one function while it is being put together, and what it knows of numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations

from mooncake_rules.op_names import bare

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.integers import Integers
from mooncake_transpiler.analysis.refusal import refused
from mooncake_transpiler.analysis.shapes import Extent, Extents, carried_shapes
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.emit.cuda import ctext
from mooncake_transpiler.emit.cuda.host_functions import (
    DISJOINT,
    ONE_OR_DISJOINT,
    PARAMETERS_APART,
    PARAMETERS_ONE_OR_APART,
)
from mooncake_transpiler.emit.cuda.kernel_operands import Kernel
from mooncake_transpiler.emit.cuda.loop.whereabouts import DEMANDING, links_of
from mooncake_transpiler.interface.saved_names import residuals_name
from mooncake_transpiler.types import INT, Array, Scalar

SKIP = "leave the function out: # mooncake: skip"
_HELP = {"MK603": "hand on one number, or work with whole arrays: mooncake-transpile explain MK603"}


def _of_primitive(call: ir.Call) -> tuple[ir.Atom, ...]:
    """The arguments that ``call`` may write to for good; functions of the program do not."""
    return ir.any_argument(call) if ir.is_primitive(call) else ()


def has_one_each(
    places: Iterable[ir.Load | ir.Store | ir.Accum], axes: Collection[ir.Atom]
) -> bool:
    """True if each iteration along ``axes`` has one element, at the same place in all arrays."""
    indices = {place.index for place in places}
    return len(indices) == 1 and all(len(i) == len(axes) and {*i} == {*axes} for i in indices)


def _with_grown(body: ir.Block, changing: frozenset[ir.Atom]) -> frozenset[ir.Atom]:
    """``changing``, and all that a stack is called while loops carry it and let it grow."""
    grown = {a for s in ir.walk(body) if isinstance(s, ir.Grow) for a in (s.out, s.array)}
    found = (link for stmt in ir.walk(body) for link in links_of(stmt)) if grown else ()
    links = [link for link in found if isinstance(link[0].type, Array)]
    before = 0
    while len(grown) > before:
        before = len(grown)
        grown.update(atom for link in links if not grown.isdisjoint(link) for atom in link)
    return changing | grown


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait of the host for a number of the device."""

    line: int
    why: str


@dataclass(slots=True)
class Host:
    """Host code under construction.

    ``numbers`` are on the host. Those ``waiting`` are on the device, and not computed yet.

    ``env``: what stands for a value; ``cells``: arrays without axes made here, and the numbers in
    them; ``delayed``: zeros and views that nothing has needed yet; ``written``: the arrays whose
    content changes after they are made; ``changing``: these, and arguments that may overlap them.
    """

    func: ir.Func
    name: str
    equal: Sequence[tuple[Extent, Extent]] = ()  # sizes
    numbers: set[ir.Value] = field(default_factory=set)
    stmts: list[ir.Stmt] = field(default_factory=list)
    kernels: list[Kernel] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    waiting: dict[ir.Atom, ir.Stmt] = field(default_factory=dict)
    env: dict[ir.Value, ir.Atom] = field(default_factory=dict)
    cells: dict[ir.Value, ir.Atom] = field(default_factory=dict)
    delayed: dict[ir.Value, ir.Alloc | ir.View] = field(default_factory=dict)
    written: frozenset[ir.Atom] = field(init=False)
    changing: frozenset[ir.Atom] = field(init=False)
    arguments: frozenset[ir.Value] = field(init=False)  # arrays, which may overlap
    kept: frozenset[ir.Value] = frozenset()  # those of another function, among residuals
    given: frozenset[ir.Value] = field(init=False)  # both
    taken: set[str] = field(default_factory=set)  # names of kernels
    defs: Definitions = field(init=False)
    natural: set[ir.Atom] = field(init=False)  # integers that are not negative
    integers: Integers = field(init=False)
    extents: Extents = field(init=False)
    fetched: dict[ir.Atom, ir.Atom] = field(default_factory=dict)  # numbers of the device
    lanes: dict[ir.Atom, tuple[ir.Value, ir.Value]] = field(default_factory=dict)  # `row_lanes.py`
    apart: set[frozenset[ir.Atom]] = field(default_factory=set)  # pairs of arrays, as was tested
    ones: set[frozenset[ir.Atom]] = field(default_factory=set)  # pairs of arrays that may be one
    needs: dict[frozenset[ir.Atom], bool] = field(default_factory=dict)  # of arguments: whether so
    runs: dict[object, tuple[ir.Value, ...]] = field(default_factory=dict)  # `place_runs.py`
    selected: Collection[tuple[ir.Atom, ...]] = ()  # places of what masks select
    savings: frozenset[ir.Atom] = frozenset()  # arrays that loops of numbers fill, and residuals
    unread: frozenset[ir.Value] = frozenset()  # numbers that nothing needs: `extremum_loops.py`
    _sizes: dict[Extent, ir.Atom] = field(default_factory=dict)
    _counts: dict[ir.Atom, ir.Atom] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.defs = Definitions(self.func)
        made = (stmt for stmt in self.func.body.stmts if isinstance(stmt, ir.Alloc))
        self.natural = {size for stmt in made for size in stmt.shape}
        self.integers = Integers(self.defs, self.natural, self.selected)
        self.extents = Extents(self.defs, carried_shapes(self.func, self.defs))
        for a, b in self.equal:
            self.extents.equate(a, b)
        for first, *others in self.selected:
            for other in others:
                self.extents.equate(Extent(other, 0), Extent(first, 0))
        stmts = ir.walk(self.func.body)
        written = (a for stmt in stmts for a in ir.written(stmt, _of_primitive))
        self.written = frozenset(map(self.defs.root, written))
        own = (p for p in self.func.params if not residuals_name(p.type))
        leaves = (v for p in own for v in p.leaves)
        self.arguments = frozenset(
            v for v in leaves if isinstance(v.type, Array) and not v.type.spans
        )
        self.given = self.arguments | self.kept
        dtypes = {ir.dtype_of(v) for v in self.given & self.written}
        also = (v for v in self.given if ir.dtype_of(v) in dtypes)
        self.changing = _with_grown(self.func.body, self.written.union(also))

    def has(self, atom: ir.Atom) -> bool:
        """True if ``atom`` is a number on the host."""
        return isinstance(atom, ir.Const | ir.Undef) or atom in self.numbers

    def has_all(self, loop: ir.For) -> bool:
        """True if ``loop`` looks at numbers of the host alone."""
        return all(
            isinstance(stmt, ir.For | ir.If | ir.Raise) or self.numbers.issuperset(ir.outs(stmt))
            for stmt in ir.walk(loop.body)
        )

    def content(self, atom: ir.Atom) -> ir.Atom:
        """The value that stands for ``atom``; for an array without axes made here, its number."""
        while isinstance(atom, ir.Value) and (atom in self.cells or atom in self.env):
            atom = self.cells[atom] if atom in self.cells else self.env[atom]
        return atom

    def emit(self, stmt: ir.Stmt) -> None:
        """A statement of the host, where all must be that it needs."""
        for atom in ir.used_by(stmt):
            if isinstance(atom, ir.Value):
                self.touch(atom)
                if atom in self.waiting or atom in self.env or atom in self.cells:
                    raise self.refuse(stmt, "MK606", "host code that needs a number of the device")
        self.stmts.append(stmt)

    def alloc(
        self, out: ir.Value, shape: Sequence[ir.Atom], fill: ir.Const | None = None
    ) -> ir.Value:
        """``out`` as new memory of ``shape``."""
        made = self.defs.stmt[out] = ir.Alloc(out, tuple(shape), fill)
        self.emit(made)
        return out

    @contextmanager
    def inner(self, *blocks: ir.Block) -> Iterator[list[ir.Stmt]]:
        """A block of its own for what is emitted, in which ``blocks`` run.

        What is found out there holds there only. What they share with other iterations is made.
        """
        for block in blocks:
            for atom in ir.used_in(block):
                if isinstance(atom, ir.Value):
                    self.touch(atom)
        before, self.stmts = self.stmts, []
        waiting, env, cells = dict(self.waiting), dict(self.env), dict(self.cells)
        delayed, sizes, counts = dict(self.delayed), dict(self._sizes), dict(self._counts)
        fetched, lanes, apart = dict(self.fetched), dict(self.lanes), set(self.apart)
        runs = dict(self.runs)
        yield self.stmts
        self.stmts = before
        self.waiting, self.env, self.cells = waiting, env, cells
        self.delayed, self._sizes, self._counts = delayed, sizes, counts
        self.fetched, self.lanes, self.apart, self.runs = fetched, lanes, apart, runs

    def touch(self, array: ir.Value) -> None:
        """Make an array that waits for being needed."""
        if (made := self.delayed.pop(array, None)) is not None:
            self.emit(made)

    def takes_zeros(self, array: ir.Value) -> bool:
        """True if ``array`` is to be made of zeros and may become something else instead."""
        if not isinstance(self.delayed.get(array), ir.Alloc):
            return False
        del self.delayed[array]
        return True

    def plus(self, a: ir.Atom, b: ir.Atom) -> ir.Atom:
        """The number ``a + b``, which waits."""
        if ir.is_zero(a):
            return b
        assert not isinstance(a, ir.Undef)
        out = ir.Value("", a.type)
        self.waiting[out] = ir.Compute(out, "add", (a, b))
        return out

    def converted(self, number: ir.Value, like: ir.Value) -> ir.Value:
        """``number`` of the dtype of ``like``, without its imaginary part if that is real."""
        if number.type == like.type:
            return number
        out = ir.Value("", like.type)
        assert isinstance(number.type, Scalar)
        assert isinstance(like.type, Scalar)
        if number.type.dtype.is_complex and not like.type.dtype.is_complex:
            part = ir.Value("", Scalar(number.type.dtype.real))
            self.waiting[part] = ir.Compute(part, "np.real", (number,))
            return self.converted(part, like)
        self.waiting[out] = ir.Compute(out, "cast", (number,))
        return out

    def dimension(self, stmt: ir.Dim) -> None:
        """A size that the function asks for."""
        self.numbers.add(stmt.out)
        self.emit(stmt)
        if (extent := self.extents.size(stmt.out)) is not None:
            self._sizes.setdefault(extent, stmt.out)

    def size(self, extent: Extent) -> ir.Atom:
        """A size, on the host."""
        if extent.axis is None:
            return self.fetched.get(extent.atom, extent.atom)
        if extent not in self._sizes:
            if isinstance(extent.atom, ir.Value):
                self.touch(extent.atom)
            out = ir.Value("", INT)
            self.numbers.add(out)
            self.stmts.append(ir.Dim(out, extent.atom, extent.axis))
            self._sizes[extent] = out
        return self._sizes[extent]

    def count(self, trip: ir.Atom) -> ir.Atom:
        """``trip``, or 0 if it is negative: a number of iterations, for sizes."""
        trip = self.fetched.get(trip, trip)
        if not self.has(trip) or self.integers.nonnegative(trip):
            return trip
        if trip not in self._counts:
            made = self.integer("np.maximum", trip, ir.ZERO)
            self.defs.stmt[made] = self.stmts[-1]
            self._counts[trip] = made
        return self._counts[trip]

    def integer(self, op: str, *args: ir.Atom) -> ir.Value:
        """An integer computed on the host."""
        out = ir.Value("", INT)
        self.numbers.add(out)
        self.stmts.append(ir.Compute(out, op, args))
        return out

    def check(
        self, stmts: Iterable[ir.Stmt], axes: Collection[ir.Atom] = (), *, apart: bool = False
    ) -> None:
        """Refuse what kernels can't compute; test at run time that arrays are not one.

        ``apart``: nor any two parts of one. ``axes`` are those of a nest of iterations.
        """
        found = list(stmts)
        self.keep_apart(found, apart, axes)
        for stmt in found:
            if isinstance(stmt, ir.Compute) and not ctext.is_supported(stmt):
                what = "int(...)" if stmt.op in DEMANDING else bare(stmt.op)
                raise self.refuse(stmt, "MK605", f"{what} in a kernel")

    def keep_apart(
        self, stmts: Sequence[ir.Stmt], apart: bool, axes: Collection[ir.Atom] = ()
    ) -> None:
        """Test that arrays are not one, which ``stmts`` need: callers, or a branch, choose either.

        Two may be one of which each iteration along ``axes`` has one element. Those to which
        iterations do nothing but add need no test (`Launch.separate`).
        """
        bound = {out for stmt in stmts for out in ir.outs(stmt)}
        found: dict[ir.Atom, list[ir.Load | ir.Store | ir.Accum]] = {}
        for stmt in stmts:
            if isinstance(stmt, ir.Load | ir.Store | ir.Accum) and stmt.base not in bound:
                found.setdefault(stmt.base, []).append(stmt)
        written = {a for stmt in stmts for a in ir.written(stmt)}
        for one, other in combinations(found, 2):
            both = [*found[one], *found[other]]
            if all(isinstance(s, ir.Accum) for s in both) or written.isdisjoint((one, other)):
                continue
            pair = frozenset(map(self.defs.root, (one, other)))
            if parts := len(pair) == 1 and apart:
                pair = frozenset((one, other))
            if len(pair) == 1 or pair in self.apart or not (parts or self.may_meet(one, other)):
                continue
            is_own = pair == {one, other} and has_one_each(both, axes)
            if is_own:
                self.ones.add(pair)
            if self.arguments.issuperset(pair):
                self.needs[pair] = is_own and self.needs.get(pair, True)
                continue
            if not is_own:
                self.apart.add(pair)
            test = ONE_OR_DISJOINT if is_own else DISJOINT
            self.emit(test.call((), (one, other)))

    def may_meet(self, one: ir.Atom, other: ir.Atom) -> bool:
        """True if two arrays may share memory: as arguments, or as branches and loops choose."""
        roots = {*map(self.defs.root, (one, other))}
        return self.given.issuperset(roots) or self.defs.choices.may_meet(one, other)

    def tests_of_arguments(self) -> list[ir.Stmt]:
        """Tests that arguments share no memory where kernels need it, or are of other dtypes."""
        arrays = [v for p in self.func.params for v in p.leaves if v in self.arguments]
        written = [array for array in arrays if array in self.written]
        found: list[ir.Stmt] = []
        for k, array in enumerate(written):
            apart, one = [array], [array]
            for other in arrays:
                pair = frozenset((array, other))
                if other in written[: k + 1]:
                    continue
                if pair in self.needs:
                    (one if self.needs[pair] else apart).append(other)
                elif ir.dtype_of(array) is not ir.dtype_of(other):
                    apart.append(other)
            tests = (PARAMETERS_APART, apart), (PARAMETERS_ONE_OR_APART, one)
            found += (test.call((), tuple(tested)) for test, tested in tests if len(tested) > 1)
        return found

    def refuse(self, stmt: ir.Stmt | None, code: str, what: str) -> Refused:
        origin = (stmt.origin if stmt is not None else None) or self.func.origin
        return refused(
            code, f"{what} is not supported on the GPU yet", origin, _HELP.get(code, SKIP)
        )
