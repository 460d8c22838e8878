"""The first contribution to a cotangent array is stored: there is nothing yet to add it to.

    before                                     after
    x_bar: float64[:] = alloc (n) fill 0.0     x_bar: float64[:] = alloc (n)
    for i in 0..n step 1:                      for i in 0..n step 1:
      x_bar[i] += 2.0                            x_bar[i] = 2.0

Only in the reverse sweep (0 + x is x but for the sign of a zero), and only if the next statement
that touches the memory certainly writes all of it: a sum of whole arrays, or a nest of loops over
all axes that touches nothing of it but the element of the iteration. Where that statement stores
as it stands, nobody sees what the array was filled with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions, same
from mooncake_transpiler.analysis.memory import Memories
from mooncake_transpiler.analysis.ranges import Ranges
from mooncake_transpiler.types import Array

Element = tuple[ir.Atom, ...]
_ZERO, _ONE = ir.int_const(0), ir.int_const(1)


def first(func: ir.Func) -> ir.Func:
    """Leave memory unset that is written next, all of it, before anything reads it."""
    found = _First(func)
    body = found.block(func.body)
    return replace(func, body=body) if found.any else func


class _First:
    def __init__(self, func: ir.Func) -> None:
        self.any = False
        self._memories = Memories(func)
        self._defs = Definitions(func)
        self._ranges = Ranges(self._defs)

    def block(self, block: ir.Block) -> ir.Block:
        stmts = [ir.with_blocks(s, tuple(map(self.block, ir.blocks(s)))) for s in block.stmts]
        kept: list[ir.Stmt] = []
        for k, stmt in enumerate(stmts):
            if self._store_next(stmts, k):
                self.any = True
                if not isinstance(stmt, ir.Alloc):
                    continue
                stmt = replace(stmt, fill=None)
            kept.append(stmt)
        return ir.Block(tuple(kept), block.yields)

    def _store_next(self, stmts: list[ir.Stmt], k: int) -> bool:
        """Store what ``stmts[k]`` need not fill; whether all of it is stored."""
        array = self._filled(stmts[k])
        at = None if array is None else self._next(stmts, k + 1, array)
        if array is None or at is None:
            return False
        stored = self._stored(stmts[at], array, _clears(stmts[k]))
        if stored is not None:
            stmts[at] = stored
        return stored is not None

    def _filled(self, stmt: ir.Stmt) -> ir.Value | None:
        """The array of the function's own that ``stmt`` fills with a constant."""
        match stmt:
            case ir.Alloc(out=out, fill=ir.Const()):
                return out
            case ir.Assign(dst=ir.Value() as dst, src=ir.Const()):
                made = (self._defs.stmt.get(r) for r in self._memories.of(dst).roots)
                return dst if all(isinstance(m, ir.Alloc) for m in made) else None
            case _:
                return None

    def _next(self, stmts: Sequence[ir.Stmt], start: int, array: ir.Value) -> int | None:
        """The position of the next statement that touches the memory of ``array``."""
        later = range(start, len(stmts))
        return next((k for k in later if any(self._touching(stmts[k], array))), None)

    def _touching(self, stmt: ir.Stmt, array: ir.Value) -> Iterator[ir.Stmt]:
        """The statements in ``stmt`` that have to do with what the memory of ``array`` holds."""
        for inner in ir.walk(ir.Block((stmt,))):
            if isinstance(inner, ir.Dim | ir.View | ir.Shadows):
                continue
            yields = (a for block in ir.blocks(inner) for a in block.yields)
            if any(self._shares(atom, array) for atom in (*ir.operands(inner), *yields)):
                yield inner

    def _shares(self, atom: ir.Atom, array: ir.Value) -> bool:
        is_array = isinstance(atom, ir.Value) and isinstance(atom.type, Array)
        return is_array and self._memories.of(atom) is self._memories.of(array)

    def _stored(self, stmt: ir.Stmt, array: ir.Value, clears: bool) -> ir.Stmt | None:
        """``stmt`` with its first contribution stored, if it writes all of ``array``."""
        if isinstance(stmt, ir.AddTo):
            fits = clears and _is_adjoint(stmt) and stmt.dst is array
            fits = fits and not self._shares(stmt.src, array)
            return ir.Assign(stmt.dst, stmt.src, stmt.origin) if fits else None
        first, *others = (self._element(s, array) for s in self._touching(stmt, array))
        if first is None or not all(e is not None and _equal(e, first) for e in others):
            return None
        return self._descend(stmt, _Target(array, first, clears), ())

    def _element(self, stmt: ir.Stmt, array: ir.Value) -> Element | None:
        """The one element of ``array`` that ``stmt`` touches."""
        match stmt:
            case ir.Load(base=base, index=index) | ir.Accum(base=base, index=index):
                return index if base is array else None
            case ir.Store(base=base, index=index):
                return index if base is array else None
            case _:
                return None

    def _descend(self, stmt: ir.Stmt, target: _Target, loops: tuple[ir.For, ...]) -> ir.Stmt | None:
        """``stmt``, inside of ``loops``, with its first contribution stored."""
        match stmt:
            case ir.Store():
                return stmt if self._covers(loops, target) else None
            case ir.Accum(base=base, index=index, value=value, origin=origin):
                fits = target.clears and _is_adjoint(stmt) and self._covers(loops, target)
                return ir.Store(base, index, value, origin) if fits else None
            case ir.For() if not stmt.exit:
                loops = (*loops, stmt)
            case ir.If():
                pass
            case _:
                return None
        inner = [self._descend_block(b, target, loops) for b in ir.blocks(stmt)]
        found = tuple(b for b in inner if b is not None)
        return ir.with_blocks(stmt, found) if len(found) == len(inner) else None

    def _descend_block(
        self, block: ir.Block, target: _Target, loops: tuple[ir.For, ...]
    ) -> ir.Block | None:
        at = self._next(block.stmts, 0, target.array)
        stored = None if at is None else self._descend(block.stmts[at], target, loops)
        if at is None or stored is None:
            return None
        return ir.Block((*block.stmts[:at], stored, *block.stmts[at + 1 :]), block.yields)

    def _covers(self, loops: tuple[ir.For, ...], target: _Target) -> bool:
        """Whether ``target`` is each element of its array once while ``loops`` run."""
        left = list(loops)
        for axis, position in enumerate(target.element):
            loop = next((x for x in left if x.index is position), None)
            if loop is not None and self._ranges.covers(loop, target.array, axis):
                left.remove(loop)
            elif not (same(position, _ZERO) and self._ranges.is_length(_ONE, target.array, axis)):
                return False
        return not left


@dataclass(frozen=True, slots=True)
class _Target:
    """The element that each iteration touches of an array; ``clears`` if that was filled with 0."""

    array: ir.Value
    element: Element
    clears: bool


def _equal(a: Element, b: Element) -> bool:
    return all(map(same, a, b))


def _clears(stmt: ir.Stmt) -> bool:
    """Whether ``stmt`` fills an array with zero."""
    match stmt:
        case ir.Alloc(fill=ir.Const(value=value)) | ir.Assign(src=ir.Const(value=value)):
            return value == 0
        case _:
            return False


def _is_adjoint(stmt: ir.Stmt) -> bool:
    return stmt.origin is not None and stmt.origin.adjoint
