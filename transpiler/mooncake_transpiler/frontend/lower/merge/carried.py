"""Phis of loops: the values that a loop carries from one iteration to the next."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field, replace
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import aliasing
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.merge import phis
from mooncake_transpiler.frontend.lower.object import containers, unifying
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import (
    EXIT,
    FALSE,
    RAISED,
    RETURNED,
    BoundNames,
    flag_of,
    hint_of,
    is_cell,
)
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.inner import inner_atoms
from mooncake_transpiler.frontend.lower.state.leaves import atoms, rebuild, same, type_of, undefined
from mooncake_transpiler.frontend.lower.state.operands import (
    DEAD,
    NOTHING,
    Conflict,
    Either,
    Items,
    Maybe,
    Operand,
    State,
)
from mooncake_transpiler.frontend.lower.state.tabled import Anew, learn
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import Array, Type


@dataclass(slots=True)
class Carried:
    """One carried variable: its type, what it holds at the head, its leaves there and after."""

    name: str
    type: Type
    head: Operand
    before: Operand | None
    after: Operand = DEAD

    def params(self) -> list[ir.Value]:
        return [atom for atom in atoms(self.head) if isinstance(atom, ir.Value)]


def memory_of(
    ctx: Context, carried: Iterable[Carried], known: Set[ir.Atom]
) -> list[frozenset[ir.Atom]]:
    """The memory that arrays at the head may be, and that there are copies of, if ``known``."""
    of = ctx.memory
    heads = [of.roots(param) for one in carried for param in one.params()]
    copied = [of.seen_in([copy]) for copy in of.shown if copy in known]
    return [roots & known for roots in (*heads, *copied)]


def handed_on(ctx: Context, name: str, new: Operand, entry: State) -> Type | Conflict | None:
    """The type of what an iteration sets for the next one, where nothing was set before the loop.

    None if no iteration reads it.
    """
    if flag_of(name) not in entry.values:
        return None
    if containers.is_list(new) and ctx.frame.node is not None and not is_cell(name):
        learn(ctx.heap.plan.late, (ctx.frame.node, name), Anew)
    type_ = type_of(new)
    if type_ is None or isinstance(new, Ref | Conflict):
        return Conflict("an iteration makes it for the next one; before the loop there is none")
    return type_


def before_loop(ctx: Context, name: str, new: Operand) -> tuple[Operand | None, bool]:
    """A stand-in before the loop for what only its body makes; if its arrays have their shapes.

    It is not seen behind the loop: that runs, or a flag tells.
    """
    if not isinstance(new, ir.Value):
        return _with_stand_ins(ctx, name, new)
    made = storage.stand_in(ctx, new, hint_of(name))
    return made, made is None or keeps_shape(ctx, made, new)


def _with_stand_ins(ctx: Context, name: str, new: Operand) -> tuple[Operand | None, bool]:
    """The tuple or struct ``new`` with stand-ins for its arrays, and numbers that are not there.

    None if it has no arrays, or one that nothing stands for.
    """
    type_ = type_of(new)
    arrays = [atom for atom in atoms(new) if isinstance(atom.type, Array)]
    made = [storage.stand_in(ctx, atom, hint_of(name)) for atom in arrays]
    pairs = zip(arrays, made, strict=True)
    known: dict[ir.Atom, ir.Value] = {atom: one for atom, one in pairs if one is not None}
    if type_ is None or not known or len(known) < len(set(arrays)):
        return None, True
    leaves = (known.get(atom, ir.Undef(atom.type)) for atom in atoms(new))
    fits = all(keeps_shape(ctx, one, atom) for atom, one in known.items())
    return rebuild(type_, leaves), fits


def keeps_shapes(ctx: Context, one: Carried, new: Operand) -> bool:
    """True if the arrays in ``new`` have the shapes that are taken for granted."""
    pairs = zip(one.params(), atoms(unifying.fitted(new, one.type)), strict=True)
    return all(keeps_shape(ctx, head, atom) for head, atom in pairs)


def before_some(
    ctx: Context, name: str, old: Operand | None, new: Operand
) -> tuple[Operand | None, bool]:
    """``old`` with stand-ins for arrays, if it is None and ``new`` a value; if they have shapes."""
    kinds = None if old is None else unifying.two_kinds(old, new)
    if old is not None and kinds is not None and not isinstance(old, Either):
        return _before_either(ctx, name, *kinds)
    value = new.value if isinstance(new, Maybe) else new
    type_ = type_of(value)
    if old != NOTHING or type_ is None:
        return old, True
    found, fits = _with_stand_ins(ctx, name, value)
    return (old, True) if found is None else (Maybe(FALSE, found), fits)


def _before_either(ctx: Context, name: str, old: Either, new: Either) -> tuple[Operand, bool]:
    """``old`` with stand-ins for the arrays that only ``new`` has."""
    parts: list[Operand] = []
    fits = True
    for mine, other in ((old.first, new.first), (old.second, new.second)):
        made: Operand | None = None
        if isinstance(mine, ir.Undef):
            made, fitting = before_loop(ctx, name, other)
            fits &= fitting
        parts.append(mine if made is None else made)
    return Either(old.is_first, *parts), fits


def keeps_shape(ctx: Context, head: ir.Value, new: ir.Atom) -> bool:
    """True if ``new`` has the shape that is taken for granted of ``head``."""
    if head in ctx.sizes.shapes:
        return ctx.sizes.same_shape(head, new) is not None
    if not isinstance(head.type, Array) or not isinstance(new, ir.Value):
        return True
    both = zip(storage.extents(ctx, head), storage.extents(ctx, new), strict=True)
    return all(known | other == known for known, other in both)


def take_shapes(ctx: Context, new: Operand, old: Operand, *, is_ordered: bool) -> None:
    """Give the arrays in ``new`` the shapes, and if ``is_ordered`` the layouts, of ``old``."""
    for value, other in zip(atoms(new), atoms(old), strict=False):
        if not isinstance(value, ir.Value) or not isinstance(other, ir.Value):
            continue
        if isinstance(value.type, Array) and other.type == value.type:
            ctx.sizes.shapes[value] = storage.shape(ctx, other)
            if is_ordered:
                storage.lay_out_as(ctx, value, other)


def note_common(ctx: Context, new: Operand, *sources: Operand) -> None:
    """Note for arrays in ``new``, which are those of one of ``sources``, their common facts."""
    for value, *others in zip(*map(atoms, (new, *sources)), strict=True):
        if isinstance(value, ir.Value) and isinstance(value.type, Array):
            storage.keep_common(ctx, value, *others)


def is_static(value: Operand) -> bool:
    """True if nothing in ``value`` is computed."""
    return type_of(value) is None and not any(isinstance(a, ir.Value) for a in inner_atoms(value))


def flags_of(ctx: Context, latch: State) -> list[str]:
    """The flags to carry; one that is another flag under a second name is not."""
    values = latch.values
    if values[EXIT] == FALSE:
        return []
    both = ctx.frame.loops[-1].mixed and values[RETURNED] != FALSE
    flags = [EXIT, RETURNED] if both else [EXIT]
    known = values[RAISED] == FALSE or twin(RAISED, flags, latch)
    return flags if known else [*flags, RAISED]


def twin(flag: str, flags: Iterable[str], latch: State) -> str | None:
    """The one of ``flags`` that has the value of ``flag``."""
    value = latch.values[flag]
    return next((other for other in flags if same(latch.values[other], value)), None)


@dataclass(slots=True)
class LoopBody:
    """A lowered loop body and what it carries."""

    block: ir.Block
    params: tuple[ir.Value, ...]
    inits: tuple[ir.Atom, ...]
    outs: tuple[ir.Value, ...]
    exits: bool
    after: dict[str, Operand] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    held: frozenset[str] = frozenset()  # fields of objects that each iteration makes

    def with_exported(self, bound: BoundNames) -> BoundNames:
        """The names certainly bound after the loop, if ``bound`` are at the end of its body."""
        return None if bound is None else bound | self.fields_in(bound)

    def fields_in(self, bound: BoundNames) -> frozenset[str]:
        """The fields of the objects that leave the loop, where ``bound`` are at its end."""
        known = bound or frozenset()
        return frozenset(own for own, inner in self.sources.items() if inner in known)


def converted(
    ctx: Context, builder: Builder, value: Operand | None, one: Carried, raised: bool
) -> list[ir.Atom]:
    """The atoms of ``value`` as ``one`` is carried."""
    source = undefined(one.type) if value is None or raised else value
    source = unifying.converted(ctx, builder, source, one.type)
    if value is not one.before:
        source = _as_before(source, one.head)
    found = [_lasting(ctx, builder, atom) for atom in atoms(source)]
    if any(atom in ctx.memory.shown for atom in found):
        message = f"{one.name!r} is a view that a loop carries on"
        help_ = "take a copy: np.diagonal(x).copy()"
        raise ctx.refuse(cst.Pass(), "MK312", message, help_)
    pairs = zip(found, one.params(), strict=True)
    return [phis.cast_in(ctx, builder, atom, param.type) for atom, param in pairs]


def _as_before(new: Operand, head: Operand) -> Operand:
    """``new``; of a number or an array, that which it is not any more stays what it was."""
    match new, head:
        case Items(items=items), Items(items=others) if len(items) == len(others):
            return replace(new, items=tuple(map(_as_before, items, others)))
        case Either(), Either():
            first = head.first if isinstance(new.first, ir.Undef) else new.first
            second = head.second if isinstance(new.second, ir.Undef) else new.second
            return Either(new.is_first, first, second)
        case _:
            return new


def _lasting(ctx: Context, builder: Builder, atom: ir.Atom) -> ir.Atom:
    """``atom``, or a copy of an item of a list that grows: nobody can write to either."""
    if isinstance(atom, ir.Value) and aliasing.is_item(ctx, atom):
        return ctx.at(builder, partial(storage.copy, ctx, atom))
    return atom
