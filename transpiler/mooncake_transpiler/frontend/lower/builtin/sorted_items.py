"""Items in order: ``sorted`` and ``sort``, ``min`` and ``max`` with a key or default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import delayed, whole
from mooncake_transpiler.frontend.lower.builtin import folds
from mooncake_transpiler.frontend.lower.container import (
    algorithms,
    comprehensions,
    iterables,
    lists,
    views,
)
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.operation import equality
from mooncake_transpiler.frontend.lower.row import replacing
from mooncake_transpiler.frontend.lower.scalar import enums, scalars
from mooncake_transpiler.frontend.lower.scalar.scalars import compute, constant, is_scalar
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.leaves import is_sequence
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Elements,
    Generator,
    IntRange,
    Items,
    Native,
    Operand,
    Static,
    Told,
)
from mooncake_transpiler.types import Array

Key = Callable[[Operand], Operand]

FEW = 8  # items that are sorted by comparing neighbours; more numbers are, as an array


def _key(ctx: Context, node: cst.Call, function: Operand | None) -> Key | None:
    if function is None or function == NOTHING:
        return None
    return lambda item: delayed.settle(ctx, ctx.lower.call(ctx, node, function, (item,)))


def _less(ctx: Context, node: cst.CSTNode, a: Operand, b: Operand, op: str = "lt") -> ir.Atom:
    found = ctx.lower.compare(ctx, node, equality.ORDERS[op], a, b)
    return protocols.truth(ctx, node, found)


def _sorted(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (over,), (function, reverse) = given.parted(ctx, node, "sorted", "iterable", "key", "reverse")
    backwards = _direction(ctx, node, reverse)
    over = delayed.settle(ctx, over)
    if function in (None, NOTHING) and isinstance(over, Elements) and over.distinct:
        function = Native(_first)
    key = _key(ctx, node, function)
    known = None if delayed.is_array(over) else lists.one_by_one(ctx, node, over)
    if known is None:
        by = None if function == NOTHING else function
        return algorithms.ordered(ctx, node, over, by, backwards=backwards)
    keys = [item if key is None else key(item) for item in known]
    values = [_static(ctx, node, found) for found in keys]
    if enums.UNKNOWN not in values:
        try:
            order = sorted(range(len(known)), key=values.__getitem__, reverse=backwards)
        except TypeError as error:
            raise ctx.refuse(node, "MK342", f"sorted: {error}") from None
        return Items(tuple(known[k] for k in order), is_list=True)
    if len(known) <= FEW:
        pairs = [Items((k, item)) for k, item in zip(keys, known, strict=True)]
        return _by_neighbours(ctx, node, pairs, key is not None, backwards)
    if not all(map(is_scalar, keys)):
        lists_ = [Items(tuple(one), is_list=True) for one in (known, keys)]
        return algorithms.run(ctx, "merged", *lists_, constant(backwards))
    places = _order(ctx, node, Items(tuple(keys), is_list=True), backwards)
    of = iterables.as_sequence(ctx, node, Items(known))
    found = [of.at(places(ir.int_const(k)), "") for k in range(len(known))]
    return Items(tuple(found), is_list=True)


def _first(given: tuple[Operand, ...]) -> Operand:
    """The first item of a tuple."""
    (of,) = given
    assert isinstance(of, Items)
    return of.items[0]


def _direction(ctx: Context, node: cst.Call, reverse: Operand | None) -> bool:
    truth = ir.ZERO if reverse is None else protocols.truth(ctx, node, reverse)
    if not isinstance(truth, ir.Const):
        message = "the direction of sorted is not known ahead of time"
        raise ctx.refuse(node, "MK342", message, "sort in an if")
    return bool(truth.value)


def _static(ctx: Context, node: cst.Call, key: Operand) -> Any:
    """The value that ``key`` is compared by, where that is known ahead of time."""
    if isinstance(key, Items) and key.once is None and key.of is None:
        parts = [_static(ctx, node, item) for item in key.items]
        if enums.UNKNOWN in parts:
            return enums.UNKNOWN
        return parts if key.is_list else tuple(parts)
    return enums.python(ctx, node, key)


def _by_neighbours(
    ctx: Context, node: cst.Call, pairs: list[Items], keyed: bool, backwards: bool
) -> Operand:
    """The items of pairs of a key and an item, after neighbours have been swapped if need be.

    What is equal stays in its order.
    """
    found: list[Operand] = [*pairs] if keyed else [pair.items[1] for pair in pairs]

    def key(pair: Operand) -> Operand:
        return pair.items[0] if keyed and isinstance(pair, Items) else pair

    for end in range(len(found) - 1, 0, -1):
        for k in range(end):
            here, there = found[k], found[k + 1]
            sides = (key(here), key(there)) if backwards else (key(there), key(here))
            turned, kept = partial(Items, (there, here)), partial(Items, (here, there))
            swapped = branches.choose(ctx, node, _less(ctx, node, *sides), turned, kept, "")
            assert isinstance(swapped, Items)
            found[k], found[k + 1] = swapped.items
    if keyed:
        found = [pair.items[1] for pair in found if isinstance(pair, Items)]
    return Items(tuple(found), is_list=True)


def _order(
    ctx: Context, node: cst.Call, keys: Operand, backwards: bool
) -> Callable[[ir.Atom], ir.Atom]:
    """The place of the item that comes k-th; what is equal stays in its order."""
    array = whole.library_call(ctx, node, "numpy.array", keys)
    if backwards:
        array = ctx.lower.binary(ctx, node, cst.Subtract(), ir.ZERO, array)
    order = whole.library_call(ctx, node, "numpy.argsort", array, kind="stable")
    places = iterables.as_sequence(ctx, node, delayed.settle(ctx, order))
    return lambda k: numbers.as_index(ctx, node, places.at(k, ""), "an index")


# ---- min and max --------------------------------------------------------------------------------


def extremum(op: str) -> Handler:
    """Python's ``max`` and ``min``: among equal ones the first is taken."""
    name = "max" if op == "gt" else "min"

    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        if given.keywords:
            return _with_options(ctx, node, name, given, hint)
        args = given.args
        step = partial(_more, ctx, node, op)
        if len(args) == 1 and _gives_tuples(args[0]):
            return _with_options(ctx, node, name, given, hint)
        if len(args) == 1 and isinstance(args[0], Generator):
            return comprehensions.fold(ctx, args[0], None, step, name)
        if len(args) == 1:
            args = [_readable(ctx, node, args[0])]
        if len(args) == 1 and isinstance(args[0], Items) and is_sequence(args[0]):
            args = args[0].items
            if len(args) == 1:
                return args[0]
        if len(args) == 1 and isinstance(args[0], Elements | IntRange):
            return folds.fold(ctx, node, args[0], None, step, name)
        if len(args) < 2:
            if args and delayed.is_array(args[0]):
                return whole.library_call(ctx, node, f"builtins.{name}", args[0])
            raise ctx.refuse(node, "MK303", f"{name} of nothing")
        best = args[0]
        for k, other in enumerate(args[1:], 2):
            best = step(best, other, hint if k == len(args) else "")
        return best

    return handler


