"""Functions that run over items as a generator yields them: ``enumerate``, ``zip``, ``islice``, ...

They are generator functions themselves, and lowered from their text. What is not written here runs
over all items at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.builtin import iterating
from mooncake_transpiler.frontend.lower.container import iterables, lists, unordered
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import FALSE
from mooncake_transpiler.frontend.lower.state.leaves import atom_of
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Closure,
    Elements,
    Frame,
    Generator,
    Native,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.syntax import functions_in
from mooncake_transpiler.frontend.name import library_classes

TEXT = """
def enumerate(iterable, start=0):
    for item in iterable:
        yield start, item
        start += 1

def map(function, iterable):
    for item in iterable:
        yield function(item)

def filter(function, iterable):
    for item in iterable:
        if (item if function is None else function(item)):
            yield item

def starmap(function, iterable):
    for item in iterable:
        yield function(*item)

def takewhile(predicate, iterable):
    for item in iterable:
        if not predicate(item):
            return
        yield item

def dropwhile(predicate, iterable):
    passed = False
    for item in iterable:
        if not passed and not predicate(item):
            passed = True
        if passed:
            yield item

def filterfalse(predicate, iterable):
    for item in iterable:
        if not (item if predicate is None else predicate(item)):
            yield item

def pairwise(iterable):
    some = False
    for item in iterable:
        if some:
            yield before, item
        before = item
        some = True

def islice_to(iterable, stop):
    taken = 0
    if stop > 0:
        for item in iterable:
            yield item
            taken += 1
            if taken >= stop:
                return

def islice(iterable, start, stop, step=1):
    taken = 0
    if start is None:
        start = 0
    if stop is None or stop > 0:
        for item in iterable:
            if taken >= start and (taken - start) % step == 0:
                yield item
            taken += 1
            if stop is not None and taken >= stop:
                return

def zip_first(first, second):
    taken = 0
    for item in first:
        if taken >= _count(second):
            return
        yield item, _item(second, taken)
        taken += 1

def zip_second(first, second):
    taken = 0
    if _count(first) > 0:
        for item in second:
            yield _item(first, taken), item
            taken += 1
            if taken >= _count(first):
                return

def endless(item):
    number = 0
    while True:
        yield item(number)
        number += 1

def chain(first, second):
    yield from first
    yield from second

def accumulate(iterable, func=None, initial=None):
    some = False
    for item in iterable:
        if not some:
            total = item
        elif func is None:
            total = total + item
        else:
            total = func(total, item)
        some = True
        yield total

def accumulate_from(iterable, func=None, initial=None):
    total = initial
    yield total
    for item in iterable:
        total = total + item if func is None else func(total, item)
        yield total
"""
# Their names, and how many arguments they take by position at most.
LAZY: Mapping[str, int] = {
    "builtins.enumerate": 2, "builtins.map": 2, "builtins.filter": 2, "builtins.zip": 2,
    "builtins.iter": 1, "itertools.starmap": 2, "itertools.takewhile": 2, "itertools.dropwhile": 2,
    "itertools.filterfalse": 2, "itertools.pairwise": 1, "itertools.islice": 4,
    "itertools.chain": 2, "itertools.accumulate": 2, "itertools.cycle": 0, "itertools.repeat": 0,
    "itertools.zip_longest": 0, "itertools.chain.from_iterable": 0, "itertools.compress": 0,
}  # fmt: skip
# What has no items by number, whatever it runs over.
UNCOUNTED = frozenset({"itertools.takewhile", "itertools.dropwhile", "itertools.filterfalse"})
# What runs over all items at once.
AT_ONCE = frozenset(
    [f"builtins.{name}" for name in ("sum", "max", "min", "any", "all", "list", "tuple", "sorted")]
    + ["math.prod", "math.fsum", "functools.reduce"]
)
# Which of several arguments is run over: none of those that are compared.
_OF_ONE: Mapping[str, int | None] = {
    "builtins.sum": 0, "math.prod": 0, "functools.reduce": 1,
    "builtins.max": None, "builtins.min": None,
}  # fmt: skip
_OF_SETS = frozenset(f"builtins.{name}" for name in ("max", "min", "any", "all", "sorted"))


_DEFAULTS: Mapping[str, Operand] = {
    "start": ir.ZERO, "step": ir.ONE, "func": NOTHING, "initial": NOTHING,
}  # fmt: skip


def _as_list(ctx: Context, node: cst.Call, arg: Operand) -> Operand:
    """``arg`` as NumPy reads it: a ``deque`` is a sequence for it."""
    cls = objects.declared(ctx, arg)
    if cls is None or (cls.module, cls.name) != (library_classes.NAME, "deque"):
        return arg
    items = protocols.iterable(ctx, node, arg)
    return ctx.lower.call(ctx, node, Static(External("builtins.list")), (items,))


def endless(ctx: Context, over: Elements) -> Generator:
    """A generator of the items of what has no end: nothing can be kept for each of them."""

    def item(args: tuple[Operand, ...]) -> Operand:
        number = atom_of(*args)
        return over.at(number, "")

    function = Closure("endless", functions_in(TEXT)["endless"], ctx.frame, {})
    found = ctx.lower.call(ctx, cst.Call(cst.Name("endless")), function, (Native(item),))
    assert isinstance(found, Generator)
    return found


def call(ctx: Context, node: cst.Call, qualname: str, given: Arguments) -> Operand | None:
    """A generator over what generators among the arguments yield; None for what isn't lazy."""
    if qualname not in LAZY:
        return None
    args = [arg.kept() if isinstance(arg, Generator) else arg for arg in given.args]
    is_lazy = any(map(_is_call, args)) or qualname in UNCOUNTED
    is_lazy |= qualname == "builtins.filter" and _are_numbers(ctx, node, args[1:])
    if not is_lazy and not (qualname == "itertools.accumulate" and _folds(ctx, node, given)):
        return None
    if qualname == "builtins.iter":
        return args[0]
    name = qualname.rpartition(".")[2]
    keywords = dict(given.keywords)
    if name == "zip" and keywords.get("strict") == FALSE:
        del keywords["strict"]
    several = sum(map(_is_call, args)) > 1 and name != "chain"
    if several or len(args) > LAZY[qualname] or keywords.keys() - {"start", "func", "initial"}:
        message = f"{name} of what generators yield is not supported with these arguments"
        raise ctx.refuse(node, "MK316", message, "make a list of it: list(...)")
    if name == "zip":
        name = "zip_first" if _is_call(args[0]) else "zip_second"
    if name == "accumulate" and keywords.get("initial", NOTHING) != NOTHING:
        name = "accumulate_from"
    if name == "islice":
        for bound in args[1:]:
            if bound != NOTHING:
                iterating.not_negative(ctx, node, bound)
        name = "islice_to" if len(args) == 2 and args[1] != NOTHING else name
        args = [args[0], NOTHING, args[1]] if name == "islice" and len(args) == 2 else args
    known: dict[str, Operand] = {
        "range": Static(External("builtins.range")),
        "_count": Native(lambda of: iterables.as_sequence(ctx, node, of[0]).count),
        "_item": Native(lambda of: iterables.as_sequence(ctx, node, of[0]).at(_atom(of[1]), "")),
    }
    frame = Frame(ctx.frame.module, (), known)
    for one, value in known.items():
        frame.bind(one, value)
    function = functions_in(TEXT)[name]
    own = {p.name.value: _DEFAULTS[p.name.value] for p in function.params.params if p.default}
    return ctx.lower.call(ctx, node, Closure(name, function, frame, own), args, keywords)


