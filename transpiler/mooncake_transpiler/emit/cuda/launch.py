"""One launch of a kernel: what it is given, and what becomes of the sums that it makes.

An element to which iterations of some axis add, like the cotangent of what was broadcast along it,
is given a place for each of them in an array of terms, which is summed over that axis afterwards.
Sums of numbers are made by blocks of threads, in a fixed order.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.shapes import Extent
from mooncake_transpiler.emit.cuda.cells import Shared, add, gather, grouped, summed_cells
from mooncake_transpiler.emit.cuda.element_places import from_the_end, own_rows, parts
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.kernel_operands import ATOMIC, BLOCK, Kernel, Mode, Operand
from mooncake_transpiler.emit.cuda.launch_signatures import ADD_AT, LAUNCH, SHAPED, SUM
from mooncake_transpiler.emit.cuda.lifting import needed
from mooncake_transpiler.emit.cuda.nests import Nest
from mooncake_transpiler.emit.cuda.row_lanes import divided
from mooncake_transpiler.emit.cuda.scattered import Scattered, later, places, scattered, shape_of
from mooncake_transpiler.emit.cuda.whole_sums import sums_dtype
from mooncake_transpiler.types import Array, DType, Scalar


@dataclass(slots=True)
class Launch:
    host: Host
    nest: Nest
    loop: ir.For | None
    operands: dict[ir.Value, Operand] = field(default_factory=dict)
    atomic: set[ir.Value] = field(default_factory=set)  # arrays
    later: list[Scattered] = field(default_factory=list)
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
        stmts, shared = self.spread(own_rows(self.host, self.nest))
        terms = tuple(total.terms for total in self.nest.totals)
        yields = tuple(atom for each in terms for _, atom in each)
        block = ir.Block(self.completed(ir.Block(stmts, yields)), yields)
        block = parts(self.host, self.indices, from_the_end(self.host, needed(block)))
        lanes = divided(self.host, self.indices, block)
        if lanes is not None:
            block, self.threads = lanes.block, lanes.threads
            self.indices, self.trips = (*self.indices, lanes.index), (*self.trips, lanes.count)
            left = iter(block.yields)
            terms = tuple(tuple((minus, next(left)) for minus, _ in each) for each in terms)
        stmts = block.stmts
        self.arrays(block)
        self.numbers(block)
        self.shape()
        operands = tuple(sorted(self.operands.values(), key=lambda op: op.is_written))
        kernel = Kernel(
            self.name(stmts),
            self.indices,
            self.trips,
            operands,
            stmts,
            terms,
            sums_dtype(host, self.nest, self.loop),
        )
        kernel = replace(kernel, is_sized=self.is_sized, threads=self.threads)
        host.kernels.append(kernel)
        self.launch(kernel)
        for cell, total in cells.items():
            add(host, cell, total.out)
        for one in shared:
            gather(host, one)
        for apart in self.later:
            self.scatter(apart)

    def scatter(self, one: Scattered) -> None:
        """Add terms where each belongs."""
        if not one.meet:
            Launch(self.host, later(self.nest, one), self.loop).run()
            return
        nest, found, base = places(self.host, self.nest, one)
        self.memory(found, one.order[: one.rows])
        Launch(self.host, nest, self.loop).run()
        self.host.emit(ir.Call((), ADD_AT, (base, found, one.terms)))

    def memory(self, array: ir.Value, axes: tuple[ir.Value, ...]) -> None:
        """Make ``array``, with these axes of the nest."""
        shape = tuple(self.trips[self.indices.index(axis)] for axis in axes)
        stmt = ir.Alloc(array, shape)
        self.host.emit(stmt)
        self.host.defs.stmt[array] = stmt

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

    # ---- what several iterations add to ---------------------------------------------------------

    def spread(self, stmts: tuple[ir.Stmt, ...]) -> tuple[tuple[ir.Stmt, ...], list[Shared]]:
        """``stmts`` with a place of its own for each term of what several iterations add to."""
        shared: list[Shared] = []
        changed: dict[ir.Stmt, ir.Stmt] = {}
        adding: dict[ir.Value, list[ir.Accum]] = {base: [] for base in self.nest.shared}
        for stmt in ir.walk(ir.Block(stmts)):
            if isinstance(stmt, ir.Accum) and isinstance(stmt.base, ir.Value):
                adding.setdefault(stmt.base, []).append(stmt)
        scattering: dict[ir.Value, list[ir.Accum]] = {}  # by the memory that they share
        for base in sorted(self.nest.shared, key=lambda v: v.hint):
            found = adding[base]
            if len(grouped(self.host, self.indices, found, stmts)) != 1:
                scattering.setdefault(self.root(base), []).extend(found)
                continue
            one, new = self.places(base, found, stmts)
            shared.append(one)
            changed |= new
        for root, found in scattering.items():
            changed |= self.apart(root, found, stmts, shared)

        def change(stmt: ir.Stmt) -> list[ir.Stmt] | None:
            return [changed[stmt]] if stmt in changed else None

        return ir.rewritten(ir.Block(stmts), change).stmts, shared

    def root(self, array: ir.Atom) -> ir.Value:
        root = self.host.defs.root(array)
        assert isinstance(root, ir.Value)
        return root

    def apart(
        self,
        root: ir.Value,
        found: list[ir.Accum],
        stmts: tuple[ir.Stmt, ...],
        shared: list[Shared],
    ) -> dict[ir.Stmt, ir.Stmt]:
        """The statements in place of each of ``found``, which are made later, or else atomic.

        One may stay where it is if nothing that iterations do with this memory meets then. In
        loops those told by the same axes get an array of terms, one of those that are ``shared``.
        """
        ones = [scattered(self.host, self.nest, accum, stmts) for accum in found]
        later = [one for one in ones if one is not None]
        if len(later) < len(ones):
            groups = grouped(self.host, self.indices, found, stmts)
            if not groups:
                if isinstance(root.type, Array) and root.type.dtype not in ATOMIC:
                    what = "an addition of such numbers, in a loop, at a place that is data"
                    raise self.host.refuse(found[0], "MK605", what)
                self.atomic |= {s.base for s in found if isinstance(s.base, ir.Value)}
            changed: dict[ir.Stmt, ir.Stmt] = {}
            for base, group in groups:
                terms, new = self.places(base, group, stmts)
                shared.append(terms)
                changed |= new
            return changed
        others = (s for s in ir.walk(ir.Block(stmts)) if s not in found)
        if not any(
            isinstance(s, ir.Load | ir.Store | ir.Accum) and self.root(s.base) is root
            for s in others
        ):
            stays = next((one for one in later if not one.meet), None)
            later = [one for one in later if one is not stays]
        self.later += later
        for one in later:
            self.memory(one.terms, one.order)
        return {one.accum: one.store() for one in later}

    def places(
        self, base: ir.Value, found: list[ir.Accum], stmts: tuple[ir.Stmt, ...]
    ) -> tuple[Shared, dict[ir.Stmt, ir.Stmt]]:
        """An array of terms for ``base``, and what is done in place of each of ``found``."""
        assert isinstance(base.type, Array)
        first = found[0]
        at = [self.indices.index(a) for a in first.index if a in self.indices]
        if len(found) == 1 and len(at) == base.type.ndim and at == sorted(at) and first in stmts:
            terms = self.alloc(Array(base.type.dtype, len(self.indices)), self.trips, None)
            store = ir.Store(terms, self.indices, first.value, first.origin)
            axes = tuple(k for k in range(len(self.indices)) if k not in at)
            return Shared(self.part(base, at), terms, axes), {first: store}
        missing = [k for k, index in enumerate(self.indices) if index not in first.index]
        shape = shape_of(self.host, base)
        sizes = (*(self.trips[k] for k in missing), *map(self.host.size, shape))
        terms = self.alloc(Array(base.type.dtype, len(sizes)), sizes, 0.0)
        own = tuple(self.indices[k] for k in missing)
        changed: dict[ir.Stmt, ir.Stmt] = {
            s: ir.Accum(terms, (*own, *s.index), s.value, s.origin) for s in found
        }
        return Shared(base, terms, tuple(range(len(missing)))), changed

    def part(self, base: ir.Value, at: list[int]) -> ir.Value:
        """``base``, or that part of it which the axes ``at`` go over."""
        if not at or self.has_sizes(base, at):
            return base
        out = ir.Value("", base.type)
        self.host.emit(ir.View(out, base, tuple(ir.Slice(hi=self.trips[k]) for k in at)))
        return out

    def alloc(self, type_: Array, sizes: tuple[ir.Atom, ...], fill: float | None) -> ir.Value:
        out = ir.Value("terms", type_)
        const = None if fill is None else ir.Const(fill, Scalar(type_.dtype))
        stmt = ir.Alloc(out, sizes, const)
        self.host.emit(stmt)
        self.host.defs.stmt[out] = stmt
        return out

    # ---- what the kernel is given ---------------------------------------------------------------

    def completed(self, block: ir.Block) -> tuple[ir.Stmt, ...]:
        """The statements of ``block`` behind those of numbers that it needs and that wait."""
        host = self.host
        before: dict[ir.Stmt, None] = {}
        found: dict[ir.Stmt, ir.Stmt] = {}

        def use(atom: ir.Atom) -> ir.Atom:
            atom = host.content(atom) if isinstance(atom.type, Scalar) else atom
            stmt = host.waiting.get(atom) if isinstance(atom, ir.Value) else None
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
            others = {b for b in found if b is not base and self.root(b) is self.root(base)}
            if others and not changing.isdisjoint((base, *others)):
                self.operands[base] = replace(self.operands[base], is_mixed=True)

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
        return self.has_sizes(base, at) or all(map(self.host.integers.nonnegative, sizes))

    def positions(self, index: tuple[ir.Atom, ...]) -> list[int]:
        """The axes of the nest that ``index`` is made of."""
        return [self.indices.index(a) for a in index if isinstance(a, ir.Value)]

    def has_sizes(self, base: ir.Value, at: list[int]) -> bool:
        """True if ``base`` is known to be as large as the axes ``at``."""
        shape = self.host.extents.shape(base)
        sizes = [self.host.extents.size(self.trips[k]) for k in at]
        return shape is not None and list(shape) == sizes

    def broadcast(self, base: ir.Value, index: tuple[ir.Atom, ...]) -> ir.Value:
        """``base``, as large as the nest, with axes of length one to be broadcast along."""
        at, rank = self.positions(index), len(self.indices)
        known = self.has_sizes(base, at)
        if known and (not at or at == list(range(rank - len(at), rank))):
            return base
        items: tuple[ir.Index, ...] = tuple(
            ir.NewAxis() if k not in at else ir.Slice() if known else ir.Slice(hi=self.trips[k])
            for k in range(at[0], rank)
        )
        assert isinstance(base.type, Array)
        out = ir.Value("", Array(base.type.dtype, len(items)))
        self.host.emit(ir.View(out, base, items))
        return out

    def raw(self, base: ir.Value, is_written: bool) -> Operand:
        assert isinstance(base.type, Array)
        axes = range(1, base.type.ndim)
        shape = self.host.extents.shape(base) or [Extent(base, k) for k in range(base.type.ndim)]
        sizes = tuple(self.host.size(shape[k]) for k in axes)
        atomic = base in self.atomic
        return Operand(base, base, Mode.RAW, is_written, sizes, is_atomic=atomic)

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
        self.host.emit(ir.Call((out,), f"{SHAPED}{len(self.trips)}", self.trips))
        self.operands[out] = Operand(out, out, Mode.SHAPE)

    def launch(self, kernel: Kernel) -> None:
        host = self.host
        args: list[ir.Atom] = [op.given for op in kernel.operands]
        sized = [self.count()] if kernel.is_sized or kernel.terms else []
        if not kernel.terms:
            args += [*sized, *(() if self.threads is None else (self.threads,))]
            host.emit(ir.Call((), LAUNCH + kernel.name, tuple(args)))
            return
        threads = self.threads or ir.int_const(BLOCK)
        rest: ir.Atom = ir.int_const(BLOCK - 1)
        if self.threads is not None:
            rest = host.integer("sub", threads, ir.int_const(1))
        blocks = host.integer("floordiv", host.integer("add", sized[0], rest), threads)
        many = len(kernel.terms) > 1
        shape = (ir.int_const(len(kernel.terms)), blocks) if many else (blocks,)
        sums = ir.Value("sums", Array(kernel.dtype, len(shape)))
        host.emit(ir.Alloc(sums, shape))
        args += [sums, *(sized if kernel.is_sized else ()), threads]
        host.emit(ir.Call((), LAUNCH + kernel.name, tuple(args)))
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
        host.emit(ir.Call((totals,), SUM, (sums, ir.int_const(1))))
        for k, number in enumerate(found):
            host.emit(ir.Load(number, totals, (ir.int_const(k),)))
        return found

    def count(self) -> ir.Atom:
        """The number of iterations."""
        found, *others = self.trips or (ir.int_const(1),)
        for trip in others:
            found = self.host.integer("mul", found, trip)
        return found