def _gives_tuples(over: Operand) -> bool:
    """True for a generator expression of tuples."""
    return isinstance(over, Generator) and isinstance(over.node.elt, cst.Tuple)


def _readable(ctx: Context, node: cst.CSTNode, over: Operand) -> Operand:
    """The items of ``over``: numbers in an array, or anything else one after the other."""
    over = over if containers.is_dict(over) else protocols.iterable(ctx, node, over)
    if containers.is_dict(over) or _holds_more(ctx, node, over):
        return iterables.as_sequence(ctx, node, over)
    return views.view(ctx, node, over)


def _holds_more(ctx: Context, node: cst.CSTNode, operand: Operand) -> bool:
    """True for a list of run-time length whose items are no numbers."""
    if not containers.is_list(operand):
        return False
    if (about := containers.pooled(ctx, operand)) is not None:
        return not containers.are_numbers(about)
    held = replacing.arrays_of(ctx, node, operand)
    is_vector = isinstance(held, ir.Value) and isinstance(held.type, Array) and held.type.ndim == 1
    return held is not None and not is_vector


def _more(
    ctx: Context, node: cst.CSTNode, op: str, best: Operand, other: Operand, hint: str = ""
) -> Operand:
    """``other``, if it is better than ``best``."""
    if all(isinstance(side, Items | Ref | Static | Told | RunText) for side in (best, other)):
        found = ctx.lower.compare(ctx, node, equality.ORDERS[op], other, best)
        is_better = protocols.truth(ctx, node, found)
        return branches.choose(ctx, node, is_better, lambda: other, lambda: best, hint)
    one, two = (numbers.as_scalar(ctx, node, side) for side in (best, other))
    cond = compute(ctx, node, op, (two, one))
    if isinstance(cond, ir.Const):
        return other if cond.value else best  # the object itself, of its own type
    return scalars.select(ctx, cond, two, one, hint)


