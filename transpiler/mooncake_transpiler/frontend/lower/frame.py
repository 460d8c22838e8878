"""The variables of one function while its body is lowered, and how control has left so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import FunctionDecl, Module
from mooncake_transpiler.frontend.lower.control.flow import NO_NAMES, Flow, Names
from mooncake_transpiler.frontend.lower.failure.errors import Attempt, Ways
from mooncake_transpiler.frontend.lower.operands import Conflict, Operand
from mooncake_transpiler.frontend.lower.syntax import Stmt
from mooncake_transpiler.types import BOOL, Type

# Control is data: these variables, beside the user's own, say where a jump leads. A jump sets them
# to True; a branch whose arms disagree chooses between them like between any two values.
LEFT = "%left"  # the rest of the current statement lists is skipped
EXIT = "%exit"  # the innermost loop ends
RETURNED = "%returned"  # the function ends
RESULT = "%result"  # what it returns
RAISED = "%raised"  # an exception is on its way to where it is caught
ERROR = "%error"  # which one: its number in ``Context.errors``
CAUGHT = "%caught"  # the exception itself, as ``except ... as e`` has it
OBJECT = "%o"  # how variables begin that hold what an object holds
FLAGS = (LEFT, EXIT, RETURNED, RAISED)
CARGO = (RESULT, ERROR, CAUGHT)  # what goes along with them

FALSE = ir.Const(False, BOOL)
TRUE = ir.Const(True, BOOL)

Bound = frozenset[str] | None  # the names that are certainly bound; None: not reachable


def meet(bounds: Iterable[Bound]) -> Bound:
    """What is certainly bound where several paths join."""
    reachable = [bound for bound in bounds if bound is not None]
    return frozenset.intersection(*reachable) if reachable else None


@dataclass(slots=True)
class LoopExits:
    """Where ``break`` and ``continue`` of one loop lead: the names live there, and bound.

    ``mixed``: it is left by both ``break`` and ``return``, which must be told apart.
    """

    latch: Names
    mixed: bool
    breaks: list[Bound] = field(default_factory=list)
    continues: list[Bound] = field(default_factory=list)


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
    bound: Bound
    raised: bool


class Frame:
    """One function body: a module-level function, or a closure that is lowered in line."""

    __slots__ = (
        "attempts", "bound", "cells", "decl", "escaped", "escapes", "flow", "handled", "handling",
        "key", "locals", "loops", "module", "parent", "raised", "result", "returns", "values",
    )  # fmt: skip

    def __init__(
        self,
        module: Module,
        body: Sequence[Stmt],
        names: Iterable[str],
        parent: Frame | None = None,
        result: Type | None = None,
    ) -> None:
        self.module = module
        self.parent = parent
        self.result = result
        self.flow = Flow(body)
        self.locals = frozenset(names)
        self.values: dict[str, Operand] = dict.fromkeys(FLAGS, FALSE)
        self.bound: Bound = frozenset()
        self.raised = False
        self.loops: list[LoopExits] = []
        self.attempts: list[Attempt] = []
        self.handled: Names = NO_NAMES  # live where the exceptions of an attempt lead
        self.handling: list[Caught] = []  # what the ``except`` clauses around have caught
        self.escaped: dict[int, None] = {}  # exceptions that the caller catches
        self.returns = Ways()
        self.escapes = Ways()  # of these exceptions
        self.key = ""
        self.cells: dict[str, str] = {}
        self.decl: FunctionDecl | None = None  # of which this is the body

    def share(self, key: str, captured: Names = NO_NAMES) -> None:
        """Keep the variables that nested functions see as those of an object: they may live on."""
        names = self.locals & (self.flow.captured | captured)
        self.key = key if names else ""
        self.cells = {name: f"{key}.{name}:{name}" for name in sorted(names)}

    def variable(self, name: str) -> str:
        """Where ``values`` has the variable ``name``."""
        return self.cells.get(name, name)

    def bind(self, name: str, operand: Operand) -> None:
        name = self.variable(name)
        self.values[name] = operand
        if self.bound is not None and name not in self.bound:
            self.bound |= {name}

    def is_bound(self, name: str) -> bool:
        return name in self.values and (self.bound is None or name in self.bound)

    @property
    def reachable(self) -> bool:
        return self.bound is not None

    @property
    def latch(self) -> Names:
        """What is live where ``break`` and ``continue`` lead."""
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
        names = [name for name in other.values if name.startswith(OBJECT)]
        for name in [name for name in self.values if name.startswith(OBJECT)]:
            del self.values[name]
        self.values |= {name: other.values[name] for name in names}
        if self.bound is not None:
            held = frozenset(name for name in self.bound if not name.startswith(OBJECT))
            ways = [other.bound, *(other.returns.bounds if ended else ())]
            bound = meet(ways)
            if bound is None:
                bound = frozenset(names)
            elif ended and other.key:  # who sees its own cells has come where they are set
                own = (name for way in ways if way for name in way)
                bound |= {name for name in own if name.startswith(f"{other.key}.")}
            self.bound = held | {name for name in names if name in bound}

    def save(self) -> State:
        return State(dict(self.values), self.bound, self.raised)

    def restore(self, state: State) -> None:
        self.values = dict(state.values)
        self.bound, self.raised = state.bound, state.raised

    def is_live(self, name: str, live: Names | None, follow: bool) -> bool:
        """Whether ``name`` may be read later; ``live`` None means that any name may."""
        if name == LEFT:
            return follow
        if name == EXIT:
            return bool(self.loops)
        if name == RAISED:
            return True
        if name == RETURNED:
            return bool(self.loops) and self.loops[-1].mixed
        if name.startswith("%"):
            return True
        return live is None or name in live or name in self.flow.captured


DEAD = Conflict("its value is not kept")  # a variable that the analysis found never to be read


def hint_of(name: str) -> str:
    """The user's name for a variable; a temporary may carry one behind its colon."""
    return name.partition(":")[2] if name.startswith("%") else name
