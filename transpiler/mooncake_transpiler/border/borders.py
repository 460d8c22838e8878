"""The work of the plain Python functions in front of compiled ones: assigning fields and lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from mooncake_transpiler.border.paths import fields
from mooncake_transpiler.types import NONE, List, ListKind, OneOf, Scalar, Tuple, Type

CONTENT = "[:]"  # how the path of what a list holds ends


def flat(path: str) -> str:
    """``path`` as a name: ``ends[0].t`` is ``ends_0_t``."""
    name = re.sub(r"\W+", "_", path).strip("_")
    return f"_{name}" if name[:1].isdecimal() else name  # of a parameter that is called ``_``


def root(path: str) -> str:
    """The parameter that ``path`` begins with."""
    return re.split(r"[.\[]", path)[0]


@dataclass(frozen=True, slots=True)
class Rebound:
    """A field of an object that is a parameter, ``state.t``, and that the function assigns.

    Or all items of a list that it changes, ``xs[:]``, or a field of all objects in one,
    ``bodies[:].x``. ``in_place``: these are arrays that it changes, and puts no others there.
    ``relinks``: they refer to others of the objects, by their numbers.
    """

    path: str
    type: Type
    in_place: bool = False
    relinks: bool = False

    @property
    def is_content(self) -> bool:
        return self.path.endswith(CONTENT)

    @property
    def is_dict(self) -> bool:
        """True for all items of a dict."""
        return self.is_content and isinstance(self.type, List) and self.type.kind is ListKind.DICT

    @property
    def is_column(self) -> bool:
        """True for a field of all objects in a list."""
        return bool(self.access)

    @property
    def root(self) -> str:
        """The parameter that the path begins with."""
        return root(self.path)

    @property
    def holder(self) -> str:
        return self.path[: -len(self.place)]

    @property
    def place(self) -> str:
        """The end of the path, behind the holder: ``.t``, ``[:]``, ``[:].t``, ``[:]["t"]``."""
        is_item = self.is_content or self.is_column
        return f"{CONTENT}{self.access}" if is_item else f".{self.field}"

    @property
    def field(self) -> str:
        """The name of the field, or the key of a dict."""
        return self.access[2:-2] if self.access[:1] == "[" else self.path.rpartition(".")[2]

    @property
    def access(self) -> str:
        """The way from an item of a list to what is there."""
        return self.path.rpartition(CONTENT)[2] if CONTENT in self.path else ""

    @property
    def label(self) -> str:
        """A name for what is there."""
        return flat(self.holder.rpartition(".")[2] if self.is_content else self.field)

    def kept(self, holder: Type) -> Type:
        """The type of what is remembered of it; ``holder`` may be another object, or none."""
        if isinstance(holder, OneOf) and not isinstance(self.type, Scalar):
            return OneOf((self.type, NONE))
        return self.type


@dataclass(frozen=True, slots=True)
class Fork:
    """A place on the way to a path: only those that are ``going`` have what comes next on it."""

    at: str
    going: tuple[Type, ...]
    others: tuple[Type, ...]


def way(type_: Type, start: str, path: str) -> tuple[list[Fork], Type]:
    """The forks on the way from ``start``, of ``type_``, to ``path``; the type of what is there."""
    at, found = start, list(_options(type_))
    forks: list[Fork] = []
    while at != path:
        steps = [next(_steps(option, at, path), None) for option in found]
        going = [option for option, step in zip(found, steps, strict=True) if step is not None]
        others = [option for option, step in zip(found, steps, strict=True) if step is None]
        if others:
            forks.append(Fork(at, tuple(going), tuple(others)))
        taken = [step for step in steps if step is not None]
        at = taken[0][0]
        found = list(dict.fromkeys(option for _, inner in taken for option in _options(inner)))
    if forks and NONE not in found:
        found.append(NONE)
    return forks, found[0] if len(found) == 1 else OneOf(tuple(found))


def _options(type_: Type) -> Sequence[Type]:
    return type_.options if isinstance(type_, OneOf) else (type_,)


def _steps(type_: Type, at: str, path: str) -> Iterator[tuple[str, Type]]:
    """The item of a value of ``type_`` at ``at`` that leads to ``path``, if it has one."""
    if isinstance(type_, List) and path.startswith(at + CONTENT):
        yield path, type_
    if isinstance(type_, Tuple):
        for inner, item in fields(type_, at):
            if path == inner or path.startswith((f"{inner}.", f"{inner}[")):
                yield inner, item


@dataclass(frozen=True, slots=True)
class Apart:
    """A check that no item of ``items`` has ``other``, which is written, at ``access``."""

    items: str
    access: str
    other: str
    optional: bool = False  # the list may be None


@dataclass(frozen=True, slots=True)
class Unshared:
    """A check that arrays, which are written, share memory neither with one another nor others.

    They are at ``access`` of the items of ``items``; ``others`` are parts of parameters, and
    ``listed`` lists, each with what is meant of its items, and true if it may be None.
    """

    items: str
    access: str
    others: tuple[str, ...] = ()
    listed: tuple[tuple[str, str, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Distinct:
    """A check that no object stands twice in the list ``items``."""

    items: str


@dataclass(frozen=True, slots=True)
class Disjoint:
    """A check that no object is reached both from the one at ``path`` and from that at ``other``.

    ``held``: the variables that have the objects which are reached.
    """

    path: str
    other: str
    held: tuple[str, str] = ("", "")


Check = Apart | Unshared | Distinct | Disjoint


class Action(Enum):
    """The treatment of rebound fields at the border between Python and compiled code."""

    NONE = "nothing"
    ASSIGN = "assign"  # they get their last values, the second item of the result
    RESTORE = "restore"  # they get back what they held before


@dataclass(frozen=True, slots=True)
class Border:
    """The fields of parameters that the primal assigns, and what a function does about them.

    Compiled code does not see objects: last values are results of it. ``holders``: the objects
    with such fields, by path, with their types, None among them where they may not be there.
    ``tangents``: the fields of tangents that are assigned, too; their last values are the last item
    of the result. ``apart``: what is written, and lists that must not hold it.
    ``told_apart``: lists of objects each of which is taken for another one. ``alike``: what holds
    tangents that are linked as their primals are in the end, and the path of these. ``words``:
    texts that are keys of dicts, and that the function names.
    """

    rebound: tuple[Rebound, ...] = ()
    action: Action = Action.NONE
    holders: tuple[tuple[str, Type], ...] = ()
    tangents: tuple[Rebound, ...] = ()
    apart: tuple[Check, ...] = ()
    told_apart: tuple[str, ...] = ()
    alike: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()


NO_BORDER = Border()
