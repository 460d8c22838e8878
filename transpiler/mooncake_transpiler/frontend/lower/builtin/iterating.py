"""Functions of ``itertools`` whose items are one item of each iterable.

What an iterator gives is found by its number, so none of these keeps any state.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.array import aliasing, cuts, delayed, whole
from mooncake_transpiler.frontend.lower.call import spreading
from mooncake_transpiler.frontend.lower.container import iterables, lists, selecting
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import atom_of, atoms, describe, part
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Elements,
    IntRange,
    Items,
    Maybe,
    Native,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.syntax import Hint
from mooncake_transpiler.types import INT, Array


def known_items(ctx: Context, node: cst.CSTNode, over: Operand) -> tuple[Operand, ...] | None:
    return None if delayed.is_array(over) else lists.one_by_one(ctx, node, over)


def all_known(
    ctx: Context, node: cst.CSTNode, over: Sequence[Operand]
) -> list[tuple[Operand, ...]] | None:
    """The items of each, if the items of all are known one by one, and are few."""
    if any(_is_long(one) for one in over):
        return None
    found = [known_items(ctx, node, one) for one in over]
    return None if None in found else [items for items in found if items is not None]


def _rows(
    ctx: Context, node: cst.CSTNode, over: Sequence[Operand], rows: Sequence[Operand]
) -> Operand:
    """``rows``, made of the items of ``over``, of which lists must not change while they are used.

    Python would see the change.
    """
    refs = [one for one in over if isinstance(one, Ref)]
    held = [containers.content(ctx, node, ref) for ref in refs]

    def unchanged() -> None:
        for ref, old in zip(refs, held, strict=True):
            if containers.content(ctx, node, ref) is not old:
                message = "this list changes while a loop runs over it"
                raise ctx.refuse(node, "MK332", message, "loop over a copy: list(xs)")

    def at(k: ir.Atom, hint: Hint) -> Operand:
        unchanged()
        if not isinstance(k, ir.Const) or not isinstance(k.value, int):
            return selecting.read(ctx, node, rows, k, "sequence")
        return rows[k.value]

    if not refs:
        return Items(tuple(rows))
    return Elements(ir.int_const(len(rows)), at, len(rows), unchanged)


def _is_long(over: Operand) -> bool:
    """True for a range that is rather a loop."""
    return isinstance(over, IntRange)


def op(ctx: Context, node: cst.CSTNode, name: str, a: ir.Atom, b: ir.Atom) -> ir.Atom:
    return scalars.compute(ctx, node, name, (a, b))


def at_least_none(ctx: Context, node: cst.CSTNode, count: ir.Atom) -> ir.Atom:
    return op(ctx, node, "np.maximum", count, ir.ZERO)


def whole_number(ctx: Context, node: cst.CSTNode, value: Operand, what: str) -> ir.Atom:
    return scalars.cast(ctx, numbers.as_index(ctx, node, value, what), INT)


def _pairwise(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (over,) = given.all(ctx, node, "pairwise", "iterable")
    known = known_items(ctx, node, over)
    if known is not None and not _is_long(over):
        return _rows(ctx, node, [over], [Items(pair) for pair in itertools.pairwise(known)])
    of = iterables.as_sequence(ctx, node, over)
    count = at_least_none(ctx, node, op(ctx, node, "sub", of.count, ir.ONE))

    def pair(k: ir.Atom, hint: Hint) -> Operand:
        after = of.at(op(ctx, node, "add", k, ir.ONE), part(hint, 1))
        return Items((of.at(k, part(hint, 0)), after))

    return Elements(count, pair, of.limit, of.done)


def _chain(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    args = given.positional(ctx, node, "chain")
    return chained(ctx, node, list(args))


def _chain_all(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (over,) = given.all(ctx, node, "from_iterable", "iterable")
    return chained(ctx, node, list(lists.must_be_known(ctx, node, over)))


def chained(ctx: Context, node: cst.CSTNode, parts: list[Operand]) -> Operand:
    """The items of one after those of the other."""
    if (known := all_known(ctx, node, parts)) is not None:
        return _rows(ctx, node, parts, [*itertools.chain.from_iterable(known)])
    found = iterables.as_sequence(ctx, node, parts[0])
    for other in parts[1:]:
        found = _joined(ctx, node, found, iterables.as_sequence(ctx, node, other))
    return found


def _joined(ctx: Context, node: cst.CSTNode, a: Elements, b: Elements) -> Elements:
    a, b = (told_apart(ctx, node, one) for one in (a, b))

    def at(k: ir.Atom, hint: Hint) -> Operand:
        return branches.choose(
            ctx, node, op(ctx, node, "lt", k, a.count), lambda: a.at(k, hint),
            lambda: b.at(op(ctx, node, "sub", k, a.count), hint), "",
        )  # fmt: skip

    return Elements(op(ctx, node, "add", a.count, b.count), at)


def told_apart(ctx: Context, node: cst.CSTNode, of: Elements) -> Elements:
    """``of`` as something that takes any number for its items, which are read now."""
    if of.limit is None:
        return of
    if of.done is not None:
        message = "this list may change while a loop runs over it and something else"
        raise ctx.refuse(node, "MK316", message, "make an array of it: np.array(xs)")
    items = [of.at(ir.int_const(k), "") for k in range(of.limit)]
    whole_ = whole.from_items(ctx, node, Items(tuple(items), is_list=True))
    found = iterables.as_sequence(ctx, node, delayed.settle(ctx, whole_))
    return replace(found, count=of.count)


def _islice(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    over, *bounds = given.positional(ctx, node, "islice")
    if not 1 <= len(bounds) <= 3:
        raise ctx.refuse(node, "MK303", "islice takes an iterable, and one to three numbers")
    if len(bounds) == 1:
        bounds.insert(0, NOTHING)
    lo, hi, step = [*bounds, NOTHING][:3]
    start = _or_else(ctx, node, lo, ir.ZERO)
    by = _or_else(ctx, node, step, ir.ONE)
    last = _or_else(ctx, node, hi, iterables.ENDLESS)
    known = known_items(ctx, node, over)
    if known is not None and not _is_long(over):
        fixed = [one.value for one in (start, last, by) if isinstance(one, ir.Const)]
        if len(fixed) < 3:
            raise ctx.refuse(node, "MK316", "islice of a list takes constants", "use an array")
        first, end_, skip = (int(one.real) for one in fixed)
        return _rows(ctx, node, [over], known[first:end_:skip])
    of = iterables.as_sequence(ctx, node, over)
    end = iterables.smaller(ctx, node, of.count, last)
    places = IntRange(start, end, by)
    at = iterables.as_sequence(ctx, node, places)
    count = at_least_none(ctx, node, at.count)

    def item(k: ir.Atom, hint: Hint) -> Operand:
        found = atom_of(at.at(k, ""))
        return of.at(found, hint)

    return Elements(count, item, None, of.done)


def _or_else(ctx: Context, node: cst.CSTNode, bound: Operand, otherwise: ir.Atom) -> ir.Atom:
    """A number of ``islice``, or what None stands for."""
    if isinstance(bound, Maybe):
        bound = cuts.bound_or(ctx, node, bound, otherwise)
    return otherwise if bound == NOTHING else not_negative(ctx, node, bound)


def not_negative(ctx: Context, node: cst.CSTNode, value: Operand) -> ir.Atom:
    """A number of ``islice``."""
    number = whole_number(ctx, node, value, "a number of islice")
    holds = op(ctx, node, "ge", number, ir.ZERO)
    message = "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
    selecting.require(ctx, node, holds, "ValueError", message)
    return number


def _repeat(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,), (times,) = given.parted(ctx, node, "repeat", "object", "times")
    kept = delayed.settle(ctx, value)
    count: ir.Atom = iterables.ENDLESS
    if times is not None:
        count = at_least_none(ctx, node, whole_number(ctx, node, times, "the number"))
    return Elements(count, lambda k, hint: kept)


def _count(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    start, step = given.take(ctx, node, "count", "start", "step", required=0)
    first = ir.ZERO if start is None else numbers.as_scalar(ctx, node, start)
    by = ir.ONE if step is None else numbers.as_scalar(ctx, node, step)

    def item(k: ir.Atom, hint: Hint) -> Operand:
        grown = k if by == ir.ONE else op(ctx, node, "mul", k, by)
        return grown if first == ir.ZERO else op(ctx, node, "add", first, grown)

    return Elements(iterables.ENDLESS, item)


def _cycle(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (over,) = given.all(ctx, node, "cycle", "iterable")
    of = told_apart(ctx, node, iterables.as_sequence(ctx, node, copied(ctx, over)))
    return Elements(
        iterables.ENDLESS, lambda k, hint: of.at(op(ctx, node, "mod", k, of.count), hint)
    )


def _zip_longest(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    others = {key: value for key, value in given.keywords.items() if key != "fillvalue"}
    args = Arguments(given.args, others).positional(ctx, node, "zip_longest")
    fill = given.keywords.get("fillvalue", NOTHING)
    if (known := all_known(ctx, node, args)) is not None:
        rows = itertools.zip_longest(*known, fillvalue=fill)
        return _rows(ctx, node, args, [Items(row) for row in rows])
    parts = [told_apart(ctx, node, iterables.as_sequence(ctx, node, one)) for one in args]
    total = parts[0].count
    for one in parts[1:]:
        if not ctx.sizes.same(total, one.count):
            total = op(ctx, node, "np.maximum", total, one.count)

    def item(one: Elements, k: ir.Atom, hint: Hint) -> Operand:
        if ctx.sizes.same(one.count, total):
            return one.at(k, hint)
        here = op(ctx, node, "lt", k, one.count)
        return branches.choose(ctx, node, here, lambda: one.at(k, hint), lambda: fill, "")

    def row(k: ir.Atom, hint: Hint) -> Operand:
        return Items(tuple(item(one, k, part(hint, i)) for i, one in enumerate(parts)))

    return Elements(total, row)


def _starmap(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    function, over = given.all(ctx, node, "starmap", "function", "iterable")

    def call(args: tuple[Operand, ...]) -> Operand:
        given = spreading.items(ctx, node, args[0])
        return ctx.lower.call(ctx, node, function, given)

    return ctx.lower.call(ctx, node, Static(External("builtins.map")), (Native(call), over))


def _accumulate(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``accumulate``: what is known one by one is; of an array it is an array, too."""
    (over,), (function, initial) = given.parted(
        ctx, node, "accumulate", "iterable", "func", "initial"
    )
    first = None if initial is None or initial == NOTHING else initial
    known = known_items(ctx, node, over)
    if known is None and delayed.is_array(over) and function in (None, NOTHING, *RUNNING):
        name = "numpy.cumsum" if function in (None, NOTHING) else RUNNING[function]
        if first is None and whole.as_arr(ctx, node, over).ndim == 1:
            return _unwritten(ctx, node, over, whole.library_call(ctx, node, name, over))
    if known is None:
        message = f"accumulate of {describe(over)} is supported for sums and products of an array"
        raise ctx.refuse(node, "MK316", message, "write the loop, which stores each result")

    def step(total: Operand, item: Operand) -> Operand:
        if function is None or function == NOTHING:
            return ctx.lower.binary(ctx, node, cst.Add(), total, item)
        return ctx.lower.call(ctx, node, function, (total, item))

    found = [] if first is None else [first]
    for item in known:
        found.append(delayed.settle(ctx, step(found[-1], item)) if found else item)
    return _rows(ctx, node, [over], found)


