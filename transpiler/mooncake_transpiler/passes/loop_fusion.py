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
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.dataflow import Dataflow, Touched
from mooncake_transpiler.analysis.footprints import Footprint, footprint
from mooncake_transpiler.analysis.integers import Integers
from mooncake_transpiler.analysis.memory import Memory, memories_of
from mooncake_transpiler.analysis.vectors import Work, belong_together, work
from mooncake_transpiler.passes.element_loops import element_loops
from mooncake_transpiler.passes.load_forwarding import arrays, load_forwarding
from mooncake_transpiler.passes.rewrite import Rewriter

Stmts = tuple[ir.Stmt, ...]
_Found = tuple[Stmts, int]  # statements, and where among them the fused loop is


def loop_fusion(func: ir.Func) -> ir.Func:
    """Fuse each loop with the next one that uses what it stores, where the array is then gone."""
    made = arrays(func)
    loops = element_loops(func, made) if made else func
    fused = fuse_over(loops, made) if made else func
    if fused is loops:
        return func
    needless = made - arrays(load_forwarding(fused))
    return fuse_over(element_loops(func, needless), needless) if needless else func


def fuse_over(func: ir.Func, only: set[ir.Value]) -> ir.Func:
    """Fuse what only the arrays ``only`` stand between, whether they are gone then or not."""
    return ir.with_body(func, _Fuse(func, only).block(func.body))


