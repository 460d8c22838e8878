"""Exceptions: their classes, and the ways in which a function may raise them."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, ClassKind, Entity, External, Source
from mooncake_transpiler.frontend.lower.state.flags import BoundNames
from mooncake_transpiler.frontend.lower.state.identities import Arms, Ref
from mooncake_transpiler.frontend.name.scopes import resolve

LINALG = "numpy.linalg.LinAlgError"
# Classes of libraries, all of them ValueErrors, by their own names.
LIBRARY = {"LinAlgError": LINALG, "StatisticsError": "statistics.StatisticsError"}
ALIASES = {"scipy.linalg.LinAlgError": LINALG, "numpy.linalg.linalg.LinAlgError": LINALG}
MODULE = "builtins"
TELLING = External("mooncake_runtime.instances.Raised")  # tells what fields hold
FORMATTED = External("mooncake_runtime.formatted.Formatted")  # tells numbers


@dataclass(frozen=True, slots=True)
class ErrorClass:
    """An exception class: ``ValueError``, ``numpy.linalg.LinAlgError``, ``module:MyError``.

    ``line``: the names of itself and of all that it is derived from.
    """

    name: str
    line: frozenset[str]
    decl: ClassDecl = field(compare=False)

    @property
    def raised(self) -> str | ir.ProgramClass:
        """The class, as ``Raise`` has it."""
        if self.decl.module == MODULE:
            return self.name
        return ir.ProgramClass(self.decl.module, self.decl.name)

    def is_a(self, other: ErrorClass) -> bool:
        return other.name in self.line


@dataclass(frozen=True, slots=True)
class Error:
    """One way in which a function may fail. Its message is ``text``, where that is known.

    ``problem`` says why it can't leave the function, as what it is made of is not text.
    ``is_exact``: the text is that of the source, in which nothing is filled in.
    """

    cls: ErrorClass
    text: str | None
    problem: str = ""
    is_exact: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """The names bound on one way to a place, where it begins, and how many objects there were."""

    bound: BoundNames
    arms: Arms
    age: int

    def has(self, ref: Ref) -> bool:
        """True if ``ref`` may be there: not if it was made later, or in another arm."""
        return ref.number <= self.age and not any(
            (number, not arm) in ref.arms for number, arm in self.arms
        )


@dataclass(slots=True)
class Ways:
    """The ways to a place by jumps."""

    all: list[Way] = field(default_factory=list)

    @property
    def bounds(self) -> list[BoundNames]:
        return [way.bound for way in self.all]

    def add(self, bound: BoundNames, arms: Arms, age: int) -> None:
        self.all.append(Way(bound, arms, age))

    def forget(self, count: int) -> None:
        """Drop all but the first ``count``: what the others come from is lowered again."""
        del self.all[count:]

    def join(self, own: str, sides: Sequence[tuple[Ref, str]]) -> None:
        """``own`` stands for that one of ``sides``, fields of objects, which is there.

        A name that is bound though its object was made later stands for one that is there.
        """
        for k, way in enumerate(self.all):
            if way.bound is None:
                continue
            there = [name for ref, name in sides if way.has(ref) or name in way.bound]
            if there and way.bound.issuperset(there):
                self.all[k] = replace(way, bound=way.bound | {own})

    def also(self, names: BoundNames, start: int) -> None:
        """``names`` are bound, too, on all ways from number ``start`` on."""
        for k in range(start, len(self.all)):
            way = self.all[k]
            if way.bound is not None and names is not None:
                self.all[k] = replace(way, bound=way.bound | names)


@dataclass(slots=True)
class Attempt:
    """A ``try`` whose body is lowered: what its handlers catch, and whether it has a ``finally``.

    ``raised``: the exceptions that may come from the body, by number; ``bounds``: what is bound
    where they do, ``left``: where a jump leaves the body; ``depth``: the loops around it, and
    ``returned`` the ways in which the function had ended before.
    """

    catches: tuple[ErrorClass, ...]
    cleans: bool
    depth: int
    raised: dict[int, None] = field(default_factory=dict)
    bounds: Ways = field(default_factory=Ways)
    left: list[BoundNames] = field(default_factory=list)
    returned: int = 0


@cache
def builtin(name: str) -> ErrorClass | None:
    """The class that Python calls ``name``, if it is an exception."""
    found = getattr(builtins, name, None)
    if not isinstance(found, type) or not issubclass(found, BaseException):
        return None
    line = frozenset(base.__name__ for base in found.__mro__ if base is not object)
    return ErrorClass(found.__name__, line, _declared(found.__name__))


def known(name: str) -> ErrorClass:
    """A class that is there for certain."""
    found = builtin(name)
    assert found is not None
    return found


@cache
def of_library(qualname: str) -> ErrorClass:
    """A class of ``LIBRARY``, by where it is."""
    line = known("ValueError").line | {qualname}
    return ErrorClass(qualname, line, _declared(qualname.rpartition(".")[2]))


def linear_algebra() -> ErrorClass:
    return of_library(LINALG)


def _declared(name: str) -> ClassDecl:
    """A class of Python's as one of the program, without methods."""
    node = cst.ClassDef(cst.Name(name), cst.IndentedBlock([]))
    return ClassDecl(MODULE, name, node, ClassKind.PLAIN)


def of_entity(source: Source, entity: Entity | None) -> ErrorClass | None:
    """The exception class that a name stands for."""
    match entity:
        case External(qualname=qualname) if ALIASES.get(qualname, qualname) in LIBRARY.values():
            return of_library(ALIASES.get(qualname, qualname))
        case External(qualname=qualname):
            module, _, name = qualname.rpartition(".")
            return builtin(name) if module == MODULE else None
        case ClassDecl():
            return _of_program(source, entity)
        case _:
            return None


def _of_program(source: Source, cls: ClassDecl) -> ErrorClass | None:
    """A class of the program that is derived from an exception."""
    module = source.modules.get(cls.module)
    if module is None:
        return None
    line: frozenset[str] = frozenset()
    for base in cls.node.bases:
        found = of_entity(source, resolve(source, module, base.value))
        line |= found.line if found is not None else frozenset()
    return ErrorClass(cls.qualname, line | {cls.qualname}, cls) if line else None
