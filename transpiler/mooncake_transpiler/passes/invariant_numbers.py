"""Loop-invariant code motion of floats: what each iteration computes alike is computed once.

    before                                 after
    for i in 0..n step 1:                  runs: bool = lt 0, n
      p: float64 = mul a, dt               p: float64 = mul a, dt
      c: float64 = div p, dx               c = if runs:
      v: float64 = load x[i]                 c.1: float64 = div p, dx
      w: float64 = mul c, v                  yield c.1
      y[i] = w                             else:
                                             yield 0.0
                                           for i in 0..n step 1:
                                             v: float64 = load x[i]
                                             w: float64 = mul c, v
                                             y[i] = w

So the adjoint has one sum in the loop, that of ``c``, and comes to ``a``, ``dt`` and ``dx`` once.
What Python may raise for, or NumPy warn about, moves only if the first iteration comes to it, and
behind the question if there is one; elements move from places that are constants.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memory, memories_of
from mooncake_transpiler.analysis.steps import constant_step, constant_trips
from mooncake_transpiler.ir import cloning
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import BOOL, Scalar, is_differentiable

_ARITHMETIC = frozenset(("add", "sub", "mul", "neg", "pos", "abs", "cast", "stop_gradient"))

Loops = tuple[ir.For, ...]
Path = Loops | None  # the loops around, down to a statement that each first iteration runs


def invariant_numbers(func: ir.Func) -> ir.Func:
    """Move floats out of the loops that do not change them."""
    return _Motion(func).run(func)


@dataclass(slots=True)
class _Invariant:
    """The statements of a loop that are the same in all iterations, in their order."""

    bound: set[ir.Value]  # in the loop
    written: set[Memory]
    stmts: list[ir.Stmt] = field(default_factory=list)
    loops: list[ir.For] = field(default_factory=list)
    needs: dict[ir.Value, frozenset[ir.For]] = field(default_factory=dict)  # loops that must run
    acted: bool = False  # something before may have ended the function


class _Motion(Rewriter):
    def __init__(self, func: ir.Func) -> None:
        super().__init__()
        self._memories = memories_of(func)
        self._gone: set[ir.Stmt] = set()

    def statement(self, stmt: ir.Stmt) -> None:
        if stmt in self._gone:
            return
        if isinstance(stmt, ir.For | ir.While):
            found = _Invariant(ir.bound_by(stmt), self._memories.all_writes(stmt))
            self._scan_in(stmt, (), found)
            self._move(_worth_it(stmt, found), found)
        self.emit(self.inside(stmt))

    def _scan(self, block: ir.Block, path: Path, found: _Invariant) -> None:
        """Find what moves out of ``block``, and out of those inside."""
        for stmt in block.stmts:
            if self._is_invariant(stmt, found) and self._may_move(stmt, path, found):
                needs = [found.needs.get(v, frozenset()) for v in ir.values_of(ir.operands(stmt))]
                own = frozenset(() if _is_harmless(stmt) else path or ())
                found.stmts.append(stmt)
                found.needs[ir.outs(stmt)[0]] = own.union(*needs)
            self._scan_in(stmt, path, found)
            found.acted |= ir.acts(stmt) or (
                isinstance(stmt, ir.Call) and not ir.is_primitive(stmt)
            )

    def _scan_in(self, stmt: ir.Stmt, path: Path, found: _Invariant) -> None:
        inside: Path = None
        if isinstance(stmt, ir.For) and path is not None and _asks(stmt, found):
            found.loops.append(stmt)
            inside = (*path, stmt)
        for block in ir.blocks(stmt):
            self._scan(block, inside, found)

    def _is_invariant(self, stmt: ir.Stmt, found: _Invariant) -> bool:
        """True if ``stmt`` computes the same float in all iterations."""
        if stmt in self._gone or any(
            a in found.bound and a not in found.needs for a in ir.values_of(ir.operands(stmt))
        ):
            return False
        match stmt:
            case ir.Compute(out=out):
                return is_differentiable(out.type)
            case ir.Load(out=out, base=base, index=index):
                constant = all(isinstance(at, ir.Const) for at in index)
                unwritten = self._memories.of(base) not in found.written
                return constant and unwritten and is_differentiable(out.type)
            case _:
                return False

    def _may_move(self, stmt: ir.Stmt, path: Path, found: _Invariant) -> bool:
        """True if ``stmt`` may run before the loop, where that has an iteration."""
        if _is_harmless(stmt):
            return True
        return path is not None and not found.acted

    def _move(self, stmts: Sequence[ir.Stmt], found: _Invariant) -> None:
        """Emit what moves: what can't fail as it is, the rest where the loops have iterations."""
        self._gone.update(stmts)
        groups: dict[frozenset[ir.For], list[ir.Stmt]] = {frozenset(): []}
        for stmt in stmts:
            groups.setdefault(found.needs[ir.outs(stmt)[0]], []).append(stmt)
        self.stmts += groups.pop(frozenset())
        for needed in sorted(groups, key=len):
            self.stmts += _asking([k for k in found.loops if k in needed], groups[needed])


