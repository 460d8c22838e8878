"""Shapes of arrays as symbols: equal symbols are equal sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.types import Array


@dataclass(frozen=True, slots=True)
class Extent:
    """A size: ``axis`` of the array ``atom``, or the integer ``atom`` itself (``axis`` None)."""

    atom: ir.Atom
    axis: int | None


class Extents:
    """Shapes in a loop whose carried arrays are taken to have the shapes of their ``inits``."""

    def __init__(self, defs: Definitions, inits: Mapping[ir.Value, ir.Atom]) -> None:
        self._defs = defs
        self._inits = inits

    def shape(self, array: ir.Atom) -> tuple[Extent, ...] | None:
        """The shape of ``array``, or None if it is not known."""
        assert isinstance(array.type, Array)
        found = [self._extent(array, axis) for axis in range(array.type.ndim)]
        known = tuple(extent for extent in found if extent is not None)
        return known if len(known) == len(found) else None

    def _extent(self, array: ir.Atom, axis: int) -> Extent | None:
        if not isinstance(array, ir.Value):
            return None
        if array in self._inits:
            return self._extent(self._inits[array], axis)
        match self._defs.stmt.get(array):
            case ir.Alloc(shape=shape):
                return self._size(shape[axis])
            case ir.Copy(src=src):
                return self._extent(src, axis)
            case ir.View():
                base, place = self._defs.whole_axis(array, axis)
                return None if base is array else self._extent(base, place)
            case ir.If(outs=outs, then=then, orelse=orelse):
                k = outs.index(array)
                a, b = self._extent(then.yields[k], axis), self._extent(orelse.yields[k], axis)
                return a if a == b else None
            case ir.For() | ir.While():
                return None
            case _:
                return Extent(array, axis)

    def _size(self, atom: ir.Atom) -> Extent | None:
        made = self._defs.stmt.get(atom) if isinstance(atom, ir.Value) else None
        if isinstance(made, ir.Dim):
            return self._extent(made.array, made.axis)
        return Extent(atom, None)
