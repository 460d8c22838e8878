"""Checks of sizes come first, and the equalities that they establish are used.

    before                                 after
    x_bar: float64[:] = alloc (n) fill 0.0 c: bool = ne m, n
    y_bar: float64[:] = alloc (m) fill 0.0 if c:
    c: bool = ne m, n                        raise ValueError('…')
    if c:                                  x_bar: float64[:] = alloc (n) fill 0.0
      raise ValueError('…')                y_bar: float64[:] = alloc (n) fill 0.0

After ``if a != b: raise`` the integers are one value, the one bound first. A check at the top of
the function moves in front of allocations and loads, never in front of what others could notice.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import BOOL, Scalar, is_differentiable

_SIZES = frozenset({"add", "sub", "mul", "eq", "ne", "lt", "le", "gt", "ge", "not"})


def guards(func: ir.Func) -> ir.Func:
    """Move the checks of sizes to the top, and use the equalities that they establish."""
    return _Equalities(func).run(_checks_first(func))


def _checks_first(func: ir.Func) -> ir.Func:
    early: list[ir.Stmt] = []
    late: list[ir.Stmt] = []
    known = set(func.inputs)
    quiet = True  # nothing that is left behind can be noticed
    made = (s for s in ir.walk(func.body) if isinstance(s, ir.Alloc | ir.Copy))
    own = frozenset(out for stmt in made for out in ir.outs(stmt))
    for stmt in func.body.stmts:
        used = ir.operands(stmt) + (held(stmt) if isinstance(stmt, ir.If) else ())
        ready = all(a in known for a in used if isinstance(a, ir.Value))
        if ready and (_is_size(stmt) or (quiet and is_check(stmt))):
            early.append(stmt)
            known.update(ir.outs(stmt))
        else:
            late.append(stmt)
            quiet = quiet and is_quiet(stmt, own)
    apart = _without_use(early)
    early = [s for s in early if s not in apart]
    late = [s for s in func.body.stmts if s in apart or s in late] if apart else late
    return ir.with_body(func, ir.with_stmts(func.body, (*early, *late)))


def _without_use(checks: Sequence[ir.Stmt]) -> set[ir.Stmt]:
    """The comparisons of floats among ``checks`` that none of these makes use of."""
    used = {a for stmt in checks for a in ir.operands(stmt)}
    return {
        stmt
        for stmt in checks
        if isinstance(stmt, ir.Compute)
        and stmt.out.type == BOOL
        and stmt.out not in used
        and any(is_differentiable(a.type) for a in stmt.args)
    }


def _is_size(stmt: ir.Stmt) -> bool:
    return isinstance(stmt, ir.Dim) or (isinstance(stmt, ir.Compute) and stmt.op in _SIZES)


def is_check(stmt: ir.Stmt) -> bool:
    """``if cond: raise``."""
    return (
        isinstance(stmt, ir.If)
        and not stmt.outs
        and len(stmt.then.stmts) == 1
        and isinstance(stmt.then.stmts[0], ir.Raise)
        and not stmt.orelse.stmts
    )


def held(check: ir.If) -> tuple[ir.Atom, ...]:
    """The values that ``check`` raises with, where it fails."""
    return tuple(a for stmt in check.then.stmts[:1] for a in ir.operands(stmt))


def is_quiet(stmt: ir.Stmt, own: Container[ir.Atom]) -> bool:
    """True if nobody notices whether ``stmt`` has run; ``own`` are arrays made in the function."""
    match stmt:
        case ir.Alloc() | ir.Shadows() | ir.Copy() | ir.View() | ir.Load() | ir.Dim():
            return True
        case ir.Compute() | ir.Global():
            return True
        case ir.Store(base=base) | ir.Accum(base=base):
            return base in own
        case ir.Assign(dst=dst) | ir.AddTo(dst=dst):
            return dst in own
        case ir.For() | ir.If():
            return all(is_quiet(s, own) for block in ir.blocks(stmt) for s in block.stmts)
        case _:
            return False


class _Equalities(Rewriter):
    def __init__(self, func: ir.Func) -> None:
        super().__init__()
        self.order = {value: k for k, value in enumerate(func.inputs)}
        self.made: dict[ir.Atom, ir.Compute] = {}

    def block(self, block: ir.Block) -> ir.Block:
        outer = dict(self.env)
        try:
            return super().block(block)
        finally:
            self.env = outer

    def statement(self, stmt: ir.Stmt) -> None:
        stmt = self.resolved(stmt)
        for value in (*ir.binders(stmt), *ir.outs(stmt)):
            self.order[value] = len(self.order)
        if isinstance(stmt, ir.Compute):
            self.made[stmt.out] = stmt
        self.emit(self.inside(stmt))
        if isinstance(stmt, ir.If) and is_check(stmt):
            self.learn(stmt.cond, False)

    def learn(self, cond: ir.Atom, holds: bool) -> None:
        """Learn that ``cond`` is ``holds`` from here on."""
        made = self.made.get(cond)
        match made:
            case ir.Compute(op="not", args=(inner,)):
                self.learn(inner, not holds)
            case ir.Compute(op="ne" | "eq", args=(a, b)) if (made.op == "eq") == holds:
                self.equate(a, b)
            case _:
                pass

    def equate(self, a: ir.Atom, b: ir.Atom) -> None:
        integers = all(isinstance(x.type, Scalar) and x.type.dtype.is_int for x in (a, b))
        if not integers or a.type != b.type:
            return
        if not isinstance(b, ir.Value) or (
            isinstance(a, ir.Value) and self.order.get(a, 0) > self.order.get(b, 0)
        ):
            a, b = b, a
        if isinstance(b, ir.Value) and not isinstance(a, ir.Undef):
            self.put(b, a)
