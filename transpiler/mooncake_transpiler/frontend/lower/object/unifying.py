"""The one type of a variable that holds different things on different paths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial, reduce

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.scalar import run_texts, told_values
from mooncake_transpiler.frontend.lower.scalar.promotion import join, of_one
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import FALSE, TRUE
from mooncake_transpiler.frontend.lower.state.leaves import (
    RUN_TEXT,
    atoms,
    by_class,
    classes_of,
    describe,
    either,
    kinds,
    may_be_none,
    options_of,
    told,
    type_of,
    undefined,
)
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Choice,
    Conflict,
    Either,
    Items,
    Maybe,
    Operand,
)
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.frontend.lower.state.tabled import is_row
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import Array, Scalar, Tuple, Type


def unify(a: Operand, b: Operand) -> Type | Conflict:
    """The one type of a variable that holds ``a`` on one path and ``b`` on another."""
    for side in (a, b):
        if isinstance(side, Conflict):
            return side
    if (text := several(a, b)) is not None:
        return text
    if (sides := pair(a, b)) is not None:
        return unify_optional(*sides)
    left, right = type_of(a), type_of(b)
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        if isinstance(a, ir.Const) != isinstance(b, ir.Const):
            return Scalar(of_one([x for side in (a, b) for x in atoms(side)]))
        return Scalar(join(left.dtype, right.dtype))
    if left is not None and left == right:
        return left
    if isinstance(a, Items | Choice) and isinstance(b, Items | Choice):
        several_ = _unify_kinds(left, right)
        if several_ is not None:
            return several_
    if isinstance(a, Items) and isinstance(b, Items):
        return _unify_items(a, b)
    if (kinds := two_kinds(a, b)) is not None:
        return unify_either(*kinds)
    parts = [*sides_of(a), *sides_of(b)]
    if len(set(map(is_row, parts))) == 2 and len(set(map(describe, parts))) == 1:
        reason = f"{describe(parts[0])} of the caller's on one path, one made here on another"
        return Conflict(reason, is_mixed=True)
    return Conflict(f"{describe(a)} on one path, {describe(b)} on another")


def _unify_kinds(a: Type | None, b: Type | None) -> Type | Conflict | None:
    """The type of an object of one of several classes; None if it is something else."""
    classes = {*classes_of(a), *classes_of(b)}
    if a is None or b is None or len(classes) < 2 or not (classes_of(a) and classes_of(b)):
        return None
    found: dict[tuple[str, str], Type] = {}
    for one in (*by_class(a), *by_class(b)):
        (cls,) = classes_of(one)
        both = unify(undefined(found.get(cls, one)), undefined(one))
        if isinstance(both, Conflict):
            return both
        found[cls] = both
    *firsts, last = (found[cls] for cls in sorted(found))
    return reduce(lambda rest, first: kinds(first, rest) or rest, reversed(firsts), last)


def as_kinds(a: Operand, b: Operand) -> tuple[Type, list[Operand]] | None:
    """The one type of ``a`` and ``b``, objects of several classes, and both so; None if they are
    something else."""
    type_ = _unify_kinds(type_of(a), type_of(b))
    if type_ is None or isinstance(type_, Conflict):
        return None
    sides = [fitted(side, type_) for side in (a, b)]
    return (type_, sides) if all(type_of(side) == type_ for side in sides) else None


def _as_kind(operand: Operand, first: Type, second: Type) -> Operand:
    """``operand``, an object of some of the classes of ``first`` and ``second``, as one of all."""
    whole = type_of(operand)
    if isinstance(operand, Choice) and classes_of(type_of(operand.then)) == classes_of(first):
        then, orelse = fitted(operand.then, first), fitted(operand.orelse, second)
        return Choice(operand.cond, then, orelse)
    if classes_of(whole) == classes_of(first):
        return Choice(TRUE, fitted(operand, first), undefined(second))
    if whole is not None and {*classes_of(whole)} <= {*classes_of(second)}:
        return Choice(FALSE, undefined(first), fitted(operand, second))
    return operand


def sides_of(operand: Operand) -> Iterator[Operand]:
    """The operands that ``operand`` may be, by conditions."""
    if isinstance(operand, Choice):
        yield from sides_of(operand.then)
        yield from sides_of(operand.orelse)
    else:
        yield operand


def several(a: Operand, b: Operand) -> Type | None:
    """The type of what is one of several texts or members, or a tuple or frozen object with such;
    None if a side is something else."""
    if run_texts.are_texts(a, b):
        return RUN_TEXT
    if (both := told_values.pair(a, b)) is not None:
        return told(told_values.options(*both))
    if not (isinstance(a, Items) and isinstance(b, Items) and a.is_like(b)):
        return None
    sides = [told_values.with_told(side) for side in (a, b)]
    if None not in (type_of(a), type_of(b)) or None in map(type_of, sides):
        return None
    found = unify(*sides)
    return None if isinstance(found, Conflict) else found


def _unify_items(a: Items, b: Items) -> Type | Conflict:
    """The one type of two tuples or lists, item by item."""
    if not a.is_like(b):
        if a.is_list and b.is_list and a.cls == b.cls:
            sizes = f"{len(a.items)} items on one path, {len(b.items)} on another"
            return Conflict(f"it has {sizes}")
        kept_apart = containers.is_arrays(a) or containers.is_arrays(b)
        if kept_apart or describe(a) == describe(b):
            return Conflict("it is one list on one path, another one on another")
        return Conflict(f"{describe(a)} on one path, {describe(b)} on another")
    found: list[Type] = []
    for one, other in zip(a.items, b.items, strict=True):
        type_ = unify(one, other)
        if isinstance(type_, Conflict):
            return type_
        found.append(type_)
    return Tuple(tuple(found), a.names, a.cls, a.of)


def changes(old: Operand, new: Operand) -> Conflict:
    """Why a variable that holds ``old``, then ``new``, can't be carried by a loop."""
    found = unify(old, new)
    if isinstance(found, Conflict):
        return found
    return Conflict("it changes from one iteration to the next")


