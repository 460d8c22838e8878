"""Loop fusion: loops over the same range become one, if one feeds the other.

    before                            after
    for i in 0..n step 1:             for i in 0..n step 1:
      y[i] = a                          y[i] = a
    s = for j in 0..n step 1 (...):     v: float64 = load y[i]
      v: float64 = load y[j]            ...
      ...

Only if the element need not go through memory then (``load_forwarding``), and the array is gone.
The loops may be nests, of which all is fused, or nothing. No iteration of one loop may touch what
another iteration of the other writes, but for sums of derivatives, whose order is ours to
choose. A loop that counts down turns round if the order of its iterations does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Access, Definitions, definitions_of, same
from mooncake_transpiler.analysis.dataflow import accesses
from mooncake_transpiler.analysis.integers import integers_of
from mooncake_transpiler.analysis.memory import Memory, memories_of
from mooncake_transpiler.analysis.vectors import belong_together
from mooncake_transpiler.passes.load_forwarding import arrays, load_forwarding
from mooncake_transpiler.passes.rewrite import Rewriter

_PLAIN = (
    ir.Compute | ir.Alloc | ir.Dim | ir.Global | ir.View | ir.Load | ir.Store | ir.Accum | ir.Copy
    | ir.Assign | ir.AddTo | ir.Sum | ir.If | ir.For | ir.While
)  # fmt: skip
Stmts = tuple[ir.Stmt, ...]
_ONE = ir.int_const(1)


def loop_fusion(func: ir.Func) -> ir.Func:
    """Fuse each loop with the next one that uses what it stores, where the array is then gone."""
    made = arrays(func)
    fused = fuse_over(func, made) if made else func
    if fused is func:
        return func
    needless = made - arrays(load_forwarding(fused))
    return fuse_over(func, needless) if needless else func


def fuse_over(func: ir.Func, only: set[ir.Value]) -> ir.Func:
    """Fuse what only the arrays ``only`` stand between, whether they are gone then or not."""
    while (body := _Fuse(func, only).block(func.body)) is not func.body:
        func = replace(func, body=body)
    return func


@dataclass(slots=True)
class _Touched:
    """The accesses of a piece of code to one memory."""

    accesses: list[Access | None] = field(default_factory=list)
    kinds: set[ir.Touch] = field(default_factory=set)
    only_sums: bool = True  # nothing but free sums


class _Fuse:
    def __init__(self, func: ir.Func, only: set[ir.Value]) -> None:
        self._only = only
        self._memories = memories_of(func)
        self._defs = definitions_of(func)
        self._integers = integers_of(func)
        self._known: dict[ir.Stmt, dict[Memory, _Touched]] = {}
        self._flows: dict[ir.Stmt, tuple[list[ir.Atom], set[ir.Atom]]] = {}

    def block(self, block: ir.Block) -> ir.Block:
        """``block`` with one pair of loops fused, or the same object."""
        for k, stmt in enumerate(block.stmts):
            if isinstance(stmt, ir.For):
                for m in range(k + 1, len(block.stmts)):
                    for array in self._fed(stmt, block.stmts[m]):
                        if fused := self._joined(block.stmts, k, m, array):
                            return ir.Block(fused, block.yields)
            changed = ir.mapped(stmt, self.block)
            if changed is not stmt:
                stmts = (*block.stmts[:k], changed, *block.stmts[k + 1 :])
                return ir.Block(stmts, block.yields)
        return block

    def _fed(self, one: ir.Stmt, other: ir.Stmt) -> list[ir.Atom]:
        """The arrays that ``one`` stores to and the loop ``other`` uses."""
        if not isinstance(other, ir.For):
            return []
        used = self._flow(other)[1]
        return [array for array in self._flow(one)[0] if array in used]

    def _flow(self, stmt: ir.Stmt) -> tuple[list[ir.Atom], set[ir.Atom]]:
        """The arrays, of those that count, that ``stmt`` stores to, and those that it uses."""
        if stmt not in self._flows:
            inside = list(ir.walk(ir.Block((stmt,))))
            stored = dict.fromkeys(s.base for s in inside if isinstance(s, ir.Store))
            used = {s.base for s in inside if isinstance(s, ir.Load | ir.Accum)}
            self._flows[stmt] = [a for a in stored if a in self._only], used
        return self._flows[stmt]

    def _joined(self, stmts: Stmts, k: int, m: int, array: ir.Atom) -> Stmts | None:
        """``stmts`` with the loops at ``k`` and ``m`` fused down to the accesses to ``array``."""
        one, other = stmts[k], stmts[m]
        if not isinstance(one, ir.For) or not isinstance(other, ir.For):
            return None
        before: list[ir.Stmt] = []
        after: list[ir.Stmt] = []
        for stmt in stmts[k + 1 : m]:
            if all(self._may_swap(s, stmt) for s in (one, *after)):
                before.append(stmt)
            elif self._may_swap(stmt, other):
                after.append(stmt)
            else:
                return None
        fused = self._fused(one, other, array)
        return None if fused is None else (*stmts[:k], *before, fused, *after, *stmts[m + 1 :])

    def _fused(self, one: ir.For, other: ir.For, array: ir.Atom) -> ir.For | None:
        """``one`` and ``other`` as one loop, if they may run in step."""
        head = self._head(one, other)
        if not (_is_plain(one) and _is_plain(other)) or _feeds_values(one, other):
            return None
        if head is None or not self._may_interleave(one, other):
            return None
        turn = _Substitution({one.index: head.index, other.index: head.index})
        mine, theirs = turn.block(one.body), turn.block(other.body)
        if any(isinstance(s, ir.Store) and s.base is array for s in mine.stmts):
            meets = _meet(mine.stmts, theirs.stmts, array) and belong_together(one, other)
            stmts = (*mine.stmts, *theirs.stmts) if meets else None
        else:
            stmts = self._inside(mine.stmts, theirs.stmts, array)
        if stmts is None:
            return None
        return replace(
            head,
            outs=(*one.outs, *other.outs),
            params=(*one.params, *other.params),
            inits=(*one.inits, *other.inits),
            body=ir.Block(stmts, (*mine.yields, *theirs.yields)),
        )

    def _inside(self, mine: Stmts, theirs: Stmts, array: ir.Atom) -> Stmts | None:
        """Both bodies as one, if the loops in them that use ``array`` can be fused."""
        k = next((k for k, stmt in enumerate(mine) if _uses(stmt, array)), None)
        m = next((m for m, stmt in enumerate(theirs, len(mine)) if _uses(stmt, array)), None)
        return None if k is None or m is None else self._joined((*mine, *theirs), k, m, array)

    # ---- ranges ---------------------------------------------------------------------------------

    def _head(self, one: ir.For, other: ir.For) -> ir.For | None:
        """The loop whose header serves both, if they may visit the same indices in one order."""
        if one.exit or other.exit:
            return None
        mine, theirs = (one.lo, one.hi, one.step), (other.lo, other.hi, other.step)
        if all(map(same, mine, theirs)):
            return one
        first, second = self._integers.span(one), self._integers.span(other)
        if first is None or first != second:
            return None
        up, down = (one, other) if one.step == _ONE else (other, one)
        if self._has_no_order(down):
            return up
        return down if self._has_no_order(up) else None

    def _has_no_order(self, loop: ir.For) -> bool:
        """True if the iterations of ``loop`` may run in any order."""
        return not loop.params and all(
            touched.kinds == {ir.Touch.READ}
            or touched.only_sums
            or self._is_apart(memory, touched, (loop,))
            for memory, touched in self._touched(loop).items()
        )

    # ---- dependences ----------------------------------------------------------------------------

    def _may_interleave(self, one: ir.For, other: ir.For) -> bool:
        """True if no iteration of one loop meets another iteration of the other."""
        mine, theirs = self._touched(one), self._touched(other)
        for memory in mine.keys() & theirs.keys():
            a, b = mine[memory], theirs[memory]
            both = _Touched([*a.accesses, *b.accesses], a.kinds | b.kinds)
            sums = a.only_sums and b.only_sums
            if not (
                sums or both.kinds == {ir.Touch.READ} or self._is_apart(memory, both, (one, other))
            ):
                return False
        return True

    def _is_apart(self, memory: Memory, touched: _Touched, loops: tuple[ir.For, ...]) -> bool:
        """True if all accesses are to the element, on some axis, that is the index of a loop."""
        found = [a for a in touched.accesses if a is not None]
        if len(found) != len(touched.accesses) or any(a.root is not found[0].root for a in found):
            return False
        indices = {loop.index for loop in loops}
        return all(map(self._integers.nonnegative, indices)) and any(
            all(a.index[axis] in indices for a in found) for axis in range(len(found[0].index))
        )

    def _may_swap(self, first: ir.Stmt, second: ir.Stmt) -> bool:
        """True if ``second`` may run before ``first``."""
        if not _is_plain(first) or _feeds_values(first, second):
            return False
        mine, theirs = self._touched(first), self._touched(second)
        if not _is_plain(second):  # a check may come earlier if nobody sees what has run till then
            unseen = all(
                t.kinds == {ir.Touch.READ} or _is_own(m, self._defs) for m, t in mine.items()
            )
            return _is_check(second) and unseen and not theirs
        for memory in mine.keys() & theirs.keys():
            a, b = mine[memory], theirs[memory]
            if a.kinds | b.kinds != {ir.Touch.READ} and not (a.only_sums and b.only_sums):
                return False
        return True

    def _touched(self, stmt: ir.Stmt) -> dict[Memory, _Touched]:
        """The accesses of ``stmt``, blocks included, to each memory."""
        if stmt in self._known:
            return self._known[stmt]
        found = self._known[stmt] = {}
        for inner in ir.walk(ir.Block((stmt,))):
            if ir.blocks(inner):
                continue
            sums = isinstance(inner, ir.Accum | ir.AddTo) and inner.free
            for memory, kind, access in accesses(ir.Block((inner,)), self._memories, self._defs):
                touched = found.setdefault(memory, _Touched())
                touched.accesses.append(access)
                touched.kinds.add(kind)
                touched.only_sums &= sums and kind is ir.Touch.ADD
        return found


class _Substitution(Rewriter):
    """Puts atoms in place of values."""

    def __init__(self, env: dict[ir.Value, ir.Atom]) -> None:
        super().__init__()
        self.env.update(env)


def _is_own(memory: Memory, defs: Definitions) -> bool:
    """True if the function has made ``memory``; after an exception nobody sees it."""
    return all(isinstance(defs.stmt.get(root), ir.Alloc) for root in memory.roots)


def _is_plain(stmt: ir.Stmt) -> bool:
    """True if ``stmt`` has no effect but on memory."""
    return all(isinstance(s, _PLAIN) for s in ir.walk(ir.Block((stmt,))))


def _is_check(stmt: ir.Stmt) -> bool:
    """True if ``stmt`` does nothing but compute and raise."""
    return all(isinstance(s, ir.If | ir.Raise | ir.Compute) for s in ir.walk(ir.Block((stmt,))))


def _atoms(stmt: ir.Stmt) -> Iterator[ir.Atom]:
    """The atoms that ``stmt`` uses, blocks included."""
    for inner in ir.walk(ir.Block((stmt,))):
        yield from ir.operands(inner)
        for block in ir.blocks(inner):
            yield from block.yields


def _uses(stmt: ir.Stmt, array: ir.Atom) -> bool:
    return array in _atoms(stmt)


def _meet(mine: Stmts, theirs: Stmts, array: ir.Atom) -> bool:
    """True if ``theirs`` use of ``array`` nothing but the element that ``mine`` store to."""
    stored = next(s.index for s in mine if isinstance(s, ir.Store) and s.base is array)
    inside = ir.walk(ir.Block(theirs))
    return all(
        isinstance(s, ir.Load | ir.Store | ir.Accum) and all(map(same, s.index, stored))
        for s in inside
        if array in ir.operands(s)
    )


def _feeds_values(first: ir.Stmt, second: ir.Stmt) -> bool:
    """True if ``second`` uses a value that ``first`` binds."""
    bound = set(ir.outs(first))
    return any(atom in bound for atom in _atoms(second))
