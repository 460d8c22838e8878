"""The plan for objects whose identity only the run tells: they are rows of tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

import libcst as cst

from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import ClassDecl
from mooncake_transpiler.frontend.lower.state.operands import Items, Maybe, Operand, Static
from mooncake_transpiler.frontend.lower.state.own_kinds import Empty, PoolItem
from mooncake_transpiler.frontend.lower.state.whose import Whose
from mooncake_transpiler.ir import Const, Undef, Value
from mooncake_transpiler.types import DType, Scalar, Selector, Type

ROW = "%row"  # the only name in what stands for an object of a table

# What is refused of objects that are told apart, and may do where they are rows of tables.
CODES = frozenset({
    "MK211", "MK212", "MK312", "MK320", "MK330", "MK331", "MK333", "MK335", "MK347", "MK367",
    "MK370", "MK371",
})  # fmt: skip


class Again(Exception):
    """The plan has changed: the function must be lowered again from its start."""


class ColumnsNeeded(Exception):
    """A recursive function makes objects of classes whose tables must have these ``columns``."""

    def __init__(self, columns: dict[ClassDecl, dict[str, Type]]) -> None:
        super().__init__()
        self.columns = columns


class GrowthNeeded(Exception):
    """A recursive function that is given tables makes objects: it must be able to add to them."""


class KeysNeeded(Exception):
    """The dict that is made at ``node`` gets keys of the run: it must be searched for its keys.

    ``refusal``: of what has shown it.
    """

    def __init__(self, node: cst.CSTNode, refusal: Refused) -> None:
        super().__init__()
        self.node, self.refusal = node, refusal


class Anew(Exception):
    """Something is known now that was not when lowering began: the function must be lowered again.

    ``refusal``: if what is known now may be wrong.
    """

    def __init__(self, refusal: Refused | None = None) -> None:
        super().__init__()
        self.refusal = refusal


Fact = TypeVar("Fact")


def learn(known: dict[Fact, None], fact: Fact, again: type[Exception]) -> None:
    """Note ``fact`` among those of a plan that are ``known``; if it is new, lower ``again``."""
    if fact not in known:
        known[fact] = None
        raise again


Variable = tuple[cst.CSTNode | None, str]  # the node of a function, and a name in it


@dataclass(slots=True)
class TablePlan:
    """The classes whose objects are rows of tables, with the types of their fields.

    It is learnt by lowering the function: each time that it turns out to be wrong it changes, and
    the function is lowered again. ``kept_out``: classes that no table can hold, and why. ``made``:
    those of which there are objects. ``has_inner_lists``: there are lists that are items of lists;
    where ``is_pooling`` these are in pools (``pools``: of which items). ``searched``: where
    dicts are made whose keys are not known; ``stepped``: where iterators that keep their place.
    ``later``: what the lists of None, and of integers,
    hold later that are made there; ``integers``: where the latter are made, true if inside others.
    ``axisless``: fields that hold arrays without axes;
    ``item_kinds``: whose numbers are in lists whose items are in arrays, ``item_ints``: of which
    dtypes those are that were ints when they were put in, and ``item_bools``: whose
    bools among these. ``opaque``: fields of the
    caller's objects that are no numbers, and in no column. ``empty``: what the lists hold later
    that are empty where they are put into another one, by the place of the statement.
    ``resized``: the pools whose lists get longer or shorter; ``rebound``: the names of variables
    that hold one list on one path and another one on another, which are in pools, too, with the
    place that stands for all that hold lists of one type. ``tuples``: the types of the tuples
    that lists in pools hold. ``longer``: the variables that hold tuples of several lengths, with
    the types of their items. ``copied``: the lists of parameters, by path, whose arrays are changed
    in place, and that therefore hold copies. ``among_rows``: the variables that hold objects in
    tables, and others that all calls share; ``shared``: the classes of these. Where ``is_dropping``
    lists and dicts are left out that are in fields which nobody reads. ``recorded``: where dicts
    are made that lists hold: they are objects, with a field for each key; ``has_records``: there
    are such. ``defaults``: what makes those of dicts in pools, None if that is not one thing.
    ``has_dicts``: there are dicts with known keys; where ``has_all_recorded`` all of them
    are objects. ``told``: the texts and members that lists hold later which are made of others.
    Where ``is_even`` lists that are made in one list are taken to have one length; that is tested.
    ``kinds``: the types of objects of several classes that lists hold later which begin with one.
    ``late``: the variables that hold lists which only loops make, for what is not in the loop.
    """

    is_wanted: bool = False
    columns: dict[ClassDecl, dict[str, Type]] = field(default_factory=dict)
    kept_out: dict[ClassDecl, str] = field(default_factory=dict)
    made: set[ClassDecl] = field(default_factory=set)
    has_inner_lists: bool = False
    is_pooling: bool = False
    pools: dict[PoolItem, None] = field(default_factory=dict)
    searched: set[cst.CSTNode] = field(default_factory=set)
    stepped: set[cst.CSTNode] = field(default_factory=set)
    later: dict[cst.CSTNode, Type] = field(default_factory=dict)
    integers: dict[cst.CSTNode, bool] = field(default_factory=dict)
    axisless: set[tuple[ClassDecl, str]] = field(default_factory=set)
    item_kinds: dict[DType, Whose] = field(default_factory=dict)
    item_bools: dict[DType, Whose] = field(default_factory=dict)
    item_ints: set[DType] = field(default_factory=set)
    opaque: set[tuple[ClassDecl, str]] = field(default_factory=set)
    empty: dict[str, PoolItem] = field(default_factory=dict)
    resized: dict[PoolItem, None] = field(default_factory=dict)
    tuples: list[Type] = field(default_factory=list)
    rebound: dict[str, str] = field(default_factory=dict)
    longer: dict[Variable, Type] = field(default_factory=dict)
    copied: set[str] = field(default_factory=set)
    among_rows: dict[Variable, None] = field(default_factory=dict)
    shared: dict[ClassDecl, None] = field(default_factory=dict)
    is_dropping: bool = False
    has_records: bool = False
    has_dicts: bool = False
    has_all_recorded: bool = False
    is_even: bool = False
    recorded: set[cst.CSTNode] = field(default_factory=set)
    told: dict[Selector, None] = field(default_factory=dict)
    kinds: dict[Type, None] = field(default_factory=dict)
    late: dict[Variable, None] = field(default_factory=dict)
    is_made_in_recursion: bool = False  # an object

    defaults: dict[PoolItem, Static | None] = field(default_factory=dict)
    is_sharing: bool = False  # while objects are made that all calls share

    @contextmanager
    def sharing(self) -> Iterator[None]:
        """Around what makes objects that all calls share: no two of these are the same row."""
        before, self.is_sharing = self.is_sharing, True
        try:
            yield
        finally:
            self.is_sharing = before

    def keep_out(self, cls: ClassDecl, why: str) -> Again:
        self.kept_out[cls] = why
        self.columns.pop(cls, None)
        return Again()

    def note_rebound(self, names: Iterable[str]) -> None:
        """Note variables that hold one list on one path, another one on another: all alike."""
        found = sorted(filter(None, names))
        if not self.is_pooling:
            self.has_inner_lists |= bool(found)
            return
        groups = {self.rebound[name] for name in found if name in self.rebound}
        members = {name for name, group in self.rebound.items() if group in groups}
        new = dict.fromkeys((*found, *members), min(groups, default=found[0] if found else ""))
        if not new.items() <= self.rebound.items():
            self.rebound |= new
            raise Again

    def learn_copied(self, path: str) -> Anew:
        self.copied.add(path)
        return Anew()

    def learn_told(self, options: Iterable[Selector]) -> None:
        """Note that lists hold these, too, if that is new."""
        new = dict.fromkeys(options)
        if not new.keys() <= self.told.keys():
            self.told |= new
            raise Anew

    def note_record(self, made_at: cst.CSTNode) -> None:
        """Note where a dict is made that a list holds."""
        if self.is_sharing:
            return
        self.has_records = True
        if self.is_wanted and made_at not in self.recorded:
            self.recorded.add(made_at)
            raise Again

    def meet(self, one: PoolItem, other: PoolItem) -> None:
        """Let lists that begin without items be in the pool of those in whose place they are."""
        for empty, known in ((one, other), (other, one)):
            if isinstance(empty, Empty) and not isinstance(known, Empty):
                raise self.learn_empty(empty.place, known)

    def note_default(self, items: PoolItem, make: Operand) -> None:
        """Note what makes the default of dicts in the pool of ``items``: one thing for all."""
        is_new = items not in self.defaults
        if is_new or self.defaults[items] not in (make, None):
            self.defaults[items] = make if is_new and isinstance(make, Static) else None
            raise Again

    def learn_searched(self, made_at: cst.CSTNode) -> Again:
        self.searched.add(made_at)
        return Again()

    def learn_empty(self, place: str, items: PoolItem) -> Again:
        self.empty[place] = items
        self.columns.clear()  # lists in fields are of other types
        return Again()

    def learn(self, cls: ClassDecl, columns: dict[str, Type]) -> Again:
        self.columns[cls] = columns
        return Again()


def others(found: TablePlan) -> Iterator[TablePlan]:
    """The plans to try where lowering without tables, which met what is ``found``, is refused.

    That objects in tables hold lists shows when tables have been tried. Where the plan that is
    ``found`` has tables parameters need these.
    """
    tables = TablePlan(is_wanted=True)
    if found.is_wanted:
        if not found.is_pooling:
            yield TablePlan(is_wanted=True, is_pooling=True)
        yield TablePlan(is_wanted=True, is_pooling=found.is_pooling, is_dropping=True)
        yield TablePlan(is_wanted=True, is_even=True)
        return
    has_objects = bool(found.made) or found.has_records
    if has_objects:
        yield tables
    if found.has_inner_lists:
        yield TablePlan(is_pooling=True)
    if has_objects and (found.has_inner_lists or tables.has_inner_lists):
        yield TablePlan(is_wanted=True, is_pooling=True)
    is_pooling = found.has_inner_lists or tables.has_inner_lists
    if has_objects:
        yield TablePlan(is_wanted=True, is_pooling=is_pooling, is_dropping=True)
    if found.has_dicts:
        yield TablePlan(is_wanted=True, is_pooling=is_pooling, has_all_recorded=True)
    if is_pooling:
        yield TablePlan(is_even=True)
    if is_pooling and has_objects:
        yield TablePlan(is_wanted=True, is_even=True)


def label(cls: str) -> str:
    """The beginning of the names of the columns of a class: that of dicts has no keys in it."""
    return cls.partition("(")[0].rpartition(".")[2].strip("_").lower()


def is_row(operand: object) -> bool:
    """True if ``operand`` is an object in a table."""
    if not isinstance(operand, Items) or operand.names != (ROW,):
        return False
    at = operand.items[0]
    return isinstance(at, Value | Const | Undef) and isinstance(at.type, Scalar)


def holds_rows(operand: Operand) -> bool:
    """True if ``operand`` is an object in a table, or what holds or may be one."""
    if isinstance(operand, Maybe):
        return holds_rows(operand.value)
    if not isinstance(operand, Items):
        return False
    return operand.names == (ROW,) or any(map(holds_rows, operand.items))


def later(first: Refused, second: Refused) -> Refused:
    """The refusal that is further on in the program; ``first`` is without tables.

    An array that is written while a table has a copy is further on, wherever it stands, and of two
    in one line so is a recursive function that makes objects.
    """
    for one in (second, first):
        if one.diagnostic.code == "MK312":
            return one
    here, there = first.diagnostic.place, second.diagnostic.place
    is_recursion = second.diagnostic.code == "MK304" and here.line == there.line
    is_further = here.line < there.line or is_recursion
    return second if here.path == there.path and is_further else first