def pair(a: Operand, b: Operand) -> tuple[Maybe, Maybe] | None:
    """Both as values that may be missing; None if neither is, or no value can be told."""
    a, b = (told_values.as_told(side) or side for side in (a, b))
    found = [side.value if isinstance(side, Maybe) else side for side in (a, b)]
    known = [side for side in found if side != NOTHING]
    is_open = isinstance(a, Maybe) or isinstance(b, Maybe) or len(known) == 1
    if not is_open or not known or any(isinstance(side, Conflict) for side in known):
        return None
    types = [type_of(side) for side in known]
    if None in types:
        return None
    return as_maybe(a, types[0]), as_maybe(b, types[0])


def two_kinds(a: Operand, b: Operand) -> tuple[Either, Either] | None:
    """Both as one of two: a number or an array, or arrays of different ranks or dtypes.

    None if they are of one kind, of more than two, or something else.
    """
    found = [one for side in (a, b) for one in _kinds(side)]
    kinds = sorted(found, key=lambda one: _order(type_of(one)))
    order = list(dict.fromkeys(_order(type_of(one)) for one in kinds))
    if len(order) != 2 or any(key == _NEITHER for key in order):
        return None
    first, second = (next(one for one in kinds if _order(type_of(one)) == k) for k in order)
    types = type_of(first), type_of(second)
    one, other = (as_either(side, *types) for side in (a, b))
    return one, other


def _kinds(operand: Operand) -> tuple[Operand, ...]:
    return (operand.first, operand.second) if isinstance(operand, Either) else (operand,)


_NEITHER = (-1, "")  # of what is neither a number nor an array


def _order(type_: Type | None) -> tuple[int, str]:
    """The place of a type among those of one variable: numbers stand first, all of them there."""
    match type_:
        case Scalar():
            return 0, ""
        case Array(dtype=dtype, ndim=ndim):
            return ndim + 1, dtype.value
        case _:
            return _NEITHER


