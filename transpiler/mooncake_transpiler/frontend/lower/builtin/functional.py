"""Functions that work with functions: ``map``, ``filter``, ``sorted``, ``functools``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.array import delayed, whole
from mooncake_transpiler.frontend.lower.builtin import folds
from mooncake_transpiler.frontend.lower.call import decorating
from mooncake_transpiler.frontend.lower.container import comprehensions, iterables, lists, selecting
from mooncake_transpiler.frontend.lower.instance import instances, protocols
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Once, StepsNeeded
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Bound,
    Closure,
    Elements,
    Generator,
    IntRange,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.syntax import Hint
from mooncake_transpiler.frontend.lower.written import library_source
from mooncake_transpiler.types import INT, DType


def _partial(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``functools.partial(f, *args, **keywords)``."""
    if not given.args:
        raise ctx.refuse(node, "MK303", "partial() needs a function")
    kept = delayed.settled(ctx, given)
    return Bound(kept.args[0], tuple(kept.args[1:]), kept.keywords)


def _vectorize(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``np.vectorize(f)``; what it is called with reaches the library behind ``f``."""
    args = given.positional(ctx, node, "vectorize")
    if len(args) != 1:
        raise ctx.refuse(node, "MK303", "vectorize takes a function, and nothing else here")
    return Bound(Static(External("numpy.vectorize.call")), (args[0],))


def _reduce(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    args = given.positional(ctx, node, "reduce")
    if not 2 <= len(args) <= 3:
        raise ctx.refuse(node, "MK303", "reduce takes a function, an iterable and a start")

    def step(total: Operand, item: Operand) -> Operand:
        return ctx.lower.call(ctx, node, args[0], (total, item))

    return folds.fold(ctx, node, args[1], args[2] if len(args) == 3 else None, step, "reduce")


def _map(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    args = delayed.settled(ctx, given).positional(ctx, node, "map")
    if len(args) < 2:
        raise ctx.refuse(node, "MK303", "map() must have at least two arguments.")
    return folds.mapped(ctx, node, args[0], list(args[1:]))


def _filter(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``filter(f, items)``, where it is known ahead of time which items are left.

    ``f`` is asked once to see how many there are, and again where the items are asked for.
    """
    function, over = given.all(ctx, node, "filter", "function", "iterable")

    def kept(start: int = 0) -> Iterator[int]:
        for k, item in enumerate(_known(ctx, node, over, "filter")[start:], start):
            answer = item if function == NOTHING else _applied(ctx, node, function, item)
            if _decided(ctx, node, answer, "which items filter leaves"):
                yield k

    before, stmts = dict(ctx.frame.values), len(ctx.builder.stmts)
    places = [*kept()]
    changed = any(ctx.frame.values.get(name) is not old for name, old in before.items())
    if changed or any(not isinstance(s, ir.Compute | ir.Load) for s in ctx.builder.stmts[stmts:]):
        raise _too_late(ctx, node, "what filter asks for each item changes something")

    def checked(k: int, found: Sequence[int]) -> None:
        if [*found] != places[k : k + 1]:
            raise _too_late(ctx, node, "which items filter leaves changes before they are used")

    def at(k: ir.Atom, hint: object) -> Operand:
        assert isinstance(k, ir.Const)
        place = int(k.value.real)
        checked(place, [*islice(kept(places[place - 1] + 1 if place else 0), 1)])
        return _known(ctx, node, over, "filter")[places[place]]

    def done() -> None:
        checked(len(places), [*islice(kept(places[-1] + 1 if places else 0), 1)])

    return Elements(ir.int_const(len(places)), at, len(places), done)


def _too_late(ctx: Context, node: cst.Call, message: str) -> Refused:
    return ctx.refuse(node, "MK357", message, "make a list: [x for x in items if ...]")


def _known(ctx: Context, node: cst.Call, over: Operand, name: str) -> tuple[Operand, ...]:
    found = lists.one_by_one(ctx, node, over)
    if found is None:
        message = f"{name} of {describe(over)}: its items are not known one by one"
        help_ = "make a list: [x for x in items if ...]"
        if name != "filter":
            help_ = "write a loop, or use NumPy's function"
        raise ctx.refuse(node, "MK342", message, help_)
    return found


def _applied(ctx: Context, node: cst.Call, function: Operand, *args: Operand) -> Operand:
    return ctx.lower.call(ctx, node, function, args)


def _decided(ctx: Context, node: cst.Call, answer: Operand, what: str) -> bool:
    truth = protocols.truth(ctx, node, answer)
    if not isinstance(truth, ir.Const):
        message = f"{what} is not known ahead of time"
        raise ctx.refuse(node, "MK342", message, "write a loop with an if")
    return bool(truth.value)


def _total(name: str, whole_name: str, operator: cst.BaseBinaryOp, neutral: int) -> Handler:
    """``sum`` and ``math.prod``."""

    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        (value,), (start,) = given.parted(ctx, node, name, "iterable", "start")
        if delayed.is_array(value) and start is None:
            return _of_array(ctx, node, whole_name, value)

        def step(total: Operand, item: Operand) -> Operand:
            return ctx.lower.binary(ctx, node, operator, total, item)

        first = ir.int_const(neutral) if start is None else start
        return folds.fold(ctx, node, value, first, step, name)

    return handler


def _of_array(ctx: Context, node: cst.Call, name: str, array: Operand) -> Operand:
    """NumPy's sum or product of an array's items, in the type in which Python adds integers."""
    found = whole.as_arr(ctx, node, array).dtype
    return whole.library_call(
        ctx, node, name, array, axis=0, dtype=found if DType(found).is_int else None
    )


def _next(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``next(items)`` of a generator expression, or of an iterator that a variable holds."""
    (over,), (default,) = given.parted(ctx, node, "next", "iterator", "default")
    if isinstance(over, Generator):
        return comprehensions.first(ctx, over, default)
    cls = objects.declared(ctx, over)
    if cls is not None and "__next__" in cls.methods:
        if default is None:
            return ctx.lower.call(ctx, node, instances.get(ctx, over, "__next__"), ())
        either = Static(External("mooncake_transpiler.next_or"))
        return ctx.lower.call(ctx, node, either, (over, default))
    once = _once(over)
    if once is None:
        message = "next() is supported for generator expressions, iter(...) and what holds it"
        raise ctx.refuse(node, "MK316", message, "use an index")
    name = node.args[0].value if node.args else None
    is_held = any(_once(value) is once for value in ctx.frame.values.values())
    if once.frame is not ctx.frame or (is_held and not isinstance(name, cst.Name)):
        raise StepsNeeded(once.node)
    of = iterables.as_sequence(ctx, node, over)
    found = _first(ctx, node, of, default, hint)
    if isinstance(name, cst.Name):
        ctx.frame.bind(name.value, _rest(ctx, node, of, once))
    return found


def _first(
    ctx: Context, node: cst.Call, of: Elements, default: Operand | None, hint: str
) -> Operand:
    """The first item of a sequence, or ``default``."""
    some = scalars.compute(ctx, node, "gt", (of.count, ir.ZERO))
    if default is None:
        selecting.require(ctx, node, some, "StopIteration", "")
        return of.at(ir.ZERO, hint)
    if isinstance(some, ir.Const):
        return of.at(ir.ZERO, hint) if some.value else default
    return branches.choose(ctx, node, some, lambda: of.at(ir.ZERO, hint), lambda: default, hint)


def _rest(ctx: Context, node: cst.Call, of: Elements, once: Once) -> Elements:
    """An iterator over the items behind the first one."""

    def later(k: ir.Atom, hint: Hint) -> Operand:
        return of.at(scalars.compute(ctx, node, "add", (k, ir.ONE)), hint)

    some = scalars.compute(ctx, node, "gt", (of.count, ir.ZERO))
    left = scalars.compute(ctx, node, "sub", (of.count, scalars.cast(ctx, some, INT)))
    limit = None if of.limit is None else max(of.limit - 1, 0)
    return replace(of, count=left, at=later, limit=limit, once=replace(once, readers=[]))


def _once(value: Operand | None) -> Once | None:
    """The mark of an iterator, if ``value`` is one."""
    return value.once if isinstance(value, Items | Elements | IntRange) else None


def _any(wanted: bool) -> Handler:
    name = "any" if wanted else "all"

    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        (value,) = given.all(ctx, node, name, "iterable")
        if delayed.is_array(value):
            return whole.library_call(ctx, node, f"numpy.{name}", value)
        found = folds.any_of(ctx, node, value, wanted)
        return found if wanted else scalars.compute(ctx, node, "not", (found,), hint)

    return handler


def _iter(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    if len(given.args) == 2:
        until = library_source.call(ctx, node, "builtins.iter", given)
        assert until is not None
        return until
    (value,) = given.all(ctx, node, "iter", "iterable")
    return iterables.as_sequence(ctx, node, value)


def _cache(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    if not given.args or not isinstance(given.args[0], Closure):  # lru_cache(maxsize=None)
        return Static(External("functools.cache"))
    decorating.check_nested_cache(ctx, node, given.args[0])
    return given.args[0]


HANDLERS: Mapping[str, Handler] = {
    "builtins.map": _map, "builtins.filter": _filter,
    "builtins.sum": _total("sum", "numpy.sum", cst.Add(), 0), "builtins.next": _next,
    "math.prod": _total("prod", "numpy.prod", cst.Multiply(), 1),
    "builtins.any": _any(True), "builtins.all": _any(False),
    "builtins.iter": _iter,
    "numpy.vectorize": _vectorize,
    "functools.partial": _partial, "functools.reduce": _reduce,
    "functools.cache": _cache, "functools.lru_cache": _cache,
}  # fmt: skip
