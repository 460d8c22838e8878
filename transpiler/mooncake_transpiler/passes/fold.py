"""Constant folding and exact identities.

before                                 after
n: int64 = dim a, 0                    y: float64 = add x, 3.0
c: bool = lt 1, 2
t: float64 = mul x, 1.0
y: float64 = if c:
  y.1: float64 = add t, 3.0
  yield y.1
else:
  yield 0.0
"""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.shapes import Shapes
from mooncake_transpiler.analysis.steps import constant_trips
from mooncake_transpiler.passes import algebra
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import BOOL

_TRUE, _FALSE = ir.Const(True, BOOL), ir.Const(False, BOOL)


def fold(func: ir.Func) -> ir.Func:
    """Fold what is known; of what is free also ``x + 0.0``."""
    return _Fold(func).run(func)


class _Fold(Rewriter):
    def __init__(self, func: ir.Func) -> None:
        super().__init__()
        self.defs: dict[ir.Atom, ir.Stmt] = {}
        self.shapes = Shapes(self.defs)
        self.facts: dict[ir.Value, ir.Const] = {}  # conditions known in this block
        self.depth = 0  # of the block under construction
        self.depths = dict.fromkeys(func.inputs, 0)

    def use(self, atom: ir.Atom) -> ir.Atom:
        atom = super().use(atom)
        return self.facts.get(atom, atom) if isinstance(atom, ir.Value) else atom

    def resolved(self, stmt: ir.Stmt) -> ir.Stmt:
        return ir.with_operands(stmt, self.use) if self.env or self.facts else stmt

    def emit(self, stmt: ir.Stmt) -> None:
        super().emit(stmt)
        for out in ir.outs(stmt):
            self.defs[out] = stmt
            self.depths[out] = self.depth

    def block(self, block: ir.Block) -> ir.Block:
        self.depth += 1
        result = super().block(block)
        self.depth -= 1
        for k, stmt in enumerate(result.stmts):
            if isinstance(stmt, ir.Raise):  # what follows can't be reached
                yields = tuple([ir.Undef(a.type) for a in result.yields])
                defined = any(not isinstance(a, ir.Undef) for a in result.yields)
                if defined or k + 1 < len(result.stmts):
                    return ir.Block(result.stmts[: k + 1], yields)
        return result

    def statement(self, stmt: ir.Stmt) -> None:
        stmt = self.resolved(stmt)
        match stmt:
            case ir.Compute():
                self.compute(stmt)
            case ir.Dim():
                origin = self.shapes.origin(stmt.array, stmt.axis)
                if origin.axis is None:
                    self.put(stmt.out, origin.atom)
                else:
                    is_here = origin.atom is stmt.array
                    found = replace(stmt, array=origin.atom, axis=origin.axis)
                    self.emit(stmt if is_here else found)
            case ir.If():
                self.branch(stmt)
            case ir.For() | ir.While():
                self.loop(stmt)
            case _:
                self.emit(stmt)

    def compute(self, stmt: ir.Compute) -> None:
        op, args = algebra.regrouped(stmt, self.defs)
        if op != stmt.op or args is not stmt.args:
            stmt = replace(stmt, op=op, args=args)
        atom = algebra.equal(stmt, self.defs)
        if atom is None:
            self.emit(stmt)
        else:
            self.put(stmt.out, atom)

    # ---- branches -------------------------------------------------------------------------------

    def branch(self, stmt: ir.If) -> None:
        match stmt.cond:
            case ir.Const(value=value):
                arm = stmt.then if value else stmt.orelse
                for inner in arm.stmts:
                    self.statement(inner)
                for out, atom in zip(stmt.outs, arm.yields, strict=True):
                    self.env[out] = self.use(atom)
            case cond:
                then = self.arm(stmt.then, cond, _TRUE)
                orelse = self.arm(stmt.orelse, cond, _FALSE)
                if then is not stmt.then or orelse is not stmt.orelse:
                    stmt = replace(stmt, then=then, orelse=orelse)
                self.emit(stmt)
                for out, a, b in zip(stmt.outs, then.yields, orelse.yields, strict=True):
                    self.join(out, a, b)
                if _repeats_condition(stmt):
                    self.env[stmt.outs[0]] = cond

    def arm(self, block: ir.Block, cond: ir.Atom, known: ir.Const) -> ir.Block:
        """One arm, in which the condition is known."""
        if not isinstance(cond, ir.Value):
            return self.block(block)
        self.facts[cond] = known
        result = self.block(block)
        del self.facts[cond]
        return result

    def join(self, out: ir.Value, a: ir.Atom, b: ir.Atom) -> None:
        """Record that ``out`` is ``a`` or ``b``, which may be one and the same."""
        if isinstance(a, ir.Undef):
            a, b = b, a
        if (ir.same(a, b) or isinstance(b, ir.Undef)) and self.is_visible(a):
            self.env[out] = a

    def is_visible(self, atom: ir.Atom) -> bool:
        match atom:
            case ir.Const():
                return True
            case ir.Undef():
                return False
            case ir.Value():
                return self.depths[atom] <= self.depth

    # ---- loops ----------------------------------------------------------------------------------

    def loop(self, stmt: ir.For | ir.While) -> None:
        if isinstance(stmt, ir.For) and constant_trips(stmt) == 0:
            self.env.update(zip(stmt.outs, stmt.inits, strict=True))
            return
        for value in ir.binders(stmt):
            self.depths[value] = self.depth + 1
        inner = self.inside(stmt)
        assert isinstance(inner, ir.For | ir.While)
        if inner.exit and ir.same(inner.body.yields[0], _FALSE):
            inner = replace(inner, exit=False)
        self.emit(inner)
        for out, init, new in zip(inner.outs, inner.inits, inner.body.yields, strict=True):
            if (goes := _goes(inner)) and ir.same(init, _FALSE) and ir.same(new, _TRUE):
                assert isinstance(inner, ir.For)
                has_run = ir.Value(out.hint, BOOL)
                self.compute(ir.Compute(has_run, goes, (inner.lo, inner.hi), inner.origin))
                self.put(out, self.use(has_run))


def _repeats_condition(stmt: ir.If) -> bool:
    """True if yielding its condition is all that the branch does.

    Where it does more, the flag stays with the rest: a ``break`` that belongs to the branch.
    """
    if len(stmt.outs) != 1 or stmt.then.stmts or stmt.orelse.stmts:
        return False
    return ir.same(stmt.then.yields[0], _TRUE) and ir.same(stmt.orelse.yields[0], _FALSE)


def _goes(loop: ir.For | ir.While) -> str | None:
    """The comparison of its bounds that holds where a loop without exit runs, if it is known."""
    match loop:
        case ir.For(exit=False, step=ir.Const(value=int(step))) if step != 0:
            return "lt" if step > 0 else "gt"
        case _:
            return None