def in_turn(ctx: Context, node: cst.Call, qualname: str, given: Arguments) -> Operand | None:
    """``zip(it, it)`` of iterators that keep their place: they are asked one after the other."""
    others = {k: v for k, v in given.keywords.items() if (k, v) != ("strict", FALSE)}
    if qualname != "builtins.zip" or len(given.args) < 2 or others:
        return None
    found = [objects.declared(ctx, arg) for arg in given.args]
    if not all(cls is not None and "__next__" in cls.methods for cls in found):
        return None
    return ctx.lower.call(ctx, node, Static(External("mooncake_transpiler.in_turn")), given.args)


def best_of_set(ctx: Context, node: cst.Call, qualname: str, given: Arguments) -> Operand | None:
    """``min(s, key=f)`` of a set: the run must show that one is the best."""
    if qualname not in BEST or len(given.args) != 1 or list(given.keywords) != ["key"]:
        return None
    items = unordered.in_any_order(ctx, node, given.args[0])
    if items is given.args[0] or unordered.has_texts(ctx, node, items):
        return None
    found = Static(External(f"mooncake_transpiler.{BEST[qualname]}_of_set"))
    return ctx.lower.call(ctx, node, found, (items, given.keywords["key"]))


BEST = {"builtins.min": "min", "builtins.max": "max"}


def _are_numbers(ctx: Context, node: cst.Call, args: Sequence[Operand]) -> bool:
    """True for the items of ``filter`` of which only the run knows which ones are left."""
    for over in args:
        found = lists.one_by_one(ctx, node, over)
        if found is None or any(isinstance(item, ir.Value) for item in found):
            return True
    return False


def _folds(ctx: Context, node: cst.Call, given: Arguments) -> bool:
    """True for an ``accumulate`` that has to call a function for each of its items in a loop."""
    (over,), (func, initial) = given.parted(ctx, node, "accumulate", "iterable", "func", "initial")
    is_sum = func in (None, NOTHING, *iterating.RUNNING) and initial in (None, NOTHING)
    is_at_once = is_sum and delayed.is_array(over)
    return not is_at_once and iterating.known_items(ctx, node, over) is None


def iterated(ctx: Context, node: cst.Call, qualname: str, given: Arguments) -> Arguments:
    """The arguments; in functions that run over items, instances give what ``__iter__`` returns."""
    if qualname.startswith("numpy."):
        return given.map(lambda arg: _as_list(ctx, node, arg))
    if qualname not in LAZY and qualname not in AT_ONCE:
        return given
    if qualname in _OF_SETS and "key" not in given.keywords:
        given = given.map(lambda arg: unordered.in_any_order(ctx, node, arg))
    if qualname in _OF_ONE and len(given.args) > 1:  # the others are no iterables
        at = _OF_ONE[qualname]
        args = [protocols.iterable(ctx, node, arg) if k == at else arg
                for k, arg in enumerate(given.args)]  # fmt: skip
    else:
        args = [protocols.iterable(ctx, node, arg) for arg in given.args]
    return Arguments(args, given.keywords)


def _is_call(arg: Operand) -> bool:
    return isinstance(arg, Generator) and arg.call is not None


def _atom(value: Operand) -> ir.Atom:
    assert scalars.is_scalar(value)
    return value
