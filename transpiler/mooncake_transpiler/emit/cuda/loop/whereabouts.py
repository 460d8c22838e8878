"""Placement of numbers: those that the host holds (sizes, counts, what is computed of them).

Integers that the caller gives and the indices of loops are there, too, and floats that the caller
gives as Python's. Numbers that a loop carries are if they are before it and after each iteration,
and it is a loop of the host.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.border.border_types import has_objects
from mooncake_transpiler.types import INT, Array, Scalar

# What is computed on the host, of numbers that are there.
OPERATIONS = frozenset(
    {"add", "sub", "mul", "neg", "floordiv", "mod", "lt", "le", "gt", "ge", "eq", "ne", "and", "or",
     "not", "select", "where", "cast", "detach"}
)  # fmt: skip
# What Python makes of a number only where it is on the host, which waits for it.
DEMANDING = frozenset({"rt.finite"})
EXTREMA = {"np.maximum": "gt", "np.minimum": "lt"}  # of integers: the first of them if that holds


def python_numbers(param: ir.Param) -> Iterator[str]:
    """The parameters that are numbers of Python's, once objects are taken apart."""
    if isinstance(param.type, Scalar):
        yield param.name
    elif has_objects(param.type):
        yield from (leaf.hint for leaf in param.leaves if isinstance(leaf.type, Scalar))


def host_numbers(
    func: ir.Func, given: Collection[ir.Value], is_kernel: Callable[[ir.For], bool]
) -> set[ir.Value]:
    """The numbers on the host; of the caller's ``given`` are, and none that a kernel sums."""
    return numbers_and_arrays(func, given, is_kernel, ())[0]


def numbers_and_arrays(
    func: ir.Func,
    given: Collection[ir.Value],
    is_kernel: Callable[[ir.For], bool],
    arrays: Collection[ir.Value],
) -> tuple[set[ir.Value], set[ir.Value]]:
    """The numbers on the host, and those of ``arrays`` that hold nothing else."""
    loops = [stmt for stmt in ir.walk(func.body) if isinstance(stmt, ir.For | ir.While)]
    kernels = {loop for loop in loops if isinstance(loop, ir.For) and is_kernel(loop)}
    carried = {
        param
        for loop in loops
        if loop not in kernels
        for param in loop.params
        if isinstance(param.type, Scalar)
    }
    holding = set(arrays)
    asked = set(_asked(func.body, kernels))
    while True:  # all that loops carry and arrays hold, until one is found not to be there
        search = _NumberSearch({*given, *carried}, carried, kernels, holding, asked)
        search.block(func.body)
        if not search.wrong:
            return search.found, holding
        carried -= search.wrong
        holding -= search.wrong


def is_of_spans(array: ir.Atom) -> bool:
    """True if ``array`` is on the host: it tells where the arrays of a list are."""
    return isinstance(array.type, Array) and array.type.spans


def links_of(stmt: ir.Stmt) -> Iterator[tuple[ir.Atom, ...]]:
    """Arrays that are one after ``stmt``, or while it runs."""
    match stmt:
        case ir.Grow(out=out, array=array):
            yield out, array
        case ir.For() | ir.While():
            yield from zip(stmt.params, stmt.inits, stmt.body.yields, stmt.outs, strict=True)
        case ir.If():
            yield from zip(stmt.outs, stmt.then.yields, stmt.orelse.yields, strict=True)
        case _:
            ir.without_blocks(stmt)


def is_of_host(branch: ir.If) -> bool:
    """True if ``branch`` does more than to compute numbers: the host takes it."""
    inner = ir.nested(branch)
    return not all(isinstance(s, ir.Compute | ir.If) for s in inner)


def _is_python(op: str, args: Sequence[ir.Atom], out: ir.Value) -> bool:
    """True if the host computes ``op`` of its numbers: by what may be 0 it does not divide."""
    match op, args:
        case "div", (_, ir.Const(value=by)):
            return bool(by)
        case _:
            return op in OPERATIONS or (op in EXTREMA and out.type == INT)


