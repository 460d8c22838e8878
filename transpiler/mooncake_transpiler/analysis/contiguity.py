"""Arrays without gaps, in C order: those can be given another shape without a copy."""

from __future__ import annotations

from collections.abc import Callable
from itertools import dropwhile

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions

Known = Callable[[ir.Value, ir.Stmt | None], bool]  # an array, and what binds it


def is_leading(view: ir.View) -> bool:
    """True if the view of a contiguous array is contiguous whatever the sizes are."""
    if view.axes or view.part not in ("", ir.DETACHED):
        return False
    items = (item for item in view.index if not isinstance(item, ir.NewAxis))
    slices = list(dropwhile(lambda item: not isinstance(item, ir.Slice), items))
    if not slices:
        return True
    first, *rest = slices
    assert isinstance(first, ir.Slice)
    return first.step in (None, ir.ONE) and all(map(_is_whole, rest))


def _is_whole(item: ir.Index) -> bool:
    return isinstance(item, ir.Slice) and item in (ir.Slice(), ir.Slice(step=ir.ONE))


class Contiguity:
    """Proofs that arrays of a function are contiguous; ``known`` decides for the others."""

    def __init__(self, defs: Definitions, known: Known) -> None:
        self._defs = defs
        self._known = known
        self._sources: dict[ir.Value, tuple[ir.Atom, ...]] = {}  # of what loops carry
        for stmt in set(defs.stmt.values()):
            if isinstance(stmt, ir.For | ir.While):
                ends = zip(stmt.inits, stmt.body.yields, strict=True)
                for param, out, both in zip(stmt.params, stmt.outs, ends, strict=True):
                    self._sources[param] = self._sources[out] = both

    def holds(self, array: ir.Atom) -> bool:
        return self._holds(array, set())

    def _holds(self, array: ir.Atom, assumed: set[ir.Atom]) -> bool:
        """True if ``array`` is contiguous, given that the initial arrays ``assumed`` are."""
        if not isinstance(array, ir.Value) or array in assumed:
            return True
        match made := self._defs.stmt.get(array):
            case ir.Alloc() | ir.Copy() | ir.Reshape():
                return True
            case ir.View(base=base) as view:
                return is_leading(view) and self._holds(base, assumed)
            case ir.If() as branch:
                sources: tuple[ir.Atom, ...] = ir.arms(branch, array)
            case _ if array in self._sources:
                sources = self._sources[array]
            case _:
                return self._known(array, made)
        assumed.add(array)
        return all(self._holds(source, assumed) for source in sources)