class _Fuse:
    """Fuses loops of one function.

    Fusing makes no arrays and gives no value another name, so what is known of the memory of the
    function stays true; definitions and footprints are those of the loops as they have become.
    """

    def __init__(self, func: ir.Func, only: set[ir.Value]) -> None:
        self._only = only
        self._memories = memories_of(func)
        self._defs = Definitions(func)
        self._dataflow = Dataflow(self._memories, Integers(self._defs))
        self._footprints: dict[ir.Stmt, Footprint] = {}
        self._works: dict[ir.For, Work] = {}

    def block(self, block: ir.Block) -> ir.Block:
        """``block`` with all pairs of loops fused that may be, or the same object."""
        stmts, k = block.stmts, 0
        while k < len(stmts):
            stmt = stmts[k]
            if found := self._with_later(stmts, k):  # what may have come before it is still to do
                stmts, at = self._with_earlier(*found)
                k = min(k, at)
            elif (changed := ir.mapped(stmt, self.block)) is not stmt:
                self._enter(changed)
                stmts, k = self._with_earlier((*stmts[:k], changed, *stmts[k + 1 :]), k)
            else:
                k += 1
        return block if stmts is block.stmts else ir.Block(stmts, block.yields)

    def _with_later(self, stmts: Stmts, k: int) -> _Found | None:
        """``stmts`` with the loop at ``k`` and the first later one that it may take, and where.

        What feeds a loop must pass all that stands between, so nothing else may store it there.
        """
        if not isinstance(stmts[k], ir.For):
            return None
        fed = self._only.intersection(self._footprint(stmts[k]).stored)
        for m in range(k + 1, len(stmts)):
            if not fed:
                break
            if isinstance(stmts[m], ir.For):
                other = self._footprint(stmts[m])
                if not fed.isdisjoint(other.loaded) and (found := self._pair(stmts, k, m)):
                    return found
                fed.difference_update(other.stored)
        return None

    def _with_earlier(self, stmts: Stmts, k: int) -> _Found:
        """``stmts`` where earlier loops have taken the one at ``k``, which is new, and where."""
        m = 0
        while m < k:
            if found := self._pair(stmts, m, k):
                (stmts, k), m = found, 0
            else:
                m += 1
        return stmts, k

    def _pair(self, stmts: Stmts, k: int, m: int) -> _Found | None:
        """``stmts`` with the loops at ``k`` and ``m`` as one, if one feeds the other, and where."""
        one, other = stmts[k], stmts[m]
        if not (isinstance(one, ir.For) and isinstance(other, ir.For)):
            return None
        stored, loaded = self._footprint(one).stored, self._footprint(other).loaded
        if loaded.isdisjoint(stored):
            return None
        fed = [array for array in stored if array in loaded and array in self._only]
        return next(filter(None, (self._joined(stmts, k, m, array) for array in fed)), None)

    def _joined(self, stmts: Stmts, k: int, m: int, array: ir.Atom) -> _Found | None:
        """``stmts`` with the loops at ``k`` and ``m`` fused down to the accesses to ``array``."""
        one, other = stmts[k], stmts[m]
        if not isinstance(one, ir.For) or not isinstance(other, ir.For):
            return None
        before: list[ir.Stmt] = []
        after: list[ir.Stmt] = []
        first, behind, last = self._footprint(one), Footprint(), self._footprint(other)
        for stmt in stmts[k + 1 : m]:
            own = self._footprint(stmt)
            if self._may_swap(first, own) and self._may_swap(behind, own):
                before.append(stmt)
            elif self._may_swap(own, last):
                after.append(stmt)
                behind.add(own)
            else:
                return None
        fused = self._fused(one, other, array)
        if fused is None:
            return None
        return (*stmts[:k], *before, fused, *after, *stmts[m + 1 :]), k + len(before)

    def _fused(self, one: ir.For, other: ir.For, array: ir.Atom) -> ir.For | None:
        """``one`` and ``other`` as one loop, if they may run in step."""
        head = self._head(one, other)
        if head is None or not self._may_interleave(one, other):
            return None
        mine, theirs = self._headed(one, head), self._headed(other, head)
        stmts = self._bodies(mine, theirs, array)
        if stmts is None:
            self._enter(*(loop for loop in (one, other) if loop is not head))
            return None
        fused = replace(
            head,
            outs=(*one.outs, *other.outs),
            params=(*one.params, *other.params),
            inits=(*one.inits, *other.inits),
            body=ir.Block(stmts, (*mine.body.yields, *theirs.body.yields)),
        )
        self._works[fused] = self._work(mine) + self._work(theirs)
        self._footprints[fused] = self._footprint(mine)
        self._footprints[fused].add(self._footprint(theirs))
        return fused

    def _headed(self, loop: ir.For, head: ir.For) -> ir.For:
        """``loop`` with the range and the index of ``head``; its definitions count from now on."""
        if loop is head:
            return loop
        body = _Substitution({loop.index: head.index}).block(loop.body)
        turned = replace(loop, index=head.index, lo=head.lo, hi=head.hi, step=head.step, body=body)
        self._enter(turned)
        return turned

    def _bodies(self, mine: ir.For, theirs: ir.For, array: ir.Atom) -> Stmts | None:
        """Both bodies as one: one behind the other, or with the loops that use ``array`` fused."""
        stmts = (*mine.body.stmts, *theirs.body.stmts)
        if stored := self._footprint(mine).stores.get(array):
            meet = _meet(stored, theirs, array)
            return stmts if meet and belong_together(self._work(mine), self._work(theirs)) else None
        start = len(mine.body.stmts)
        k = next((k for k in range(start) if self._uses(stmts[k], array)), None)
        m = next((m for m in range(start, len(stmts)) if self._uses(stmts[m], array)), None)
        found = None if k is None or m is None else self._joined(stmts, k, m, array)
        return None if found is None else found[0]

    # ---- facts ----------------------------------------------------------------------------------

    def _enter(self, *stmts: ir.Stmt) -> None:
        """Let ``stmts`` be what binds their values from now on."""
        self._defs.enter(ir.Block(stmts))
        self._dataflow = Dataflow(self._memories, Integers(self._defs))

    def _footprint(self, stmt: ir.Stmt) -> Footprint:
        if stmt not in self._footprints:
            self._footprints[stmt] = footprint(stmt, self._dataflow)
        return self._footprints[stmt]

    def _work(self, loop: ir.For) -> Work:
        if loop not in self._works:
            self._works[loop] = work(loop)
        return self._works[loop]

    def _uses(self, stmt: ir.Stmt, array: ir.Atom) -> bool:
        return array in (self._footprint(stmt).atoms if ir.blocks(stmt) else ir.operands(stmt))

    # ---- ranges ---------------------------------------------------------------------------------

    def _head(self, one: ir.For, other: ir.For) -> ir.For | None:
        """The loop whose header serves both, if they may visit the same indices in one order."""
        if one.exit or other.exit:
            return None
        mine, theirs = (one.lo, one.hi, one.step), (other.lo, other.hi, other.step)
        if all(map(ir.same, mine, theirs)):
            return one
        integers = self._dataflow.integers
        first, second = integers.span(one), integers.span(other)
        if first is None or first != second:
            return None
        up, down = (one, other) if one.step == ir.ONE else (other, one)
        if self._has_no_order(down):
            return up
        return down if self._has_no_order(up) else None

    def _has_no_order(self, loop: ir.For) -> bool:
        """True if the iterations of ``loop`` may run in any order."""
        return not loop.params and all(
            touched.is_read_only
            or touched.only_sums
            or self._dataflow.is_split(memory, touched, (loop,))
            for memory, touched in self._footprint(loop).touched.items()
        )

    # ---- dependences ----------------------------------------------------------------------------

    def _may_interleave(self, one: ir.For, other: ir.For) -> bool:
        """True if no iteration of one loop meets, or needs, another iteration of the other."""
        mine, theirs = self._footprint(one), self._footprint(other)
        if not (mine.is_plain and theirs.is_plain) or theirs.uses(mine):
            return False
        return all(
            self._dataflow.is_split(memory, both, (one, other))
            for memory, both in self._meeting(mine, theirs)
        )

    def _meeting(self, mine: Footprint, theirs: Footprint) -> Iterator[tuple[Memory, Touched]]:
        """The memory for which the order of the two matters, with what both do to it."""
        for memory in mine.touched.keys() & theirs.touched.keys():
            both = mine.touched[memory] | theirs.touched[memory]
            if not (both.only_sums or both.is_read_only or self._are_others(memory, mine, theirs)):
                yield memory, both

    def _are_others(self, memory: Memory, mine: Footprint, theirs: Footprint) -> bool:
        some, others = mine.touched[memory], theirs.touched[memory]
        return self._dataflow.are_other_arrays(memory, some, others, mine.inside | theirs.inside)

    def _may_swap(self, mine: Footprint, theirs: Footprint) -> bool:
        """True if what leaves the footprint ``theirs`` may run before what leaves ``mine``."""
        if not mine.is_plain or theirs.uses(mine):
            return False
        if not theirs.is_plain:  # a check may come earlier if nobody sees what has run till then
            return theirs.is_check and not theirs.touched and self._is_unseen(mine)
        return not any(True for _ in self._meeting(mine, theirs))

    def _is_unseen(self, done: Footprint) -> bool:
        """True if nobody sees, after an exception, what has been written."""
        return all(
            touched.is_read_only or _is_own(memory, self._defs)
            for memory, touched in done.touched.items()
        )


class _Substitution(Rewriter):
    """Puts atoms in place of values."""

    def __init__(self, env: dict[ir.Value, ir.Atom]) -> None:
        super().__init__()
        self.env.update(env)


def _is_own(memory: Memory, defs: Definitions) -> bool:
    """True if the function has made ``memory``; after an exception nobody sees it."""
    return all(isinstance(defs.stmt.get(root), ir.Alloc) for root in memory.roots)


def _meet(store: ir.Store, theirs: ir.For, array: ir.Atom) -> bool:
    """True if ``theirs`` uses of ``array`` nothing but the element that ``store`` stores to."""
    return all(
        isinstance(s, ir.Load | ir.Store | ir.Accum) and all(map(ir.same, s.index, store.index))
        for s in ir.walk(theirs.body)
        if array in ir.operands(s)
    )
