"""The state of lowering one function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol, TypeVar

import libcst as cst
from mooncake_rules.arrays import Arr, Num
from mooncake_rules.arrays.stage import Rule

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Place, Refused, Start, TooMuch
from mooncake_transpiler.frontend.entities import ArrayConstantDecl, FunctionDecl, Source
from mooncake_transpiler.frontend.lower.state.errors import Error
from mooncake_transpiler.frontend.lower.state.flags import OBJECT
from mooncake_transpiler.frontend.lower.state.flow import Names
from mooncake_transpiler.frontend.lower.state.identities import Arms
from mooncake_transpiler.frontend.lower.state.known import Callee, Facts, Lifts, OverTables, Ruled
from mooncake_transpiler.frontend.lower.state.operands import Frame, Operand, State
from mooncake_transpiler.frontend.lower.state.properties import ArrayFacts, Heap, Numbers
from mooncake_transpiler.frontend.lower.state.sizes import Sizes, Snapshot
from mooncake_transpiler.frontend.lower.state.syntax import Hint, Stmt
from mooncake_transpiler.frontend.lower.state.unset import Learnt, NotReached
from mooncake_transpiler.frontend.text.source import place_in, raw_line
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import INT, Type

T = TypeVar("T")
NO_KEYWORDS: Mapping[str, Operand] = MappingProxyType({})
MAX_WORK = 200_000  # expressions that are lowered for one function, those it calls included


@dataclass(slots=True)
class Guard:
    """A branch in the middle of a statement, whose rest is skipped if ``cond``.

    ``entry`` are the variables before it, ``skip`` those where the rest is skipped.
    """

    cond: ir.Atom
    frame: Frame
    before: Builder
    rest: Builder
    entry: State
    skip: State
    sizes: Snapshot


@dataclass(frozen=True, slots=True)
class Aside:
    """Statements that stand nowhere yet, and the guards that they have opened."""

    stmts: list[ir.Stmt]
    guards: list[Guard]

    def every(self) -> Iterator[ir.Stmt]:
        """The statements in front of the guards, and in them."""
        yield from self.stmts
        for guard in self.guards:
            yield from guard.rest.stmts


class CalleeRefused(Exception):
    """A function can't be lowered because one that it calls was refused (and reported)."""

    def __init__(self) -> None:
        super().__init__()
        self.statement: object = None


class InLine(Exception):
    """A function can't be called: it needs to know more of its arguments, or what it returns exists
    while its caller is lowered only.

    ``why``: what is to be said where it has no caller.
    """

    def __init__(self, why: Diagnostic | None = None) -> None:
        super().__init__()
        self.why = why


class Unending(Exception):
    """A call leads back to a function of which the results without such calls are looked at."""


class MustUnroll(Refused):
    """Raised for what would be fine if the loop around it were unrolled."""


class Functions(Protocol):
    """Gives the callee for a function and the types it is called with."""

    kinds: dict[tuple[object, ...], Type]  # of the results of users' rules
    lifted: Lifts  # nested functions, as functions of the module
    over_tables: OverTables  # recursive functions that are given tables
    reduced: dict[cst.CSTNode, bool]  # sums, reads of any rank, functions; True: numbers alone
    minimal: bool  # rules are used only for what can't be differentiated without
    check_bounds: bool  # indices from the end are tested
    stretching: bool  # axes that turn out to be 1 at run time are stretched

    @property
    def is_called(self) -> bool:
        """True while a function is lowered for another one, which calls it."""

    @property
    def has_device(self) -> bool:
        """True if a function of the program works with CuPy's arrays."""

    @property
    def shared(self) -> frozenset[Start]:
        """The places where functions of the program change what may have another name, too."""

    def is_recursive(self, decl: FunctionDecl) -> bool: ...

    def ruled(self, key: tuple[object, ...], make: Callable[[str], Ruled]) -> Ruled: ...
    def note_call(self, decl: FunctionDecl, types: tuple[Type, ...]) -> None: ...
    def note_sides(self, node: cst.CSTNode, left: int | None, right: int | None) -> None: ...

    def request(
        self,
        decl: FunctionDecl,
        types: tuple[Type, ...],
        known: Facts,
        refuse: Callable[[str, str | None], Refused],
    ) -> Callee: ...


