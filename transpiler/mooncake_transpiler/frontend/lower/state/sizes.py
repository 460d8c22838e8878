"""Facts about the sizes of arrays at one point of the function."""

from __future__ import annotations

from dataclasses import dataclass, field

from mooncake_transpiler import ir

Shape = tuple[ir.Atom, ...]


@dataclass(frozen=True, slots=True)
class SizeFacts:
    """Facts about the size of an axis, wherever its array goes: at first none.

    ``slim``: it is that of a slice of at most one item.
    """

    size: int | None = None
    slim: bool = False

    def __or__(self, other: SizeFacts) -> SizeFacts:
        """The facts about an axis that is either this one or ``other``."""
        if self == other:
            return self
        return SizeFacts(slim=all(one.slim or one.size in (0, 1) for one in (self, other)))


UNKNOWN = SizeFacts()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Facts that hold in one block only: they are forgotten at the block's end."""

    dims: dict[tuple[ir.Value, int], ir.Atom]
    shrunk: dict[tuple[ir.Atom, int], ir.Atom]
    halves: dict[ir.Atom, ir.Atom]
    equal: dict[ir.Atom, ir.Atom]
    places: dict[tuple[ir.Atom, ir.Atom], ir.Atom]


@dataclass(slots=True)
class Sizes:
    """``shapes``: of arrays that are made with a known one. ``equal``: sizes that a check, an
    annotation or an allocation makes the same; ``shrunk``: ``max(size - k, 0)`` by size and k;
    ``halves``: ``size // 2 + 1`` by size; ``units``: those of slices of at most one item;
    ``places``: where an index into so many items is, counted from the front, if it was checked;
    ``extents``: of axes of arrays that came through a call, a branch or a loop.
    """

    shapes: dict[ir.Value, Shape] = field(default_factory=dict)
    inputs: dict[tuple[ir.Value, int], ir.Atom] = field(default_factory=dict)  # of parameters
    dims: dict[tuple[ir.Value, int], ir.Atom] = field(default_factory=dict)
    shrunk: dict[tuple[ir.Atom, int], ir.Atom] = field(default_factory=dict)
    halves: dict[ir.Atom, ir.Atom] = field(default_factory=dict)
    equal: dict[ir.Atom, ir.Atom] = field(default_factory=dict)
    units: set[ir.Atom] = field(default_factory=set)
    places: dict[tuple[ir.Atom, ir.Atom], ir.Atom] = field(default_factory=dict)
    extents: dict[tuple[ir.Value, int], SizeFacts] = field(default_factory=dict)

    def save(self) -> Snapshot:
        return Snapshot(
            dict(self.dims), dict(self.shrunk), dict(self.halves), dict(self.equal),
            dict(self.places),
        )  # fmt: skip

    def restore(self, known: Snapshot) -> None:
        self.dims, self.shrunk, self.equal = known.dims, known.shrunk, known.equal
        self.halves, self.places = known.halves, known.places

    def leader(self, size: ir.Atom) -> ir.Atom:
        """The one among equal sizes that stands for all."""
        while size in self.equal:
            size = self.equal[size]
        return size

    def same(self, a: ir.Atom, b: ir.Atom) -> bool:
        return self.leader(a) == self.leader(b)

    def equate(self, a: ir.Atom, b: ir.Atom) -> None:
        a, b = self.leader(a), self.leader(b)
        if a == b:
            return
        if isinstance(a, ir.Const):
            a, b = b, a
        self.equal[a] = b

    def same_shape(self, a: ir.Atom, b: ir.Atom) -> Shape | None:
        """The shape that two arrays are both known to have."""
        if not isinstance(a, ir.Value) or not isinstance(b, ir.Value):
            return None
        one, other = self.shapes.get(a), self.shapes.get(b)
        if one is None or other is None or not all(map(self.same, one, other)):
            return None
        return one
