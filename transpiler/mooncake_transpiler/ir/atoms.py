"""The parts of statements: values, constants, indices, and the places they come from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mooncake_runtime.text_numbers import number_of

from mooncake_transpiler.diagnostic.diagnostics import Place
from mooncake_transpiler.types import Array, DType, Scalar, Type


@dataclass(frozen=True, slots=True)
class Origin:
    """The user statement that a statement comes from, numbered within its function."""

    path: str
    line: int
    col: int
    text: str  # first line of the user's statement, for the comment above its adjoint
    index: int  # distinct per source statement within one top-level function
    adjoint: bool = False  # the statement belongs to the reverse sweep: emitted under a comment

    @property
    def place(self) -> Place:
        return Place(self.path, self.line, self.col, self.col + len(self.text))


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A name bound once. ``hint`` is the user's name, or empty for a temporary."""

    hint: str
    type: Type


class TextNumber(int):
    """The number of a ``text`` that is known ahead of time."""

    text: str

    @staticmethod
    def of(text: str) -> TextNumber:
        number = TextNumber(number_of(text))
        number.text = text
        return number


@dataclass(frozen=True, slots=True)
class Const:
    value: bool | int | float | complex
    type: Scalar


@dataclass(frozen=True, slots=True)
class Undef:
    """A value that is never looked at (the other arm of a branch that leaves)."""

    type: Type


Atom = Value | Const | Undef


def values_of(atoms: Iterable[Atom]) -> tuple[Value, ...]:
    """The values among ``atoms``, constants left out."""
    return tuple([atom for atom in atoms if isinstance(atom, Value)])


def dtype_of(array: Atom) -> DType:
    """The type of the elements of ``array``."""
    assert isinstance(array.type, Array)
    return array.type.dtype


def same(a: Atom, b: Atom) -> bool:
    """True if two atoms certainly are the same value (0.0 and -0.0 are not)."""
    return a is b or key(a) == key(b)


def key(atom: Atom) -> object:
    """A hashable that is equal for the same atoms."""
    match atom:
        case Const(value=value, type=type_):
            return (repr(value), type_)
        case Value() | Undef():
            return atom


@dataclass(frozen=True, slots=True)
class Slice:
    """``lo:hi:step`` of a view; ``None`` as in Python."""

    lo: Atom | None = None
    hi: Atom | None = None
    step: Atom | None = None

    @property
    def cut(self) -> int | None:
        """By how much it is shorter than its axis, if bounds tell; None if they don't."""
        match self.lo, self.hi, self.step:
            case None, None, None | Const(value=1 | -1):
                return 0
            case Const(value=int(lo)), None, None | Const(value=1) if lo >= 0:
                return lo
            case None, Const(value=int(hi)), None | Const(value=1) if hi < 0:
                return -hi
            case Const(value=int(lo)), Const(value=int(hi)), None | Const(value=1) if lo >= 0 > hi:
                return lo - hi
            case _:
                return None


@dataclass(frozen=True, slots=True)
class NewAxis:
    """An axis of length one in a view's result; it stands for no axis of the base."""


Index = Atom | Slice | NewAxis  # an integer atom drops its axis; missing trailing axes are whole


def index_axes(index: tuple[Index, ...], ndim: int) -> list[tuple[int, Slice] | None]:
    """For each axis of ``base[index]`` the axis of the base and its slice; None: a new axis."""
    found: list[tuple[int, Slice] | None] = []
    taken = 0
    for item in index:
        if isinstance(item, NewAxis):
            found.append(None)
            continue
        if isinstance(item, Slice):
            found.append((taken, item))
        taken += 1
    return found + [(axis, Slice()) for axis in range(taken, ndim)]
