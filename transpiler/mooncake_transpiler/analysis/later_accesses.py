"""Later accesses: proofs that an element which was read, or written, is not met again.

    for t in range(1, n):
        h[t] = f(h[t - 1])      h[t - 1] stays: the iterations that follow write behind it

So the reverse sweep finds it where it was, and nothing of it need be saved. An access is later in a
later iteration of any loop around both, or further down in the same one; for each of these an axis
must tell the two apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Access, Position, WholeAxis
from mooncake_transpiler.analysis.integers import Integers, LinearSum, values_in

Loop = ir.For | ir.While


class LaterAccesses:
    """Proofs that elements are not accessed again; False means not proved."""

    def __init__(self, integers: Integers) -> None:
        self._integers = integers
        self._bound: dict[Loop, set[ir.Value]] = {}

    def miss(
        self, first: Access, later: Access | None, loops: Sequence[Loop], *, is_below: bool
    ) -> bool:
        """True if ``later`` never comes to an element after ``first`` has been there.

        ``loops`` are those around both; ``is_below``: ``later`` stands further down.
        """
        if later is None or later.root is not first.root or self._integers.defs.grows(first.root):
            return False
        if self._is_chosen(first.root, loops):
            return False
        axes = list(zip(first.index, later.index, strict=False))
        if is_below and not any(self._integers.differ(p, q) for p, q in axes):
            return False
        return all(any(self._moves_away(p, q, loop) for p, q in axes) for loop in loops)

    def _is_chosen(self, root: ir.Value, loops: Sequence[Loop]) -> bool:
        """True if iterations may know other parts of one array by the name ``root``."""
        made = self._integers.defs.stmt.get(root)
        is_new = isinstance(made, ir.Alloc | ir.Copy)
        return not is_new and any(root in self._inside(loop) for loop in loops)

    def _moves_away(self, first: Position, later: Position, loop: Loop) -> bool:
        """True if all later iterations of ``loop`` have ``later`` on one side of ``first``."""
        if isinstance(first, WholeAxis) or isinstance(later, WholeAxis):
            return False
        if not isinstance(loop, ir.For) or not isinstance(loop.step, ir.Const):
            return False
        if not (self._integers.nonnegative(first) and self._integers.nonnegative(later)):
            return False
        p, q = self._integers.of(first), self._integers.of(later)
        apart = q.plus(p, -1)
        if apart.terms or not self._is_fixed(p, loop) or not self._is_fixed(q, loop):
            return False
        step = p.terms.get(loop.index, 0) * int(loop.step.value.real)
        return (step > 0 and apart.const + step > 0) or (step < 0 and apart.const + step < 0)

    def _is_fixed(self, total: LinearSum, loop: Loop) -> bool:
        """True if ``total`` depends on ``loop`` by its index alone."""
        inside = self._inside(loop)
        index = loop.index if isinstance(loop, ir.For) else None
        return all(
            value is index or value not in inside for t in total.terms for value in values_in(t)
        )

    def _inside(self, loop: Loop) -> set[ir.Value]:
        if loop not in self._bound:
            self._bound[loop] = ir.bound_by(loop)
        return self._bound[loop]
