"""Copies at the last use of an array: the copy is that array, which nobody uses any more.

    before                          after
    a: float64[:] = alloc (n)       a: float64[:] = alloc (n)
    b: float64[:] = copy a          a[i] = 1.0
    b[i] = 1.0

So it is where all of ``a`` is assigned to an array that nobody has used before. ``a`` and the array
in whose place it comes must be made in the same block, and be known by those names alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memory, memories_of
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import Array


def final_copies(func: ir.Func) -> ir.Func:
    """Use the arrays that end where they are copied instead of their copies."""
    return _FinalCopies(func).run(func)


class _FinalCopies(Rewriter):
    def __init__(self, func: ir.Func) -> None:
        super().__init__()
        self._memories = memories_of(func)
        self._final: dict[ir.Stmt, ir.Value] = {}  # copies, by what becomes another name

    def block(self, block: ir.Block) -> ir.Block:
        made = set(_made(block))
        if any(isinstance(s, ir.Assign | ir.Copy) and s.src in made for s in block.stmts):
            self._final.update(self._found(block, made))
        return super().block(block)

    def statement(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, ir.Copy | ir.Assign) and stmt in self._final:
            self.put(self._final[stmt], self.use(stmt.src))
        else:
            super().statement(stmt)

    def _found(self, block: ir.Block, made: set[ir.Value]) -> Iterator[tuple[ir.Stmt, ir.Value]]:
        """The final copies among the statements of ``block``, which makes the arrays ``made``."""
        first, last = self._uses(block)
        for k, stmt in enumerate(block.stmts):
            match stmt:
                case ir.Copy(out=new, src=src):
                    is_new = True
                case ir.Assign(dst=ir.Value() as new, src=src) if new in made and new is not src:
                    memory = self._memories.of(new)
                    is_new = memory.roots == [new] and first[memory] == k
                case _:
                    continue
            if is_new and src in made and self._ends(src, last, k):
                yield stmt, new

    def _ends(self, array: ir.Atom, last: Mapping[Memory, int], k: int) -> bool:
        """True if statement ``k`` is the last to use ``array``, which nobody else knows."""
        memory = self._memories.own(array)
        return memory is not None and memory.roots == [array] and last[memory] == k

    def _uses(self, block: ir.Block) -> tuple[dict[Memory, int], dict[Memory, int]]:
        """The first and the last statement that uses each memory; yields come after them all."""
        first: dict[Memory, int] = {}
        last: dict[Memory, int] = {}
        for k, stmt in enumerate(block.stmts):
            for memory in self._used(ir.used_by(stmt)):
                first.setdefault(memory, k)
                last[memory] = k
        last |= dict.fromkeys(self._used(block.yields), len(block.stmts))
        return first, last

    def _used(self, atoms: Iterable[ir.Atom]) -> Iterator[Memory]:
        for atom in atoms:
            if isinstance(atom, ir.Value) and isinstance(atom.type, Array):
                yield self._memories.of(atom)


def _made(block: ir.Block) -> Iterator[ir.Value]:
    """The arrays that ``block`` itself makes, but for those that grow."""
    for stmt in block.stmts:
        match stmt:
            case ir.Alloc(out=out, growable=False) | ir.Copy(out=out):
                yield out
            case _:
                pass
