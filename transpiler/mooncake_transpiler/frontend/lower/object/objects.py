"""Objects of the program's classes: their identity, and the variables that hold their fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from mooncake_transpiler.frontend.entities import ClassDecl, EnumMember
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import (
    cell,
    field_of,
    is_cell,
    is_cell_of,
    owners_of,
)
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.inner import parts
from mooncake_transpiler.frontend.lower.state.operands import (
    Closure,
    Elements,
    Frame,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.name import library_classes


def new(ctx: Context, cls: ClassDecl, hint: str = "") -> Ref:
    """An object without fields."""
    return Ref(ctx.new_key(), cls, hint, ctx.arms)


def variable(ref: Ref, field: str) -> str:
    """The variable that holds a field, or an item of a list or dict."""
    if containers.is_container(ref):
        return containers.variable(ref, field)
    return cell(ref.key, field, f"{ref.hint}_{field}" if ref.hint else field)


def fields(frame: Frame, ref: Ref) -> list[str]:
    """The fields that may be set, in the order in which they were."""
    return list(fields_in(frame.values, ref))


def fields_in(values: Iterable[str], ref: Ref) -> Iterator[str]:
    for name in values:
        if is_cell_of(name, ref.key):
            yield field_of(name)


def declared(ctx: Context, operand: Operand) -> ClassDecl | None:
    """The class that ``operand`` is an instance of, if it is one of the program."""
    match operand:
        case Ref(cls=cls):
            return None if containers.is_container(operand) else cls
        case Items(of=of) if of is not None:
            found = ctx.source.classes.get((of.module, of.name))
            return None if found is None else library_classes.of_items(ctx.source, found)
        case Static(value=EnumMember(cls=cls)):
            return cls
        case _:
            return None


def refs(operand: Operand) -> Iterator[Ref]:
    """The objects that ``operand`` holds, not those that their fields hold."""
    if isinstance(operand, Ref):
        yield operand
    for part in parts(operand):
        yield from refs(part)


@contextmanager
def shared(ctx: Context, why: str = "all calls share the default of a parameter") -> Iterator[None]:
    """Around what makes objects that all calls have in common: nothing in them may be changed."""
    old = _keys(ctx)
    with ctx.heap.plan.sharing():
        yield
    ctx.heap.ambiguous |= dict.fromkeys(_keys(ctx) - old, why)


def _keys(ctx: Context) -> set[str]:
    """The keys of the objects that there are."""
    return owners_of(ctx.frame.values)


def holders(ctx: Context, values: Iterable[tuple[str, Operand]]) -> dict[str, set[str]]:
    """For each object, by key, the variables that hold it; those of callers are in ``%callers``."""
    found: dict[str, set[str]] = {key: {"%callers"} for key in ctx.heap.given}
    for name, operand in values:
        for ref in refs(operand):
            found.setdefault(ref.key, set()).add(name)
    for frame in ctx.callers:
        for name, operand in frame.values.items():
            if not is_cell(name):
                for ref in refs(operand):
                    found.setdefault(ref.key, set()).add("%callers")
    return found


def forget(ctx: Context, frame: Frame, result: Operand) -> None:
    """Drop what ``frame``, which has ended, shared with nested functions, if none is left."""
    if not frame.key:
        return
    own = [name for name in ctx.frame.values if is_cell_of(name, frame.key)]
    values = [value for name, value in ctx.frame.values.items() if name not in own]
    for caller in ctx.callers:
        values += caller.values.values()
    if not any(_sees(value, frame.key) for value in (result, *values)):
        for name in own:
            del ctx.frame.values[name]


def _sees(operand: Operand, key: str) -> bool:
    """True if ``operand`` holds a function nested in the frame of ``key``."""
    is_nested = isinstance(operand, Closure) and any(
        around.key == key for around in operand.frame.outwards
    )
    return (
        is_nested
        or isinstance(operand, Elements)
        or any(_sees(part, key) for part in parts(operand))
    )
