"""A function over CuPy's arrays taken apart: kernels, and host code that launches them.

Integers, sizes and the numbers that a caller gives as Python's are on the host. All other numbers
are on the device, as arrays without axes, and stay there: what is computed from them waits until a
kernel needs it, which then computes it itself, or until it is returned. Loops whose iterations
depend on one another stay loops of the host, around kernels, and so do branches. Where Python
itself demands a number of the device (a branch on it, a count) the host waits for that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.shapes import Extent
from mooncake_transpiler.emit.cuda.host import Host, Wait
from mooncake_transpiler.emit.cuda.host_functions import HELD, LACKING, is_search_of_places
from mooncake_transpiler.emit.cuda.host_loops import (
    compute_numbers,
    host_of,
    is_exchange,
    is_of_numbers,
    nests_of,
    number_memory,
    works_with_arrays,
)
from mooncake_transpiler.emit.cuda.kernel_operands import Kernel
from mooncake_transpiler.emit.cuda.launch import Launch
from mooncake_transpiler.emit.cuda.loop import whereabouts
from mooncake_transpiler.emit.cuda.loop.early_writes import early_writes
from mooncake_transpiler.emit.cuda.loop.extremum_loops import extremum
from mooncake_transpiler.emit.cuda.loop.nests import Nest
from mooncake_transpiler.emit.cuda.pattern.extremes import extremes, find_extremes
from mooncake_transpiler.emit.cuda.pattern.ordered_runs import meeting, run_in_order
from mooncake_transpiler.emit.cuda.pattern.recurrences import Recurrence, recurrence, run_rounds
from mooncake_transpiler.emit.cuda.pattern.scans import run_scan, scan
from mooncake_transpiler.emit.cuda.pattern.searches import search
from mooncake_transpiler.emit.cuda.printed_texts import tell
from mooncake_transpiler.emit.cuda.selections import Groups
from mooncake_transpiler.ir.function_names import is_primitive, short
from mooncake_transpiler.types import BOOL, INT, Array, Scalar


@dataclass(frozen=True, slots=True)
class Outlined:
    """Host code, the kernels that it launches, and where it waits for the device."""

    func: ir.Func
    kernels: tuple[Kernel, ...]
    waits: tuple[Wait, ...]


def outline(
    func: ir.Func,
    name: str,
    on_host: Collection[str],
    known: Collection[str],
    equal: Sequence[tuple[Extent, Extent]] = (),
    kept: Mapping[str, tuple[bool, ...]] = MappingProxyType({}),
    chosen: Mapping[str, Groups] = MappingProxyType({}),
    shown: frozenset[ir.Value] = frozenset(),
) -> Outlined:
    """``func``, called ``name``, taken apart.

    ``on_host`` are the parameters whose numbers are Python's, ``known`` the functions that it may
    call, ``equal`` sizes of parameters that are, ``kept`` residuals that are on the host,
    ``chosen`` those that are places of what masks select, ``shown`` those that show memory of
    arguments.
    """
    host = host_of(func, name, on_host, equal, kept, chosen, shown)
    outliner = _Outliner(host, frozenset(known), set(ir.used_in(host.func.body)))
    body = outliner.block(host.func.body, returns=True)
    body = ir.with_stmts(body, (*host.tests_of_arguments(), *body.stmts))
    return Outlined(replace(host.func, body=body), tuple(host.kernels), tuple(host.waits))


@dataclass(slots=True)
class _Outliner:
    host: Host
    known: frozenset[str]
    used: set[ir.Atom]

    def block(self, block: ir.Block, *, returns: bool = False) -> ir.Block:
        """``block`` of the host; integers and bools that a function returns are there."""
        for stmt in block.stmts:
            self.statement(stmt)
        yields = self.settled(block.yields)
        if returns:
            yields = tuple(map(self.returned, block.yields, yields))
        return ir.Block(tuple(self.host.stmts), yields)

    def returned(self, atom: ir.Atom, settled: ir.Atom) -> ir.Atom:
        is_whole = isinstance(atom.type, Scalar) and not atom.type.dtype.is_differentiable
        if not is_whole or self.host.has(atom) or self.host.has(settled):
            return settled
        made = self.host.defs.stmt.get(atom)
        at = made or ir.Copy(ir.Value("", atom.type), atom, self.host.func.origin)
        return self.demanded(atom, at, "what the function returns")

    def nested(self, block: ir.Block, around: ir.Stmt) -> ir.Block:
        """``block``, which is one of ``around``."""
        with self.host.inner(*ir.blocks(around)):
            return self.block(block)

    def statement(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, ir.View | ir.Reshape | ir.Alloc):
            stmt = self.sized(stmt)
        match stmt:
            case ir.Compute():
                self.compute(stmt)
            case ir.Dim():
                self.host.dimension(stmt)
            case ir.Alloc():
                self.alloc(stmt)
            case ir.Load() | ir.Store() | ir.Accum():
                self.element(stmt)
            case ir.Assign() | ir.AddTo():
                self.whole(stmt)
            case ir.View() | ir.Copy() | ir.Reshape():
                self.aliased(stmt)
            case ir.Grow():
                (array,) = self.settled((stmt.array,))
                size = self.demanded(stmt.size, stmt, "the size of an array")
                self.host.emit(replace(stmt, array=array, size=size))
            case ir.Sum() | ir.Raise() | ir.Global() | ir.Shadows():
                self.host.emit(stmt)
            case ir.If():
                self.branch(stmt)
            case ir.For():
                self.loop(stmt)
            case ir.While():
                self.conditional(stmt)
            case ir.Call():
                self.call(stmt)
            case ir.Print():
                tell(stmt, self.host, self.demanded)
            case _:  # refused, so a new statement has no default meaning here
                raise self.host.refuse(stmt, "MK604", "a loop that saves values")

    def compute(self, stmt: ir.Compute) -> None:
        if stmt.op in whereabouts.DEMANDING:
            args = tuple(self.demanded(a, stmt, "an integer that depends") for a in stmt.args)
            self.host.emit(replace(stmt, args=args))
        elif stmt.out in self.host.numbers:
            self.on_host(stmt)
        else:
            self.host.check((stmt,))
            self.host.waiting[stmt.out] = stmt

    def on_host(self, stmt: ir.Compute) -> None:
        """A number of Python's, without functions of CuPy."""
        if stmt.op in whereabouts.EXTREMA:
            first = ir.Value("", BOOL)
            self.host.numbers.add(first)
            self.host.emit(ir.Compute(first, whereabouts.EXTREMA[stmt.op], stmt.args))
            stmt = replace(stmt, op="select", args=(first, *stmt.args))
        self.host.emit(stmt)

    def alloc(self, stmt: ir.Alloc) -> None:
        assert isinstance(stmt.out.type, Array)
        if whereabouts.is_of_spans(stmt.out):
            self.host.emit(HELD[stmt.out.type.dtype].call((stmt.out,), stmt.shape))
        elif not stmt.shape:
            empty = ir.Undef(Scalar(stmt.out.type.dtype))
            self.host.cells[stmt.out] = empty if stmt.fill is None else stmt.fill
        elif stmt.fill is not None and ir.is_zero(stmt.fill):
            self.host.delayed[stmt.out] = stmt
        else:
            self.host.emit(stmt)

    def call(self, stmt: ir.Call) -> None:
        """Of a function of the program, or of CuPy."""
        func, name = stmt.func, short(stmt.func)
        if not (func in self.known or is_search_of_places(stmt) or is_primitive(func)):
            raise self.host.refuse(stmt, "MK604", f"a call of {name}")
        if name in LACKING:
            raise self.host.refuse(stmt, "MK605", LACKING[name])
        numbers = [a for a in stmt.args if isinstance(a.type, Scalar)]
        if is_primitive(func) and not all(map(self.host.has, numbers)):
            raise self.host.refuse(stmt, "MK606", "a number of the device that chooses a function")
        self.host.emit(replace(stmt, args=self.settled(stmt.args)))

    # ---- elements and whole arrays --------------------------------------------------------------

    def element(self, stmt: ir.Load | ir.Store | ir.Accum) -> None:
        """One element: a number, as that of an array without axes is."""
        host, base = self.host, stmt.base
        assert isinstance(base, ir.Value)
        match stmt:
            case ir.Load(out=out) if out in host.unread:
                pass
            case ir.Load(out=out) if out in host.numbers:
                host.emit(stmt)
            case ir.Store() if whereabouts.is_of_spans(base):
                host.emit(replace(stmt, value=self.demanded(stmt.value, stmt, "a branch")))
            case ir.Load(out=out) if base in host.cells:
                host.env[out] = host.cells[base]
            case ir.Load(out=out) if host.defs.root(base) in host.changing:
                self.copied(stmt)
            case ir.Load(out=out, index=()):
                host.env[out] = base
            case ir.Load(index=index) if all(map(host.has, index)):
                host.emit(stmt)
            case ir.Load():
                self.copied(stmt)
            case ir.Store(value=value) if base in host.cells:
                host.cells[base] = value
            case ir.Accum(value=value) if base in host.cells:
                host.cells[base] = host.plus(host.cells[base], value)
            case ir.Store() | ir.Accum():
                host.check((stmt,))
                Launch(host, Nest((), (stmt,), (), frozenset()), None).run()

    def copied(self, stmt: ir.Load) -> None:
        """A number that stays what it is when its element changes."""
        assert isinstance(stmt.out.type, Scalar)
        out = number_memory(stmt.out, self.host)
        store = ir.Store(out, (), stmt.out, stmt.origin)
        Launch(self.host, Nest((), (stmt, store), (), frozenset()), None).run()
        self.host.env[stmt.out] = out

    def whole(self, stmt: ir.Assign | ir.AddTo) -> None:
        dst, cells = stmt.dst, self.host.cells
        if isinstance(dst, ir.Value) and dst in cells:
            src = self.host.content(stmt.src)
            is_added = isinstance(stmt, ir.AddTo)
            cells[dst] = self.host.plus(cells[dst], src) if is_added else src
        else:
            (src,) = self.settled((stmt.src,))
            self.host.emit(replace(stmt, src=src))

    def sized(self, stmt: ir.Stmt) -> ir.Stmt:
        """``stmt`` with its sizes and places on the host."""

        def use(atom: ir.Atom) -> ir.Atom:
            return self.demanded(atom, stmt, "a size") if atom.type == INT else atom

        return ir.with_operands(stmt, use)

    def aliased(self, stmt: ir.View | ir.Copy | ir.Reshape) -> None:
        assert isinstance(stmt.out.type, Array)
        base = stmt.src if isinstance(stmt, ir.Copy) else stmt.base
        if base in self.host.cells:
            self.materialise(base)
        if isinstance(stmt, ir.View):
            self.host.delayed[stmt.out] = stmt
        else:
            self.host.emit(stmt)

    def materialise(self, cell: ir.Atom) -> None:
        """Let an array without axes be memory, as its content changes in what follows."""
        assert isinstance(cell, ir.Value)
        content = self.host.cells.pop(cell)
        self.host.emit(ir.Alloc(cell, ()))
        if not isinstance(content, ir.Undef):
            store = ir.Store(cell, (), content)
            Launch(self.host, Nest((), (store,), (), frozenset()), None).run()

    def changes(self, *blocks: ir.Block) -> None:
        """Let arrays without axes that ``blocks`` write be memory."""
        stmts = (stmt for block in blocks for stmt in ir.walk(block))
        for array in dict.fromkeys(a for stmt in stmts for a in ir.written(stmt)):
            if array in self.host.cells:
                self.materialise(array)

    # ---- branches and loops ---------------------------------------------------------------------

    def branch(self, stmt: ir.If) -> None:
        if not self.host.has(stmt.cond) and not whereabouts.is_of_host(stmt):
            self.host.check(ir.nested(stmt))
            for out in stmt.outs:
                self.host.waiting[out] = stmt
            return
        self.changes(*ir.blocks(stmt))
        cond = self.demanded(stmt.cond, stmt, "a branch")
        then, orelse = self.nested(stmt.then, stmt), self.nested(stmt.orelse, stmt)
        self.host.emit(replace(stmt, cond=cond, then=then, orelse=orelse))

    def demanded(self, atom: ir.Atom, stmt: ir.Stmt, what: str) -> ir.Atom:
        """``atom``, which ``stmt`` needs, on the host; that waits for it if it is on the device."""
        if self.host.has(atom) or atom in self.host.fetched:
            return self.host.fetched.get(atom, atom)
        (there,) = self.settled((atom,))
        assert isinstance(atom.type, Scalar)
        out = ir.Value("", atom.type)
        self.host.stmts.append(ir.Compute(out, "cast", (there,)))
        origin = stmt.origin or self.host.func.origin
        line = origin.line if origin is not None else 0
        self.host.waits.append(Wait(line, f"{what} on a number of the GPU"))
        self.host.numbers.add(out)
        self.host.fetched[atom] = out
        return out

    def loop(self, stmt: ir.For) -> None:
        before, stmt, nests = nests_of(stmt, self.host)
        for invariant in before:
            self.statement(invariant)
        if not nests and (found := extremum(stmt, self.host.defs)):
            search(self.host, found, self.copied)
        elif not nests and (met := meeting(stmt, self.host)):
            self.host.check(ir.walk(stmt.body))
            run_in_order(self.host, met, stmt)
        elif not nests and (parts := scan(stmt, self.host.defs, self.used)):
            run_scan(self.host, parts, stmt)
        elif not nests:
            self.host_loop(stmt)
        for nest in nests:
            for axis in nest.axes:
                self.demanded(axis.trip, stmt, "a number of iterations")
            axes = [axis.index for axis in nest.axes]
            self.host.check(ir.walk(ir.Block(nest.stmts)), axes, apart=nest.apart)
            Launch(self.host, nest, stmt).run()

    def recurrence(self, stmt: ir.For, parts: Recurrence) -> None:
        """Numbers that are linear in those before."""
        count = self.host.count(self.demanded(parts.count, stmt, "a number of iterations"))
        run_rounds(self.host, parts, stmt, count, self.settled)
        if parts.then.outs or any(map(ir.written, ir.walk(parts.then.body))):
            self.loop(parts.then)
        last = ir.ZERO if parts.is_reversed else count
        for state in (state for _, states in parts.rounds for state in states):
            if state.out in self.used:
                self.element(ir.Load(state.out, state.states, (last,), stmt.origin))

    def host_loop(self, stmt: ir.For) -> None:
        """A loop of the host, around kernels; what only moves elements is one kernel."""
        if is_exchange(stmt):
            Launch(self.host, Nest((), (stmt,), (), frozenset()), stmt).run()
            return
        if is_of_numbers(stmt, self.host) and not self.host.has_all(stmt):
            return compute_numbers(stmt, self.host)
        if not works_with_arrays(stmt) and not self.host.has_all(stmt):
            if kept := extremes(stmt, self.host):
                return find_extremes(self.host, *kept, self.settled(stmt.inits))
            if found := recurrence(stmt, self.host.defs):
                return self.recurrence(stmt, found)
            self.host.keep_apart([*ir.walk(stmt.body)], apart=False)
            parts = early_writes(stmt, self.host.defs)
            if not parts:
                raise self.host.refuse(stmt, "MK603", "a loop over elements that need one another")
            for part in parts:
                self.loop(part)
            return
        lo, hi, step = (self.demanded(a, stmt, "a loop") for a in (stmt.lo, stmt.hi, stmt.step))
        self.changes(stmt.body)
        inits = self.settled(stmt.inits)
        body = self.body(stmt)
        self.host.emit(replace(stmt, lo=lo, hi=hi, step=step, inits=inits, body=body))

    def conditional(self, stmt: ir.While) -> None:
        if not works_with_arrays(stmt):
            raise self.host.refuse(stmt, "MK603", "a loop over elements that need one another")
        self.changes(stmt.cond, stmt.body)
        inits = self.settled(stmt.inits)
        with self.host.inner(stmt.cond, stmt.body):
            for inner in stmt.cond.stmts:
                self.statement(inner)
            goes_on = self.demanded(stmt.cond.yields[0], stmt, "a loop")
            cond = ir.Block(tuple(self.host.stmts), (goes_on,))
        self.host.emit(replace(stmt, inits=inits, cond=cond, body=self.body(stmt)))

    def body(self, stmt: ir.For | ir.While) -> ir.Block:
        with self.host.inner(*ir.blocks(stmt)):
            for inner in stmt.body.stmts:
                self.statement(inner)
            flag = [self.demanded(stmt.body.yields[0], stmt, "a loop")] if stmt.exit else []
            rest = self.settled(stmt.body.yields[len(flag) :])
            body = ir.Block(tuple(self.host.stmts), (*flag, *rest))
        return body

    # ---- numbers --------------------------------------------------------------------------------

    def settled(self, atoms: Sequence[ir.Atom]) -> tuple[ir.Atom, ...]:
        """``atoms``, where numbers that wait are computed: by one kernel for all of them."""
        found = [self.host.content(atom) for atom in atoms]
        wanted = [a for a in dict.fromkeys(found) if a in self.host.waiting]
        if wanted:
            self.compute_now(wanted)
        there = [self.host.env.get(a, a) if isinstance(a, ir.Value) else a for a in found]
        for atom in there:
            if isinstance(atom, ir.Value):
                self.host.touch(atom)
        return tuple(there)

    def compute_now(self, wanted: Sequence[ir.Atom]) -> None:
        """A kernel without axes that computes numbers."""
        stores = []
        made: dict[ir.Value, ir.Value] = {}
        for number in wanted:
            assert isinstance(number, ir.Value)
            out = made[number] = number_memory(number, self.host)
            stores.append(ir.Store(out, (), number, self.host.waiting[number].origin))
        Launch(self.host, Nest((), tuple(stores), (), frozenset()), None).run()
        for number, out in made.items():
            del self.host.waiting[number]
            self.host.env[number] = out
