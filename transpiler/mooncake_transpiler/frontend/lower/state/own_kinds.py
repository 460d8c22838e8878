"""Kinds of tuples that are the compiler's own: lists, dicts and the like as lowering holds them.

They stand where a tuple of the user's has its class. The texts are for messages about types, and
for the order of pools.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mooncake_transpiler.frontend.lower.state.whose import Whose
from mooncake_transpiler.types import ClassRef, DType, OwnKind, Selector, Type


class Held(OwnKind, Enum):
    """Kinds without parameters."""

    ROWS = "rows"  # the items of a list whose length is known at run time only, in arrays
    LISTED = "list"  # what there is to say about a list whose items are variables
    SEARCHED = "searched"  # about a dict that is a list of pairs
    RECORD = "record"  # about a dict that is a parameter
    MAYBE = "maybe"  # a value that may be None: whether it is there, and the value
    EITHER = "either"  # a number or an array: if it is the first one, and both
    KINDS = "kinds"  # an object of one of several classes: if it is of the first one, and both
    TOLD = "told"  # one of several texts: its number
    TEXT = "text"  # a text that the run tells: its number
    EXTENT = "extent"  # of an array, for shadows that overlap
    OVERLAP = "overlap"  # the shadows of all

    def __str__(self) -> str:
        return f"%{self.value}"


@dataclass(frozen=True, slots=True)
class ToldItems(OwnKind):
    """The numbers of members of enums, or texts, in a list: which of ``options`` each one is."""

    options: tuple[Selector, ...]

    def __str__(self) -> str:
        return f"%told:{'|'.join(map(str, self.options))}"


@dataclass(frozen=True, slots=True)
class Growing(OwnKind):
    """The description of a list that grows: its length; ``number`` names its arrays."""

    number: int

    def __str__(self) -> str:
        return f"%growing{self.number}"


@dataclass(frozen=True, slots=True)
class Ragged(OwnKind):
    """Arrays of any shape, of ``ndim`` axes each."""

    ndim: int

    def __str__(self) -> str:
        return f"%ragged{self.ndim}"


@dataclass(frozen=True, slots=True)
class Tupled(OwnKind):
    """The number of a tuple in the list ``place`` of tuples that pools hold."""

    place: int

    def __str__(self) -> str:
        return f"%tuple:{self.place}"


@dataclass(frozen=True, slots=True)
class Pooled(OwnKind):
    """The number of a list in the pool of lists of ``items``, or of a tuple there.

    ``is_dict``: of a dict, whose pairs these are.
    """

    items: PoolItem
    is_tuple: bool = False
    is_dict: bool = False

    def __str__(self) -> str:
        kind = ":dict" if self.is_dict else ":tuple" * self.is_tuple
        return f"%pooled:{text_of(self.items)}{kind}"


@dataclass(frozen=True, slots=True)
class Rowed:
    """Items of lists in a pool: objects of a class of the program, which are rows of a table."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"%row:{self.module}:{self.name}"


@dataclass(frozen=True, slots=True)
class Empty:
    """Items of lists in a pool that hold nothing yet, made by the statement at ``place``."""

    place: str

    def __str__(self) -> str:
        return f"empty {self.place}"


@dataclass(frozen=True, slots=True)
class RowOf(OwnKind):
    """An object in a table, or None, as a function is given it: behind a bool its number."""

    of: ClassRef

    def __str__(self) -> str:
        return f"%row of {self.of.name}"


@dataclass(frozen=True, slots=True)
class TableOf(OwnKind):
    """The columns of a table, as a function is given them, and whose numbers are in each array."""

    of: ClassRef
    columns: tuple[tuple[str, Type], ...]
    kinds: tuple[Whose | None, ...]
    grows: bool = False

    def __str__(self) -> str:
        return f"%table of {self.of.name}"


@dataclass(frozen=True, slots=True)
class PoolOf(OwnKind):
    """The arrays of a pool of lists, as a function is given them, and whose numbers are in each."""

    items: PoolItem
    kinds: tuple[Whose | None, ...]
    grows: bool = False

    def __str__(self) -> str:
        return f"%pool of {text_of(self.items)}"


PoolItem = DType | Pooled | Tupled | Rowed | Empty  # the items of lists in a pool


def text_of(items: PoolItem) -> str:
    """The text by which pools are sorted."""
    return items.value if isinstance(items, DType) else str(items)
