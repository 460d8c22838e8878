"""Variables that hold another object in each iteration of a loop: the object is carried instead.

    for x in xs:                  at the start of an iteration ``best`` is an object of its own,
        if x.cost < best.cost:    the head, whose fields are carried: it stands for what was there
            best = x              before the loop, and for what the last iteration has left

That is right as long as nothing changes one of these by another name, or the head itself where
another name could show it.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

import libcst as cst

from mooncake_transpiler.frontend.lower.merge.object_merging import Joined, check_searched, reached
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import hint_of, owners_of
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import Operand, State

ONE_OR_TWO = "whether two of these are one object is not known here"
Ends = tuple[Operand | None, Operand | None]  # before the loop, and after an iteration

MAX_HEADS = 64  # objects that differ in each iteration of a loop, and those that they hold


def stands_for(head: Ref | None, new: Operand) -> bool:
    """True if ``head`` is there for whatever object an iteration ends with."""
    return isinstance(new, Ref) and head is not None and new.cls is head.cls


def check_dicts(
    ctx: Context, before: tuple[Operand, State], after: tuple[Operand | None, State]
) -> None:
    """Let a dict be searched for its keys where that of another iteration is."""
    (old, entry), (new, latch) = before, after
    if isinstance(old, Ref) and isinstance(new, Ref):
        check_searched(ctx, old, entry, new, latch)


def check_number(ctx: Context, heads: Mapping[str, Ref]) -> None:
    """Refuse what would go on for ever where links lead round in a circle."""
    if len(heads) == MAX_HEADS:
        message = "how the objects are linked that this loop goes through can't be told"
        help_ = "keep them in a list, and the numbers of their neighbours with them"
        raise ctx.refuse(cst.Pass(), "MK367", message, help_)


def check(
    ctx: Context,
    heads: Mapping[str, Ref],
    ends: Mapping[str, Ends],
    changed: Set[str],
    entry: State,
    latch: State,
) -> None:
    """Note what the heads stand for. ``changed`` are the objects that an iteration changes."""
    own = {head.key for head in heads.values()}
    joined = Joined(ctx, "it changes from one iteration to the next")
    others = [
        (name, value)
        for state in (entry, latch)
        for name, value in state.values.items()
        if name not in heads
    ]
    held = objects.holders(ctx, others).keys()
    before = owners_of(entry.values)
    touched: dict[str, frozenset[str]] = {}
    ctx.heap.parts |= {head.key: _keys(ends[name]) - {head.key} for name, head in heads.items()}
    for name, head in heads.items():
        for part in reached(ctx, ctx.heap.parts[head.key], own, swapped=False):
            joined.names.setdefault(part, []).append(head.key)
        may_be = reached(ctx, {head.key}, frozenset(), swapped=True) - own
        if may_be & held:
            ctx.heap.ambiguous |= dict.fromkeys((head.key, *(may_be & held)), joined.why)
        touched[name] = may_be & before & changed
    joined.check(others)
    if all(_keys(end[1:]) <= own for end in ends.values()):
        ctx.heap.permuted |= own
    for name, head in heads.items():
        if touched[name] or (head.key in ctx.heap.ambiguous and head.key in changed):
            why = ctx.heap.ambiguous.get(head.key, joined.why)
            raise _changed(ctx, name, head, why, (entry, latch))


def _changed(
    ctx: Context, name: str, head: Ref, why: str, states: tuple[State, State]
) -> Exception:
    """The refusal of an object that is changed while it is not known which one it is."""
    if containers.is_list(head):
        may_be = reached(ctx, {head.key}, frozenset(), swapped=True)
        names = (containers.names_of(side.values, may_be) for side in states)
        ctx.heap.plan.note_rebound({hint_of(name)}.union(*names))
    message = f"{hint_of(name)!r} may be another {head.cls.name}, which is changed: {why}"
    help_ = "make a new object in each iteration, or copy it before the loop"
    return ctx.unroll(cst.Pass(), "MK320", message, help_)


def check_apart(ctx: Context, pairs: Set[tuple[str, str]]) -> None:
    """Check that what an iteration takes for two objects are two."""
    for pair in pairs:
        one, other = (reached(ctx, {key}, frozenset(), swapped=True) for key in pair)
        if one & other:
            raise ctx.unroll(cst.Pass(), "MK320", ONE_OR_TWO, "compare what they hold")


def check_copies(ctx: Context, keys: Set[str], entry: State) -> None:
    """Lists that an iteration changes, and copies where Python does not, must be made in it."""
    if keys & owners_of(entry.values):
        message = "a list is changed that is an item of a list which is held in arrays"
        raise ctx.unroll(cst.Pass(), "MK320", message, "let its item be a copy: list(...)")


def _keys(sides: tuple[Operand | None, ...]) -> frozenset[str]:
    return frozenset(side.key for side in sides if isinstance(side, Ref))
