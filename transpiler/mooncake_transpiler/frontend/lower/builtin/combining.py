"""Loops over more than one range: ``itertools.product``, ``combinations``, ``np.ndindex``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.array import arrays, delayed
from mooncake_transpiler.frontend.lower.builtin.iterating import (
    all_known,
    at_least_none,
    copied,
    known_items,
    op,
    told_apart,
    whole_number,
)
from mooncake_transpiler.frontend.lower.container import iterables, lists
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import part
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Elements,
    IntRange,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.syntax import Hint
from mooncake_transpiler.types import Array


def _product(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    others = {key: value for key, value in given.keywords.items() if key != "repeat"}
    args = list(Arguments(given.args, others).positional(ctx, node, "product"))
    times = given.keywords.get("repeat", ir.ONE)
    if not isinstance(times, ir.Const) or not isinstance(times.value, int):
        raise ctx.refuse(node, "MK316", "product: repeat must be a constant")
    parts = args * times.value
    if (known := all_known(ctx, node, parts)) is not None:
        return Items(tuple(Items(row) for row in itertools.product(*known)))
    kept = [_snapshot(ctx, node, one) for one in args] * times.value
    return grid(ctx, node, [iterables.as_sequence(ctx, node, one) for one in kept])


def _snapshot(ctx: Context, node: cst.CSTNode, over: Operand) -> Operand:
    """``over`` as it is now: these functions look at all items when they are called."""
    known = known_items(ctx, node, over) if containers.is_list(over) else None
    return copied(ctx, over) if known is None else Items(known)


def grid(ctx: Context, node: cst.CSTNode, parts: Sequence[Elements]) -> Elements:
    """Tuples of one item of each; the last one changes fastest."""
    counts = [at_least_none(ctx, node, one.count) for one in parts]
    total: ir.Atom = ir.ONE
    for count in counts:
        total = op(ctx, node, "mul", total, count)
    parts = [told_apart(ctx, node, one) for one in parts]

    def row(k: ir.Atom, hint: Hint) -> Operand:
        places: list[ir.Atom] = []
        for i, count in reversed(list(enumerate(counts))):
            places.insert(0, op(ctx, node, "mod", k, count) if i else k)
            k = op(ctx, node, "floordiv", k, count) if i else k
        items = zip(parts, places, strict=True)
        return Items(tuple(one.at(p, part(hint, i)) for i, (one, p) in enumerate(items)))

    return Elements(total, row)


def _choices(name: str, make: Callable[..., Iterable[tuple[int, ...]]]) -> Handler:
    """``combinations`` and its kin."""

    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        required = 1 if name == "permutations" else 2
        over, size = given.take(ctx, node, name, "iterable", "r", required=required)
        assert over is not None
        r = None if size in (None, NOTHING) else whole_number(ctx, node, size, "r")
        over = _snapshot(ctx, node, over)
        known = known_items(ctx, node, over)
        if known is None and delayed.is_array(over):
            count = iterables.static_length(ctx, node, over)
            of = iterables.as_sequence(ctx, node, over)
            if count is not None:
                known = tuple(of.at(ir.int_const(k), "") for k in range(count))
        pairs = r == ir.int_const(2)
        if (
            known is not None
            and isinstance(r, ir.Const | None)
            and (len(known) <= MANY or not pairs)
        ):
            rows = make(range(len(known)), *(() if r is None else (r.value,)))
            return Items(tuple(Items(tuple(known[k] for k in row)) for row in rows))
        if pairs and name != "permutations":
            of = iterables.as_sequence(ctx, node, over)
            return _pairs(ctx, node, of, name != "combinations")
        return _by_number(ctx, node, name, over, r)

    return handler


# How many choices there are, and what gives that with a number: texts that are written out.
CHOICES: Mapping[str, tuple[str, str]] = {
    "permutations": ("math.perm", "mooncake_transpiler.permutation"),
    "combinations": ("math.comb", "mooncake_transpiler.combination"),
    "combinations_with_replacement": ("math.comb", "mooncake_transpiler.repeated_combination"),
}


def _by_number(
    ctx: Context, node: cst.Call, name: str, over: Operand, r: ir.Atom | None
) -> Elements:
    """Choices of ``r`` items of ``over``, each of which is made of its number."""
    of = told_apart(ctx, node, iterables.as_sequence(ctx, node, over))
    count = at_least_none(ctx, node, of.count)
    r = count if r is None else r
    many, one = (Static(External(text)) for text in CHOICES[name])
    among = count
    if name == "combinations_with_replacement":
        among = op(ctx, node, "sub", op(ctx, node, "add", count, r), ir.ONE)
    total = whole_number(ctx, node, ctx.lower.call(ctx, node, many, (among, r)), "a number")

    def choice(k: ir.Atom, hint: Hint) -> Operand:
        found = ctx.lower.call(ctx, node, one, (count, r, k))
        places = iterables.as_sequence(ctx, node, found)
        items = Elements(
            r,
            lambda i, label: of.at(numbers.as_index(ctx, node, places.at(i, ""), "a place"), label),
        )
        return ctx.lower.call(ctx, node, Static(External("builtins.tuple")), (items,), hint=hint)

    return Elements(total, choice)


MANY = 16  # items whose combinations are rather a loop


def _pairs(ctx: Context, node: cst.CSTNode, of: Elements, with_self: bool) -> Elements:
    """All pairs of items in order; the row of the pair ``k`` follows from a square root.

    Counted from the end, row ``r`` begins behind ``r (r + 1) / 2`` pairs.
    """
    of = told_apart(ctx, node, of)
    one, two = ir.ONE, ir.int_const(2)
    rows = of.count if with_self else op(ctx, node, "sub", of.count, one)
    rows = at_least_none(ctx, node, rows)

    def triangle(n: ir.Atom) -> ir.Atom:
        square = op(ctx, node, "mul", n, op(ctx, node, "add", n, one))
        return op(ctx, node, "floordiv", square, two)

    total = triangle(rows)

    def pair(k: ir.Atom, hint: Hint) -> Operand:
        left = op(ctx, node, "sub", op(ctx, node, "sub", total, one), k)
        eight = op(ctx, node, "add", op(ctx, node, "mul", ir.int_const(8), left), one)
        root = scalars.compute(ctx, node, "math.isqrt", (eight,))
        row = op(ctx, node, "floordiv", op(ctx, node, "sub", root, one), two)
        first = op(ctx, node, "sub", op(ctx, node, "sub", rows, one), row)
        behind = op(ctx, node, "sub", left, triangle(row))
        second = op(ctx, node, "sub", op(ctx, node, "sub", of.count, one), behind)
        return Items((of.at(first, part(hint, 0)), of.at(second, part(hint, 1))))

    return Elements(total, pair)


# ---- NumPy --------------------------------------------------------------------------------------


def _ranges(shape: Sequence[ir.Atom]) -> list[Operand]:
    return [IntRange(ir.ZERO, size, ir.ONE) for size in shape]


def _over(ctx: Context, node: cst.CSTNode, shape: Sequence[ir.Atom]) -> Elements:
    """The indices of all elements of an array of this shape."""
    return grid(ctx, node, [iterables.as_sequence(ctx, node, one) for one in _ranges(shape)])


def _ndindex(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    args = list(given.positional(ctx, node, "np.ndindex"))
    if len(args) == 1:
        args = list(lists.one_by_one(ctx, node, args[0]) or args)
    return _over(ctx, node, [whole_number(ctx, node, one, "a dimension") for one in args])


def _array(ctx: Context, node: cst.CSTNode, operand: Operand, name: str) -> ir.Value:
    found = delayed.settle(ctx, operand)
    if not isinstance(found, ir.Value) or not isinstance(found.type, Array):
        raise ctx.refuse(node, "MK213", f"{name} takes an array here")
    return found


def _ndenumerate(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.all(ctx, node, "np.ndenumerate", "arr")
    array = _array(ctx, node, value, "np.ndenumerate")
    of = _over(ctx, node, storage.shape(ctx, array))

    def item(k: ir.Atom, hint: Hint) -> Operand:
        index = of.at(k, part(hint, 0))
        assert isinstance(index, Items)
        places = [numbers.as_index(ctx, node, one, "an index") for one in index.items]
        return Items((index, arrays.element(ctx, array, tuple(places), "")))

    return Elements(of.count, item)


def _nditer(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``np.nditer(x, order="C")``, only to be read; by default the order is that in memory."""
    (value,) = Arguments(given.args, {}).all(ctx, node, "np.nditer", "op")
    array = _array(ctx, node, value, "np.nditer")
    if dict(given.keywords) != {"order": Static("C")}:
        others = sorted(given.keywords.keys() - {"order"})
        message = "in which order np.nditer finds the elements depends on the memory"
        if others:
            message = f"np.nditer is not supported with {', '.join(others)}"
        help_ = 'write np.nditer(x, order="C"), x.flat, or, for the indices, np.ndenumerate(x)'
        raise ctx.refuse(node, "MK316", message, help_)
    of = _over(ctx, node, storage.shape(ctx, array))

    def item(k: ir.Atom, hint: Hint) -> Operand:
        index = of.at(k, "")
        assert isinstance(index, Items)
        places = [numbers.as_index(ctx, node, one, "an index") for one in index.items]
        return arrays.element(ctx, array, tuple(places), "")

    return Elements(of.count, item)


HANDLERS: Mapping[str, Handler] = {
    "itertools.product": _product,
    "itertools.combinations": _choices("combinations", itertools.combinations),
    "itertools.permutations": _choices("permutations", itertools.permutations),
    "itertools.combinations_with_replacement": _choices(
        "combinations_with_replacement", itertools.combinations_with_replacement
    ),
    "numpy.ndindex": _ndindex, "numpy.ndenumerate": _ndenumerate, "numpy.nditer": _nditer,
}  # fmt: skip