def _with_options(ctx: Context, node: cst.Call, name: str, given: Arguments, hint: str) -> Operand:
    """``min`` or ``max`` with ``key=`` or ``default=``."""
    unknown = given.keywords.keys() - {"key", "default"}
    if unknown:
        message = f"{name}: argument {min(unknown)!r} is not supported"
        raise ctx.refuse(node, "MK303", message)
    default, key = (
        given.keywords.get("default"),
        _key(ctx, node, given.keywords.get("key", NOTHING)),
    )
    if len(given.args) != 1:
        if default is not None:
            message = f"Cannot specify a default for {name}() with multiple positional arguments"
            raise ctx.refuse(node, "MK303", message)
        return _best(ctx, node, name, Items(tuple(given.args)), key)
    over = given.args[0]
    if isinstance(over, Generator) and key is None and default is not None:
        step = _better(ctx, node, name, None)
        return comprehensions.fold(ctx, over, None, step, name, default)
    if isinstance(over, Generator):
        over = over.listed()
    known = None if delayed.is_array(over) else lists.one_by_one(ctx, node, over)
    if default is None or known:
        return _best(ctx, node, name, over, key)
    if known is not None:
        return default
    kept = delayed.settle(ctx, over)
    some = compute(ctx, node, "gt", (iterables.as_sequence(ctx, node, kept).count, ir.ZERO))
    return branches.choose(
        ctx, node, some, lambda: _best(ctx, node, name, kept, key), lambda: default, hint
    )


def _best(ctx: Context, node: cst.Call, name: str, over: Operand, key: Key | None) -> Operand:
    if key is None and delayed.is_array(over):
        return whole.library_call(ctx, node, f"builtins.{name}", over)
    if key is None:
        return folds.fold(ctx, node, over, None, _better(ctx, node, name, None), name)
    found_key = key

    def paired(args: tuple[Operand, ...]) -> Operand:
        return Items((found_key(args[0]), containers.numbered(ctx.frame.values, args[0])))

    pairs = folds.mapped(ctx, node, Native(paired), [over])
    found = folds.fold(ctx, node, pairs, None, _better(ctx, node, name, 0), name)
    assert isinstance(found, Items)
    best = found.items[1]
    return containers.owned(ctx, best) if containers.is_pooled(best) else best


def _better(ctx: Context, node: cst.Call, name: str, part: int | None) -> folds.Step:
    """The better one of two; of equal ones the first. ``part`` is what they are compared by."""

    def by(value: Operand) -> Operand:
        return value.items[part] if part is not None and isinstance(value, Items) else value

    def step(best: Operand, other: Operand) -> Operand:
        cond = _less(ctx, node, by(other), by(best), "gt" if name == "max" else "lt")
        return branches.choose(ctx, node, cond, lambda: other, lambda: best, "")

    return step


HANDLERS: Mapping[str, Handler] = {
    "builtins.sorted": _sorted,
}  # fmt: skip
