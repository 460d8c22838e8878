"""Objects that can be changed, by their identity; arrays that are seen from a place."""

from __future__ import annotations

from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl
from mooncake_transpiler.frontend.lower.state.flags import number_of

Arms = tuple[tuple[int, bool], ...]  # of the branches around a place: their numbers, and which


@dataclass(frozen=True, slots=True, eq=False)
class Ref:
    """An object that can be changed: what it holds are variables of the frame (``objects``)."""

    key: str
    cls: ClassDecl
    hint: str = ""
    arms: Arms = ()  # where it was made

    @property
    def number(self) -> int:
        """The number of the object: those that are made later have greater ones."""
        return number_of(self.key)


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhood:
    """An array as the kernel of a stencil sees it: indices count from ``place``."""

    array: ir.Value
    place: tuple[ir.Atom, ...]
