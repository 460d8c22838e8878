"""The numbers of a function that are on the host: sizes, counts, and what is computed of them.

Integers that the caller gives and the indices of loops are there, too, and floats that the caller
gives as Python's. Numbers that a loop carries are if they are before it and after each iteration,
and it is a loop of the host.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from mooncake_transpiler import ir
from mooncake_transpiler.types import INT, Scalar, has_objects

# What is computed on the host, of numbers that are there.
OPERATIONS = frozenset(
    {"add", "sub", "mul", "neg", "floordiv", "mod", "lt", "le", "gt", "ge", "eq", "ne", "and", "or",
     "not", "select", "where", "cast", "detach"}
)  # fmt: skip
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
    carried = {
        param
        for stmt in ir.walk(func.body)
        if isinstance(stmt, ir.While) or (isinstance(stmt, ir.For) and not is_kernel(stmt))
        for param in stmt.params
        if isinstance(param.type, Scalar)
    }
    while True:  # all that loops carry, until one is found not to be there
        search = _NumberSearch({*given, *carried}, carried)
        search.block(func.body)
        if not search.wrong:
            return search.found
        carried -= search.wrong


class _NumberSearch:
    def __init__(self, found: set[ir.Value], carried: set[ir.Value]) -> None:
        self.found = found
        self.carried = carried
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
            case ir.Compute(op=op, args=args, out=out):
                known = op in OPERATIONS or (op in EXTREMA and out.type == INT)
                if known and all(map(self.has, args)):
                    self.found.add(out)
            case ir.If(cond=cond, outs=outs, then=then, orelse=orelse):
                self.block(then)
                self.block(orelse)
                pairs = zip(outs, then.yields, orelse.yields, strict=True)
                if self.has(cond):
                    self.found.update(o for o, a, b in pairs if self.has(a) and self.has(b))
            case ir.For(index=index, lo=lo, hi=hi, step=step, body=body):
                if all(map(self.has, (lo, hi, step))):
                    self.found.add(index)
                self.block(body)
                self.loop(stmt)
            case ir.While(cond=cond_block, body=body):
                self.block(cond_block)
                self.block(body)
                self.loop(stmt)
            case _:  # what other statements compute is on the device
                pass

    def loop(self, stmt: ir.For | ir.While) -> None:
        triples = zip(stmt.params, stmt.inits, stmt.body.yields, strict=True)
        self.wrong |= {
            param
            for param, init, new in triples
            if param in self.carried and not (self.has(init) and self.has(new))
        }
        pairs = zip(stmt.params, stmt.outs, strict=True)
        self.found.update(out for param, out in pairs if param in self.carried)
