"""A function over CuPy's arrays taken apart: kernels, and host code that launches them.

Integers, sizes and the numbers that a caller gives as Python's are on the host. All other numbers
are on the device, as arrays without axes, and stay there: what is computed from them waits until a
kernel needs it, which then computes it itself, or until it is returned. Nothing here waits for the
device; what would have to (a branch on such a number, a single element) is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.shapes import Extent
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.kernel_operands import Kernel
from mooncake_transpiler.emit.cuda.launch import Launch
from mooncake_transpiler.emit.cuda.nests import Nest, independent
from mooncake_transpiler.types import Array, Scalar

# What is computed on the host, of numbers that are there.
_HOST = frozenset(
    {"add", "sub", "mul", "neg", "floordiv", "mod", "lt", "le", "gt", "ge", "eq", "ne", "and", "or",
     "not", "select", "where", "cast", "detach"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outlined:
    """Host code, and the kernels that it launches."""

    func: ir.Func
    kernels: tuple[Kernel, ...]


def outline(
    func: ir.Func,
    name: str,
    on_host: Collection[str],
    known: Collection[str],
    equal: Sequence[tuple[Extent, Extent]] = (),
) -> Outlined:
    """``func``, called ``name``, taken apart.

    ``on_host`` are the parameters whose numbers are Python's, ``known`` the functions that it may
    call, ``equal`` sizes of parameters that are.
    """
    numbers = {v for p in func.params for v in p.leaves if _is_on_host(p, v, on_host)}
    outliner = _Outliner(Host(func, name, numbers, equal), frozenset(known))
    for stmt in func.body.stmts:
        outliner.statement(stmt)
    yields = outliner.settled(func.body.yields)
    body = ir.Block(tuple(outliner.host.stmts), yields)
    return Outlined(replace(func, body=body), tuple(outliner.host.kernels))


def _is_on_host(param: ir.Param, leaf: ir.Value, on_host: Collection[str]) -> bool:
    if not isinstance(leaf.type, Scalar):
        return False
    return not leaf.type.dtype.is_differentiable or (leaf.hint or param.name) in on_host


@dataclass(frozen=True, slots=True)
class _Outliner:
    host: Host
    known: frozenset[str]

    def statement(self, stmt: ir.Stmt) -> None:
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
            case ir.View() | ir.Copy():
                self.aliased(stmt)
            case ir.Sum() | ir.Raise():
                self.host.emit(stmt)
            case ir.If():
                self.branch(stmt)
            case ir.For():
                self.loop(stmt)
            case ir.Call(func=func) if func in self.known:
                self.host.emit(replace(stmt, args=self.settled(stmt.args)))
            case ir.Call(func=func):
                raise self.host.refuse(stmt, "MK604", f"a call of {func.rpartition(':')[2]}")
            case _:  # refused, so a new statement has no default meaning here
                raise self.host.refuse(stmt, "MK604", _WHAT.get(type(stmt), "a statement"))

    def compute(self, stmt: ir.Compute) -> None:
        if stmt.op in _HOST and all(map(self.host.has, stmt.args)):
            self.host.numbers.add(stmt.out)
            self.host.emit(stmt)
        else:
            self.host.check((stmt,))
            self.host.waiting[stmt.out] = stmt

    def alloc(self, stmt: ir.Alloc) -> None:
        if stmt.growable:
            raise self.host.refuse(stmt, "MK604", _WHAT[ir.Reserve])
        assert isinstance(stmt.out.type, Array)
        self.host.own.add(stmt.out)
        if not stmt.shape:
            empty = ir.Undef(Scalar(stmt.out.type.dtype))
            self.host.cells[stmt.out] = empty if stmt.fill is None else stmt.fill
        elif stmt.fill is not None and ir.is_zero(stmt.fill):
            self.host.delayed[stmt.out] = stmt
        else:
            self.host.emit(stmt)

    def element(self, stmt: ir.Load | ir.Store | ir.Accum) -> None:
        """One element: only that of an array without axes is a number."""
        base, cells = stmt.base, self.host.cells
        assert isinstance(base, ir.Value)
        if stmt.index:
            raise self.host.refuse(stmt, "MK603", "a single element of an array")
        match stmt:
            case ir.Load(out=out):
                self.host.env[out] = cells.get(base, base)
            case ir.Store(value=value) if base in cells:
                cells[base] = value
            case ir.Accum(value=value) if base in cells:
                cells[base] = self.host.plus(cells[base], value)
            case ir.Store() | ir.Accum():
                raise self.host.written(stmt)

    def whole(self, stmt: ir.Assign | ir.AddTo) -> None:
        dst, cells = stmt.dst, self.host.cells
        if isinstance(dst, ir.Value) and dst in cells:
            src = self.host.content(stmt.src)
            is_added = isinstance(stmt, ir.AddTo)
            cells[dst] = self.host.plus(cells[dst], src) if is_added else src
        elif self.host.defs.whole(dst).root in self.host.own:
            (src,) = self.settled((stmt.src,))
            self.host.emit(replace(stmt, src=src))
        else:
            raise self.host.written(stmt)

    def aliased(self, stmt: ir.View | ir.Copy) -> None:
        assert isinstance(stmt.out.type, Array)
        if stmt.out.type.ndim == 0:
            raise self.host.refuse(stmt, "MK603", "a single element of an array")
        if isinstance(stmt, ir.View):
            self.host.delayed[stmt.out] = stmt
        else:
            self.host.own.add(stmt.out)
            self.host.emit(stmt)

    def branch(self, stmt: ir.If) -> None:
        inner = [s for block in ir.blocks(stmt) for s in ir.walk(block)]
        if self.is_on_host(stmt, inner):
            numbers = (out for s in (stmt, *inner) for out in ir.outs(s))
            self.host.numbers.update(numbers)
            self.host.emit(stmt)
            return
        self.host.check(inner)
        if not all(isinstance(s, ir.Compute | ir.If) for s in inner):
            raise self.host.refuse(stmt, "MK606", "a branch between computations with arrays")
        for out in stmt.outs:
            self.host.waiting[out] = stmt

    def is_on_host(self, stmt: ir.If, inner: Sequence[ir.Stmt]) -> bool:
        """True if the branch needs nothing of the device: tests of sizes, with what they raise."""
        known = {out for s in inner for out in ir.outs(s)}
        blocks = [block for s in (stmt, *inner) for block in ir.blocks(s)]
        used = [stmt.cond, *(a for s in inner for a in ir.operands(s))]
        used += (atom for block in blocks for atom in block.yields)
        there = (a in known or self.host.has(a) for a in used if isinstance(a.type, Scalar))
        return all(map(_is_for_host, inner)) and all(there)

    def loop(self, stmt: ir.For) -> None:
        nests = independent(stmt, self.host.defs)
        if not nests:
            raise self.host.refuse(stmt, "MK603", "a loop over elements that need one another")
        for nest in nests:
            self.host.check(ir.walk(ir.Block(nest.stmts)))
            Launch(self.host, nest, stmt).run()

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
            assert isinstance(number.type, Scalar)
            out = made[number] = ir.Value(number.hint, Array(number.type.dtype, 0))
            self.host.own.add(out)
            self.host.emit(ir.Alloc(out, ()))
            stores.append(ir.Store(out, (), number, self.host.waiting[number].origin))
        Launch(self.host, Nest((), tuple(stores), (), frozenset()), None).run()
        for number, out in made.items():
            del self.host.waiting[number]
            self.host.env[number] = out


def _is_for_host(stmt: ir.Stmt) -> bool:
    """True if ``stmt`` in a branch can be done by the host, given its operands."""
    match stmt:
        case ir.Compute(op=op):
            return op in _HOST
        case _:
            return isinstance(stmt, ir.Dim | ir.If | ir.Raise)


_WHAT: dict[type[ir.Stmt], str] = {
    ir.Reserve: "an array that grows", ir.Global: "a constant array of a module",
    ir.Reshape: "reshaping", ir.Shadows: "writing to arrays that may overlap",
    ir.While: "a loop whose number of iterations is not known", ir.Print: "print",
    ir.NewStack: "a loop that saves values", ir.Push: "a loop that saves values",
    ir.Pop: "a loop that saves values", ir.Grow: "an array that grows",
}  # fmt: skip
