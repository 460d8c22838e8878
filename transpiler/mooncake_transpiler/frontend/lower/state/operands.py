"""Operands, which expressions stand for while they are lowered, and the frames that hold them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import libcst as cst
from mooncake_rules.arrays import Arr

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import (
    ClassDecl,
    EnumMember,
    External,
    FunctionDecl,
    Logger,
    Module,
    ModuleRef,
)
from mooncake_transpiler.frontend.lower.state.errors import Attempt, Ways
from mooncake_transpiler.frontend.lower.state.flags import (
    EXIT,
    FALSE,
    FLAGS,
    LEFT,
    RAISED,
    RETURNED,
    TRUE,
    BoundNames,
    flag_of,
    is_cell,
    is_cell_of,
    is_hidden,
    meet,
    shared_cell,
)
from mooncake_transpiler.frontend.lower.state.flow import NO_NAMES, Flow, LoopExits, Names
from mooncake_transpiler.frontend.lower.state.identities import (
    Neighbourhood,
    OfType,
    Once,
    Ref,
    RunText,
    Spread,
    StepsNeeded,
    Turned,
)
from mooncake_transpiler.frontend.lower.state.syntax import Hint, Stmt
from mooncake_transpiler.taken_apart import total_size
from mooncake_transpiler.types import ClassRef, OwnKind, Selector, Type


@dataclass(frozen=True, slots=True)
class Items:
    """A tuple, taken apart; with ``names`` a struct of class ``cls``, declared as ``of``.

    ``is_list``: it is written as a list, which is another kind of index.
    """

    items: tuple[Operand, ...]
    names: tuple[str, ...] | None = None
    cls: str | OwnKind | None = None
    of: ClassRef | None = None
    is_list: bool = False
    once: Once | None = None
    size: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", total_size(self.items))

    def is_like(self, other: Items) -> bool:
        """True if ``other`` has items in the same places."""
        alike = self.names == other.names and self.cls == other.cls and self.of == other.of
        return alike and len(self.items) == len(other.items)


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value, or None where ``there`` is False; it has a type that says so (``Held.MAYBE``)."""

    there: ir.Atom
    value: Operand


@dataclass(frozen=True, slots=True)
class Either:
    """A number or an array: see ``merge/eithers.py``. ``first`` has fewer axes."""

    is_first: ir.Atom
    first: Operand
    second: Operand


Known = str | FunctionDecl | ClassDecl | EnumMember | ModuleRef | External | OfType | Logger | None


@dataclass(frozen=True, slots=True)
class Static:
    """Known ahead of time and not a number: text, ``None``, a function, a class or a module."""

    value: Known


@dataclass(frozen=True, slots=True)
class Told:
    """One of several texts or members of enums: that of ``options`` with number ``which``.

    It has a type that says so (``Held.TOLD``): the type of the number, then the options.
    """

    which: ir.Atom
    options: tuple[Selector, ...]