def _unwritten(ctx: Context, node: cst.CSTNode, source: Operand, result: Operand) -> Operand:
    """``result``, made of the array ``source``, which must not be written while it is used."""
    of = iterables.as_sequence(ctx, node, delayed.settle(ctx, result))
    kept = delayed.settle(ctx, source)
    roots = ctx.memory.roots(*(one for one in atoms(kept) if isinstance(one, ir.Value)))
    place, count = ctx.builder, len(ctx.builder.stmts)

    def unwritten() -> None:
        stmts = ctx.builder.since(place, count)
        written = ctx.memory.roots(*aliasing.written_in(ctx, stmts or ()))
        if stmts is None or ctx.memory.meet(roots, written):
            message = "this array may be written while a loop runs over what is made of it"
            raise ctx.refuse(node, "MK316", message, "loop over a copy: x.copy()")

    return Elements(of.count, of.at, of.limit, unwritten)


def copied(ctx: Context, over: Operand) -> Operand:
    """``over`` as it is now: arrays may be written while what is made of them is used."""
    kept = delayed.settle(ctx, over) if delayed.is_array(over) else over
    if isinstance(kept, ir.Value) and isinstance(kept.type, Array):
        return storage.copy(ctx, kept)
    return kept


RUNNING: Mapping[Operand, str] = {
    Static(External("operator.add")): "numpy.cumsum",
    Static(External("operator.mul")): "numpy.cumprod",
    Static(External("builtins.max")): "itertools.accumulate.max",
    Static(External("builtins.min")): "itertools.accumulate.min",
}


HANDLERS: Mapping[str, Handler] = {
    "itertools.pairwise": _pairwise, "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain_all,
    "itertools.islice": _islice, "itertools.repeat": _repeat, "itertools.count": _count,
    "itertools.cycle": _cycle, "itertools.zip_longest": _zip_longest,
    "itertools.starmap": _starmap, "itertools.accumulate": _accumulate,
}  # fmt: skip
