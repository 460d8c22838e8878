"""Dicts whose keys are known when the program runs: lists of pairs that are searched for a key.

    counts = {}                               counts: [(key, value), ...]
    for k in keys:
        counts[k] = counts.get(k, 0.0) + x    each key in the order in which it came

What there is to say about such a dict is ``Items((pairs,))`` of the class ``SEARCHED``: it is the
list that changes. Which dicts are of this kind is learnt: where one of the others gets a key that
is not known the function is lowered again (``TablePlan.searched``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.container import algorithms, dicts, lists
from mooncake_transpiler.frontend.lower.failure import numbers, optional, throwing, unset_names
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import growable, growing, pooled, replacing, rows
from mooncake_transpiler.frontend.lower.scalar import kinds, run_texts, scalars
from mooncake_transpiler.frontend.lower.scalar.scalars import compute, is_scalar
from mooncake_transpiler.frontend.lower.state import errors
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import FALSE
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.leaves import (
    RUN_TEXT,
    describe,
    is_sequence,
    name_of,
    way_out,
)
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Elements,
    Items,
    Maybe,
    Operand,
)
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.frontend.lower.state.syntax import Hint
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.types import DType, StructKind, Tuple

KEYS_HELP = "let all keys be texts, integers, or tuples or frozen dataclasses of these"


def made(ctx: Context, node: cst.CSTNode, held: Mapping[str, Operand], hint: str) -> Ref:
    """A dict with these items."""
    both = [
        (_key(ctx, dicts.key_called(ctx, name)), delayed.settle(ctx, value))
        for name, value in held.items()
    ]
    if not all(is_key(ctx, key) for key, _ in both):
        message = "this dict gets integers of the run as keys, and has others"
        raise ctx.refuse(node, "MK333", message, KEYS_HELP)
    pairs = containers.owned(ctx, Items(tuple(map(Items, both)), is_list=True), hint)
    return containers.owned(ctx, Items((pairs,), cls=Held.SEARCHED), hint)


def of_pairs(ctx: Context, node: cst.CSTNode, pairs: Ref, hint: str) -> Ref:
    """The dict of the items in the list ``pairs``."""
    ref = containers.owned(ctx, Items((pairs,), cls=Held.SEARCHED), hint)
    ctx.heap.made_at[ref.key] = node
    return ref


def searchable(ctx: Context, node: cst.CSTNode, ref: Ref) -> Ref:
    """``ref`` as a dict that is searched for its keys: a new one where they are known."""
    if containers.pairs(ctx, ref) is not None:
        return ref
    return made(ctx, node, dicts.mapping(ctx, node, ref), ref.hint)


def copied(ctx: Context, node: cst.CSTNode, pairs: Ref) -> Ref:
    """``dict(d)``."""
    same = algorithms.run(ctx, "listed", pairs)
    kept = delayed.own(ctx, same)
    assert isinstance(kept, Ref)
    return of_pairs(ctx, node, kept, "")


def maker(ctx: Context, ref: Ref) -> Operand | None:
    """The function that makes the default of ``ref``; None if it has none, or that is not known."""
    found = _of_pool(ctx, ref) or ctx.heap.factories.get(ref.key)
    return None if found == NOTHING else found


def _of_pool(ctx: Context, ref: Ref) -> Operand | None:
    of = containers.pooled(ctx, containers.pairs(ctx, ref))
    return None if of is None else ctx.heap.plan.defaults.get(containers.items_of(of))


def may_make(ctx: Context, ref: Ref) -> bool:
    """True if ``ref`` may have a default: it has one, or may be a dict that has one."""
    if maker(ctx, ref) is not None:
        return True
    is_known = ref.key in ctx.heap.made_at or _of_pool(ctx, ref) == NOTHING
    return bool(ctx.heap.factories) and not is_known


def item(ctx: Context, node: cst.CSTNode, ref: Ref, pairs: Ref, key: Operand) -> Operand:
    """``ref[key]``; a KeyError, or a new item, where it is not there."""
    make, key = maker(ctx, ref), _key(ctx, key)
    if make is None and isinstance(key, Maybe):
        key = optional.present(ctx, node, key, "None", "KeyError")
    if make is None and may_make(ctx, ref):
        message = "whether this dict has a default is not known: it may be another one too"
        raise ctx.refuse(node, "MK333", message)
    if make is None:
        return _there(ctx, pairs, key, _place(ctx, node, pairs, key))
    name = "found_there" if _is_looped(ctx, pairs) else "found_or_put"
    return algorithms.run(ctx, name, pairs, _place(ctx, node, pairs, key), key, make)


def get(ctx: Context, node: cst.CSTNode, pairs: Ref, key: Operand, default: Operand) -> Operand:
    """``ref.get(key, default)``."""
    if isinstance(key, Maybe):
        found = partial(get, ctx, node, pairs, key.value, default)
        return branches.choose(ctx, node, key.there, found, lambda: default, "")
    at = _place(ctx, node, pairs, key)
    return algorithms.run(ctx, "found_or", pairs, at, default)


def has(ctx: Context, node: cst.CSTNode, pairs: Ref, key: Operand) -> ir.Atom:
    """``key in ref``; such dicts don't have None as a key."""
    if key == NOTHING:
        return FALSE
    at = _place(ctx, node, pairs, key)
    there = compute(ctx, node, "lt", (at, containers.length(ctx, node, pairs)))
    return kinds.as_kind(ctx, there, Kind.PYTHON)