def as_either(operand: Operand, first: Type | None, second: Type | None) -> Either:
    """``operand``, of one kind or either, with a flag."""
    assert first is not None
    assert second is not None
    if isinstance(operand, Either):
        return operand
    if _order(type_of(operand)) == _order(first):
        return Either(TRUE, operand, undefined(second))
    return Either(FALSE, undefined(first), operand)


def unify_either(a: Either, b: Either) -> Type | Conflict:
    """The one type of both."""
    first, second = unify(a.first, b.first), unify(a.second, b.second)
    for side in (first, second):
        if isinstance(side, Conflict):
            return side
    assert not isinstance(first, Conflict)
    assert not isinstance(second, Conflict)
    return either(first, second)


def as_maybe(operand: Operand, type_: Type | None) -> Maybe:
    """``operand``, None or a value like those of ``type_``, with a flag."""
    if isinstance(operand, Maybe):
        return operand
    if operand == NOTHING:
        assert type_ is not None
        return Maybe(FALSE, undefined(type_))
    return Maybe(TRUE, operand)


def fitted(operand: Operand, type_: Type) -> Operand:
    """``operand`` with a flag, if values of ``type_`` have one; as one of several, if they are.

    The number of what has other options than ``type_`` is not known (``told_values.recoded``).
    """
    match type_, operand:
        case Tuple(items=(_, inner), cls=Held.MAYBE), _:
            found = as_maybe(operand, inner)
            return Maybe(found.there, fitted(found.value, inner))
        case Tuple(items=(_, first, second), cls=Held.EITHER), _:
            if _order(type_of(operand)) == _NEITHER and not isinstance(operand, Either):
                return operand
            return as_either(operand, first, second)
        case Tuple(items=(_, first, second), cls=Held.KINDS), _:
            return _as_kind(operand, first, second)
        case Tuple(cls=Held.TOLD), _:
            one = told_values.as_told(operand)
            return operand if one is None else told_values.fitted(one, options_of(type_))
        case Tuple(cls=Held.TEXT), _:
            return run_texts.as_one(operand) or operand
        case Tuple(items=types), Items(items=items) if len(types) == len(items):
            return replace(operand, items=tuple(map(fitted, items, types)))
        case _:
            return operand


def unify_optional(a: Maybe, b: Maybe) -> Type | Conflict:
    """The one type of both."""
    found = unify(a.value, b.value)
    return found if isinstance(found, Conflict) else may_be_none(found)


def converted(ctx: Context, builder: Builder, operand: Operand, type_: Type) -> Operand:
    """``operand`` as a ``type_``, by statements of ``builder`` where need be; anything if it
    can't be one."""
    operand = ctx.at(builder, partial(recoded, ctx, operand, type_))
    if type_of(operand) is None or isinstance(operand, Conflict):
        operand = undefined(type_)
    return fitted(operand, type_)


def recoded(ctx: Context, operand: Operand, type_: Type) -> Operand:
    """``operand`` with each of what is one of several numbered as in ``type_``."""
    match type_, operand:
        case Tuple(items=(_, inner), cls=Held.MAYBE), Maybe(there=there, value=value):
            return Maybe(there, recoded(ctx, value, inner))
        case Tuple(items=(_, inner), cls=Held.MAYBE), _ if operand != NOTHING:
            return recoded(ctx, operand, inner)
        case Tuple(cls=Held.TOLD), _:
            one = told_values.as_told(operand)
            return operand if one is None else told_values.recoded(ctx, one, options_of(type_))
        case Tuple(cls=Held.TEXT), _:
            return run_texts.key(ctx, operand)
        case Tuple(items=types), Items(items=items) if len(types) == len(items):
            pairs = zip(items, types, strict=True)
            return replace(operand, items=tuple(recoded(ctx, *both) for both in pairs))
        case _:
            return operand