class Lower(Protocol):
    """Functions of higher layers that lower ones ask for: syntax nests, and so do operations.

    They are implemented in ``dispatch.py``, above all of them.
    """

    def expression(self, ctx: Context, node: cst.BaseExpression, hint: Hint = "") -> Operand:
        """The operand that ``node`` evaluates to; ``hint`` names a value computed for it."""

    def block(self, ctx: Context, stmts: Sequence[Stmt], live: Names, follow: bool) -> None:
        """Lower statements in a row; ``live`` after them are these names, and others may follow."""

    def call(
        self,
        ctx: Context,
        node: cst.Call,
        callee: Operand,
        args: Sequence[Operand] = (),
        keywords: Mapping[str, Operand] = NO_KEYWORDS,
        hint: Hint = "",
    ) -> Operand:
        """``callee(*args, **keywords)``."""

    def attribute(
        self, ctx: Context, node: cst.Attribute, base: Operand, hint: Hint = ""
    ) -> Operand:
        """``base.attr``, where ``node`` names the attribute."""

    def binary(
        self,
        ctx: Context,
        node: cst.CSTNode,
        operator: cst.CSTNode,
        left: Operand,
        right: Operand,
        hint: str = "",
    ) -> Operand:
        """``left operator right``."""

    def compare(
        self,
        ctx: Context,
        node: cst.CSTNode,
        operator: cst.CSTNode,
        left: Operand,
        right: Operand,
        hint: str = "",
    ) -> Operand:
        """``left operator right`` of a comparison."""

    def view(self, ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand:
        """``operand`` for a reader: lists as they are now, without an identity."""

    def rule(
        self, ctx: Context, node: cst.CSTNode, name: str, rule: Rule, args: Sequence[object]
    ) -> tuple[Num | Arr, ...]:
        """A call of the function that a library's rule states."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The point at which something is tried: what there is then."""

    state: State
    sizes: Snapshot
    lengths: tuple[int, int, int]  # of the builder, the loop exits, the guards
    statements: int
    copies: int
    ambiguous: dict[str, str]
    builder: Builder


@dataclass(slots=True)
class Context:
    source: Source
    functions: Functions
    lower: Lower
    frame: Frame
    builder: Builder = field(default_factory=Builder)
    prelude: Builder = field(default_factory=Builder)  # what the function binds at its start
    statements: int = 0  # statements seen so far: numbers their origins
    temporaries: int = 0
    standing_in: frozenset[str] = frozenset()  # functions whose rule or overlay is lowered
    inlining: tuple[tuple[cst.CSTNode, int], ...] = ()  # what is lowered in line, and how deep
    depth: int = 0  # of the block: how many branches and loops are around it
    globals: dict[tuple[str, str], ir.Value] = field(default_factory=dict)
    numbers: Numbers = field(default_factory=Numbers)
    sizes: Sizes = field(default_factory=Sizes)
    memory: ArrayFacts = field(default_factory=ArrayFacts)
    heap: Heap = field(default_factory=Heap)
    names: dict[ir.Value, str] = field(default_factory=dict)  # the user's, of temporaries
    callers: tuple[Frame, ...] = ()  # of the frame, the innermost last
    errors: list[Error] = field(default_factory=list)  # that may be caught, by number
    guards: list[Guard] = field(default_factory=list)  # of the statement that is lowered
    assigned: Callable[[], tuple[ir.Atom | str, ...]] = tuple  # fields of these: ``ir.Raise``
    arms: Arms = ()  # that are being lowered
    unrollable: int = 0  # the loops around that can be unrolled
    copies: int = 1  # of what is lowered, in unrolled loops
    growing: set[cst.For] = field(default_factory=set)  # loops made here that add to a list
    learnt: Learnt = field(default_factory=Learnt)
    supposing: bool = False  # calls that lead back don't return: see `Unending`
    pushed: tuple[str, ...] = ()  # variables that the bodies of such loops around bind
    skipped: frozenset[object] = frozenset()  # statements that were refused (`survey.py`)
    outside: bool = False  # what is lowered is for callers outside of SRC alone
    work: int = 0  # expressions lowered so far, again ones included

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The frame, and those of the functions around that are lowered in line."""
        return (self.frame, *self.callers)

    @property
    def root(self) -> FunctionDecl | None:
        """The function that is lowered, which those of inner frames become a part of."""
        return (*self.callers, self.frame)[0].decl

    def place(self, node: cst.CSTNode) -> Place:
        """The place of ``node``; a node that lowering made has that of its statement."""
        return place_in(self.frame.module, node) or self._statement_place()

    def _statement_place(self) -> Place:
        origin = self.builder.origin
        return Place(self.frame.module.path, 1, 1, 1) if origin is None else origin.place

    def refuse(
        self, node: cst.CSTNode, code: str, message: str, help: str | None = None
    ) -> Refused:
        return Refused(Diagnostic(code, message, self.place(node), help))

    def unroll(
        self, node: cst.CSTNode, code: str, message: str, help: str | None = None
    ) -> Refused:
        """A refusal that unrolling the loops around may spare."""
        return MustUnroll(Diagnostic(code, message, self.place(node), help))

    def skips_rules(self, name: str) -> bool:
        """True if rules for speed are left out, and ``name`` can be read instead."""
        return self.functions.minimal and ":" in name

    def begin(self, node: cst.CSTNode) -> ir.Origin:
        """The origin of the statement ``node``, from here on."""
        module = self.frame.module
        place = self.place(node)
        before = self.builder.origin
        if before is not None and place_in(module, node) is None:
            text = before.text
        else:
            text = raw_line(module, place.line).strip()
        origin = ir.Origin(place.path, place.line, place.col, text, self.statements)
        self.statements += 1
        self.builder.origin = origin
        return origin

    def for_each(self, count: ir.Atom, body: Callable[[ir.Value], None]) -> None:
        """Add a loop over the numbers below ``count``, with what ``body`` adds for one of them."""
        index, zero, one = ir.Value("", INT), ir.ZERO, ir.ONE
        block, origin = self.in_child(lambda: body(index)).block(), self.builder.origin
        self.builder.add(ir.For((), index, zero, count, one, (), (), block, origin=origin))

    def in_child(self, body: Callable[[], None]) -> Builder:
        """Run ``body`` with a builder of its own, and return that: a block of its own."""
        sizes = self.sizes.save()
        guards, outer = len(self.guards), self.builder
        self.depth += 1
        self.builder = inner = outer.child()
        try:
            body()
            if len(self.guards) > guards:
                message = "an exception that is raised here can't be caught"
                raise self.refuse(cst.Pass(), "MK351", message, "compute it before, in a statement")
            return inner
        except NotReached:
            help_ = "call it in a statement of its own"
            raise self.refuse(cst.Pass(), "MK351", "this call always raises", help_) from None
        finally:
            self.builder = outer
            self.depth -= 1
            self.sizes.restore(sizes)

    def spend(self, count: int = 1) -> None:
        """Count expressions: there is an end to what calls, loops and lists may unfold to."""
        self.work += count
        if self.work > MAX_WORK:
            raise TooMuch("more calls, loops and expressions in one another than are worked with")

    def mark(self) -> Checkpoint:
        """The point to which ``reset`` goes back, in the same frame and block."""
        return Checkpoint(
            self.frame.save(), self.sizes.save(), self._lengths(), self.statements, self.copies,
            dict(self.heap.ambiguous), self.builder,
        )  # fmt: skip

    def reset(self, to: Checkpoint) -> None:
        """Forget all that was lowered since ``mark``."""
        self.frame.restore(to.state)
        self.sizes.restore(to.sizes)
        self.statements, self.copies = to.statements, to.copies
        self.heap.ambiguous = dict(to.ambiguous)
        stmts, exits, guards = to.lengths
        self.builder = to.builder
        del self.builder.stmts[stmts:], self.guards[guards:]
        for one in self.frame.loops[-1:]:
            del one.breaks[exits:]

    def _lengths(self) -> tuple[int, int, int]:
        exits = len(self.frame.loops[-1].breaks) if self.frame.loops else 0
        return len(self.builder.stmts), exits, len(self.guards)

    def aside(self, value: Callable[[], T]) -> tuple[Aside, T]:
        """The result of ``value``; its statements wait to be put in here by ``insert``."""
        outer, guards = self.builder, len(self.guards)
        self.builder = inner = outer.child()
        try:
            found = value()
        finally:
            self.builder = outer
        return Aside(inner.stmts, self.guards[guards:]), found

    def at(self, place: Builder, make: Callable[[], T]) -> T:
        """The result of ``make``; its statements go to ``place``."""
        here, self.builder = self.builder, place
        try:
            return make()
        finally:
            self.builder = here

    def insert(self, aside: Aside) -> None:
        """Put in the statements of ``aside``; the rest goes on in the guards that it has opened."""
        self.builder.stmts.extend(aside.stmts)
        if aside.guards:
            aside.guards[0].before, self.builder = self.builder, aside.guards[-1].rest

    @contextmanager
    def in_arm(self, branch: int, arm: bool) -> Iterator[None]:
        """Lower one arm of a branch."""
        around = self.arms
        self.arms = (*around, (branch, arm))
        try:
            yield
        finally:
            self.arms = around

    def temporary(self, hint: str = "") -> str:
        """A variable name that no program can have."""
        self.temporaries += 1
        return f"%{self.temporaries}:{hint}"

    def new_key(self) -> str:
        """A key for an object that no other one has."""
        self.temporaries += 1
        return f"{OBJECT}{self.temporaries}"

    def constant_array(self, decl: ArrayConstantDecl) -> ir.Value:
        """The module-level array, bound once at the start of the function."""
        key = (decl.module, decl.name)
        if key not in self.globals:
            value = ir.Value(decl.name, decl.type)
            self.globals[key] = value
            self.prelude.add(ir.Global(value, decl.module, decl.name, self.builder.origin))
        return self.globals[key]