def _asked(block: ir.Block, kernels: Collection[ir.Stmt]) -> Iterator[ir.Atom]:
    """The conditions of branches that the host takes, which has them for that."""
    for stmt in block.stmts:
        if isinstance(stmt, ir.If) and is_of_host(stmt):
            yield stmt.cond
        for inner in ir.blocks(stmt) if stmt not in kernels else ():
            yield from _asked(inner, kernels)


class _NumberSearch:
    def __init__(
        self,
        found: set[ir.Value],
        carried: set[ir.Value],
        kernels: Collection[ir.Stmt],
        arrays: Collection[ir.Value],
        asked: Collection[ir.Atom],
    ) -> None:
        self.asked = asked
        self.found = found
        self.carried = carried
        self.kernels = kernels
        self.arrays = arrays
        self.in_kernel = False
        self.wrong: set[ir.Value] = set()  # taken to be on the host, and not there

    def has(self, atom: ir.Atom) -> bool:
        return isinstance(atom, ir.Const | ir.Undef) or atom in self.found

    def block(self, block: ir.Block) -> None:
        for stmt in block.stmts:
            self.statement(stmt)

    def statement(self, stmt: ir.Stmt) -> None:
        match stmt:
            case ir.Dim(out=out):
                self.found.add(out)
            case ir.Load(out=out, base=base) if is_of_spans(base):
                self.found.add(out)
            case ir.Load(base=ir.Value() as base, out=out, index=index) if base in self.arrays:
                self.found.add(out)
                self.held(base, index)
            case ir.Store(base=ir.Value() as base, value=value, index=index) if base in self.arrays:
                self.held(base, index if value in self.asked else (*index, value))
            case ir.Compute(op=op, args=args, out=out):
                known = _is_python(op, args, out)
                if op in DEMANDING or (known and all(map(self.has, args))):
                    self.found.add(out)
            case ir.If(cond=cond, outs=outs, then=then, orelse=orelse):
                self.block(then)
                self.block(orelse)
                pairs = zip(outs, then.yields, orelse.yields, strict=True)
                if self.has(cond) or (not self.in_kernel and is_of_host(stmt)):
                    self.found.update(o for o, a, b in pairs if self.has(a) and self.has(b))
            case ir.For(index=index, lo=lo, hi=hi, step=step, body=body):
                if all(map(self.has, (lo, hi, step))):
                    self.found.add(index)
                around, self.in_kernel = self.in_kernel, self.in_kernel or stmt in self.kernels
                self.block(body)
                self.in_kernel = around
                self.loop(stmt)
            case ir.While(cond=cond_block, body=body):
                self.block(cond_block)
                self.block(body)
                self.loop(stmt)
            case _:  # what other statements compute is on the device
                ir.without_blocks(stmt)

    def held(self, array: ir.Value, numbers: Sequence[ir.Atom]) -> None:
        """Let ``array`` hold ``numbers``, among them places in it, which must be on the host."""
        if self.in_kernel or not all(map(self.has, numbers)):
            self.wrong.add(array)

    def loop(self, stmt: ir.For | ir.While) -> None:
        triples = zip(stmt.params, stmt.inits, stmt.body.yields, strict=True)
        self.wrong |= {
            param
            for param, init, new in triples
            if param in self.carried and not (self.has(init) and self.has(new))
        }
        if not self.in_kernel and stmt not in self.kernels and self.is_left_to_device(stmt):
            self.wrong |= self.carried.intersection(stmt.params)
        pairs = zip(stmt.params, stmt.outs, strict=True)
        self.found.update(out for param, out in pairs if param in self.carried)

    def is_left_to_device(self, stmt: ir.For | ir.While) -> bool:
        """True for a loop over numbers or elements, some of which are not on the host."""
        inner = list(ir.walk(stmt.body))
        return all(
            isinstance(s, ir.Compute | ir.If | ir.Load | ir.Store) for s in inner
        ) and not all(isinstance(s, ir.If) or self.found.issuperset(ir.outs(s)) for s in inner)