def write(ctx: Context, node: cst.CSTNode, pairs: Ref, key: Operand, value: Operand) -> None:
    """``ref[key] = value``; in a loop over the dict a new key is an error, at once."""
    kept, key = delayed.settle(ctx, value), _key(ctx, key)
    _check_kind(ctx, node, pairs, key)
    name = "put_there" if _is_looped(ctx, pairs) else "put"
    algorithms.run(ctx, name, pairs, _place(ctx, node, pairs, key), key, kept)


def _check_kind(ctx: Context, node: cst.CSTNode, pairs: Ref, key: Operand) -> None:
    """Refuse a key of another kind than those that a dict has."""
    of = containers.grown(ctx, pairs)
    item_ = None if of is None else growable.item_type(ctx.heap.arrays_of(of))
    if isinstance(item_, Tuple) and (item_.items[0] == RUN_TEXT) != isinstance(key, RunText):
        message = "the keys of this dict are texts and integers"
        raise ctx.refuse(node, "MK333", message, "let them be all texts, or all integers")


def get_or_put(
    ctx: Context, node: cst.CSTNode, pairs: Ref, key: Operand, default: Operand
) -> Operand:
    """``ref.setdefault(key, default)``."""
    name, key = "found_there" if _is_looped(ctx, pairs) else "set_default", _key(ctx, key)
    return algorithms.run(ctx, name, pairs, _place(ctx, node, pairs, key), key, default)


def remove(ctx: Context, node: cst.CSTNode, pairs: Ref, key: Operand) -> Operand:
    """``del ref[key]``; the value that it had."""
    _check_stays(ctx, node, pairs)
    at = _place(ctx, node, pairs, key)
    value = _there(ctx, pairs, key, at)
    algorithms.run(ctx, "remove", pairs, at)
    return value


def take(ctx: Context, node: cst.CSTNode, pairs: Ref, key: Operand, default: Operand) -> Operand:
    """``ref.pop(key, default)``."""
    _check_stays(ctx, node, pairs)
    at = _place(ctx, node, pairs, key)
    value = algorithms.run(ctx, "found_or", pairs, at, default)
    algorithms.run(ctx, "remove", pairs, at)
    return value


def empty(ctx: Context, node: cst.CSTNode) -> Refused:
    """``{}.popitem()``, in a loop an error of the run."""
    unset_names.never_there(ctx, node, "popitem(): dictionary is empty", "KeyError")
    return ctx.refuse(node, "MK333", "popitem(): this dict is empty here")


def remove_last(ctx: Context, node: cst.CSTNode, pairs: Ref) -> Operand:
    """``ref.popitem()``."""
    _check_stays(ctx, node, pairs)
    if containers.length(ctx, node, pairs) == ir.ZERO:
        raise empty(ctx, node)
    return algorithms.run(ctx, "taken_last", pairs)


def _there(ctx: Context, pairs: Ref, key: Operand, at: Operand) -> Operand:
    """The value at ``at``; else a KeyError, which tells a tuple as text in compiled code."""
    match key:
        case RunText() if throwing.caught(ctx, errors.known("KeyError")):
            name = "found"
        case RunText() if not ctx.heap.makes_texts:
            name = "found_by_text"
        case Items(of=None) if all(map(is_scalar, key.items)):
            name = "found_by_tuple"
        case RunText() | Items():
            name = "found_by_made_text"
        case _:
            name = "found"
    return algorithms.run(ctx, name, pairs, at, key)


