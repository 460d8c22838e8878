"""Functions: each is lowered once per tuple of argument types, when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import (
    TOO_LARGE,
    TOO_LARGE_HELP,
    Diagnostic,
    Refused,
    Start,
    TooMuch,
)
from mooncake_transpiler.frontend.declaration.outputs import returns_nothing
from mooncake_transpiler.frontend.entities import FunctionDecl, Source
from mooncake_transpiler.frontend.lower import survey
from mooncake_transpiler.frontend.lower.bodies import FunctionLowering
from mooncake_transpiler.frontend.lower.call import making_objects, recursion
from mooncake_transpiler.frontend.lower.call.constants import writes_to_constants
from mooncake_transpiler.frontend.lower.fitting_ranks import OF_RANKS, inferred_ranks
from mooncake_transpiler.frontend.lower.state.context import CalleeRefused, InLine, Unending
from mooncake_transpiler.frontend.lower.state.known import (
    Callee,
    Facts,
    Lifts,
    OverTables,
    Ruled,
    has_shared_numbers,
)
from mooncake_transpiler.frontend.lower.state.operands import FAILED
from mooncake_transpiler.frontend.lower.state.tabled import ColumnsNeeded, GrowthNeeded
from mooncake_transpiler.frontend.text.source import place_of
from mooncake_transpiler.reaching import closure
from mooncake_transpiler.types import NONE, ArrayLibrary, Type, leaves
from mooncake_transpiler.versions import version

Key = tuple[str, tuple[Type, ...], Facts]
Made = tuple[ir.Func, Facts, frozenset[int], bool | None]  # with the fields of ``Callee``
Refuse = Callable[[str, str | None], Refused]

MAX_DEPTH = 50  # how often a function may be inside itself, each time with arguments of other types
MAX_SUPPOSED = 5  # types that the result of a recursive function is supposed to have
MAX_LEAVES = 1000  # of the arguments of such a function


@dataclass(slots=True)
class Running:
    """A function that is being lowered: so many are around it, for one of which it is.

    ``low``: how many are around the outermost of these that it leads back to (Tarjan 1972).
    """

    depth: int
    low: int


@dataclass(slots=True)
class Lowering:
    """All functions of one run, as they are asked for."""

    source: Source
    funcs: dict[str, ir.Func] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    callees: dict[Key, Callee] = field(default_factory=dict)
    calls: dict[Key, set[Key]] = field(default_factory=dict)  # of these functions, by others
    running: dict[Key, Running] = field(default_factory=dict)  # the innermost one last
    leading: dict[Key, int] = field(default_factory=dict)  # ``low`` of those that did lead back
    refused: set[Key] = field(default_factory=set)
    in_line: set[Key] = field(default_factory=set)
    supposing: dict[Key, bool] = field(default_factory=dict)  # True: it was called
    names: dict[str, int] = field(default_factory=dict)
    rules: dict[tuple[object, ...], Ruled] = field(default_factory=dict)
    kinds: dict[tuple[object, ...], Type] = field(default_factory=dict)
    lifted: Lifts = field(default_factory=dict)
    over_tables: OverTables = field(default_factory=OverTables)
    reduced: dict[cst.CSTNode, bool] = field(default_factory=dict)
    sides: dict[Key | None, dict[cst.CSTNode, tuple[int, int]]] = field(default_factory=dict)
    minimal: bool = False
    check_bounds: bool = False
    stretching: bool = False
    failures: list[tuple[FunctionDecl, Exception]] | None = None  # None: the run ends with one

    @property
    def is_called(self) -> bool:
        return len(self.running) > 1

    @property
    def of_numbers(self) -> frozenset[cst.CSTNode]:
        """Sums and the like of numbers, for the ranks that were tried last."""
        return frozenset(node for node, is_number in self.reduced.items() if is_number)

    @property
    def has_device(self) -> bool:
        return any(decl.library is ArrayLibrary.CUPY for decl in self.source.functions())

    @property
    def shared(self) -> frozenset[Start]:
        return frozenset[Start]().union(*(decl.shared for decl in self.source.functions()))

    def is_recursive(self, decl: FunctionDecl) -> bool:
        return recursion.is_recursive(self.source, decl)

    def copied(self, failures: list[tuple[FunctionDecl, Exception]] | None) -> Lowering:
        """The same, to go on with another way; of the run between two functions."""
        return replace(
            self, funcs={**self.funcs}, diagnostics=[*self.diagnostics], callees={**self.callees},
            refused={*self.refused}, in_line={*self.in_line}, names={**self.names},
            rules={**self.rules}, sides={}, reduced={**self.reduced},
            calls={caller: {*called} for caller, called in self.calls.items()}, failures=failures,
        )  # fmt: skip

    def note_sides(self, node: cst.CSTNode, left: int | None, right: int | None) -> None:
        """Note the ranks of what an operation joins; those of numbers are 0."""
        of = self.sides.setdefault(next(reversed(self.running), None), {})
        of[node] = (left or 0, right or 0)

    def note_call(self, decl: FunctionDecl, types: tuple[Type, ...]) -> None:
        """Note a call of ``decl`` that is lowered in line."""
        self._note((decl.qualname, types, ()))

    def _note(self, key: Key) -> None:
        if self.running:
            self.calls.setdefault(next(reversed(self.running)), set()).add(key)

    def request(
        self, decl: FunctionDecl, types: tuple[Type, ...], known: Facts, refuse: Refuse
    ) -> Callee:
        if known and recursion.is_recursive(self.source, decl):
            if has_shared_numbers(known) and recursion.updates_parameters(self.source, decl):
                raise refuse(
                    f"{decl.name} is recursive and changes an argument in place that is an array "
                    "without axes",
                    "give it a number: float(x)",
                )
            known = ()  # one function for all levels
        key = (decl.qualname, types, known)
        self._note(key)
        if key in self.in_line:
            raise InLine
        if key in self.refused:
            raise CalleeRefused
        if key not in self.callees and key not in self.running:
            self._check_growth(decl, types, refuse)
            self._make(decl, key)
        low = self.running[key].depth if key in self.running else self.leading.get(key)
        if low is None:
            return self.callees[key]
        if key not in self.callees:
            if key in self.supposing:
                self.supposing[key] = True
                raise Unending
            help_ = f"annotate its parameters and its result: def {decl.name}(...) -> float"
            raise refuse(f"the result type of the recursive function {decl.name} is unknown", help_)
        self._lead_back(low)
        return replace(self.callees[key], known=())  # the same ones, whichever comes first

    def _make(self, decl: FunctionDecl, key: Key) -> None:
        """Lower a function, and learn from it what is known of its result."""
        _, types, known = key
        name, depth = self._name(decl, types, known), len(self.running)
        if decl.result is not None:
            copies = False if recursion.is_recursive(self.source, decl) else None
            self.callees[key] = Callee(name, types, decl.result.type, copies=copies)
        running = self.running[key] = Running(depth, depth)
        try:
            if decl.result is None and recursion.is_recursive(self.source, decl):
                made = self._recursive(decl, key, name)
            else:
                made = self._with_copies(decl, key, name)
        except (ColumnsNeeded, GrowthNeeded):
            self.callees.pop(key, None)
            raise
        except InLine as asked:
            if making_objects.must_make(self.source, self.over_tables, decl, types):
                raise GrowthNeeded from None
            if asked.why is None or not recursion.is_recursive(self.source, decl):
                self.in_line.add(key)
                raise
            self._report(asked.why)
            made = None
        finally:
            del self.running[key]
            self._close(key, running)
        if made is not None:
            result = made[0].result if decl.result is None else decl.result.type
            self.callees[key] = Callee(name, types, result, *made[1:])
            return
        self.refused.add(key)
        if decl.result is None:
            raise CalleeRefused

    def _with_copies(self, decl: FunctionDecl, key: Key, name: str) -> Made | None:
        """The function; again, if it returns copies of its arguments and has called itself.

        Its own calls were taken for calls that don't. If it writes to none of its arguments, as
        far as is seen of that, these calls don't.
        """
        _, types, known = key
        before = set(self.callees)
        made = self._lower(decl, types, known, name)
        own = self.callees.get(key)
        if made is None or own is None or own.copies is not False or not made[-1]:
            return made
        supposed = None if made[2] else made[2]
        while True:
            self.callees = {other: self.callees[other] for other in before}
            self.callees[key] = replace(own, copies=True, writes=supposed)
            made = self._lower(decl, types, known, name)
            if made is None or supposed is None or made[2] == supposed:
                return made
            supposed = None

    def _recursive(self, decl: FunctionDecl, key: Key, name: str) -> Made | None:
        """A function whose result has no annotation and that may call itself.

        Its result is supposed to be of the type that it is without these calls, then of the type
        that it turns out to be with them, until that is the same.
        """
        (_, types, known), before, refused = key, {*self.callees}, {*self.refused}
        self.supposing[key] = False
        try:
            made = self._lower(decl, types, known, name)
        finally:
            has_called = self.supposing.pop(key)
        never = made is not None and made[0].result == NONE and not returns_nothing(decl.node)
        if never and any(self.supposing.values()):
            raise Unending  # it leads to one of these on all paths
        if not has_called:
            return made
        self.callees = {other: self.callees[other] for other in before}
        self.refused = {*refused}
        if never and making_objects.classes(self.source, decl):
            raise InLine
        if never:
            why = f"the recursive function {decl.name} never returns without calling itself"
            self._fail(decl, "MK304", why, "return a value before that call")
            return None
        for _ in range(MAX_SUPPOSED):
            if made is None:
                return None
            result = made[0].result
            self.callees = {other: self.callees[other] for other in before}  # these call it, too
            self.callees[key] = Callee(name, types, result, copies=False)
            self.refused = {*refused}
            made = self._with_copies(decl, key, name)
            if made is not None and made[0].result == result:
                return made
        why = f"the results of {decl.name} have no single type"
        self._fail(decl, "MK304", why, "annotate its parameters and its result")
        return None

    def for_others(self, decl: FunctionDecl, types: tuple[Type, ...]) -> None:
        """Lower a function for callers outside of SRC, which is lowered in line in SRC."""
        try:
            self._lower(decl, types, (), decl.qualname, outside=True)
        except InLine as asked:
            if asked.why is None:
                raise
            self._report(asked.why)

    def _close(self, key: Key, ended: Running) -> None:
        """Nothing leads back to ``ended`` any more: what did leads where it does, if anywhere."""
        is_root = ended.low == ended.depth
        self.leading[key] = ended.low
        for other, low in list(self.leading.items()):
            if low >= ended.depth or other == key:
                self.leading[other] = ended.low
                if is_root:
                    del self.leading[other]
        if not is_root:
            self._lead_back(ended.low)

    def _lead_back(self, low: int) -> None:
        """The innermost function calls one that leads back to the one with ``low`` around it."""
        if self.running:
            innermost = next(reversed(self.running.values()))
            innermost.low = min(innermost.low, low)

    def _check_growth(self, decl: FunctionDecl, types: tuple[Type, ...], refuse: Refuse) -> None:
        """Refuse recursion with arguments of ever other types."""
        depth = sum(qualname == decl.qualname for qualname, *_ in self.running)
        size = sum(1 for type_ in types for _ in leaves(type_))
        if depth >= MAX_DEPTH or (depth and size > MAX_LEAVES):
            raise refuse(
                f"the recursive function {decl.name} is called with arguments of other types "
                f"on each of {depth} levels",
                "give it arguments of the same types, or write a loop",
            )

    def ruled(self, key: tuple[object, ...], make: Callable[[str], Ruled]) -> Ruled:
        """The functions of a rule, lowered when they are first asked for."""
        if key not in self.rules:
            count = sum(known[0] == key[0] for known in self.rules)
            made = make(version(str(key[0]), count))
            self.rules[key] = made
            self.funcs[made.func.name] = made.func
            self.funcs[made.pullback.name] = made.pullback
        return self.rules[key]

    def _name(self, decl: FunctionDecl, types: tuple[Type, ...], known: Facts) -> str:
        """A name for the function: its own where it is lowered as it is declared."""
        declared = tuple(p.annotation.type for p in decl.params if p.annotation is not None)
        if not known and types == declared and len(declared) == len(decl.params):
            return decl.qualname
        count = self.names.get(decl.qualname, 0)
        self.names[decl.qualname] = count + 1
        return version(decl.qualname, count)

    def _lower(
        self,
        decl: FunctionDecl,
        types: tuple[Type, ...],
        known: Facts,
        name: str,
        outside: bool = False,
    ) -> Made | None:
        """The function, what is known of its result, and the inputs that it writes to.

        None after reporting why there is none.
        """
        self.funcs.pop(name, None)  # of a pass before, which supposed other things
        of = self.source, self, decl, types, known, name, outside, bool(self.supposing)
        body = FunctionLowering(*of)
        try:
            func = self.funcs[name] = body.run()
        except (Refused, CalleeRefused) as refusal:
            if isinstance(refusal, Refused) and FAILED.reason not in refusal.diagnostic.message:
                self._report(_with_ranks(decl, refusal.diagnostic))
            self._survey(body, refusal)
        except TooMuch as excess:
            self._fail(decl, TOO_LARGE, str(excess), TOO_LARGE_HELP)
        except RecursionError:
            message = f"{decl.name} is nested too deeply"
            self._fail(decl, "MK190", message, "split it into several functions")
        except (InLine, Unending, ColumnsNeeded, GrowthNeeded):
            raise
        except Exception as error:
            if self.failures is None:
                raise
            self.failures.append((decl, error))
        else:
            return func, body.learnt, body.writes, body.copies
        return None

    def _survey(self, body: FunctionLowering, first: Refused | CalleeRefused) -> None:
        """Report what else is wrong in the function."""
        for diagnostic in survey.others(body, first):
            self._report(diagnostic)

    def program(self, names: Iterable[str]) -> ir.Program:
        """The functions ``names`` and what they call, without those that must not be."""
        roots = list(names)
        for name, diagnostic in writes_to_constants(_reachable(self.funcs, roots)):
            self._report(diagnostic)
            self.funcs.pop(name, None)
        return ir.Program(_reachable(self.funcs, roots))

    def _fail(self, decl: FunctionDecl, code: str, message: str, help_: str) -> None:
        self._report(Diagnostic(code, message, place_of(self.source, decl), help_))

    def _report(self, diagnostic: Diagnostic) -> None:
        if diagnostic not in self.diagnostics:
            self.diagnostics.append(diagnostic)


def _with_ranks(decl: FunctionDecl, found: Diagnostic) -> Diagnostic:
    """``found``; with the ranks that were inferred for parameters where these may be the reason."""
    fields = (one for param in decl.params for one in param.inferred_fields)
    ranks = [*inferred_ranks(decl).items(), *fields]
    inferred = [f"{name} of rank {rank}" for name, rank in ranks]
    if not inferred or found.code not in OF_RANKS:
        return found
    help_ = (
        f'if this is not meant, annotate with axes ("n m") what is taken for {", ".join(inferred)}'
    )
    return replace(found, help="; ".join(filter(None, (found.help, help_))))


def _reachable(funcs: Mapping[str, ir.Func], roots: Iterable[str]) -> dict[str, ir.Func]:
    """The functions that ``roots`` call, those left out that call what was refused.

    A function stands for its pullback, too.
    """
    called = {name: set(ir.mentioned(func)) for name, func in funcs.items()}
    while broken := [name for name, callees in called.items() if not callees <= called.keys()]:
        for name in broken:
            del called[name]
    wanted = closure((name for name in roots if name in called), called.__getitem__)
    return {name: funcs[name] for name in called if name in wanted}
