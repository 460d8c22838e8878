"""Arrays without gaps, in C order: those can be given another shape without a copy."""

from __future__ import annotations

from collections.abc import Callable
from itertools import dropwhile

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions

Known = Callable[[ir.Value, ir.Stmt | None], bool]  # an array, and what binds it
ONE = ir.int_const(1)


def is_leading(view: ir.View) -> bool:
    """Whether the view of a contiguous array is contiguous whatever the sizes are."""
    if view.axes or view.part not in ("", "detached"):
        return False
    items = (item for item in view.index if not isinstance(item, ir.NewAxis))
    slices = list(dropwhile(lambda item: not isinstance(item, ir.Slice), items))
    if not slices:
        return True
    first, *rest = slices
    assert isinstance(first, ir.Slice)
    return first.step in (None, ONE) and all(map(_is_whole, rest))


def _is_whole(item: ir.Index) -> bool:
    return isinstance(item, ir.Slice) and item in (ir.Slice(), ir.Slice(step=ONE))


class Contiguity:
    """Which arrays of a function are contiguous, if those are that ``known`` says are."""

    def __init__(self, defs: Definitions, known: Known) -> None:
        self._defs = defs
        self._known = known

    def holds(self, array: ir.Atom) -> bool:
        if not isinstance(array, ir.Value):
            return True
        match made := self._defs.stmt.get(array):
            case ir.Alloc() | ir.Copy() | ir.Reshape():
                return True
            case ir.View(base=base) as view:
                return is_leading(view) and self.holds(base)
            case ir.If(outs=outs, then=then, orelse=orelse):
                arms = (arm.yields[outs.index(array)] for arm in (then, orelse))
                return all(map(self.holds, arms))
            case _:
                return self._known(array, made)
