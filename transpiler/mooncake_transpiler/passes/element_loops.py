"""Loops over elements in place of whole-array updates: what loop fusion can fuse.

    before                          after
    v[...] += t                     n: int64 = dim v, 0
                                    for i in 0..n step 1:
                                      a: float64 = load t[i]
                                      v[i] += a

Only between two memories of one dtype, so that no element is written before it is read.
"""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import memories_of
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import Array


def element_loops(func: ir.Func, only: set[ir.Value]) -> ir.Func:
    """Write as loops the updates that one of the arrays ``only`` takes part in."""
    return _Loops(func, only).run(func)


class _Loops(Rewriter):
    def __init__(self, func: ir.Func, only: set[ir.Value]) -> None:
        super().__init__()
        self._memories = memories_of(func)
        self._only = only

    def statement(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, ir.Assign | ir.AddTo) and self._is_apart(stmt):
            self.stmts += _loop(stmt).stmts
        else:
            super().statement(stmt)

    def _is_apart(self, stmt: ir.Assign | ir.AddTo) -> bool:
        """True if ``stmt`` moves elements from one memory to another."""
        dst, src = stmt.dst, stmt.src
        return (
            isinstance(src.type, Array)
            and isinstance(dst.type, Array)
            and src.type.dtype is dst.type.dtype
            and src.type.ndim == dst.type.ndim
            and (src in self._only or dst in self._only)
            and self._memories.of(src) is not self._memories.of(dst)
        )


def _loop(stmt: ir.Assign | ir.AddTo) -> Builder:
    """The statements that do to each element what ``stmt`` does."""
    loop = Builder(stmt.origin, free=stmt.free)

    def element(inner: Builder, index: Sequence[ir.Value]) -> None:
        value = inner.load(stmt.src, index)
        (inner.accum if isinstance(stmt, ir.AddTo) else inner.store)(stmt.dst, index, value)

    loop.each(stmt.dst, element)
    return loop
