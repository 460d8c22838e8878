"""Liveness of names in the user's statements, and their jumps: what is read, written, reached.

Everything errs on the side of more live names: a name that is live without need costs a carried
value that a later pass removes. A name that is not live is never read before it is bound again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum

import libcst as cst

from mooncake_transpiler.frontend.lower.state.flags import BoundNames
from mooncake_transpiler.frontend.lower.state.statement_parts import (
    bodies,
    expressions,
    handler_names,
    header_names,
    with_names,
)
from mooncake_transpiler.frontend.lower.state.syntax import (
    Stmt,
    else_body,
    flat,
    pattern_names,
    target_names,
    target_reads,
    walk,
)
from mooncake_transpiler.frontend.name.bindings import imported_in


class Jump(Enum):
    BREAK = "break"
    CONTINUE = "continue"
    RETURN = "return"


Names = frozenset[str]
NO_NAMES: Names = frozenset()


@dataclass(frozen=True, slots=True)
class Effect:
    """``gen``: read before written; ``kill``: certainly written (None: everything, no way out).

    ``jumps`` leave the statement; it ``falls`` through where control can reach its end.
    """

    gen: Names = NO_NAMES
    kill: Names | None = NO_NAMES
    jumps: frozenset[Jump] = frozenset()
    falls: bool = True


@dataclass(slots=True)
class LoopExits:
    """The ways out of a loop by ``break`` and ``continue``: the names live there, and bound.

    ``mixed``: it is left by both ``break`` and ``return``, which must be told apart. ``sets``: what
    earlier iterations may have set at the start of one. ``over``: the dicts that it runs over.
    ``early``: there is a ``break`` or ``return`` in it. ``began``: how many temporaries there were.
    """

    latch: Names
    mixed: bool
    sets: Names = NO_NAMES
    breaks: list[BoundNames] = field(default_factory=list)
    continues: list[BoundNames] = field(default_factory=list)
    over: set[str] = field(default_factory=set)
    early: bool = False
    began: int = 0


class Flow:
    """The effects of the statements of one function, each computed once."""

    __slots__ = ("_effects", "captured")

    def __init__(self, body: Sequence[Stmt]) -> None:
        self._effects: dict[int, tuple[Stmt, Effect]] = {}
        self.captured = frozenset(_captured(body))

    def effect(self, stmt: Stmt) -> Effect:
        known = self._effects.get(id(stmt))
        if known is None:
            known = self._effects[id(stmt)] = (stmt, self._compute(stmt))
        return known[1]

    def of(self, stmts: Sequence[Stmt]) -> Effect:
        """The effect of statements in a row; what can't be reached counts for nothing."""
        gen: set[str] = set()
        written: set[str] = set()
        jumps: frozenset[Jump] = frozenset()
        for stmt in stmts:
            one = self.effect(stmt)
            gen |= one.gen - written
            jumps |= one.jumps
            if not one.falls:
                return Effect(frozenset(gen), None, jumps, False)
            written |= one.kill or NO_NAMES
        return Effect(frozenset(gen), frozenset(written), jumps, True)

    def live_after(
        self, stmts: Sequence[Stmt], out: Names, latch: Names, handled: Names = NO_NAMES
    ) -> list[Names | None]:
        """Per compound statement, the names that are live after it (None for simple ones).

        ``out`` is live at the end; ``latch`` is where ``break`` and ``continue`` lead, ``handled``
        where exceptions do.
        """
        live = out | handled
        found: list[Names | None] = [None] * len(stmts)
        for k in range(len(stmts) - 1, -1, -1):
            if isinstance(stmts[k], cst.BaseCompoundStatement):
                found[k] = live
            live = self._before(stmts[k], live, latch, handled)
        return found

    def live_before(self, stmts: Sequence[Stmt], out: Names, latch: Names, handled: Names) -> Names:
        """The names that are live before ``stmts``."""
        live = out | handled
        for stmt in reversed(stmts):
            live = self._before(stmt, live, latch, handled)
        return live

    def _before(self, stmt: Stmt, live: Names, latch: Names, handled: Names) -> Names:
        """The names that are live before ``stmt`` if ``live`` are so after it."""
        one = self.effect(stmt)
        left = NO_NAMES if one.kill is None else live - one.kill if one.kill else live
        around = latch if one.jumps & {Jump.BREAK, Jump.CONTINUE} else NO_NAMES
        return left.union(one.gen, handled, around)

    def _compute(self, stmt: Stmt) -> Effect:
        match stmt:
            case cst.Break():
                return Effect(kill=None, jumps=frozenset({Jump.BREAK}), falls=False)
            case cst.Continue():
                return Effect(kill=None, jumps=frozenset({Jump.CONTINUE}), falls=False)
            case cst.Return(value=value):
                gen = _reads(value)
                return Effect(gen, None, frozenset({Jump.RETURN}), False)
            case cst.Raise(exc=exc):
                return Effect(_reads(exc), None, falls=False)
            case cst.If(test=test, body=body, orelse=orelse):
                arms = [self.of(flat(body)), self.of(else_body(orelse))]
                return _choice(_reads(test), arms)
            case cst.Match(subject=subject, cases=cases):
                return self._match(_reads(subject), cases)
            case cst.For(target=target, iter=iterable, body=body, orelse=orelse):
                bound = frozenset(target_names(target))
                return self._loop(_reads(iterable), _reads(*target_reads(target)), bound, body,
                                  else_body(orelse), endless_items(iterable))  # fmt: skip
            case cst.While(test=test, body=body, orelse=orelse):
                orelse_body = else_body(orelse)
                reads = _reads(test)
                return self._loop(reads, reads, NO_NAMES, body, orelse_body, endless(test))
            case cst.Try():
                return self._try(stmt)
            case cst.With(items=items, body=body):
                bound = frozenset(with_names(items))
                # it may swallow exceptions: then what follows comes after any part of the body
                parts = [_without(self.of(flat(body)), bound), Effect()]
                return _choice(_reads(*(item.item for item in items)), parts)
            case _:
                return Effect(_simple_reads(stmt), frozenset(_simple_writes(stmt)))

    def _try(self, node: cst.Try) -> Effect:
        """Handlers start anywhere in the body, and what is at the end everywhere."""
        body = self.of((*flat(node.body), *else_body(node.orelse)))
        handlers = [_without(self.of(flat(h.body)), handler_names(h)) for h in node.handlers]
        found = _choice(_reads(*(h.type for h in node.handlers)), [body, *handlers])
        if node.finalbody is not None:
            final = self.of(flat(node.finalbody.body))
            kill = None if found.kill is None or final.kill is None else found.kill | final.kill
            jumps, falls = found.jumps | final.jumps, found.falls and final.falls
            found = Effect(found.gen | final.gen, kill, jumps, falls)
        return found

    def _match(self, subject: Names, cases: Sequence[cst.MatchCase]) -> Effect:
        arms = []
        for case in cases:
            body = self.of(flat(case.body))
            bound = frozenset(pattern_names(case.pattern))
            values = _reads(case.pattern, case.guard)
            arms.append(Effect((values | body.gen) - bound, body.kill, body.jumps, body.falls))
        if not any(irrefutable(case) for case in cases):
            arms.append(Effect())
        return _choice(subject, arms)

    def _loop(
        self,
        before: Names,
        head: Names,
        bound: Names,
        body: cst.BaseSuite,
        orelse: Sequence[Stmt],
        endless: bool,
    ) -> Effect:
        inner, after = self.of(flat(body)), self.of(orelse)
        gen = before | head | (inner.gen - bound) | after.gen
        breaks = Jump.BREAK in inner.jumps
        jumps = (inner.jumps & {Jump.RETURN}) | after.jumps
        if endless and not breaks:
            return Effect(gen, None, jumps, False)
        return Effect(gen, NO_NAMES, jumps, breaks or after.falls)


