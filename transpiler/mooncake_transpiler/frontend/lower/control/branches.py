"""``if`` and ``match``: two arms, and the values that are chosen between them afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.builder import Builder
from mooncake_transpiler.frontend.lower.array import memory, whole
from mooncake_transpiler.frontend.lower.call import choices
from mooncake_transpiler.frontend.lower.container import containers, lengths
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.control import optional, patterns, unifying
from mooncake_transpiler.frontend.lower.control.flow import Names
from mooncake_transpiler.frontend.lower.failure import attempts, guards
from mooncake_transpiler.frontend.lower.frame import (
    DEAD,
    EXIT,
    FALSE,
    FLAGS,
    LEFT,
    OBJECT,
    RAISED,
    TRUE,
    State,
    hint_of,
    meet,
)
from mooncake_transpiler.frontend.lower.inner import inner_atoms
from mooncake_transpiler.frontend.lower.instance import objects
from mooncake_transpiler.frontend.lower.instance.joined import Joined, common_fields
from mooncake_transpiler.frontend.lower.operands import (
    NOTHING,
    Conflict,
    Items,
    Maybe,
    Operand,
    Ref,
    atoms,
    rebuild,
    same,
    type_of,
    undefined,
)
from mooncake_transpiler.frontend.lower.scalar import kinds, logic
from mooncake_transpiler.frontend.lower.scalar.scalars import cast
from mooncake_transpiler.frontend.lower.syntax import Stmt, else_body, flat
from mooncake_transpiler.types import Array, Scalar, Type

Arm = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Case:
    """One ``case`` of a ``match``; the last one stands for no case at all."""

    test: Callable[[], ir.Atom]
    body: tuple[Stmt, ...]


def lower_if(ctx: Context, node: cst.If, rest: Sequence[Stmt], live: Names, follow: bool) -> None:
    """``if``; ``rest`` is what follows it, where that moves into the arm that falls through."""
    cond = logic.condition(ctx, node.test)
    then, orelse = (
        partial(_arm, ctx, body, rest, live, follow)
        for body in (flat(node.body), else_body(node.orelse))
    )
    branch(ctx, cond, then, orelse, live, follow)


def lower_match(
    ctx: Context, node: cst.Match, rest: Sequence[Stmt], live: Names, follow: bool
) -> None:
    subject = ctx.lower.expression(ctx, node.subject)
    cases = [Case(partial(patterns.test, ctx, c, subject), flat(c.body)) for c in node.cases]
    _lower_cases(ctx, [*cases, Case(lambda: TRUE, ())], rest, live, follow)


def _lower_cases(
    ctx: Context, cases: Sequence[Case], rest: Sequence[Stmt], live: Names, follow: bool
) -> None:
    first, *others = cases
    then = partial(_arm, ctx, first.body, rest, live, follow)
    orelse = partial(_lower_cases, ctx, others, rest, live, follow)
    branch(ctx, first.test(), then, orelse, live, follow)


def _arm(
    ctx: Context, body: tuple[Stmt, ...], rest: Sequence[Stmt], live: Names, follow: bool
) -> None:
    falls = ctx.frame.flow.of(body).falls
    ctx.lower.block(ctx, (*body, *rest) if falls else body, live, follow)


def takes_rest(ctx: Context, node: cst.If | cst.Match) -> bool:
    """Whether what follows ``node`` can move into its one arm that falls through."""
    flow = ctx.frame.flow
    if not flow.effect(node).jumps:
        return False
    if isinstance(node, cst.If):
        arms = [flat(node.body), else_body(node.orelse)]
    else:
        arms = [*(flat(case.body) for case in node.cases), ()]
    return sum(flow.of(arm).falls for arm in arms) == 1


def branch(
    ctx: Context, cond: ir.Atom, then: Arm, orelse: Arm, live: Names | None, follow: bool
) -> None:
    """Run one of two arms; afterwards the variables hold what that arm left in them."""
    if isinstance(cond, ir.Const):
        (then if cond.value else orelse)()
        return
    frame, entry = ctx.frame, ctx.frame.save()
    blocks: list[Builder] = []
    states: list[State] = []
    ctx.temporaries += 1
    number = ctx.temporaries
    for truth, arm in ((True, then), (False, orelse)):
        frame.restore(entry)
        arm = optional.narrowed(ctx, cond, truth, arm)
        with ctx.in_arm(number, truth):
            blocks.append(ctx.in_child(partial(guards.closed, ctx, arm)))
        states.append(frame.save())
    rejoin(ctx, cond, (blocks[0], blocks[1]), (states[0], states[1]), entry, live, follow)
    if states[0].raised != states[1].raised:
        optional.narrow(ctx, cond, states[1].raised)


def rejoin(
    ctx: Context,
    cond: ir.Atom,
    blocks: tuple[Builder, Builder],
    states: tuple[State, State],
    entry: State,
    live: Names | None,
    follow: bool,
) -> None:
    """What holds after two arms, of which the first runs if ``cond``."""
    frame = ctx.frame
    lengths.level(ctx, blocks, states)
    merge = Merge(ctx, cond, blocks, states)
    frame.values = dict(merge.variables(entry, live, follow))
    frame.bound = meet(state.bound for state in states)
    if frame.bound is not None:
        frame.bound |= merge.certain
    frame.raised = all(state.raised for state in states)
    outs = tuple(merge.outs)
    if outs or blocks[0].stmts or blocks[1].stmts:
        arms = [b.block(y) for b, y in zip(blocks, merge.yields, strict=True)]
        ctx.builder.add(ir.If(outs, cond, arms[0], arms[1], ctx.builder.origin))


def choose(
    ctx: Context,
    node: cst.CSTNode,
    cond: ir.Atom,
    then: Callable[[], Operand],
    orelse: Callable[[], Operand],
    hint: str,
) -> Operand:
    """The value of one of two expressions, of which only that one is evaluated."""
    name = ctx.temporary(hint)

    def arm(value: Callable[[], Operand]) -> Arm:
        def run() -> None:
            found = value()
            ctx.frame.values[name] = whole.settle(ctx, found)

        return run

    branch(ctx, cond, arm(then), arm(orelse), None, True)
    guards.go_on(ctx)
    value = ctx.frame.values.pop(name)
    if isinstance(value, Conflict):
        raise ctx.refuse(node, "MK212", f"the value has no single type: {value.reason}")
    return value


class Merge:
    """Chooses between the values of two arms: outs of the ``If``, and what each arm yields."""

    def __init__(
        self,
        ctx: Context,
        cond: ir.Atom,
        builders: tuple[Builder, Builder],
        states: tuple[State, State],
    ) -> None:
        self.ctx = ctx
        self.cond = cond
        self.builders = builders
        self.states = states
        self.flags: list[tuple[Operand, Operand, ir.Value]] = []
        self.outs: list[ir.Value] = []
        self.yields: tuple[list[ir.Atom], list[ir.Atom]] = ([], [])
        self.joined = Joined(ctx, "it was chosen by a condition")
        self.fields: dict[str, Operand] = {}  # of joined objects
        self.certain: set[str] = set()  # those of the fields that are set in either arm

    def variables(
        self, entry: State, live: Names | None, follow: bool
    ) -> Iterator[tuple[str, Operand]]:
        found = dict(self._variables(entry, live, follow))
        found |= self.fields
        self.certain |= set(self._new_fields(entry))
        self.joined.check(found.items())
        yield from found.items()

    def _new_fields(self, entry: State) -> Iterator[str]:
        """What objects hold that one arm has made: who has them has come that way."""
        old = {name.partition(".")[0] for name in entry.values if name.startswith(OBJECT)}
        for one, other in (self.states, self.states[::-1]):
            for name in one.values:
                is_new = name.startswith(OBJECT) and name.partition(".")[0] not in old
                if is_new and name not in other.values and one.bound is not None:
                    yield from (name,) if name in one.bound else ()

    def _variables(
        self, entry: State, live: Names | None, follow: bool
    ) -> Iterator[tuple[str, Operand]]:
        frame = self.ctx.frame
        first, second = (state.values for state in self.states)
        for name in first | second:
            a, b = first.get(name), second.get(name)
            if a is not None and same(a, b):
                yield name, a
                continue
            only = b if self.states[0].raised else a if self.states[1].raised else None
            if only is not None and _outlives(only, entry.values.get(name)):
                yield name, only
            elif frame.is_live(name, live, follow):
                pick = self._flag if name in FLAGS else self.pick
                yield name, pick(name, a, b)
            else:
                yield name, FALSE if name in FLAGS else DEAD

    def pick(self, name: str, a: Operand | None, b: Operand | None) -> Operand:
        """The operand that is ``a`` after the one arm and ``b`` after the other."""
        a, b = (self._seen(x, state) for x, state in zip((a, b), self.states, strict=True))
        if same(a, b) and a is not None:
            return a
        if a is None or b is None:
            only = a if b is None else b
            return DEAD if only is None else self._one_sided(name, only, a is None)
        if isinstance(a, Items) and isinstance(b, Items) and a.is_like(b):
            pairs = zip(a.items, b.items, strict=True)
            part = f"{name}_count" if containers.is_growing(a) else name
            return replace(a, items=tuple(self.pick(part, x, y) for x, y in pairs))
        if isinstance(a, Ref) and isinstance(b, Ref) and a.cls is b.cls:
            return self._object(name, a, b)
        sides = optional.pair(a, b)
        if sides is not None:
            return self._optional(name, *sides)
        function = choices.merged(self, name, a, b)
        if function is not None:
            return function
        type_ = unifying.unify(a, b)
        if isinstance(type_, Conflict):
            return type_
        return self.out(name, type_, [a, b])

    def _optional(self, name: str, a: Maybe, b: Maybe) -> Operand:
        """A value that may be None: with a flag."""
        value = self.pick(name, a.value, b.value)
        if isinstance(value, Conflict):
            return value
        if (a.there, b.there) == (TRUE, FALSE):
            return Maybe(self.cond, value)
        there = self.pick(f"%there:has_{hint_of(name)}", a.there, b.there)
        assert isinstance(there, ir.Value | ir.Const | ir.Undef)
        return Maybe(there, value)

    def _object(self, name: str, a: Ref, b: Ref) -> Ref:
        """An object that is ``a`` after the one arm and ``b`` after the other."""
        made, is_new = self.joined.join(a, b, hint_of(name))
        if is_new:
            first, second = (state.values for state in self.states)
            for field in common_fields(first, a, second, b):
                sides = objects.variable(a, field), objects.variable(b, field)
                own = objects.variable(made, field)
                self.fields[own] = self.pick(own, first.get(sides[0]), second.get(sides[1]))
                bound = [
                    s.bound is None or n in s.bound for n, s in zip(sides, self.states, strict=True)
                ]
                if all(bound):
                    self.certain.add(own)
                for way in attempts.ways(self.ctx):
                    way.join(own, ((a, sides[0]), (b, sides[1])))
        return made

    @staticmethod
    def _seen(value: Operand | None, state: State) -> Operand | None:
        """``value``, or None where no path through its arm leads to a read of it."""
        unseen = state.raised or (state.bound is None and value is DEAD)
        return None if unseen else value

    def _flag(self, name: str, a: Operand | None, b: Operand | None) -> Operand:
        """Flags that agree in both arms are one value; a ``continue`` is its own condition."""
        if a is None or b is None:
            return self.pick(name, a, b)
        exits = [state.values[EXIT] for state in self.states]
        alone = same(*exits) if name == LEFT else name == RAISED and not self.ctx.frame.loops
        if (a, b) == (TRUE, FALSE) and alone:
            return self.cond
        for one, other, out in self.flags:
            if same(a, one) and same(b, other):
                return out
        new = self.pick(name, a, b)
        if isinstance(new, ir.Value):
            self.flags.append((a, b, new))
        return new

    def _one_sided(self, name: str, only: Operand, first_is_missing: bool) -> Operand:
        type_ = type_of(only)
        if isinstance(only, Conflict) or only == NOTHING:
            return only
        if type_ is None:
            return choices.kept(self, name, only, int(first_is_missing))
        missing = undefined(type_)
        return self.out(name, type_, [missing, only] if first_is_missing else [only, missing])

    def out(self, name: str, type_: Type, sides: Sequence[Operand]) -> Operand:
        new: list[ir.Atom] = []
        for a, b in zip(*(list(atoms(side)) for side in sides), strict=True):
            leaf = type_ if isinstance(type_, Scalar) else a.type
            out = ir.Value(hint_of(name), leaf)
            kinds.merged(self.ctx, out, (a, b))
            for builder, yields, atom in zip(self.builders, self.yields, (a, b), strict=True):
                yields.append(cast_in(self.ctx, builder, atom, leaf))
            shows = [self.ctx.shown[x] for x in (a, b) if x in self.ctx.shown]
            if shows:
                self.ctx.shown[out] = frozenset().union(*shows)
            shape = self.ctx.sizes.same_shape(a, b)
            if shape is not None:
                self.ctx.sizes.shapes[out] = shape
                memory.join_layouts(self.ctx, out, a, b)
            elif isinstance(leaf, Array):
                memory.keep_common(self.ctx, out, a, b)
            self.outs.append(out)
            new.append(out)
        return rebuild(type_, iter(new))


def _outlives(value: Operand, before: Operand | None) -> bool:
    """Whether ``value`` may be used after the branch: it is constant, or bound before."""
    inside = any(isinstance(atom, ir.Value) for atom in inner_atoms(value))
    return not inside or same(value, before)


def cast_in(ctx: Context, builder: Builder, atom: ir.Atom, type_: Type) -> ir.Atom:
    """``atom`` as a ``type_``, converted by a statement of ``builder`` where need be."""
    if not isinstance(type_, Scalar):
        return atom
    outer, ctx.builder = ctx.builder, builder
    try:
        return cast(ctx, atom, type_)
    finally:
        ctx.builder = outer


def guard(ctx: Context, rest: Arm, live: Names, follow: bool) -> None:
    """Run ``rest`` unless control has left before."""
    frame = ctx.frame
    left = frame.values[LEFT]
    assert isinstance(left, ir.Value | ir.Const)

    def skip() -> None:
        known = {flag: TRUE for flag in FLAGS if frame.values[flag] is left}
        frame.values |= known
        frame.bound = None

    def go_on() -> None:
        guards.stay(ctx)
        rest()

    branch(ctx, left, skip, go_on, live | frame.latch, follow)
