"""``copy``, and what ``dataclasses`` makes of instances."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import ClassDecl, ClassKind
from mooncake_transpiler.frontend.lower.array import delayed, whole
from mooncake_transpiler.frontend.lower.container import dicts, lists
from mooncake_transpiler.frontend.lower.instance import from_tables, instances, record_rows, tables
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.row import growing, replacing, rows
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import Conflict, Items, Operand
from mooncake_transpiler.frontend.lower.state.tabled import holds_rows, is_row
from mooncake_transpiler.types import Array


def shallow(ctx: Context, node: cst.CSTNode, value: Operand, hint: str = "") -> Operand:
    """``copy.copy(value)``."""
    match value:
        case Ref() if containers.is_tuple(value):
            return value
        case Ref() if lists.is_run_time(ctx, value, node):
            return growing.copied(ctx, node, value)
        case Ref():
            _check_plain(ctx, node, value.cls, "__copy__")
            return _same_fields(ctx, value, hint, lambda item: item)
        case Items() if is_row(value):
            _check_plain(ctx, node, tables.class_of(ctx, value), "__copy__")
            return from_tables.copied(ctx, node, value)
        case _:
            return _array(ctx, value, hint)


def _are_rows(ctx: Context, node: cst.CSTNode, value: Ref | Items) -> bool:
    """True for lists of objects, or of lists, of which only the run tells the number."""
    if isinstance(value, Items):
        return containers.is_pooled(value)
    is_rows = replacing.is_rows(ctx, node, value)
    return is_rows and holds_rows(containers.content(ctx, node, value))


def deep(
    ctx: Context, node: cst.CSTNode, value: Operand, memo: dict[object, Operand], hint: str = ""
) -> Operand:
    """``copy.deepcopy(value)``: what occurs twice is copied once."""
    match value:
        case Ref() if containers.is_tuple(value):
            listed = replace(value, cls=containers.LIST)
            return containers.as_tuple(deep(ctx, node, listed, memo, hint))
        case Ref() if (of := containers.pooled(ctx, value)) is not None:
            if memo or not containers.are_numbers(of):
                raise _many(ctx, node)
            return rows.new(ctx, rows.leaves(containers.content(ctx, node, value)), hint)
        case Ref() if (grown := containers.grown(ctx, value)) is not None:
            if holds_rows(ctx.heap.arrays_of(grown)):
                raise _many(ctx, node)
            if value.key not in memo:
                memo[value.key] = growing.copied(ctx, node, value)
            return memo[value.key]
        case Ref() | Items() if _are_rows(ctx, node, value):
            raise _many(ctx, node)
        case Ref():
            _check_plain(ctx, node, value.cls, "__deepcopy__")
            if value.key not in memo:
                made = memo[value.key] = objects.new(ctx, value.cls, hint)
                _fill(ctx, value, made, lambda item: deep(ctx, node, item, memo))
            return memo[value.key]
        case Items() if is_row(value):
            _check_plain(ctx, node, tables.class_of(ctx, value), "__deepcopy__")
            return from_tables.copied(ctx, node, value, is_deep=True)
        case Items(items=items):
            return replace(value, items=tuple(deep(ctx, node, item, memo) for item in items))
        case ir.Value():
            if value not in memo:
                memo[value] = _array(ctx, value, hint)
            return memo[value]
        case _:
            return _array(ctx, value, hint)


def _many(ctx: Context, node: cst.CSTNode) -> Refused:
    message = "how many objects there are to copy in these lists is not known"
    return ctx.refuse(node, "MK343", message, "copy them in a loop")


def _check_plain(ctx: Context, node: cst.CSTNode, cls: ClassDecl, method: str) -> None:
    if method in cls.methods:
        raise ctx.refuse(node, "MK343", f"{cls.name} says itself how it is copied: {method}")


def _same_fields(ctx: Context, ref: Ref, hint: str, change: Callable[[Operand], Operand]) -> Ref:
    made = objects.new(ctx, ref.cls, hint)
    _fill(ctx, ref, made, change)
    return made


def _fill(ctx: Context, old: Ref, new: Ref, change: Callable[[Operand], Operand]) -> None:
    """Give ``new`` what ``old`` holds; what is possibly not set stays so."""
    frame = ctx.frame
    for name in objects.fields(frame, old):
        held, own = objects.variable(old, name), objects.variable(new, name)
        value = frame.values[held]
        if frame.is_bound(held) and not isinstance(value, Conflict):
            frame.bind(own, change(value))
        else:
            frame.values[own] = value


def _array(ctx: Context, value: Operand, hint: str) -> Operand:
    """A copy of an array; anything else can't be told from its copy."""
    kept = delayed.settle(ctx, value)
    if isinstance(kept, ir.Value) and isinstance(kept.type, Array):
        return delayed.settle(ctx, whole.library_call(ctx, cst.Pass(), "numpy.copy", kept), hint)
    return kept


