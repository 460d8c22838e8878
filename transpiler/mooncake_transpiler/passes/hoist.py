"""Loop-invariant code motion, of integers, extents and the memory of arrays.

    before                                 after
    for i in 0..n step 1:                  m: int64 = dim x, 1
      m: int64 = dim x, 1                  u: float64[:] = alloc (m)
      u: float64[:] = alloc (m) fill 0.0   for i in 0..n step 1:
      u[i] = 1.0                             u[...] = 0.0
                                             u[i] = 1.0

That is integer arithmetic, the extents of arrays, choices between arrays, and the memory of arrays
that do not outlive the iteration. Nothing moves that could fail where the loop body would not have
run: an array moves if no extent can be negative.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import definitions_of
from mooncake_transpiler.analysis.integers import integers_of
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import BOOL, INT, Array

_HARMLESS = frozenset(("add", "sub", "mul", "neg", "abs", "cast"))
_COMPARING = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))
_LOGIC = frozenset(("and", "or", "not", "select"))


def hoist(func: ir.Func) -> ir.Func:
    """Move invariant integers and arrays out of loops, as far as they can."""
    return _Hoist(func).run(func)


def hoist_numbers(func: ir.Func) -> ir.Func:
    """The same without the memory of arrays: with some of their own, iterations can be parallel."""
    return _Hoist(func, moves_memory=False).run(func)


class _Hoist(Rewriter):
    def __init__(self, func: ir.Func, *, moves_memory: bool = True) -> None:
        super().__init__()
        self.moves_memory = moves_memory
        self.pinned = _pinned(func)
        self.defs = definitions_of(func)
        self.level: dict[ir.Value, int] = {}  # the number of loops around the binding
        self.integers = integers_of(func)
        self.sizes: set[ir.Atom] = set()  # of copies, bound here
        self.before: list[list[ir.Stmt]] = []  # per enclosing loop: what moves in front of it

    def statement(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, ir.Copy) and self.before and self.may_move(stmt.out):
            for part in self.filled(stmt):
                self.statement(part)
            return
        stmt = self.resolved(stmt)
        here = len(self.before)
        level = here
        if self.movable(stmt):
            level = max((self.level.get(a, 0) for a in _values(self.needs(stmt))), default=0)
        for out in ir.outs(stmt):
            self.level[out] = level
        if isinstance(stmt, ir.For | ir.While):
            self.loop(stmt)
        elif level == here:
            self.emit(self.inside(stmt))
        elif isinstance(stmt, ir.Alloc) and stmt.fill is not None:
            self.before[level].append(replace(stmt, fill=None))
            self.emit(ir.Assign(stmt.out, stmt.fill, stmt.origin))
        else:
            self.before[level].append(stmt)

    def filled(self, stmt: ir.Copy) -> Iterable[ir.Stmt]:
        """A copy as new memory that is then filled, so that the memory can move."""
        assert isinstance(stmt.out.type, Array)
        shape: list[ir.Atom] = []
        for axis in range(stmt.out.type.ndim):
            source = self.integers.shapes.origin(stmt.src, axis)
            if source.axis is None:
                shape.append(source.atom)
            else:
                size = ir.Value("", INT)
                self.sizes.add(size)
                shape.append(size)
                yield ir.Dim(size, source.atom, source.axis, stmt.origin)
        yield ir.Alloc(stmt.out, tuple(shape), None, stmt.origin)
        yield ir.Assign(stmt.out, stmt.src, stmt.origin)

    def loop(self, stmt: ir.For | ir.While) -> None:
        self.before.append([])
        for value in ir.binders(stmt):
            self.level[value] = len(self.before)
        rebuilt = self.inside(stmt)
        self.stmts += self.before.pop()
        self.emit(rebuilt)

    def needs(self, stmt: ir.Stmt) -> Iterable[ir.Atom]:
        inner = [s for block in ir.blocks(stmt) for s in block.stmts]
        yields = (self.use(a) for block in ir.blocks(stmt) for a in block.yields)
        return (*ir.operands(stmt), *yields, *(a for s in inner for a in self.needs(s)))

    def movable(self, stmt: ir.Stmt) -> bool:
        """True if ``stmt`` may run earlier, and more often, than it does."""
        match stmt:
            case ir.Dim(array=array):
                return not self.defs.grows(array)
            case ir.View(base=base, index=index):
                return not self.defs.grows(base) and all(map(_is_sound, index))
            case ir.Compute(out=out, op=op, args=args):
                if not all(a.type in (INT, BOOL) for a in args):
                    return False
                if op in _LOGIC:
                    return out.type in (INT, BOOL)
                return not any(a.type == BOOL for a in args) and (
                    op in _COMPARING or (out.type == INT and _is_harmless(op, args))
                )
            case ir.If(outs=outs, then=then, orelse=orelse):
                chooses = bool(outs) and all(isinstance(v.type, Array) for v in outs)
                inner = (*then.stmts, *orelse.stmts)
                return chooses and all(
                    isinstance(s, ir.If | ir.Compute) and self.movable(s) for s in inner
                )
            case ir.Alloc(out=out, shape=shape, growable=False):
                return self.may_move(out) and all(map(self.is_natural, shape))
            case _:
                return False

    def may_move(self, array: ir.Value) -> bool:
        """True if the memory of ``array`` may be made earlier, for all iterations."""
        return self.moves_memory and array not in self.pinned

    def is_natural(self, atom: ir.Atom) -> bool:
        return atom in self.sizes or self.integers.nonnegative(atom)


def _is_sound(item: ir.Index) -> bool:
    """True if a part of an array can't fail by ``item``: an index can, and a step of 0 does."""
    match item:
        case ir.Slice(step=step):
            return step is None or isinstance(step, ir.Const)
        case ir.NewAxis():
            return True
        case _:
            return False


def _is_harmless(op: str, args: tuple[ir.Atom, ...]) -> bool:
    """True if the op can't fail; a quotient by a positive constant can't."""
    match op, args:
        case op, _ if op in _HARMLESS:
            return True
        case "floordiv" | "mod", (_, ir.Const(value=int() as by)):
            return by > 0
        case _:
            return False


def _values(atoms: Iterable[ir.Atom]) -> Iterable[ir.Value]:
    return (a for a in atoms if isinstance(a, ir.Value))


def _pinned(func: ir.Func) -> set[ir.Value]:
    """Arrays that may outlive the iteration that makes them, through a view or as they are."""
    stmts = list(ir.walk(func.body))
    pinned: set[ir.Value] = set(_values(func.body.yields))
    for stmt in stmts:
        for block in ir.blocks(stmt):
            pinned.update(_values(block.yields))
        if isinstance(stmt, ir.For | ir.While):
            pinned.update(_values(stmt.inits))
        if ir.outside(stmt):  # what a function returns may be what it is given
            pinned.update(_values(ir.operands(stmt)))
    for stmt in reversed(stmts):
        base = ir.shown(stmt)
        if base is not None and not pinned.isdisjoint(ir.outs(stmt)):
            pinned.update(_values((base,)))
    return pinned
