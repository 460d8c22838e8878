"""Phis of branches: for each variable that an arm changes, its value from the arm that has run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.failure import throwing
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.merge.object_merging import (
    Joined,
    check_searched,
    common_fields,
)
from mooncake_transpiler.frontend.lower.object import absent_lists, containers, objects, unifying
from mooncake_transpiler.frontend.lower.row import lengths, longer_tuples
from mooncake_transpiler.frontend.lower.scalar import kinds, run_texts, scalars, told_values
from mooncake_transpiler.frontend.lower.scalar.scalars import cast, constant
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import (
    CARGO,
    EXIT,
    FALSE,
    FLAGS,
    LEFT,
    RAISED,
    TRUE,
    flag_of,
    hint_of,
    is_cell,
    owner_of,
    owners_of,
)
from mooncake_transpiler.frontend.lower.state.flow import Names
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.inner import inner_atoms, is_function, mapped
from mooncake_transpiler.frontend.lower.state.leaves import (
    atom_of,
    atoms,
    rebuild,
    same,
    told,
    type_of,
    undefined,
)
from mooncake_transpiler.frontend.lower.state.operands import (
    DEAD,
    NOTHING,
    Bound,
    Choice,
    Conflict,
    Either,
    Items,
    Maybe,
    Operand,
    State,
    Told,
)
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import INT, Array, Scalar, Type


def between(ctx: Context, a: Operand, b: Operand) -> bool:
    """True if a condition may choose between ``a`` and ``b``: functions, instances, no function."""
    kinds = [_is_dispatched(ctx, side) for side in (a, b)]
    optional = NOTHING in (a, b) and any(map(is_function, (a, b)))
    return all(kinds) or optional


def _is_dispatched(ctx: Context, operand: Operand) -> bool:
    """True if what is done with ``operand`` depends on its class: calls, attributes."""
    cls = objects.declared(ctx, operand)
    return is_function(operand) or (cls is not None and cls.module != "builtins")


def merged(merge: Merge, name: str, a: Operand, b: Operand) -> Operand | None:
    """The function or instance that is ``a`` after the one arm of a branch and ``b`` after the
    other; None if they are no such things."""
    if isinstance(a, Bound) and isinstance(b, Bound) and _same_function(a, b):
        args = [merge.pick(name, x, y) for x, y in zip(a.args, b.args, strict=True)]
        named = {key: merge.pick(name, a.keywords[key], b.keywords[key]) for key in a.keywords}
        return Bound(a.func, tuple(args), named)
    if (several := unifying.as_kinds(a, b)) is not None:
        return merge.out(name, *several)
    if between(merge.ctx, a, b):
        return Choice(merge.cond, kept(merge, name, a, 0), kept(merge, name, b, 1))
    return None


def kept(merge: Merge, name: str, operand: Operand, arm: int) -> Operand:
    """``operand`` of one arm, with what that arm has computed for it carried out."""
    made = {out for stmt in merge.builders[arm].stmts for out in ir.outs(stmt)}

    def carried(atom: ir.Atom) -> ir.Atom:
        if atom not in made:
            return atom
        missing = ir.Undef(atom.type)
        sides = (missing, atom) if arm else (atom, missing)
        return atom_of(merge.out(name, atom.type, sides))

    return mapped(operand, carried)


def _same_function(a: Bound, b: Bound) -> bool:
    shape = len(a.args) == len(b.args) and a.keywords.keys() == b.keywords.keys()
    return shape and same(a.func, b.func)


def is_none(ctx: Context, operand: Operand) -> ir.Atom:
    """A bool: ``operand`` is None."""
    if not isinstance(operand, Choice):
        return constant(operand == NOTHING)
    sides = is_none(ctx, operand.then), is_none(ctx, operand.orelse)
    match sides:
        case ir.Const(value=a), ir.Const(value=b):
            if a == b:
                return constant(bool(a))
            return operand.cond if a else ctx.builder.not_(operand.cond)
        case _:
            return scalars.select(ctx, operand.cond, *sides)


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
        """The fields of objects that one arm has made: who has them has come that way."""
        old = owners_of(entry.values)
        old |= {ref.key for value in entry.values.values() for ref in objects.refs(value)}
        for one, other in (self.states, self.states[::-1]):
            for name in one.values:
                is_new = is_cell(name) and owner_of(name) not in old
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
            parts = [name for _ in a.items]
            if containers.is_growing(a):
                start = f"{name}_" if hint_of(name) else name
                parts = [f"{start}{label}" for label in a.names or ()]
            picked = (self.pick(n, x, y) for n, (x, y) in zip(parts, pairs, strict=True))
            return replace(a, items=tuple(picked))
        if isinstance(a, Ref) and isinstance(b, Ref) and a.cls is b.cls:
            return self._object(name, a, b)
        if run_texts.are_texts(a, b):
            return self._text(name, a, b)
        if (both := told_values.pair(a, b)) is not None:
            return self._told(name, *both)
        absent_lists.check(self.ctx, name, a, b)
        longer_tuples.check(self.ctx, name, a, b)
        if (sides := unifying.pair(a, b)) is not None:
            return self._optional(name, *sides)
        if (kinds := unifying.two_kinds(a, b)) is not None:
            return self._either(name, *kinds)
        if (function := merged(self, name, a, b)) is not None:
            return function
        type_ = unifying.unify(a, b)
        if isinstance(type_, Conflict):
            return type_
        return self.out(name, type_, [a, b])

    def _optional(self, name: str, a: Maybe, b: Maybe) -> Operand:
        """A value that may be None: with a flag."""
        value = self._part(name, a.value, b.value)
        if isinstance(value, Conflict):
            return value
        if (a.there, b.there) == (TRUE, FALSE):
            return Maybe(self.cond, value)
        there = atom_of(self.pick(f"%there:has_{hint_of(name)}", a.there, b.there))
        return Maybe(there, value)

    def _either(self, name: str, a: Either, b: Either) -> Operand:
        """A number or an array: with a flag."""
        first, second = self._part(name, a.first, b.first), self._part(name, a.second, b.second)
        for side in (first, second):
            if isinstance(side, Conflict):
                return side
        if (a.is_first, b.is_first) == (TRUE, FALSE):
            return Either(self.cond, first, second)
        is_first = atom_of(self.pick(f"%first:{hint_of(name)}_is_first", a.is_first, b.is_first))
        return Either(is_first, first, second)

    def _part(self, name: str, a: Operand, b: Operand) -> Operand:
        """One of ``a`` and ``b``, with a stand-in where a loop may carry what is not there."""
        for arm, (one, other) in enumerate(((a, b), (b, a)) if self.ctx.frame.loops else ()):
            if isinstance(one, ir.Undef) and isinstance(other, ir.Value):
                make = partial(storage.stand_in, self.ctx, other, hint_of(name))
                if (made := self.ctx.at(self.builders[arm], make)) is not None:
                    a, b = (a, made) if arm else (made, b)
        return self.pick(name, a, b)

    def _text(self, name: str, *sides: Operand | None) -> Operand:
        """A text, by its number."""
        numbers = [
            number
            for builder, side in zip(self.builders, sides, strict=True)
            if side is not None
            for number in atoms(self.ctx.at(builder, partial(run_texts.key, self.ctx, side)))
        ]
        (number,) = atoms(self.out(name, INT, numbers))
        return RunText(number)

    def _told(self, name: str, *both: Told) -> Operand:
        """One of several texts or members of enums."""
        options = told_values.options(*both)
        sides = [
            self.ctx.at(builder, partial(told_values.recoded, self.ctx, side, options))
            for builder, side in zip(self.builders, both, strict=True)
        ]
        return self.out(name, told(options), sides)

    def _object(self, name: str, a: Ref, b: Ref) -> Ref:
        """An object that is ``a`` after the one arm and ``b`` after the other."""
        check_searched(self.ctx, a, self.states[0], b, self.states[1])
        both = zip((a, b), self.states, strict=True)
        abouts = (containers.numbered(state.values, ref) for ref, state in both)
        are_numbers = all(map(containers.is_pooled, abouts))
        made, is_new = self.joined.join(a, b, hint_of(name), are_numbers=are_numbers)
        together = None
        if is_new:
            together = lengths.joined(self.ctx, self.builders, self.states, (a, b), made)
        if together is not None:
            own = containers.variable(made)
            self.fields[own] = self.pick(own, *together)
            self.certain.add(own)
            sides = containers.variable(a), containers.variable(b)
            for way in throwing.ways(self.ctx):
                way.join(own, ((a, sides[0]), (b, sides[1])))
        elif is_new:
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
                for way in throwing.ways(self.ctx):
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
        arm = self.builders[int(first_is_missing)].block(())
        if name in CARGO and is_from_outside(only, arm):
            return only  # a result is looked at where it is set, and it is this one then
        if type_ is None:
            return kept(self, name, only, int(first_is_missing))
        missing: Operand = undefined(type_)
        if isinstance(type_, Array) and isinstance(only, ir.Value):
            missing = self._stand_in(name, only, int(not first_is_missing)) or missing
        return self.out(name, type_, [missing, only] if first_is_missing else [only, missing])

    def _stand_in(self, name: str, like: ir.Value, arm: int) -> ir.Value | None:
        """A stand-in in ``arm`` for an array that is not set there: a flag tells."""
        if flag_of(name) not in self.states[arm].values:
            return None
        return self.ctx.at(
            self.builders[arm], partial(storage.stand_in, self.ctx, like, hint_of(name))
        )

    def out(self, name: str, type_: Type, sides: Sequence[Operand]) -> Operand:
        new: list[ir.Atom] = []
        for a, b in zip(*(list(atoms(side)) for side in sides), strict=True):
            leaf = type_ if isinstance(type_, Scalar) else a.type
            out = ir.Value(hint_of(name), leaf)
            kinds.merged(self.ctx, out, (a, b))
            for builder, yields, atom in zip(self.builders, self.yields, (a, b), strict=True):
                yields.append(cast_in(self.ctx, builder, atom, leaf))
            shows = [self.ctx.memory.shown[x] for x in (a, b) if x in self.ctx.memory.shown]
            if shows:
                self.ctx.memory.shown[out] = frozenset().union(*shows)
            storage.may_be(self.ctx, ((out, a), (out, b)))
            shape = self.ctx.sizes.same_shape(a, b)
            if shape is not None:
                self.ctx.sizes.shapes[out] = shape
                storage.join_layouts(self.ctx, out, a, b)
            elif isinstance(leaf, Array):
                storage.keep_common(self.ctx, out, a, b)
            self.outs.append(out)
            new.append(out)
        return rebuild(type_, iter(new))


def is_from_outside(value: Operand, body: ir.Block) -> bool:
    """True if ``value`` is made of arrays that ``body`` only hands on, as ``return x`` does."""
    arrays = list(inner_atoms(value))
    if not arrays or not all(isinstance(a, ir.Value) and isinstance(a.type, Array) for a in arrays):
        return False
    own = {one for stmt in ir.walk(body) for one in (*ir.outs(stmt), *ir.binders(stmt))}
    return own.isdisjoint(arrays)


def _outlives(value: Operand, before: Operand | None) -> bool:
    """True if ``value`` may be used after the branch: it is constant, or bound before."""
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
