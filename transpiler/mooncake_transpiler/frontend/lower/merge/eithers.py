"""Variables that hold a number at first and an array later (``Either``).

    total = 0.0                     what reads ``total`` stands there twice: where it is a number,
    for k in range(n):              and where it is an array by then
        total = total + rows[k]

What can't be done with the number is a TypeError when the program runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import libcst as cst

from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.failure import optional, throwing
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context, MustUnroll
from mooncake_transpiler.frontend.lower.state.flags import FALSE, TRUE, field_of, is_cell
from mooncake_transpiler.frontend.lower.state.flow import Names
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import (
    Conflict,
    Either,
    Frame,
    Items,
    Operand,
)
from mooncake_transpiler.frontend.lower.state.syntax import walk

Nodes = Sequence[cst.CSTNode | None]


@dataclass(frozen=True, slots=True)
class OpenVariable:
    """A variable of a frame: ``whole`` is a number or an array, ``value``, or has it in a tuple."""

    frame: Frame
    name: str
    whole: Operand
    value: Either

    @property
    def spelled(self) -> str:
        """Its name in the program: of a field, or of what nested functions share, its own part."""
        return field_of(self.name) if is_cell(self.name) else self.name

    def is_in(self, names: frozenset[str]) -> bool:
        """True if what reads ``names`` may read it; ``""`` is an item of some list or dict."""
        is_item = is_cell(self.name) and self.spelled[:1].isdigit()
        return self.spelled in names or (is_item and "" in names)

    def with_part(self, part: Operand) -> Operand:
        """The content of the variable if ``value`` is ``part``."""
        return _with(self.whole, self.value, part)


def _with(whole: Operand, value: Either, part: Operand) -> Operand:
    if whole is value or not isinstance(whole, Items):
        return part if whole is value else whole
    return replace(whole, items=tuple(_with(item, value, part) for item in whole.items))


def _either_in(operand: Operand) -> Either | None:
    if isinstance(operand, Items):
        return next(filter(None, map(_either_in, operand.items)), None)
    return operand if isinstance(operand, Either) else None


def reads(ctx: Context, *nodes: cst.CSTNode | None) -> bool:
    """True if one of ``nodes`` reads such a variable."""
    return _first(ctx, nodes) is not None


def apart(
    ctx: Context, nodes: Nodes, lower: Callable[[], None], live: Names | None, follow: bool
) -> None:
    """Run ``lower``, which evaluates ``nodes``, for the number and the array in each variable."""
    place = _first(ctx, nodes)
    if place is None:
        lower()
        return
    ctx.functions.reduced |= {node: True for node in nodes if node is not None}
    again = partial(apart, ctx, nodes, lower, live, follow)
    fails: list[bool] = []
    changes: list[bool] = []

    def then() -> None:
        tried = partial(_tried, ctx, place.spelled, place.value, again)
        fails.append(_held(place, place.value.first, tried))
        changes.append(place.frame.values.get(place.name) is not place.whole)

    def orelse() -> None:
        _held(place, place.value.second, again, stays=changes == [True] and fails == [False])

    branches.branch(ctx, place.value.is_first, then, orelse, live, follow, narrows=False)
    if any(fails) and place.frame.values.get(place.name) is place.whole:
        place.frame.values[place.name] = place.with_part(place.value.second)


def held(ctx: Context, node: cst.BaseExpression) -> Either | None:
    """The value of a name, if that is a number or an array."""
    place = _first(ctx, (node,)) if isinstance(node, cst.Name) else None
    return place.value if place is not None and place.whole is place.value else None


def value(ctx: Context, node: cst.BaseExpression, lower: Callable[[], Operand]) -> Operand:
    """The value of ``node``, by ``lower``: for the number and the array in each variable."""
    if not reads(ctx, node):
        return lower()
    name, place, sides = ctx.temporary(), _first(ctx, (node,)), list[Operand]()

    def arm() -> None:
        sides.append(delayed.settle(ctx, lower()))
        ctx.frame.values[name] = sides[-1]

    apart(ctx, (node,), arm, None, True)
    found = _joined(ctx, name)
    if place is not None and sides in ([TRUE, FALSE], [FALSE, TRUE]):  # it asks which one it is
        is_first = place.value.is_first
        return is_first if sides[0] == TRUE else optional.negated(ctx, is_first)
    return found


def split(ctx: Context, operand: Operand, step: Callable[[Operand], Operand]) -> Operand:
    """``step`` of ``operand``; of a number or an array, of the one that it is."""
    if not isinstance(operand, Either):
        return step(operand)
    name = ctx.temporary()

    def arm(side: Operand) -> None:
        ctx.frame.values[name] = delayed.settle(ctx, step(side))

    def number() -> None:
        _tried(ctx, "the value", operand, partial(arm, operand.first))

    branches.branch(ctx, operand.is_first, number, partial(arm, operand.second), None, True)
    return _joined(ctx, name)


def _joined(ctx: Context, name: str) -> Operand:
    """The value that both arms have left in the variable ``name``."""
    leaving.go_on(ctx)
    found = ctx.frame.values.pop(name)
    if isinstance(found, Conflict):
        message = f"the value has no single type: {found.reason}"
        raise ctx.refuse(cst.Pass(), "MK212", message)
    return found


def split_pair(
    ctx: Context, a: Operand, b: Operand, step: Callable[[Operand, Operand], Operand]
) -> Operand:
    """``step`` of two operands, those of them that are a number or an array as what they are."""
    return split(ctx, a, lambda x: split(ctx, b, partial(step, x)))


def are_in(given: Arguments) -> bool:
    """True if some of ``given`` are numbers or arrays."""
    return any(isinstance(arg, Either) for arg in (*given.args, *given.keywords.values()))


def split_arguments(
    ctx: Context, given: Arguments, step: Callable[[Arguments], Operand]
) -> Operand:
    """``step`` of ``given``, those of them that are a number or an array as what they are."""
    every = (*given.args, *given.keywords.values())
    one = next((arg for arg in every if isinstance(arg, Either)), None)
    if one is None:
        return step(given)

    def with_part(part: Operand) -> Operand:
        return split_arguments(ctx, given.map(lambda arg: part if arg is one else arg), step)

    return split(ctx, one, with_part)


R = TypeVar("R")


def _held(place: OpenVariable, part: Operand, arm: Callable[[], R], *, stays: bool = False) -> R:
    """The result of ``arm``, in which the variable holds ``part``; if that ``stays``, behind it."""
    whole = place.frame.values[place.name] = place.with_part(part)
    found = arm()
    if place.frame.values.get(place.name) is whole and not stays:
        place.frame.values[place.name] = place.whole
    return found


def _tried(ctx: Context, name: str, value: Either, arm: Callable[[], None]) -> bool:
    """Run ``arm``, for the number; True if it is refused: it fails when the program runs."""
    before = ctx.mark()
    try:
        arm()
        return False
    except MustUnroll:
        raise
    except Refused:
        if throwing.active(ctx):
            raise
    ctx.reset(before)
    kinds = describe(value.first), describe(value.second)
    throwing.fail(ctx, "TypeError", f"{name} is {kinds[0]} here, not {kinds[1]}")
    return True


def _first(ctx: Context, nodes: Nodes) -> OpenVariable | None:
    """The first such variable that ``nodes`` read, as far as names tell."""
    names: frozenset[str] | None = None
    for frame in ctx.frame.outwards:
        for name, whole in frame.values.items():
            found = _either_in(whole) if isinstance(whole, Either | Items) else None
            if found is not None:
                names = frozenset(_names(nodes)) if names is None else names
                place = OpenVariable(frame, name, whole, found)
                if place.is_in(names):
                    return place
    return None


def _names(nodes: Nodes) -> Iterator[str]:
    """The names and attributes in ``nodes``; ``""`` if they may read items of a list or dict."""
    for node in nodes:
        for inner in walk(node) if node is not None else ():
            match inner:
                case cst.Name(value=text):
                    yield text
                case cst.Attribute(attr=cst.Name(value=text)):
                    yield text
                case cst.Subscript() | cst.Call():
                    yield ""
                case _:
                    pass