def _without(effect: Effect, bound: Names) -> Effect:
    """``effect`` after ``bound`` have been."""
    return Effect(effect.gen - bound, effect.kill, effect.jumps, effect.falls)


def _choice(test: Names, arms: Sequence[Effect]) -> Effect:
    gen = test.union(*(arm.gen for arm in arms))
    jumps: frozenset[Jump] = frozenset().union(*(arm.jumps for arm in arms))
    kills = [arm.kill for arm in arms if arm.kill is not None]
    falls = any(arm.falls for arm in arms)
    if not falls:
        return Effect(gen, None, jumps, False)
    return Effect(gen, frozenset.intersection(*kills), jumps, True)


def endless(test: cst.BaseExpression) -> bool:
    """True if a loop condition is literally true."""
    match test:
        case cst.Name(value="True"):
            return True
        case cst.Integer():
            return test.evaluated_value != 0
        case _:
            return False


def endless_items(iterable: cst.BaseExpression) -> bool:
    """True for ``itertools.count()`` and ``itertools.cycle(xs)``, of which no loop sees the end."""
    match iterable:
        case cst.Call(cst.Attribute(cst.Name("itertools"), cst.Name("count" | "cycle"))):
            return True
        case _:
            return False


def irrefutable(case: cst.MatchCase) -> bool:
    """True if a ``case`` takes whatever is left (``_`` or a bare name, without a guard)."""
    pattern = case.pattern
    return isinstance(pattern, cst.MatchAs) and pattern.pattern is None and case.guard is None


