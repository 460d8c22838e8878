"""Loops after which it shows whether an array is the one of before, or a copy of it."""

from __future__ import annotations

from collections.abc import Iterator

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.points_to import PointsTo, arrays, arrays_in

Loop = ir.For | ir.While
Blocks = tuple[ir.Block, ...]
Follower = tuple[Loop, tuple[Loop | None, Blocks]]


class ToldCopies:
    """The loops of a function, and what follows each of them, asked about what they carry."""

    def __init__(self, func: ir.Func, points: PointsTo) -> None:
        self._points = points
        self._inputs = frozenset[ir.Atom](func.inputs)
        self._results = func.body.yields
        self._rest = dict(_followers(func.body, None, ()))

    def can_be_told(self, loop: Loop, k: int) -> bool:
        """True if it matters that ``loop.outs[k]`` is the array of before, or a copy of it.

        It does where one of them is written after the loop, or the first handed to the caller, and
        the other is seen.
        """
        out, first = loop.outs[k], self._points.sites(loop.inits[k])
        is_handed_on = any(out in self._points.sites(a, {out}) for a in arrays(self._results))
        if not is_handed_on:
            written = (root for block in self._later(loop) for root in self._points.written(block))
            if not any(self._points.touch(first, self._points.sites(root)) for root in written):
                return False
        return self._is_seen(loop, k)

    def _is_seen(self, loop: Loop, k: int) -> bool:
        """True if ``loop.inits[k]`` is reached after the loop begins, not by what is carried."""
        first, known = self._points.sites(loop.inits[k]), {loop.outs[k], loop.params[k]}
        if not self._inputs.isdisjoint(first):
            return True
        blocks = (*ir.blocks(loop), *self._rest[loop][1])
        others = known.union(*map(ir.bound_in, blocks))  # what is made later is another array
        used = (self._points.sites(a, known) - others for block in blocks for a in arrays_in(block))
        if any(self._points.touch(first, own) for own in used):
            return True
        around = self._rest[loop][0]
        return around is not None and any(
            self._is_found_again(root, around) for root in self._points.roots(loop.inits[k])
        )

    def _is_found_again(self, root: ir.Atom, around: Loop) -> bool:
        """True if later iterations of ``around`` reach the array ``root`` of an earlier one."""
        if root in around.params:
            return self._is_shared(around, around.params.index(root))
        return root not in frozenset().union(*map(ir.bound_in, ir.blocks(around)))

    def _is_shared(self, loop: Loop, k: int) -> bool:
        """True if the array that ``loop`` carries in ``params[k]`` is reached by another name."""
        own = self._points.sites(loop.body.yields[k])
        others = arrays(a for j, a in enumerate(loop.body.yields) if j != k)
        return any(self._points.touch(own, self._points.sites(a)) for a in others) or self._is_seen(
            loop, k
        )

    def _later(self, loop: Loop) -> Iterator[ir.Block]:
        """The blocks that may run after ``loop``, also in further iterations of outer loops."""
        around, rest = self._rest[loop]
        yield from rest
        if around is not None:
            yield from (*ir.blocks(around), *self._later(around))


def _followers(block: ir.Block, around: Loop | None, rest: Blocks) -> Iterator[Follower]:
    """The loops of ``block``, each with the loop around it, and what follows in its iteration."""
    for at, stmt in enumerate(block.stmts):
        later = (ir.Block(block.stmts[at + 1 :], block.yields), *rest)
        match stmt:
            case ir.For() | ir.While():
                yield stmt, (around, later)
                for inner in ir.blocks(stmt):
                    yield from _followers(inner, stmt, ())
            case ir.If(then=then, orelse=orelse):
                yield from _followers(then, around, later)
                yield from _followers(orelse, around, later)
            case _:
                ir.without_blocks(stmt)
