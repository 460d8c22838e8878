"""Texts and enum members that the run chooses: the number of the alternative (``Told``).

m = Mode.UP                the number of what ``m`` is, among all that it may be:
if x > 1.0:                0 for Mode.UP, 1 for Mode.DOWN
    m = Mode.DOWN
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import EnumMember
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Choice, Items, Operand, Static, Told
from mooncake_transpiler.frontend.lower.state.own_kinds import ToldItems
from mooncake_transpiler.types import INT, ClassRef, Selector, StructKind


def as_told(operand: Operand | None) -> Told | None:
    """Text, or a member of an enum, as one of several; None if it is something else."""
    match operand:
        case Told():
            return operand
        case Items(items=(ir.Value() | ir.Const() as which,), cls=ToldItems(options=options)):
            return Told(which, options)
        case Static(value=str(text)):
            return Told(ir.ZERO, (Selector(text),))
        case Static(value=EnumMember(cls=cls, name=name)):
            of = ClassRef(cls.module, cls.name, StructKind.ENUM)
            return Told(ir.ZERO, (Selector(name, of, cls.name),))
        case _:
            return None


def with_told(operand: Operand) -> Operand:
    """``operand`` with texts and members of enums, in tuples, too, as one of several."""
    if isinstance(operand, Items) and not operand.is_list:
        return replace(operand, items=tuple(map(with_told, operand.items)))
    return as_told(operand) or operand


def pair(a: Operand | None, b: Operand | None) -> tuple[Told, Told] | None:
    """Both as one of several; None if one of them is something else."""
    one, other = as_told(a), as_told(b)
    return None if one is None or other is None else (one, other)


def options(*sides: Told) -> tuple[Selector, ...]:
    """The texts and members that any of ``sides`` may be."""
    return tuple(dict.fromkeys(option for side in sides for option in side.options))


def fitted(told: Told, wanted: tuple[Selector, ...]) -> Told:
    """``told`` as one of ``wanted``; its number is not known if it would have to be computed."""
    if told.options == wanted[: len(told.options)]:
        return Told(told.which, wanted)
    if isinstance(told.which, ir.Const) and isinstance(told.which.value, int):
        return Told(ir.int_const(wanted.index(told.options[told.which.value])), wanted)
    return Told(ir.Undef(INT), wanted)


def recoded(ctx: Context, told: Told, wanted: tuple[Selector, ...]) -> Told:
    """``told`` as one of ``wanted``."""
    found = fitted(told, wanted)
    if not isinstance(found.which, ir.Undef) or isinstance(told.which, ir.Undef):
        return found
    numbers = [ir.int_const(wanted.index(option)) for option in told.options]
    return Told(selected(ctx, told, numbers), wanted)


def selected(ctx: Context, told: Told, numbers: Sequence[ir.Atom]) -> ir.Atom:
    """The one of ``numbers`` that belongs to the option which ``told`` is."""
    *others, found = numbers
    for k, number in reversed(list(enumerate(others))):
        found = scalars.select(ctx, is_number(ctx, told, k), number, found)
    return found


def is_number(ctx: Context, told: Told, k: int) -> ir.Atom:
    """A bool: ``told`` is the option with number ``k``."""
    return scalars.compute(ctx, cst.Pass(), "eq", (told.which, ir.int_const(k)))


def is_any(ctx: Context, told: Told, which: Iterable[int]) -> ir.Atom:
    """A bool: ``told`` is one of the options with the numbers ``which``."""
    known = list(which)
    if len(known) in (0, len(told.options)):
        return scalars.constant(bool(known))
    found = is_number(ctx, told, known[0])
    for k in known[1:]:
        found = scalars.compute(ctx, cst.Pass(), "or", (found, is_number(ctx, told, k)))
    return found


def known(ctx: Context, told: Told) -> Sequence[Static]:
    """The texts and members that ``told`` may be."""
    return [
        Static(option.value)
        if option.of is None
        else Static(EnumMember(ctx.source.classes[option.of.module, option.of.name], option.value))
        for option in told.options
    ]


def as_choice(ctx: Context, told: Told) -> Operand:
    """``told`` as a choice between what it may be."""
    found: Operand
    *others, found = known(ctx, told)
    for k, one in reversed(list(enumerate(others))):
        found = Choice(is_number(ctx, told, k), one, found)
    return found
