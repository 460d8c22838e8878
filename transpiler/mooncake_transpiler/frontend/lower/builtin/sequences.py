"""Methods of lists, tuples, dicts and text, and the functions that make them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.array import cuts, delayed
from mooncake_transpiler.frontend.lower.container import (
    algorithms,
    asked_texts,
    comprehensions,
    iterables,
    lists,
    resizing,
    views,
)
from mooncake_transpiler.frontend.lower.failure import numbers, unset_names
from mooncake_transpiler.frontend.lower.instance import instances, raised
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.operation import binary, equality
from mooncake_transpiler.frontend.lower.row import growing, lengths, replacing, rows
from mooncake_transpiler.frontend.lower.scalar import enums, texts
from mooncake_transpiler.frontend.lower.scalar.scalars import compute, constant, select
from mooncake_transpiler.frontend.lower.state import passed_text
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Generator,
    Items,
    Operand,
    Passed,
    Static,
)
from mooncake_transpiler.types import Array


def of_list(name: str, *params: str, required: int | None = None) -> Callable[..., Handler]:
    """A method of lists: it gets the list with an identity, and the other arguments."""

    def decorate(body: Callable[..., Operand | None]) -> Handler:
        def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
            needed = None if required is None else required + 1
            first, *rest = given.take(ctx, node, name, "self", *params, required=needed)
            assert first is not None
            found = body(ctx, node, delayed.own(ctx, first), *rest)
            return NOTHING if found is None else found

        return handler

    return decorate


@of_list("append", "object")
def append(ctx: Context, node: cst.Call, ref: Ref, value: Operand) -> None:
    lists.extend(ctx, node, ref, Items((value,)))


@of_list("extend", "iterable")
def extend(ctx: Context, node: cst.Call, ref: Ref, value: Operand) -> None:
    lists.extend(ctx, node, ref, value)


def _changed(ctx: Context, node: cst.Call, ref: Ref, items: Sequence[Operand]) -> None:
    replacing.replaced(ctx, node, ref, Items(tuple(items), is_list=True))


@of_list("insert", "index", "object")
def insert(ctx: Context, node: cst.Call, ref: Ref, index: Operand, value: Operand) -> None:
    at = numbers.as_index(ctx, node, index, "an index")
    held = None if algorithms.let_grow(ctx, node, ref) else list(lists.items(ctx, node, ref))
    if held == []:
        lists.extend(ctx, node, ref, Items((value,)))
    elif held is not None and isinstance(at, ir.Const) and isinstance(at.value, int):
        held.insert(at.value, value)
        _changed(ctx, node, ref, held)
    else:
        algorithms.run(ctx, "insert", ref, at, value)


def _grown(ctx: Context, node: cst.Call, ref: Ref) -> bool:
    """True where a list whose length is known can be one whose length the run tells."""
    return lengths.let_grow(ctx, node, ref, containers.content(ctx, node, ref))


@of_list("pop", "index", required=0)
def pop(ctx: Context, node: cst.Call, ref: Ref, index: Operand | None) -> Operand:
    is_open = isinstance(index, ir.Value)
    if algorithms.let_grow(ctx, node, ref) or (is_open and _grown(ctx, node, ref)):
        if index is None or index == ir.int_const(-1):
            is_pooled = containers.pooled(ctx, ref) is not None
            return resizing.pop(ctx, node, ref) if is_pooled else growing.pop(ctx, node, ref)
        some = compute(ctx, node, "gt", (containers.length(ctx, node, ref), ir.ZERO))
        unset_names.require_there(ctx, node, some, "pop from empty list")
        at = growing.place(ctx, node, ref, index, "pop index out of range")
        return algorithms.run(ctx, "pop", ref, at)
    held = list(lists.items(ctx, node, ref))
    if not held:
        unset_names.never_there(ctx, node, "pop from empty list")
    key = ir.int_const(-1) if index is None else index
    found = held.pop(lists.constant_position(ctx, node, Items(tuple(held), is_list=True), key))
    _changed(ctx, node, ref, held)
    return found


@of_list("remove", "value")
def remove(ctx: Context, node: cst.Call, ref: Ref, value: Operand) -> None:
    if algorithms.let_grow(ctx, node, ref):
        algorithms.run(ctx, "take_out", ref, value)
        return
    held = list(lists.items(ctx, node, ref))
    at = _place(ctx, node, _equal(ctx, node, held, value))
    if at is None and _grown(ctx, node, ref):
        algorithms.run(ctx, "take_out", ref, value)
        return
    if at is None:
        message = "where this item is in the list is not known ahead of time"
        raise ctx.refuse(node, "MK331", message)
    del held[at]
    _changed(ctx, node, ref, held)


def _equal(
    ctx: Context, node: cst.Call, held: Sequence[Operand], value: Operand
) -> Sequence[ir.Atom]:
    """Bools: the items are ``value``. Behind one that certainly is there are no more."""
    found: list[ir.Atom] = []
    for item in held:
        found.append(equality.equal(ctx, node, item, value))
        if found[-1] == constant(True):
            break
    return found


def _place(ctx: Context, node: cst.Call, equal: Sequence[ir.Atom]) -> int | None:
    """The first that is true, if it is known ahead of time."""
    if all(one == constant(False) for one in equal):
        raise ctx.refuse(node, "MK331", "this list has no such item")
    is_known = all(isinstance(one, ir.Const) for one in equal)
    return len(equal) - 1 if is_known else None


@of_list("index", "value")
def index(ctx: Context, node: cst.Call, ref: Operand, value: Operand) -> Operand:
    held = lists.one_by_one(ctx, node, ref)
    if held is None:
        return algorithms.run(ctx, "index", ref, value)
    equal = _equal(ctx, node, held, value)
    if (at := _place(ctx, node, equal)) is not None:
        return ir.int_const(at)
    places = Items(tuple(equal), is_list=True)
    if containers.is_list(ref):
        return algorithms.run(ctx, "index_where", places, value)
    return algorithms.run(ctx, "index_in_tuple_where", places)


@of_list("count", "value")
def count(ctx: Context, node: cst.Call, ref: Operand, value: Operand) -> Operand:
    held = lists.one_by_one(ctx, node, ref)
    if held is None:
        return algorithms.run(ctx, "count", ref, value)
    total: ir.Atom = ir.ZERO
    for item in held:
        equal = equality.equal(ctx, node, item, value)
        one = select(ctx, equal, ir.ONE, ir.ZERO)
        total = numbers.as_scalar(ctx, node, binary.binary(ctx, node, cst.Add(), total, one))
    return total


@of_list("clear")
def clear(ctx: Context, node: cst.Call, ref: Ref) -> None:
    if algorithms.let_grow(ctx, node, ref):
        is_pooled = containers.pooled(ctx, ref) is not None
        return resizing.clear(ctx, ref) if is_pooled else growing.clear(ctx, node, ref)
    _changed(ctx, node, ref, ())


@of_list("copy")
def copy(ctx: Context, node: cst.Call, ref: Ref) -> Operand:
    return _listed(ctx, node, ref)


@of_list("reverse")
def reverse(ctx: Context, node: cst.Call, ref: Ref) -> None:
    if algorithms.let_grow(ctx, node, ref):
        algorithms.run(ctx, "reverse", ref)
        return
    _changed(ctx, node, ref, lists.items(ctx, node, ref)[::-1])


@of_list("sort", "key", "reverse", required=0)
def sort(
    ctx: Context, node: cst.Call, ref: Ref, key: Operand | None, reverse: Operand | None
) -> None:
    given = {"key": key, "reverse": reverse}
    named = {name: value for name, value in given.items() if value is not None}
    found = ctx.lower.call(ctx, node, Static(External("builtins.sorted")), (ref,), named)
    if algorithms.let_grow(ctx, node, ref):
        algorithms.run(ctx, "put_back", ref, found)
        return
    _changed(ctx, node, ref, lists.must_be_known(ctx, node, found))


# ---- making them --------------------------------------------------------------------------------


def _listed(ctx: Context, node: cst.Call, value: Operand) -> Operand:
    """``list(value)``."""
    if isinstance(value, Generator):
        return value.listed()
    known = lists.one_by_one(ctx, node, value)
    if known is not None and not delayed.is_array(value):
        return Items(known, is_list=True)
    if lists.is_run_time(ctx, value, node):
        return growing.copied(ctx, node, value)  # type: ignore[arg-type]
    value = delayed.settle(ctx, value)
    if isinstance(value, ir.Value | ir.Undef) and isinstance(value.type, Array):
        held_ = value if value.type.ndim > 1 else storage.copy(ctx, value)
        if held_ is value and isinstance(held_, ir.Value):
            held_ = storage.view(ctx, held_, ())
        return rows.new(ctx, held_)
    return comprehensions.collected(ctx, value)


def _list(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.take(ctx, node, "list", "iterable", required=0)
    return Items((), is_list=True) if value is None else _listed(ctx, node, value)


def _tuple(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.take(ctx, node, "tuple", "iterable", required=0)
    if value is None:
        return Items(())
    known = lists.one_by_one(ctx, node, value)
    if known is None and delayed.is_array(value):
        size = iterables.static_length(ctx, node, value)
        of = iterables.as_sequence(ctx, node, value)
        known = None if size is None else tuple(of.at(ir.int_const(k), "") for k in range(size))
    if known is not None:
        return Items(known)
    if containers.is_tuple(value):
        return value
    return containers.as_tuple(delayed.settle(ctx, _listed(ctx, node, value)))


def _slice(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    args = given.positional(ctx, node, "slice")
    match args:
        case [hi]:
            return cuts.cut(ctx, node, NOTHING, hi, NOTHING)
        case [lo, hi]:
            return cuts.cut(ctx, node, lo, hi, NOTHING)
        case [lo, hi, step]:
            return cuts.cut(ctx, node, lo, hi, step)
        case _:
            raise ctx.refuse(node, "MK303", "slice takes one to three arguments")


# ---- text ---------------------------------------------------------------------------------------


TEXT_METHODS = frozenset({
    "capitalize", "casefold", "count", "endswith", "find", "format", "index", "isalpha", "isdigit",
    "isidentifier", "islower", "isnumeric", "isspace", "isupper", "join", "lower", "lstrip",
    "partition", "removeprefix", "removesuffix", "replace", "rfind", "rpartition", "rsplit",
    "rstrip", "split", "splitlines", "startswith", "strip", "swapcase", "title", "upper", "zfill",
})  # fmt: skip


def now(name: str, function: Callable[..., object]) -> Handler:
    """A function of what is known ahead of time: called now."""

    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        positional = given.positional(ctx, node, name)
        match positional:
            case [Passed() as passed] if function.__name__ in passed_text.TURNING:
                return passed_text.turned(passed, function.__name__)
            case _ if name.removeprefix("str.") in asked_texts.KNOWN and any(
                isinstance(arg, RunText) for arg in positional
            ):
                return asked_texts.call(ctx, node, function.__name__, positional)
            case _:
                pass
        args = [_python(ctx, node, arg) for arg in positional]
        try:
            return _operand(function(*args))
        except (TypeError, ValueError, IndexError, KeyError, OverflowError) as error:
            raise ctx.refuse(node, "MK303", f"{name}: {error}") from None

    return handler


def _python(ctx: Context, node: cst.CSTNode, value: Operand) -> object:
    if containers.is_dict(value):
        value = Items(lists.must_be_known(ctx, node, value), is_list=True)
    match views.view(ctx, node, value):
        case Items(items=items, names=None) as shown:
            parts = [_python(ctx, node, item) for item in items]
            return parts if shown.is_list else tuple(parts)
        case single:
            known = texts.shown(ctx, node, single)
    if known is enums.UNKNOWN:
        message = f"text is known ahead of time only, so {describe(value)} can't be part of it"
        raise ctx.unroll(node, "MK112", message)
    return known


def _operand(value: object) -> Operand:
    match value:
        case bool() | int() | float() | complex():
            return constant(value)
        case str() | None:
            return Static(value)
        case tuple() | list():
            return Items(tuple(map(_operand, value)), is_list=isinstance(value, list))
        case _:
            raise AssertionError(value)


def _str(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.take(ctx, node, "str", "object", required=0)
    if value is None:
        return Static("")
    own = instances.special(ctx, node, "__str__", value)
    if own is None and isinstance(value, Ref):
        own = raised.text_of(ctx, node, value)
    return Static(str(_python(ctx, node, value))) if own is None else own


HANDLERS: Mapping[str, Handler] = {
    "builtins.list": _list, "builtins.tuple": _tuple,
    "builtins.slice": _slice, "builtins.str": _str,
    "builtins.list.append": append, "builtins.list.extend": extend,
    "builtins.list.insert": insert, "builtins.list.pop": pop, "builtins.list.remove": remove,
    "builtins.list.index": index, "builtins.list.count": count, "builtins.list.clear": clear,
    "builtins.list.copy": copy, "builtins.list.reverse": reverse, "builtins.list.sort": sort,
    "builtins.tuple.index": index, "builtins.tuple.count": count,
    **{f"builtins.str.{n}": now(f"str.{n}", getattr(str, n)) for n in sorted(TEXT_METHODS)},
    **{f"builtins.{one.__name__}": now(one.__name__, one) for one in (bin, chr, hex, oct, ord)},
}  # fmt: skip
