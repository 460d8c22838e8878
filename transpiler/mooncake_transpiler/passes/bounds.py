"""``--check-bounds``: a test in front of each index that may be out of bounds.

    before                                 after
    t: float64 = load x[i]                 n: int64 = dim x, 0
                                           c: bool = ge i, n
                                           if c:
                                             raise IndexError('index {} …') with i, n
                                           t: float64 = load x[i]

What is certain is not tested: indices of loops over the array, what a branch or an earlier test
has made sure of. Derivatives use the indices of the function, so that they need no tests of theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.integers import Integers, LinearSum
from mooncake_transpiler.analysis.outside import raised
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import BOOL, INT

Access = ir.Load | ir.Store | ir.Accum | ir.View

_OPPOSITE = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq"}


def bounds(func: ir.Func) -> ir.Func:
    """``func`` with tests of its indices."""
    return _Bounds(func).run(func)


class _Bounds(Rewriter):
    def __init__(self, func: ir.Func) -> None:
        super().__init__()
        self.func = func
        self.defs = Definitions(func)
        self.integers = Integers(self.defs)
        self.known: list[LinearSum] = []  # sums that are not negative here

    def statement(self, stmt: ir.Stmt) -> None:
        for axis, index in ir.indices(stmt):
            assert isinstance(stmt, Access)
            self.check(stmt, axis, index)
        match stmt:
            case ir.If(then=ir.Block(stmts=(ir.Raise("IndexError", numbers=(_, _)),))) if (
                self.passes(stmt)
            ):
                pass
            case ir.If(cond=cond, then=then, orelse=orelse):
                arms = self.under(then, cond, True), self.under(orelse, cond, False)
                self.emit(ir.with_blocks(stmt, arms))
                if then.stmts and isinstance(then.stmts[-1], ir.Raise):
                    self.known += self.facts(cond, False)
            case ir.While(cond=cond, body=body):
                tested = self.block(cond)
                self.emit(ir.with_blocks(stmt, (tested, self.under(body, cond.yields[0], True))))
            case ir.For(body=body):
                self.emit(ir.with_blocks(stmt, (self.where(body, self.runs(stmt)),)))
            case _:
                self.emit(self.inside(stmt))

    def passes(self, test: ir.If) -> bool:
        """True if ``test``, of an index from the end, is certain to find nothing."""
        facts = list(self.facts(test.cond, False))
        return bool(facts) and all(self.integers.is_natural(fact, self.known) for fact in facts)

    def runs(self, loop: ir.For) -> Iterator[LinearSum]:
        """The sums that are not negative where ``loop`` has an iteration."""
        if isinstance(loop.step, ir.Const):
            lo, hi = self.integers.of(loop.lo), self.integers.of(loop.hi)
            ahead = hi.plus(lo, -1) if loop.step.value.real > 0 else lo.plus(hi, -1)
            yield ahead.plus(LinearSum(-1))

    def block(self, block: ir.Block) -> ir.Block:
        """Rewrite a block; the facts that hold inside of it are forgotten behind it."""
        outer = list(self.known)
        made = super().block(block)
        self.known = outer
        return made

    def under(self, block: ir.Block, cond: ir.Atom, holds: bool) -> ir.Block:
        """Rewrite ``block``, in which ``cond`` is known to be ``holds``."""
        return self.where(block, self.facts(cond, holds))

    def where(self, block: ir.Block, facts: Iterable[LinearSum]) -> ir.Block:
        """Rewrite ``block``, in which none of ``facts`` is negative."""
        outer = list(self.known)
        self.known += facts
        made = self.block(block)
        self.known = outer
        return made

    def facts(self, cond: ir.Atom, holds: bool) -> Iterator[LinearSum]:
        """The sums that are not negative where ``cond`` is ``holds``."""
        made = self.defs.stmt.get(cond)
        match made:
            case ir.Compute(op="not", args=(inner,)):
                yield from self.facts(inner, not holds)
            case ir.Compute(op="and" | "or" as op, args=args) if (op == "and") == holds:
                for arg in args:
                    yield from self.facts(arg, holds)
            case ir.Compute(op=op, args=(a, b)) if op in _OPPOSITE and a.type == b.type == INT:
                yield from self.compared(op if holds else _OPPOSITE[op], a, b)
            case _:
                pass

    def compared(self, op: str, a: ir.Atom, b: ir.Atom) -> Iterator[LinearSum]:
        more = self.integers.of(a).plus(self.integers.of(b), -1)  # a - b
        less, one = LinearSum().plus(more, -1), LinearSum(1)
        match op:
            case "eq":
                yield from (more, less)
            case "ge":
                yield more
            case "gt":
                yield more.plus(one, -1)
            case "le":
                yield less
            case "lt":
                yield less.plus(one, -1)
            case _:
                pass

    def check(self, stmt: Access, axis: int, index: ir.Atom) -> None:
        """Emit a test of ``index`` on ``axis`` of what ``stmt`` accesses, unless it is certain."""
        if self.defs.is_growable(stmt.base):  # lists are checked where they are indexed
            return
        length, at = self.integers.length(stmt.base, axis), self.integers.of(index)
        fits, counts = length.plus(at, -1).plus(LinearSum(-1)), length.plus(at)
        b = Builder(stmt.origin)
        size = b.dim(stmt.base, axis)
        tests: list[ir.Atom] = []
        if not self.integers.is_natural(counts, self.known):
            tests.append(b.compute("lt", (index, b.compute("neg", (size,), INT)), BOOL))
        if not self.integers.is_natural(fits, self.known):
            tests.append(b.compute("ge", (index, size), BOOL))
        if not tests:
            return
        if isinstance(index, ir.Const):
            b, at_least = Builder(stmt.origin), int(index.value.real)
            size = b.dim(stmt.base, axis)
            at_least = at_least + 1 if at_least >= 0 else -at_least
            fails: ir.Atom = b.compute("lt", (size, ir.int_const(at_least)), BOOL)
        else:
            fails = tests[0] if len(tests) == 1 else b.compute("or", tests, BOOL)
        block = raised(stmt.base, axis, index, size, stmt.origin or self.func.origin)
        b.add(ir.If((), fails, block, ir.Block(()), stmt.origin))
        self.stmts += b.stmts
        self.known += (fits, counts)
