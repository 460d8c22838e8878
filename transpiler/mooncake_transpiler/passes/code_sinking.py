"""Code sinking: numbers that only one arm of a branch uses are computed there.

before                              after
d: float64 = load r[i]              c: bool = ne i, j
inv: float64 = div 1.0, d           s.1 = if c:
c: bool = ne i, j                     d: float64 = load r[i]
s.1 = if c:                           inv: float64 = div 1.0, d
  s.2: float64 = add s, inv           s.2: float64 = add s, inv
  yield s.2                           yield s.2
else:                               else:
  yield s                             yield s

So do their adjoints, and what the other arm does not use has no adjoint there: no cotangent of 0
that would meet an infinite partial. What has an effect, may raise or writes memory stays; loads
and indices move only along with a number that is computed of them.
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memories, Memory, memories_of
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import Scalar, is_differentiable

Place = tuple[int, int | None]  # a statement of the block, and which of its blocks, if in one

# Of integers and conditions these can't fail.
_HARMLESS = frozenset({
    "add", "sub", "mul", "neg", "cast", "np.maximum", "np.minimum", "eq", "ne", "lt", "le", "gt",
    "ge", "and", "or", "not",
})  # fmt: skip


def code_sinking(func: ir.Func) -> ir.Func:
    """Move what one arm uses into it, with all that leads to it alone."""
    if not any(isinstance(s, ir.If) for s in ir.walk(func.body)):
        return func
    return _Sink(memories_of(func)).run(func)


class _Sink(Rewriter):
    def __init__(self, memories: Memories) -> None:
        super().__init__()
        self._memories = memories

    def block(self, block: ir.Block) -> ir.Block:
        return super().block(self._sunk(block))

    def _sunk(self, block: ir.Block) -> ir.Block:
        stmts: list[ir.Stmt | None] = list(block.stmts)
        moved: dict[Place, list[ir.Stmt]] = {}
        writes: list[set[Memory] | None] = []  # of the statements behind, last one first
        uses: dict[ir.Atom, set[Place]] = {a: {(len(stmts), None)} for a in block.yields}
        taken: set[ir.Atom] = set()  # what is used by what has moved
        for k in reversed(range(len(stmts))):
            stmt = block.stmts[k]
            place = self._place(stmt, uses, block)
            follows = _leads(stmt) or not taken.isdisjoint(ir.outs(stmt))
            if (
                place is not None
                and follows
                and self._may_pass(stmt, writes[len(writes) - place[0] + k + 1 :])
            ):
                moved.setdefault(place, []).append(stmt)
                stmts[k] = None
                for atom in ir.used_by(stmt):
                    uses.setdefault(atom, set()).add(place)
                    taken.add(atom)
                writes.append(set())
                continue
            for atom in ir.operands(stmt):
                uses.setdefault(atom, set()).add((k, None))
            for arm, inner in enumerate(ir.blocks(stmt)):
                for atom in ir.used_in(inner):
                    uses.setdefault(atom, set()).add((k, arm))
            grows = any(isinstance(s, ir.Reserve | ir.Call) for s in ir.within(stmt))
            writes.append(None if grows else self._memories.all_writes(stmt))
        if not moved:
            return block
        for (at, side), found in moved.items():
            branch = stmts[at]
            assert isinstance(branch, ir.If)
            assert side is not None
            arms = [branch.then, branch.orelse]
            arms[side] = ir.with_stmts(arms[side], (*reversed(found), *arms[side].stmts))
            stmts[at] = ir.with_blocks(branch, tuple(arms))
        return ir.with_stmts(block, [s for s in stmts if s is not None])

    def _place(
        self, stmt: ir.Stmt, uses: dict[ir.Atom, set[Place]], block: ir.Block
    ) -> Place | None:
        """The arm that alone uses what ``stmt`` computes, if that can be computed there."""
        outs = ir.outs(stmt)
        places = {place for out in outs for place in uses.get(out, ())}
        if len(places) != 1 or not _is_pure(stmt):
            return None
        (place,) = places
        if place[1] is None or not isinstance(block.stmts[place[0]], ir.If):
            return None
        return place

    def _may_pass(self, stmt: ir.Stmt, others: list[set[Memory] | None]) -> bool:
        """True if nothing that ``stmt`` reads is written by ``others``."""
        reads = {m for inner in ir.within(stmt) for m in self._memories.reads(inner)}
        if not reads and not isinstance(stmt, ir.View):
            return True
        return all(other is not None and reads.isdisjoint(other) for other in others)


def _leads(stmt: ir.Stmt) -> bool:
    """True if ``stmt`` moves for its own sake."""
    if isinstance(stmt, ir.Compute):
        return is_differentiable(stmt.out.type)
    return isinstance(stmt, ir.If | ir.For)


def _is_pure(stmt: ir.Stmt) -> bool:
    """True if ``stmt`` computes something and does nothing else."""
    match stmt:
        case ir.Compute(out=out, op=op):
            return is_differentiable(out.type) or op in _HARMLESS
        case ir.Load() | ir.View() | ir.Sum():
            return True
        case ir.If() | ir.For():
            scalars = all(isinstance(out.type, Scalar) for out in stmt.outs)
            return scalars and all(_is_pure(s) for block in ir.blocks(stmt) for s in block.stmts)
        case _:
            return False