def written(stmts: Iterable[Stmt]) -> dict[str, None]:
    """The names that the statements may bind, in order of first appearance."""
    names: dict[str, None] = {}
    for stmt in stmts:
        match stmt:
            case cst.If(body=body, orelse=orelse):
                inner = (*flat(body), *else_body(orelse))
            case cst.For(target=target, body=body, orelse=loop_else):
                names |= dict.fromkeys(target_names(target))
                inner = (*flat(body), *else_body(loop_else))
            case cst.While(body=body, orelse=loop_else):
                inner = (*flat(body), *else_body(loop_else))
            case cst.Match(cases=cases):
                inner = ()
                for case in cases:
                    names |= dict.fromkeys(pattern_names(case.pattern))
                    inner = (*inner, *flat(case.body))
            case cst.Try() | cst.With():
                names |= dict.fromkeys(header_names(stmt))
                inner = bodies(stmt)
            case _:
                inner = ()
        names |= dict.fromkeys(_simple_writes(stmt)) | written(inner)
    return names


def unset_in(stmts: Iterable[Stmt]) -> frozenset[str]:
    """The names that the statements may take a value from: by ``del``, and of exceptions."""
    found: set[str] = set()
    for inner in (node for stmt in stmts for node in walk(stmt)):
        match inner:
            case cst.Del(target=target):
                found |= set(target_names(target))
            case cst.ExceptHandler():
                found |= handler_names(inner)
            case _:
                pass
    return frozenset(found)


def walrus_names(*nodes: cst.CSTNode | None) -> list[str]:
    """The names that ``:=`` binds inside expressions."""
    found = []
    for node in nodes:
        for inner in walk(node) if node is not None else ():
            if isinstance(inner, cst.NamedExpr) and isinstance(inner.target, cst.Name):
                found.append(inner.target.value)
    return found


def _reads(*nodes: cst.CSTNode | None) -> Names:
    found = set()
    for node in nodes:
        for inner in walk(node) if node is not None else ():
            if isinstance(inner, cst.Name):
                found.add(inner.value)
    return frozenset(found)


def _simple_reads(stmt: Stmt) -> Names:
    return _reads(*expressions(stmt))


def _simple_writes(stmt: Stmt) -> list[str]:
    names: list[str] = []
    match stmt:
        case cst.Assign(targets=targets):
            names = [n for t in targets for n in target_names(t.target)]
        case cst.AugAssign(target=target) | cst.Del(target=target):
            names = list(target_names(target))
        case cst.AnnAssign(target=target, value=value) if value is not None:
            names = list(target_names(target))
        case cst.FunctionDef(name=name):
            return [name.value]
        case cst.Import() | cst.ImportFrom():
            return [name for name, _ in imported_in(stmt)]
        case _:
            pass
    return names + walrus_names(*expressions(stmt))


def _captured(body: Iterable[Stmt]) -> set[str]:
    """All names inside nested functions: they may be read whenever those are called."""
    found: set[str] = set()
    for stmt in body:
        match stmt:
            case cst.If(body=inner, orelse=orelse):
                found |= _captured((*flat(inner), *else_body(orelse)))
            case cst.For(body=inner, orelse=orelse) | cst.While(body=inner, orelse=orelse):
                found |= _captured((*flat(inner), *else_body(orelse)))
            case cst.Match(cases=cases):
                for case in cases:
                    found |= _captured(flat(case.body))
            case cst.FunctionDef():
                found |= _reads(stmt)
                continue
            case cst.Try() | cst.With():
                found |= _captured(bodies(stmt))
            case _:
                pass
        for node in expressions(stmt):
            found |= captured_in(node) if node is not None else NO_NAMES
    return found


def captured_in(node: cst.CSTNode) -> Names:
    """All names inside the lambdas of an expression."""
    return _reads(*(inner for inner in walk(node) if isinstance(inner, cst.Lambda)))
