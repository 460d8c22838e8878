"""Objects that can be changed: made ahead of time, their fields kept as variables.

An object never exists at run time. ``Ref`` is its identity while a function is lowered, and each
field is a variable of the frame, so that branches choose between the values of fields and loops
carry them like any other variable. ``Heap`` is the part of a frame that holds these variables; it
moves along into a frame that is lowered in line, and back.

    p.x += 1.0          becomes         %o1.x = %o1.x + 1.0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import libcst as cst

from mooncake_transpiler.frontend.entities import ClassDecl, EnumMember
from mooncake_transpiler.frontend.lower.array import whole
from mooncake_transpiler.frontend.lower.container import containers, growing
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.frame import OBJECT, Frame
from mooncake_transpiler.frontend.lower.operands import (
    Bound,
    Choice,
    Closure,
    Conflict,
    Items,
    Operand,
    Ref,
    Sequence,
    Static,
    describe,
)
from mooncake_transpiler.types import Kind, Tuple


def new(ctx: Context, cls: ClassDecl, hint: str = "") -> Ref:
    """An object without fields."""
    ctx.temporaries += 1
    return Ref(f"{OBJECT}{ctx.temporaries}", cls, hint, ctx.arms)


def variable(ref: Ref, field: str) -> str:
    """The variable that holds a field, or an item of a list or dict."""
    if containers.is_container(ref):
        return containers.variable(ref, field)
    return f"{ref.key}.{field}:{ref.hint}_{field}" if ref.hint else f"{ref.key}.{field}:{field}"


def fields(frame: Frame, ref: Ref) -> list[str]:
    """The fields that may be set, in the order in which they were."""
    return list(fields_in(frame.values, ref))


def fields_in(values: Iterable[str], ref: Ref) -> Iterator[str]:
    prefix = f"{ref.key}."
    for name in values:
        if name.startswith(prefix):
            yield name[len(prefix) :].partition(":")[0]


def read(ctx: Context, node: cst.CSTNode, ref: Ref, field: str) -> Operand:
    """The value of a field that may be set."""
    name = variable(ref, field)
    value = ctx.frame.values[name]
    if not ctx.frame.is_bound(name):
        help_ = f"set {field} before the branch or loop that sets it"
        raise ctx.refuse(node, "MK211", f"{field!r} is possibly not set here", help_)
    if isinstance(value, Conflict):
        raise ctx.refuse(node, "MK212", f"{field!r} has no single type here: {value.reason}")
    return value


def write(ctx: Context, node: cst.CSTNode, ref: Ref, field: str, value: Operand) -> None:
    ctx.deeds.changed.add(ref.key)
    if ref.key in ctx.ambiguous:
        message = f"this {ref.cls.name} may be another one too: {ctx.ambiguous[ref.key]}"
        help_ = "make a new object, or copy it before it is assigned in a branch or loop"
        raise ctx.refuse(node, "MK320", message, help_)
    name = variable(ref, field)
    hint = name.partition(":")[2]
    ctx.frame.bind(name, whole.settle(ctx, value, hint))


def snapshot(ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand:
    """``operand`` with the fields of objects, as they are now, in place of the objects."""
    match operand:
        case Ref() if (grown := containers.grown(ctx, operand)) is not None:
            return growing.parts(ctx, grown)
        case Ref() if containers.is_container(operand):
            return snapshot(ctx, node, containers.content(ctx, node, operand))
        case Ref(cls=cls):
            names = [spec.name for spec in cls.fields]
            missing = [n for n in names if variable(operand, n) not in ctx.frame.values]
            if missing:
                raise ctx.refuse(node, "MK211", f"{missing[0]!r} of {cls.name} is not set")
            parts = tuple(snapshot(ctx, node, read(ctx, node, operand, n)) for n in names)
            of = None
            if cls.annotation is not None and isinstance(cls.annotation.type, Tuple):
                of = cls.annotation.type.of
            return Items(parts, tuple(names), cls.name, of)
        case Items(items=items, names=names_, cls=cls_, of=of_):
            inner = tuple(snapshot(ctx, node, item) for item in items)
            return Items(inner, names_, cls_, of_, operand.is_list)
        case _:
            return operand


def frozen(ctx: Context, node: cst.CSTNode, ref: Ref) -> Operand:
    """``ref`` with its fields as they are from now on; objects in them stay what they are."""
    names = [spec.name for spec in ref.cls.fields]
    shown = snapshot(ctx, node, ref)
    assert isinstance(shown, Items)
    return replace(shown, items=tuple(read(ctx, node, ref, name) for name in names))


def declared(ctx: Context, operand: Operand) -> ClassDecl | None:
    """The class that ``operand`` is an instance of, if it is one of the program."""
    match operand:
        case Ref(cls=cls):
            return None if containers.is_container(operand) else cls
        case Items(of=of) if of is not None:
            return ctx.source.classes.get((of.module, of.name))
        case Static(value=EnumMember(cls=cls)):
            return cls
        case _:
            return None


def refs(operand: Operand) -> Iterator[Ref]:
    """The objects that ``operand`` holds, not those that their fields hold."""
    match operand:
        case Ref():
            yield operand
        case Items(items=items):
            for item in items:
                yield from refs(item)
        case Bound(func=func, args=args, keywords=keywords):
            for part in (func, *args, *keywords.values()):
                yield from refs(part)
        case Closure(defaults=defaults):
            for part in defaults.values():
                yield from refs(part)
        case Choice(then=then, orelse=orelse):
            yield from refs(then)
            yield from refs(orelse)
        case _:
            return


def shared(ctx: Context, operand: Operand) -> Operand:
    """``operand``, which all calls of a function have in common: nothing in it may be changed."""
    for ref in refs(operand):
        ctx.ambiguous[ref.key] = "all calls share the default of a parameter"
    return operand


def holders(ctx: Context, values: Iterable[tuple[str, Operand]]) -> dict[str, set[str]]:
    """For each object, by key, the variables that hold it; those of callers are in ``%callers``."""
    found: dict[str, set[str]] = {key: {"%callers"} for key in ctx.given}
    for name, operand in values:
        for ref in refs(operand):
            found.setdefault(ref.key, set()).add(name)
    for frame in ctx.callers:
        for name, operand in frame.values.items():
            if not name.startswith(OBJECT):
                for ref in refs(operand):
                    found.setdefault(ref.key, set()).add("%callers")
    return found


def must_be(ctx: Context, node: cst.CSTNode, operand: Operand) -> Ref:
    if isinstance(operand, Ref):
        return operand
    if isinstance(operand, Items) and operand.of is not None and operand.of.kind is Kind.MUTABLE:
        message = f"which {operand.cls} of a list this is is known at run time only"
        help_ = "keep what changes in arrays or lists of numbers, and read the objects"
        raise ctx.refuse(node, "MK320", message, help_)
    raise ctx.refuse(node, "MK110", f"attributes of {describe(operand)} can't be assigned to")


def forget(ctx: Context, frame: Frame, result: Operand) -> None:
    """Drop what ``frame``, which has ended, shared with nested functions, if none is left."""
    if not frame.key:
        return
    prefix = f"{frame.key}."
    values = [value for name, value in ctx.frame.values.items() if not name.startswith(prefix)]
    for caller in ctx.callers:
        values += caller.values.values()
    if not any(_sees(value, frame.key) for value in (result, *values)):
        for name in [name for name in ctx.frame.values if name.startswith(prefix)]:
            del ctx.frame.values[name]


def _sees(operand: Operand, key: str) -> bool:
    """Whether ``operand`` holds a function nested in the frame of ``key``."""
    match operand:
        case Items(items=items):
            return any(_sees(item, key) for item in items)
        case Bound(func=func, args=args, keywords=keywords):
            return any(_sees(part, key) for part in (func, *args, *keywords.values()))
        case Closure(frame=frame, defaults=defaults):
            around: Frame | None = frame
            while around is not None and around.key != key:
                around = around.parent
            return around is not None or any(_sees(part, key) for part in defaults.values())
        case Choice(then=then, orelse=orelse):
            return _sees(then, key) or _sees(orelse, key)
        case Sequence():
            return True
        case _:
            return False
