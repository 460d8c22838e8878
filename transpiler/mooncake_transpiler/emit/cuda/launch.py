"""One launch of a kernel: what it is given, and what becomes of the sums that it makes.

An element to which iterations of some axis add, like the cotangent of what was broadcast along it,
is given a place for each of them in an array of terms, which is summed over that axis afterwards.
Sums of numbers are made by blocks of threads, in a fixed order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.shapes import Extent
from mooncake_transpiler.emit.cuda.addition.adding import Adding, has_sizes
from mooncake_transpiler.emit.cuda.addition.cells import add, gather, summed_cells
from mooncake_transpiler.emit.cuda.addition.place_runs import runs_of
from mooncake_transpiler.emit.cuda.addition.scattered import Scattered, later, shown_rows
from mooncake_transpiler.emit.cuda.addition.whole_sums import sums_dtype
from mooncake_transpiler.emit.cuda.element_places import from_the_end, own_rows, parts
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.host_functions import (
    ADD_AT,
    REJOIN,
    SEPARATE,
    SHAPED,
    SUM,
    launch_of,
)
from mooncake_transpiler.emit.cuda.kernel_operands import BLOCK, Kernel, Mode, Operand, Terms
from mooncake_transpiler.emit.cuda.loop.lifting import needed
from mooncake_transpiler.emit.cuda.loop.nests import Nest
from mooncake_transpiler.emit.cuda.row_lanes import divided
from mooncake_transpiler.types import Array, DType, Scalar


@dataclass(slots=True)
class Launch:
    host: Host
    nest: Nest
    loop: ir.For | None
    operands: dict[ir.Value, Operand] = field(default_factory=dict)
    instead: dict[ir.Value, ir.Value] = field(default_factory=dict)  # of arrays that others meet
    atomic: set[ir.Value] = field(default_factory=set)  # arrays
    is_sized: bool = False
    threads: ir.Value | None = None  # of a block, where rows are divided among them
    indices: tuple[ir.Value, ...] = field(init=False)
    trips: tuple[ir.Atom, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.indices = tuple(axis.index for axis in self.nest.axes)
        self.trips = tuple(self.host.count(axis.trip) for axis in self.nest.axes)

    def run(self) -> None:
        """The kernel, and the host code around it."""
        host = self.host
        self.nest, cells = summed_cells(self.nest)
        adding = Adding(host, self.nest, self.indices, self.trips, self.before)
        stmts, shared = adding.spread(own_rows(host, self.nest))
        self.atomic = adding.atomic
        terms = tuple(total.terms for total in self.nest.totals)
        yields = tuple(atom for each in terms for _, atom in each)
        block = ir.Block(self.completed(ir.Block(stmts, yields)), yields)
        block = parts(self.host, self.indices, from_the_end(self.host, needed(block)))
        if (lanes := divided(self.host, self.indices, block)) is not None:
            block, self.threads = lanes.block, lanes.threads
            self.indices, self.trips = (*self.indices, lanes.index), (*self.trips, lanes.count)
            left = iter(block.yields)
            terms = tuple(tuple((minus, next(left)) for minus, _ in each) for each in terms)
        stmts = block.stmts
        self.arrays(block)
        self.numbers(block)
        self.shape()
        self.launch(self.kernel(stmts, terms))
        for base, part in self.instead.items():
            host.emit(REJOIN.call((), (base, part)))
        for cell, total in cells.items():
            add(host, cell, total.out)
        for one in shared:
            gather(host, one)
        self.scatter(adding.later)

    def kernel(self, stmts: tuple[ir.Stmt, ...], terms: Terms) -> Kernel:
        """The kernel, now that all is known that it is given."""
        operands = tuple(sorted(self.operands.values(), key=lambda op: op.is_written))
        dtype = sums_dtype(self.host, self.nest, self.loop)
        made = Kernel(
            self.name(stmts), self.indices, self.trips, operands, stmts, terms, dtype,
            is_sized=self.is_sized, threads=self.threads,
        )  # fmt: skip
        self.host.kernels.append(made)
        return made

    def before(self, nest: Nest) -> None:
        """Launch a kernel that this one needs."""
        Launch(self.host, nest, self.loop).run()

    def scatter(self, apart: list[Scattered]) -> None:
        """Add terms where each belongs."""
        for one in apart:
            if one.places is None:
                Launch(self.host, later(self.nest, one), self.loop).run()
                continue
            places, order, starts, _ = runs_of(self.host, one.told, one.places)
            base = shown_rows(self.host, one)
            self.host.emit(ADD_AT.call((), (base, places, order, starts, one.terms)))

    def name(self, stmts: tuple[ir.Stmt, ...]) -> str:
        """Named after the function, and the first statement of the user's in it."""
        origins = (stmt.origin for stmt in ir.walk(ir.Block(stmts)))
        text = next((origin.text for origin in origins if origin is not None), "")
        target = text.partition("=")[0].strip()
        what = target if target.isidentifier() else "result" if self.indices else "number"
        name = base = f"_{self.host.name}_{what}"
        number = 2
        while name in self.host.taken:
            name, number = f"{base}_{number}", number + 1
        self.host.taken.add(name)
        return name

    # ---- what the kernel is given ---------------------------------------------------------------

    def completed(self, block: ir.Block) -> tuple[ir.Stmt, ...]:
        """The statements of ``block`` behind those of numbers that it needs and that wait."""
        host = self.host
        before: dict[ir.Stmt, None] = {}
        found: dict[ir.Stmt, ir.Stmt] = {}

        def use(atom: ir.Atom) -> ir.Atom:
            atom = host.content(atom) if isinstance(atom.type, Scalar) else atom
            stmt = host.waiting.get(atom)
            if stmt is not None and stmt not in found:
                made = found[stmt] = visited(stmt)
                before[made] = None
            return atom

        def visited(stmt: ir.Stmt) -> ir.Stmt:
            return ir.mapped(ir.with_operands(stmt, use), visit)

        def visit(inner: ir.Block) -> ir.Block:
            stmts = tuple(map(visited, inner.stmts))
            return ir.Block(stmts, tuple(map(use, inner.yields)))

        stmts = visit(block).stmts
        return (*before, *stmts)

    def arrays(self, block: ir.Block) -> None:
        """The arrays that ``block`` reads and writes become operands."""
        found: dict[ir.Value, list[ir.Load | ir.Store | ir.Accum]] = {}
        for stmt in ir.walk(block):
            if isinstance(stmt, ir.Load | ir.Store | ir.Accum):
                assert isinstance(stmt.base, ir.Value)
                found.setdefault(stmt.base, []).append(stmt)
        changing = {b for b, stmts in found.items() if any(map(ir.written, stmts))}
        self.separate([b for b, s in found.items() if all(isinstance(a, ir.Accum) for a in s)])
        for base, stmts in found.items():
            is_written = base in changing
            self.host.touch(base)
            index = stmts[0].index
            same = all(stmt.index == index for stmt in stmts) and base not in self.atomic
            if same and self.is_elementwise(base, index, is_written):
                given = self.broadcast(base, index)
                self.operands[base] = Operand(base, given, Mode.ELEMENT, is_written, axes=index)
            else:
                self.operands[base] = self.raw(base, is_written)
            others = {b for b in found if b is not base and self.may_be_one(b, base)}
            if others and not changing.isdisjoint((base, *others)):
                self.operands[base] = replace(self.operands[base], is_mixed=True)

    def separate(self, summed: Sequence[ir.Value]) -> None:
        """Let what is added to arrays that may share memory be added apart: threads would meet."""
        for k, base in enumerate(summed):
            others = [other for other in summed[:k] if self.may_share(base, other)]
            if others and self.indices:
                assert isinstance(base.type, Array)
                self.host.touch(base)
                for other in others:
                    self.host.touch(other)
                part = self.instead[base] = ir.Value("", base.type)
                self.host.emit(SEPARATE.call((part,), (base, *others)))

    def may_share(self, one: ir.Value, other: ir.Value) -> bool:
        """True if two arrays may share memory, which the nest is not known to keep apart."""
        root = self.host.defs.root
        return self.nest.apart if root(one) is root(other) else self.host.may_meet(one, other)

    def may_be_one(self, one: ir.Value, other: ir.Value) -> bool:
        """True if two arrays show one memory, or have passed a test that lets them be one."""
        pair = frozenset(map(self.host.defs.root, (one, other)))
        return len(pair) == 1 or pair in self.host.ones

    def is_elementwise(self, base: ir.Value, index: tuple[ir.Atom, ...], is_written: bool) -> bool:
        """True if each iteration has the element of its own, or one that is broadcast to it."""
        if is_written and len(index) < len(self.indices):
            return False
        if not all(isinstance(a, ir.Value) and a in self.indices for a in index):
            return False
        at = self.positions(index)
        if at != sorted(set(at)):
            return False
        sizes = (self.trips[k] for k in at)
        return has_sizes(self.host, base, [self.trips[k] for k in at]) or all(
            map(self.host.integers.nonnegative, sizes)
        )

    def positions(self, index: tuple[ir.Atom, ...]) -> list[int]:
        """The axes of the nest that ``index`` is made of."""
        return [self.indices.index(a) for a in index if isinstance(a, ir.Value)]

    def broadcast(self, base: ir.Value, index: tuple[ir.Atom, ...]) -> ir.Value:
        """``base``, as large as the nest, with axes of length one to be broadcast along."""
        at, rank = self.positions(index), len(self.indices)
        known = has_sizes(self.host, base, [self.trips[k] for k in at])
        if known and (not at or at == list(range(rank - len(at), rank))):
            return self.instead.get(base, base)
        items: tuple[ir.Index, ...] = tuple(
            ir.NewAxis() if k not in at else ir.Slice() if known else ir.Slice(hi=self.trips[k])
            for k in range(at[0], rank)
        )
        assert isinstance(base.type, Array)
        out = ir.Value("", Array(base.type.dtype, len(items)))
        self.host.emit(ir.View(out, self.instead.get(base, base), items))
        return out

    def raw(self, base: ir.Value, is_written: bool) -> Operand:
        assert isinstance(base.type, Array)
        axes = range(1, base.type.ndim)
        shape = self.host.extents.shape(base) or [Extent(base, k) for k in range(base.type.ndim)]
        sizes = tuple(self.host.size(shape[k]) for k in axes)
        atomic = base in self.atomic
        given = self.instead.get(base, base)
        return Operand(base, given, Mode.RAW, is_written, sizes, is_atomic=atomic)

    def numbers(self, block: ir.Block) -> None:
        """The numbers that ``block`` needs become operands."""
        bound = {*ir.bound_in(block), *self.indices}
        needed = [*ir.used_in(block)]
        needed += (size for op in self.operands.values() for size in op.sizes)
        needed += self.trips[1:] if self.asks_for_indices(block) else ()
        for atom in needed:
            if isinstance(atom, ir.Value) and atom not in bound and atom not in self.operands:
                assert isinstance(atom.type, Scalar | Array)
                if isinstance(atom.type, Scalar) or atom.type.ndim == 0:
                    self.operands[atom] = Operand(atom, atom, Mode.NUMBER)

    def asks_for_indices(self, block: ir.Block) -> bool:
        """True if flat indices must be taken apart: elements of raw arrays, indices as numbers."""
        raw = any(op.mode is Mode.RAW for op in self.operands.values())
        uses = (
            a
            for stmt in ir.walk(block)
            if not isinstance(stmt, ir.Load | ir.Store | ir.Accum)
            for a in ir.operands(stmt)
        )
        return raw or any(a in self.indices for a in uses)

    def shape(self) -> None:
        """See to it that the kernel knows its iterations: from elements, or else by their number.

        Where it has numbers of the device, which are arrays, CuPy wants no number but an array.
        """
        elements = [op for op in self.operands.values() if op.mode is Mode.ELEMENT]
        if elements and {axis for op in elements for axis in op.axes} == {*self.indices}:
            return
        numbers = [op for op in self.operands.values() if op.mode is Mode.NUMBER]
        if not elements and all(self.host.has(op.value) for op in numbers):
            self.is_sized = True
            return
        out = ir.Value("iteration", Array(DType.BOOL, len(self.indices)))
        self.host.emit(SHAPED.call((out,), self.trips))
        self.operands[out] = Operand(out, out, Mode.SHAPE)

    def launch(self, kernel: Kernel) -> None:
        host = self.host
        args: list[ir.Atom] = [op.given for op in kernel.operands]
        sized = [self.count()] if kernel.is_sized or kernel.terms else []
        if not kernel.terms:
            args += [*sized, *(() if self.threads is None else (self.threads,))]
            host.emit(launch_of(kernel).call((), tuple(args)))
            return
        threads = self.threads or ir.int_const(BLOCK)
        rest: ir.Atom = ir.int_const(BLOCK - 1)
        if self.threads is not None:
            rest = host.integer("sub", threads, ir.ONE)
        blocks = host.integer("floordiv", host.integer("add", sized[0], rest), threads)
        many = len(kernel.terms) > 1
        shape = (ir.int_const(len(kernel.terms)), blocks) if many else (blocks,)
        sums = ir.Value("sums", Array(kernel.dtype, len(shape)))
        host.emit(ir.Alloc(sums, shape))
        args += [sums, *(sized if kernel.is_sized else ()), threads]
        host.emit(launch_of(kernel).call((), tuple(args)))
        found = self.summed(kernel, sums)
        for total, number in zip(self.nest.totals, found, strict=True):
            host.env[total.out] = host.plus(total.init, host.converted(number, total.out))

    def summed(self, kernel: Kernel, sums: ir.Value) -> list[ir.Value]:
        """The sums of what the blocks have summed."""
        host = self.host
        type_ = Scalar(kernel.dtype)
        found = [ir.Value("", type_) for _ in kernel.terms]
        if len(found) == 1:
            host.emit(ir.Sum(found[0], sums))
            return found
        totals = ir.Value("totals", Array(kernel.dtype, 1))
        host.emit(SUM.call((totals,), (sums, ir.ONE)))
        for k, number in enumerate(found):
            host.emit(ir.Load(number, totals, (ir.int_const(k),)))
        return found

    def count(self) -> ir.Atom:
        """The number of iterations."""
        found, *others = self.trips or (ir.ONE,)
        for trip in others:
            found = self.host.integer("mul", found, trip)
        return found