def _copy(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.all(ctx, node, "copy", "x")
    return shallow(ctx, node, delayed.settle(ctx, value), hint)


def _deepcopy(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.all(ctx, node, "deepcopy", "x")
    return deep(ctx, node, delayed.settle(ctx, value), {}, hint)


def replaced(
    ctx: Context, node: cst.Call, value: Operand, changes: Mapping[str, Operand], hint: str = ""
) -> Operand:
    """``dataclasses.replace(value, **changes)``: it is made anew, from the fields that it has."""
    cls = _dataclass(ctx, node, value, "replace")
    kept = {
        field.name: instances.get(ctx, value, field.name)
        for field in cls.fields
        if field.init and field.name not in changes
    }
    fixed = [f.name for f in cls.fields if not f.init and f.name in changes]
    if fixed:
        message = f"field {fixed[0]} is declared with init=False, it cannot be specified"
        raise ctx.refuse(node, "MK303", f"replace: {message}")
    return instances.make(ctx, node, cls, Arguments((), {**kept, **changes}), hint)


def _replace(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    if len(given.args) != 1:
        raise ctx.refuse(node, "MK303", "replace() takes 1 positional argument")
    return replaced(ctx, node, given.args[0], given.keywords, hint)


def _dataclass(ctx: Context, node: cst.CSTNode, value: Operand, name: str) -> ClassDecl:
    cls = objects.declared(ctx, value)
    if cls is None or cls.kind not in (ClassKind.FROZEN, ClassKind.MUTABLE):
        raise ctx.refuse(node, "MK213", f"{name} needs a dataclass, got {describe(value)}")
    return cls


def _plain(ctx: Context, node: cst.CSTNode, value: Operand, as_dict: bool) -> Operand:
    """``value`` with tuples or dicts in place of dataclasses, and copies of everything else."""

    def inner(part: Operand) -> Operand:
        return _plain(ctx, node, part, as_dict)

    cls = objects.declared(ctx, value)
    if cls is not None and cls.kind in (ClassKind.FROZEN, ClassKind.MUTABLE):
        held = {f.name: inner(instances.get(ctx, value, f.name)) for f in cls.fields}
        return record_rows.new(ctx, node, held) if as_dict else Items(tuple(held.values()))
    match value:
        case Items(items=items):
            return replace(value, items=tuple(map(inner, items)))
        case Ref() if containers.is_list(value):
            return Items(tuple(map(inner, lists.items(ctx, node, value))), is_list=True)
        case Ref() if containers.is_dict(value):
            return replacing.new_dict(
                ctx, {n: inner(v) for n, v in dicts.mapping(ctx, node, value).items()}
            )
        case _:
            return deep(ctx, node, value, {})


def _spread(as_dict: bool) -> Handler:
    name = "asdict" if as_dict else "astuple"

    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        (value,) = given.all(ctx, node, name, "obj")
        _dataclass(ctx, node, value, name)
        return _plain(ctx, node, value, as_dict)

    return handler


def _of_named(name: str) -> Handler:
    """``_replace`` and ``_asdict`` of NamedTuples."""

    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        value, *rest = given.args
        assert isinstance(value, Items)
        assert value.names is not None
        held = dict(zip(value.names, value.items, strict=True))
        wrong = [key for key in given.keywords if key not in held]
        if rest or wrong:
            message = f"Got unexpected field names: {wrong}" if wrong else "it takes keywords only"
            raise ctx.refuse(node, "MK303", f"{name}: {message}")
        if name == "_asdict":
            return record_rows.new(ctx, node, held)
        held |= delayed.settled(ctx, given).keywords
        cls = objects.declared(ctx, value)
        if cls is not None and not {"__iter__", "__len__"}.isdisjoint(cls.methods):
            message = f"_replace asks {cls.name} for its items and its length"
            raise ctx.refuse(node, "MK303", message, f"make a new one: {cls.name}(...)")
        if cls is not None:
            return instances.make(ctx, node, cls, Arguments((), held), hint)
        return replace(value, items=tuple(held.values()))

    return handler


def _fields(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    raise ctx.refuse(node, "MK343", "dataclasses.fields is not supported", "name the fields")


HANDLERS: Mapping[str, Handler] = {
    "copy.copy": _copy, "copy.deepcopy": _deepcopy,
    "dataclasses.replace": _replace, "copy.replace": _replace, "dataclasses.fields": _fields,
    "dataclasses.astuple": _spread(False), "dataclasses.asdict": _spread(True),
    "collections.namedtuple._replace": _of_named("_replace"),
    "collections.namedtuple._asdict": _of_named("_asdict"),
}  # fmt: skip
