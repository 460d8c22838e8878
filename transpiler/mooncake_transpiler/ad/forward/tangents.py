"""The tangents of the values of one function, while its statements are being written.

A tangent has as many *lanes* as there are directions to differentiate in at once: one value of the
type of the primal each. Arrays that have a tangent have an array of the same shape in each lane.
No tangent is a zero one that costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from mooncake_transpiler import ir
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import Array, Scalar

Dots = tuple[ir.Atom, ...]  # one for each lane


class Tangents:
    """Tangents by primal value."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self._dots: dict[ir.Atom, Dots] = {}
        self._units: dict[ir.Value, tuple[tuple[int, ...], int]] = {}

    def get(self, atom: ir.Atom) -> Dots | None:
        """The tangent of ``atom``; None is zero."""
        return self._dots.get(atom)

    def set(self, value: ir.Value, dots: Dots) -> None:
        assert len(dots) == self.lanes
        self._dots[value] = dots

    def set_units(self, array: ir.Value, shape: tuple[int, ...], first: int) -> None:
        """The lanes of ``array``, which nobody writes, are all unit vectors of that shape.

        They begin at lane ``first``; the other lanes are zero.
        """
        self._units[array] = shape, first

    def element(self, load: ir.Load) -> Dots | None:
        """The tangent of a loaded element, where the tangents of its array are unit vectors."""
        units = self._units.get(load.base) if isinstance(load.base, ir.Value) else None
        if units is None:
            return None
        shape, first = units
        at = _number(load.index, shape)
        if at is None:
            return None
        type_ = load.out.type
        assert isinstance(type_, Scalar)
        return tuple(ir.Const(float(lane == first + at), type_) for lane in range(self.lanes))

    def new(self, value: ir.Value) -> tuple[ir.Value, ...]:
        """New values for the tangent of ``value``, named after it."""
        dots = tuple(ir.Value(self.hint(value, k), value.type) for k in range(self.lanes))
        self.set(value, dots)
        return dots

    def hint(self, value: ir.Value, lane: int) -> str:
        """The name of one lane of the tangent of ``value``."""
        if not value.hint:
            return ""
        return f"{value.hint}_dot" if self.lanes == 1 else f"{value.hint}_dot{lane}"

    def whole(self, atom: ir.Atom, b: Builder) -> Dots:
        """The tangent of ``atom``, with zeros written out."""
        return self.get(atom) or self.zeros(atom, b)

    def zeros(self, atom: ir.Atom, b: Builder) -> Dots:
        """A zero tangent of ``atom``: for an array, new memory."""
        lanes = range(self.lanes)
        hints = [self.hint(atom, k) if isinstance(atom, ir.Value) else "" for k in lanes]
        return tuple(_zero(atom, hint, b) for hint in hints)

    def all(self, atoms: Iterable[ir.Atom], b: Builder) -> list[ir.Atom]:
        """The tangents of ``atoms`` in a row, with zeros written out."""
        return [dot for atom in atoms for dot in self.whole(atom, b)]


def _zero(atom: ir.Atom, hint: str, b: Builder) -> ir.Atom:
    if isinstance(atom, ir.Undef):
        return atom
    if isinstance(atom.type, Scalar):
        return ir.zero(atom.type)
    assert isinstance(atom.type, Array)
    shape = b.shape(atom)
    return b.alloc(atom.type, shape, ir.zero(Scalar(atom.type.dtype)), hint)


def _number(index: Iterable[ir.Atom], shape: Iterable[int]) -> int | None:
    """The number of the element at ``index``, in C order, if it is known and inside."""
    number = 0
    for atom, size in zip(index, shape, strict=True):
        if not isinstance(atom, ir.Const) or not isinstance(atom.value, int):
            return None
        if not 0 <= atom.value < size:
            return None
        number = number * size + atom.value
    return number
