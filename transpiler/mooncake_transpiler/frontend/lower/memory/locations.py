"""Places in arrays: what a subscript stands for before it is read or written."""

from __future__ import annotations

from dataclasses import dataclass

from mooncake_rules.arrays import Arr

from mooncake_transpiler import ir
from mooncake_transpiler.types import Array


@dataclass(frozen=True, slots=True)
class Location:
    """A part of an array in memory: one index per leading axis, and new axes between them."""

    base: ir.Atom
    index: tuple[ir.Index, ...]

    @property
    def type(self) -> Array:
        assert isinstance(self.base.type, Array)
        dropped = len(self.integers)
        added = sum(isinstance(item, ir.NewAxis) for item in self.index)
        return Array(self.base.type.dtype, self.base.type.ndim - dropped + added)

    @property
    def is_element(self) -> bool:
        return self.type.ndim == 0

    @property
    def is_plain(self) -> bool:
        """True if all indices are integers."""
        return len(self.integers) == len(self.index)

    @property
    def integers(self) -> tuple[ir.Atom, ...]:
        return tuple(i for i in self.index if not isinstance(i, ir.Slice | ir.NewAxis))


@dataclass(frozen=True, slots=True)
class Picked:
    """A part of an array by index arrays, or any part of a delayed one."""

    base: Arr
    items: tuple[object, ...]