@dataclass(frozen=True, slots=True)
class Passed:
    """Text or the like that is not known ahead of time: what is at ``path`` of the parameters."""

    spelled: str
    path: str
    but: tuple[str, ...] = ()  # it is none of these texts
    facts: tuple[Turned, ...] = ()
    methods: tuple[str, ...] = ()  # of text, which made this of it


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A function some of whose arguments are given: a method of an object, a ``partial``."""

    func: Operand
    args: tuple[Operand, ...] = ()
    keywords: Mapping[str, Operand] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Super:
    """``super()``: what classes behind ``owner`` have for ``instance``."""

    owner: ClassDecl
    instance: Operand


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A function that is one of two, by a condition: both are lowered where it is called."""

    cond: ir.Atom
    then: Operand
    orelse: Operand


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A nested function or lambda, and the frame whose variables it sees."""

    name: str
    node: cst.FunctionDef | cst.Lambda
    frame: Frame
    defaults: Mapping[str, Operand]


@dataclass(frozen=True, slots=True, eq=False)
class IntRange:
    """``range(lo, hi, step)``."""

    lo: ir.Atom
    hi: ir.Atom
    step: ir.Atom
    once: Once | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Elements:
    """Something to iterate over: its length, and its elements by number.

    ``limit``: it has so many at most, told apart by constants only. ``done`` is called after the
    last one. ``backwards``: what is appended then is not met. ``distinct``: no two begin alike.
    """

    count: ir.Atom
    at: Callable[[ir.Atom, Hint], Operand]
    limit: int | None = None
    done: Callable[[], None] | None = None
    once: Once | None = None
    backwards: bool = False
    distinct: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """``slice(lo, hi, step)``."""

    lo: Operand
    hi: Operand
    step: Operand


@dataclass(frozen=True, slots=True, eq=False)
class Native:
    """A function of the compiler that lowered code calls by a name that no program can have."""

    run: Callable[[tuple[Operand, ...]], Operand]


@dataclass(frozen=True, slots=True, eq=False)
class Generator:
    """A generator expression that has not run yet: it lives within one statement.

    ``known`` runs it, and gives the items if they can be told apart; ``listed`` gives a list,
    ``kept`` one that may be kept: the ``call`` of a generator function. The variable ``begun``
    tells whether its body has begun.
    """

    node: cst.GeneratorExp
    known: Callable[[], tuple[Operand, ...] | None]
    listed: Callable[[], Operand]
    kept: Callable[[], Operand]
    call: Bound | None = None
    begun: str = ""


@dataclass(frozen=True, slots=True)
class Filled:
    """Text with what the run knows in its braces: numbers, and paths of arguments that are text."""

    text: str
    numbers: tuple[ir.Atom | str, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A variable that can't be read here; ``reason`` says why."""

    reason: str
    filled: Filled | None = None  # text that an exception may tell nevertheless
    is_mixed: bool = False  # an object in a table on one path, one outside on another


# An Arr is a whole-array expression that is not computed yet: it lives within one statement.
Operand = (
    ir.Value | ir.Const | ir.Undef | Items | Static | Closure | IntRange | Elements | Conflict | Arr
    | Maybe | Either | Ref | Bound | Choice | Super | Cut | Generator | Native | Passed | Told
    | RunText | Neighbourhood | Spread
)  # fmt: skip

NOTHING = Static(None)


@dataclass(frozen=True, slots=True)
class Caught:
    """An exception that is handled: its number, those that it may have, and the object."""

    number: Operand
    possible: tuple[int, ...]
    error: Operand | None


@dataclass(frozen=True, slots=True)
class State:
    """A snapshot of the variables; ``raised``: this path ends in an exception."""

    values: dict[str, Operand]
    bound: BoundNames
    raised: bool


