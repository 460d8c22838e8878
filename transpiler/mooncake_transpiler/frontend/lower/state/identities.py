"""Operands that refer to no others: objects by their identity, texts by their number, and marks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import libcst as cst
import numpy as np

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import ClassDecl
from mooncake_transpiler.frontend.lower.state.flags import number_of
from mooncake_transpiler.types import DType

if TYPE_CHECKING:
    OfType = DType | np.finfo[Any] | np.iinfo[Any]
else:  # older versions of NumPy have them without parameters
    OfType = DType | np.finfo | np.iinfo
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


@dataclass(frozen=True, slots=True)
class RunText:
    """Text that the run tells, by its number; it has a type that says so (``Held.TEXT``)."""

    number: ir.Atom


@dataclass(frozen=True, slots=True)
class Turned:
    """A fact about text: these methods make ``text`` of it, or (unless it ``holds``) do not."""

    methods: tuple[str, ...]
    text: str
    holds: bool


@dataclass(frozen=True, slots=True, eq=False)
class Once:
    """The mark of an iterator: it can be run through once only.

    It was made in ``frame`` by the call ``node``, inside of so many loops. ``readers``: what has
    read its variable.
    """

    node: cst.CSTNode
    frame: object
    loops: int
    readers: list[cst.CSTNode] = field(default_factory=list)


class StepsNeeded(Exception):
    """The iterator that ``node`` makes may be read more than once: it must keep its place."""

    def __init__(self, node: cst.CSTNode) -> None:
        super().__init__()
        self.node = node


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """The ``items`` that are spread (``Elements``); ``bound`` binds all arguments to parameters.

    ``refusal``: where how many they are must be known.
    """

    items: Any
    bound: Callable[..., tuple[dict[str, Any], Any]]
    refusal: Refused