def _worth_it(loop: ir.For | ir.While, found: _Invariant) -> list[ir.Stmt]:
    """The statements that save the adjoint work: functions, quotients, combined numbers.

    The rest is left to the compiler, where the user has written it.
    """
    made = ir.binding(found.stmts)
    stay = set(_used_beside(loop, set(found.stmts)))
    used: set[ir.Atom] = set()
    kept: list[ir.Stmt] = []
    for stmt in reversed(found.stmts):
        (out,) = ir.outs(stmt)
        if out in used or (out in stay and _saves_work(stmt, made)):
            kept.append(stmt)
            used.update(ir.operands(stmt))
        else:
            stay.update(ir.operands(stmt))
    return kept[::-1]


def _used_beside(loop: ir.For | ir.While, found: set[ir.Stmt]) -> Iterator[ir.Atom]:
    """The atoms that ``loop`` uses for other statements than ``found``."""
    for block in ir.blocks(loop):
        yield from block.yields
        for stmt in ir.walk(block):
            if stmt not in found:
                yield from ir.operands(stmt)
                yield from (a for inner in ir.blocks(stmt) for a in inner.yields)


def _saves_work(stmt: ir.Stmt, made: Mapping[ir.Atom, ir.Stmt]) -> bool:
    """True if ``stmt`` is no element, product with a constant or the like."""
    leaves: set[ir.Value] = set()
    pending = [stmt]
    while pending:
        match pending.pop():
            case ir.Compute() as part:
                if not _is_harmless(part):
                    return True
                floats = [v for v in ir.values_of(part.args) if is_differentiable(v.type)]
                pending += [made[v] for v in floats if v in made]
                leaves.update(v for v in floats if v not in made)
            case part:
                leaves.update(ir.outs(part))
    return len(leaves) > 1


def _asks(loop: ir.For, found: _Invariant) -> bool:
    """True if it is known before the outermost loop how to ask for an iteration of ``loop``."""
    bounds = ir.values_of((loop.lo, loop.hi))
    return constant_step(loop) != 0 and found.bound.isdisjoint(bounds)


def _is_harmless(stmt: ir.Stmt) -> bool:
    """True if ``stmt`` neither raises nor warns, whatever it is given."""
    match stmt:
        case ir.Compute(op="pow", args=(_, ir.Const(value=int() as exponent))):
            return exponent >= 0
        case ir.Compute(op="div", args=(_, ir.Const(value=by))):
            return by != 0
        case ir.Compute(op=op):
            return op in _ARITHMETIC
        case _:
            return False


def _asking(loops: Sequence[ir.For], stmts: Sequence[ir.Stmt]) -> list[ir.Stmt]:
    """``stmts``, computed if ``loops`` have iterations; their results are zeros otherwise."""
    b = Builder(stmts[0].origin)
    conds = [runs(b, loop) for loop in loops if not constant_trips(loop)]
    if not conds:
        return [*stmts]
    cond = reduce(lambda one, other: b.compute("and", (one, other), BOOL), conds)
    outs = tuple(out for stmt in stmts for out in ir.outs(stmt))
    then = cloning.block(ir.Block(tuple(stmts), outs))
    zeros = tuple(ir.zero(out.type) for out in outs if isinstance(out.type, Scalar))
    b.add(ir.If(outs, cond, then, ir.Block((), zeros), b.origin))
    return b.stmts


def runs(b: Builder, loop: ir.For) -> ir.Atom:
    """The question if ``loop``, whose step is a constant, has an iteration."""
    ends = (loop.hi, loop.lo) if constant_step(loop) > 0 else (loop.lo, loop.hi)
    return b.compute("gt", ends, BOOL)
