"""Facts about the values of a function that is being lowered: numbers, arrays, objects."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field, fields

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import ClassDecl
from mooncake_transpiler.frontend.lower.state.errors import ErrorClass
from mooncake_transpiler.frontend.lower.state.flow import LoopExits
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.layouts import Layout
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.frontend.lower.state.own_kinds import Growing, PoolItem, Tupled
from mooncake_transpiler.frontend.lower.state.tabled import TablePlan
from mooncake_transpiler.frontend.lower.state.whose import Whose
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import Array, DType


@dataclass(frozen=True, slots=True)
class Numbers:
    """Facts about numbers beside their types."""

    constants: dict[ir.Value, ir.Const] = field(default_factory=dict)  # parameters always so
    ranges: dict[ir.Value, range] = field(default_factory=dict)  # of loops with known bounds
    below: dict[ir.Value, ir.Atom] = field(default_factory=dict)  # bounds of indices from 0 on
    tests: dict[ir.Value, tuple[str, tuple[ir.Atom, ...]]] = field(default_factory=dict)  # made of
    kinds: dict[ir.Value, Whose] = field(default_factory=dict)  # whose numbers they are, if known
    blended: dict[ir.Atom, Whose] = field(default_factory=dict)  # numbers, or bools on some path
    maybe_ints: set[ir.Atom] = field(default_factory=set)  # floats that are ints on some path
    origins: dict[ir.Value, Whose | None] = field(default_factory=dict)  # of lists' items
    as_annotated: set[ir.Value] = field(default_factory=set)  # arrays whose floats are no ints
    asked: set[DType] = field(default_factory=set)  # of items whose kinds were asked for
    naturals: set[ir.Value] = field(default_factory=set)  # integers that are not negative
    positives: set[ir.Value] = field(default_factory=set)  # and neither zero, here
    above: dict[ir.Value, ir.Value] = field(default_factory=dict)  # what is not less than them
    powers: dict[ir.Atom, ir.Value] = field(default_factory=dict)  # of integers, as floats


@dataclass(frozen=True, slots=True)
class ArrayChange:
    """A change in place of ``array``, one of those that ``memory`` holds copies of.

    ``seen``: the memory that it is in NumPy; ``refusal``: of what would have to show the change,
    ``shared``: of other items that are the same array.
    """

    array: ir.Value
    memory: ir.Atom
    seen: frozenset[ir.Atom]
    refusal: Refused
    shared: Refused


@dataclass(frozen=True, slots=True)
class ArrayFacts:
    """Facts about arrays: where in memory they are, and whose it is."""

    dim_names: dict[tuple[ir.Value, int], str] = field(default_factory=dict)  # as annotated
    local: set[ir.Value] = field(default_factory=set)  # arrays that are made here
    inputs: set[ir.Value] = field(default_factory=set)  # array parameters
    bases: dict[ir.Value, ir.Atom] = field(default_factory=dict)  # what a view aliases
    sources: dict[ir.Value, frozenset[ir.Atom]] = field(default_factory=dict)  # it is one of them
    views: dict[ir.Value, ir.View] = field(default_factory=dict)
    layouts: dict[ir.Value, Layout] = field(default_factory=dict)
    flats: dict[ir.Value, ir.Atom] = field(default_factory=dict)  # ``x.flat``, of which ``x``
    permanent: set[ir.Value] = field(default_factory=set)  # arrays that outlive the call
    shown: dict[ir.Value, frozenset[object]] = field(default_factory=dict)  # copies for views
    counting: set[ir.Value] = field(default_factory=set)  # each element is its own index
    packed: set[ir.Value] = field(default_factory=set)  # spans of arrays without gaps between them
    cells: dict[ir.Value, tuple[ClassDecl, str]] = field(default_factory=dict)  # of which field
    given: dict[ir.Value, str] = field(default_factory=dict)  # arrays in lists at these paths
    shared: set[ir.Atom] = field(default_factory=set)  # several items may be one array of NumPy
    changes: list[ArrayChange] = field(default_factory=list)  # of what is in fields and lists
    writers: dict[str, frozenset[int] | None] = field(
        default_factory=dict
    )  # callees: see ``Callee``
    stacks: dict[ir.Value, tuple[Builder, tuple[ir.Atom, ...]]] = field(default_factory=dict)

    def show(self, copies: ir.Value, more: frozenset[object]) -> None:
        """Note that a list of ``copies`` has some of ``more``, too."""
        if not more.isdisjoint(self.shown[copies]):
            self.shared.add(copies)
        self.shown[copies] |= more

    def base(self, array: ir.Atom) -> ir.Atom:
        """The array whose memory ``array`` shows, as far as is known."""
        while isinstance(array, ir.Value) and array in self.bases:
            array = self.bases[array]
        return array

    def roots(self, *arrays: ir.Atom) -> frozenset[ir.Atom]:
        """The arrays whose memory ``arrays`` may show."""
        pending, seen, found = list(arrays), set[ir.Atom](), set[ir.Atom]()
        while pending:
            one = self.base(pending.pop())
            if one in seen or isinstance(one, ir.Undef):
                continue
            seen.add(one)
            if isinstance(one, ir.Value) and one in self.sources:
                pending += self.sources[one]
            else:
                found.add(one)
        return frozenset(found)

    def seen_in(self, copies: Iterable[ir.Atom]) -> frozenset[ir.Atom]:
        """The roots of what ``copies`` are views of in NumPy."""
        held = (self.shown[copy] for copy in copies if isinstance(copy, ir.Value))
        return self.roots(*(a for one in held for a in one if isinstance(a, ir.Value)))

    def meet(self, some: Iterable[ir.Atom], others: Iterable[ir.Atom]) -> bool:
        """True if one of the roots ``some`` may be one of ``others``; arguments may overlap."""
        first, second = set(some), set(others)
        one, other = (self._given_dtypes(roots) for roots in (first, second))
        return not first.isdisjoint(second) or not one.isdisjoint(other)

    def _given_dtypes(self, roots: Set[ir.Atom]) -> set[DType]:
        """The dtypes of those of ``roots`` that are parameters."""
        types = (array.type for array in self.inputs & roots)
        return {type_.dtype for type_ in types if isinstance(type_, Array)}


@dataclass(frozen=True, slots=True)
class Deeds:
    """Changes, copies and comparisons of objects, lists and dicts so far, by key."""

    changed: set[str] = field(default_factory=set)
    copied: set[str] = field(default_factory=set)  # lists that others hold a copy of
    apart: set[tuple[str, str]] = field(default_factory=set)  # told apart by ``is`` and ``==``
    fields: set[tuple[ClassDecl, str]] = field(
        default_factory=set
    )  # assigned, of objects in tables
    written: set[tuple[ClassDecl, str]] = field(default_factory=set)  # whose arrays are changed
    lists: set[PoolItem] = field(default_factory=set)  # pools of lists that are changed in place

    def __or__(self, other: Deeds) -> Deeds:
        names = (one.name for one in fields(self))
        return Deeds(*(getattr(self, name) | getattr(other, name) for name in names))


@dataclass(frozen=True, slots=True)
class Kept:
    """A cached property that ``node`` asks for: the memory it is made of, and what it is."""

    node: cst.CSTNode
    roots: frozenset[ir.Atom]
    values: frozenset[ir.Atom]


# The message and what fills it, or no message and the arguments.
TellingNumbers = tuple[str | None, tuple[ir.Atom | str, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class ReadyError:
    """An exception that is made ``at`` a place, with its arguments, and their texts if known.

    ``told``: the numbers that it tells outside of the function.
    """

    cls: ErrorClass
    args: tuple[cst.Arg, ...]
    given: tuple[tuple[Operand, str | None], ...]
    told: TellingNumbers | None
    at: Builder


@dataclass(slots=True)
class Heap:
    """Facts about objects, lists and dicts, by their keys."""

    given: set[str] = field(default_factory=set)  # objects that the caller of the function holds
    ambiguous: dict[str, str] = field(default_factory=dict)  # objects that may be others: why
    growing: dict[Growing, Operand] = field(default_factory=dict)  # the arrays of lists that grow
    in_tables: set[str] = field(default_factory=set)  # lists that are views of a row of an array
    given_rows: set[str] = field(default_factory=set)  # parameters that are lists of lists
    parts: dict[str, frozenset[str]] = field(default_factory=dict)  # which others objects may be
    permuted: set[str] = field(default_factory=set)  # those of loops that only swap objects
    deeds: Deeds = field(default_factory=Deeds)  # so far
    made_at: dict[str, cst.CSTNode] = field(default_factory=dict)  # which expression made it
    factories: dict[str, Operand] = field(default_factory=dict)  # of dicts with a default
    ready: dict[str, ReadyError] = field(default_factory=dict)  # exceptions that are made
    stepping: LoopExits | None = None  # the loop whose next item is being made
    rigid: dict[str, str] = field(default_factory=dict)  # lists that can't grow: why
    plan: TablePlan = field(default_factory=TablePlan)  # for objects that are rows of tables
    tables: dict[ClassDecl, Ref] = field(default_factory=dict)  # their tables
    given_columns: dict[tuple[ClassDecl, str], frozenset[ir.Atom]] = field(
        default_factory=dict
    )  # the arrays of parameters that fill a field of objects in tables
    shown_columns: dict[ir.Atom, tuple[ClassDecl, str, str]] = field(
        default_factory=dict
    )  # columns that functions are given: which field they are for, and the key of the table
    given_tables: set[str] = field(default_factory=set)  # tables and pools of the caller
    own_tables: list[Ref] = field(default_factory=list)  # copies of these, which get longer
    pools: dict[PoolItem, Ref] = field(default_factory=dict)  # of lists in lists, by their items
    words: dict[str, None] = field(default_factory=dict)  # texts that are keys, by their numbers
    kept: list[Kept] = field(default_factory=list)
    being_filled: dict[tuple[str, str], Operand] = field(default_factory=dict)  # registries
    makes_texts: bool = False  # of numbers: they are no results
    hides_texts: bool = False  # of floats, which are equal to nobody knows what
    asks_texts: bool = False  # for their equality
    orders_texts: bool = False
    tuples: dict[Tupled, Ref] = field(default_factory=dict)  # the tuples in these, by their names

    def change_lists(self, items: PoolItem) -> None:
        """Note that lists in the pool of ``items`` are changed in place."""
        self.deeds.changed.add(self.pools[items].key)
        self.deeds.lists.add(items)

    def arrays_of(self, about: Items) -> Operand:
        """The arrays of the list that grows which ``about`` describes."""
        assert isinstance(about.cls, Growing)
        return self.growing[about.cls]

    def are_one(self, key: str, other: str) -> bool:
        """True if the objects of these keys are one, unless a loop around finds they may be."""
        if key != other:
            self.deeds.apart.add((key, other))
        return key == other

    def is_handed(self, table: Ref) -> bool:
        """True if ``table`` is the caller's, or a copy of it."""
        return table.key in self.given_tables or table in self.own_tables