def _place(ctx: Context, node: cst.CSTNode, pairs: Ref, key: Operand) -> ir.Atom:
    """The number of the pair with ``key``; that behind the last one if there is none."""
    key = _key(ctx, key)
    if not is_key(ctx, key):
        what = f"a dict whose keys are not known ahead of time can't have {describe(key)} as a key"
        help_ = way_out(key) or KEYS_HELP
        raise ctx.refuse(node, "MK333", what, help_)
    if containers.length(ctx, node, pairs) == ir.ZERO:
        return ir.ZERO
    at = numbers.as_scalar(ctx, node, algorithms.run(ctx, "place", pairs, key))
    if isinstance(at, ir.Value):  # where it is behind the last one nobody reads there
        ctx.numbers.below[at] = containers.length(ctx, node, pairs)
    return at


def clear(ctx: Context, node: cst.CSTNode, pairs: Ref) -> None:
    _check_stays(ctx, node, pairs)
    if containers.grown(ctx, pairs) is not None:
        growing.clear(ctx, node, pairs)
    else:
        replacing.replaced(ctx, node, pairs, Items((), is_list=True))


def shown(ctx: Context, node: cst.CSTNode, pairs: Ref, what: str) -> Elements:
    """``ref.keys()``, ``ref.values()``, ``ref.items()``; they are used before the dict grows."""

    def part(pair: Operand) -> Operand:
        assert isinstance(pair, Items)
        return pair if what == "items" else pair.items[what == "values"]

    if (of := containers.pooled(ctx, pairs)) is not None:
        held = pooled.elements(ctx, node, of, "dictionary")
        return replace(held, at=lambda k, hint: part(held.at(k, hint)))
    count = containers.length(ctx, node, pairs)

    def check() -> None:
        if containers.length(ctx, node, pairs) != count:
            message = "the keys of this dict change before a loop has run over it"
            raise ctx.refuse(node, "MK332", message, "loop over a copy: list(d)")

    def at(k: ir.Atom, hint: Hint) -> Operand:
        check()
        if ctx.heap.stepping is not None:
            ctx.heap.stepping.over.add(pairs.key)
        return part(_pair(ctx, node, pairs, k, hint))

    return Elements(count, at, None, check, distinct=what == "items")


def _pair(ctx: Context, node: cst.CSTNode, pairs: Ref, k: ir.Atom, hint: Hint) -> Operand:
    """The pair with number ``k``, which is there."""
    if (of := containers.grown(ctx, pairs)) is not None:
        return rows.at(ctx, ctx.heap.arrays_of(of), k, name_of(hint))
    held = containers.content(ctx, node, pairs)
    if held.cls == Held.ROWS:
        return rows.elements(ctx, held).at(k, hint)
    return lists.item(ctx, node, held, k)


def _is_looped(ctx: Context, pairs: Ref) -> bool:
    """True if a loop around runs over the dict."""
    return any(pairs.key in loop.over for frame in ctx.frames for loop in frame.loops)


def _check_stays(ctx: Context, node: cst.CSTNode, pairs: Ref) -> None:
    """Refuse to change the order of keys in a loop over them."""
    if _is_looped(ctx, pairs):
        message = "the keys of this dict change while a loop runs over it"
        raise ctx.refuse(node, "MK332", message, "loop over a copy: list(d)")


def is_key(ctx: Context, key: Operand) -> bool:
    """True for integers, bools, texts, and tuples and frozen dataclasses of these."""
    if isinstance(key, Items):
        is_tuple = is_sequence(key) and not key.is_list and key.once is None
        is_one = is_tuple or is_frozen(ctx, key)
        return is_one and bool(key.items) and all(is_key(ctx, item_) for item_ in key.items)
    dtype = scalars.dtype(key) if is_scalar(key) else None
    return run_texts.is_text(key) or (dtype is not None and (dtype.is_int or dtype is DType.BOOL))


def is_frozen(ctx: Context, key: Operand) -> bool:
    """True for an instance of a frozen dataclass, which is compared by its fields."""
    if not isinstance(key, Items) or key.of is None or key.of.kind is not StructKind.FROZEN:
        return False
    cls = ctx.source.classes[key.of.module, key.of.name]
    options = cls.options or {}
    has_own = not {"__eq__", "__hash__"}.isdisjoint(cls.methods)
    return cls.decorated and not has_own and options.get("eq", True) is True


def _key(ctx: Context, key: Operand) -> Operand:
    """``key`` with texts by their numbers."""
    if isinstance(key, Items) and is_key(ctx, key):
        return replace(key, items=tuple(_key(ctx, one) for one in key.items))
    return run_texts.key(ctx, key)