class Frame:
    """One function body: a module-level function, or a closure that is lowered in line."""

    __slots__ = (
        "attempts", "bound", "cells", "decl", "escaped", "escapes", "flow", "handled",
        "handling", "home", "is_there", "key", "locals", "loops", "module", "node",
        "outwards", "parent", "raised", "rest", "result", "returns", "values",
    )  # fmt: skip

    def __init__(
        self,
        module: Module,
        body: Sequence[Stmt],
        names: Iterable[str],
        parent: Frame | None = None,
        result: Type | None = None,
    ) -> None:
        self.module, self.parent = module, parent
        self.outwards: tuple[Frame, ...] = (self, *(parent.outwards if parent else ()))
        self.result = result
        self.flow = Flow(body)
        self.locals = frozenset(names)
        self.values: dict[str, Operand] = dict.fromkeys(FLAGS, FALSE)
        self.bound: BoundNames = frozenset()
        self.raised = False
        self.loops: list[LoopExits] = []
        self.attempts: list[Attempt] = []
        self.handled: Names = NO_NAMES  # live where the exceptions of an attempt lead
        self.handling: list[Caught] = []  # what the ``except`` clauses around have caught
        self.escaped: dict[int, None] = {}  # exceptions that the caller catches
        self.returns = Ways()
        self.escapes = Ways()  # of these exceptions
        self.is_there = False  # None is an error as the result
        self.key = ""
        self.cells: dict[str, str] = {}
        self.decl: FunctionDecl | None = None  # of which this is the body
        self.node: cst.CSTNode | None = None  # that of a function
        self.home: cst.CSTNode | None = None  # that of a function or comprehension
        self.rest: tuple[Sequence[Stmt], Names] | None = None  # from the statement at work on

    def share(self, key: str, home: cst.CSTNode, captured: Names = NO_NAMES) -> None:
        """Keep the variables that nested functions see as those of an object: they may live on."""
        self.home = home
        names = self.locals & (self.flow.captured | captured)
        self.key = key if names else ""
        self.cells = {name: shared_cell(key, name) for name in sorted(names)}

    def variable(self, name: str) -> str:
        """The name under which ``values`` has the variable ``name``."""
        return self.cells.get(name, name)

    def bind(self, name: str, operand: Operand) -> None:
        if is_cell(name):
            keep_place(operand)  # in lists and fields nobody sees who reads them
        name = self.variable(name)
        self.values[name] = operand
        if (flag := flag_of(name)) in self.values:
            self.values[flag] = TRUE
        if self.bound is not None and name not in self.bound:
            self.bound |= {name}

    def is_bound(self, name: str) -> bool:
        return name in self.values and (self.bound is None or name in self.bound)

    @property
    def reachable(self) -> bool:
        return self.bound is not None

    def live(self, *, is_at_work: bool) -> Names | None:
        """The names that are live after the statement at work, or in it; None if not known."""
        if self.rest is None:
            return None
        stmts, live = self.rest
        left = stmts if is_at_work else stmts[1:]
        return self.flow.live_before(left, live, self.latch, self.handled)

    @property
    def latch(self) -> Names:
        """The names live where ``break`` and ``continue`` lead."""
        return self.loops[-1].latch if self.loops else NO_NAMES

    def leave(self, *flags: str) -> None:
        """Control leaves: nothing after this in the current lists is reached."""
        for attempt in self.attempts:
            outwards = RETURNED in flags or len(self.loops) <= attempt.depth
            if outwards and RAISED not in flags:
                attempt.left.append(self.bound)
        self.values |= dict.fromkeys((LEFT, *flags), TRUE)
        self.bound = None

    def take_objects(self, other: Frame, *, ended: bool = False) -> None:
        """Move what objects hold here from ``other``, which may have ended."""
        names = [name for name in other.values if is_cell(name)]
        kept = {name: value for name, value in self.values.items() if not is_cell(name)}
        self.values = kept | {name: other.values[name] for name in names}
        if self.bound is not None:
            held = frozenset(name for name in self.bound if not is_cell(name))
            ways = [other.bound, *(other.returns.bounds if ended else ())]
            bound = meet(ways)
            if bound is None:
                bound = frozenset(names)
            elif ended and other.key:  # who sees its own cells has come where they are set
                own = (name for way in ways if way for name in way)
                bound |= {name for name in own if is_cell_of(name, other.key)}
            self.bound = held | {name for name in names if name in bound}

    def save(self) -> State:
        return State(dict(self.values), self.bound, self.raised)

    def restore(self, state: State) -> None:
        self.values = dict(state.values)
        self.bound, self.raised = state.bound, state.raised

    def is_live(self, name: str, live: Names | None, follow: bool) -> bool:
        """True if ``name`` may be read later; ``live`` None means that any name may."""
        if name == LEFT:
            return follow
        if name == EXIT:
            return bool(self.loops)
        if name == RETURNED:
            return bool(self.loops) and self.loops[-1].mixed
        return is_hidden(name) or live is None or name in live or name in self.flow.captured


FAILED = Conflict("what it is made from was refused")  # and reported
DEAD = Conflict("its value is not kept")  # a variable that the analysis found never to be read


def keep_place(operand: Operand) -> None:
    """Let ``operand``, if it is an iterator, keep its place from where it is made."""
    if isinstance(operand, Items | Elements | IntRange) and operand.once is not None:
        raise StepsNeeded(operand.once.node)
