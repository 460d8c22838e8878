"""Dicts whose keys are known ahead of time: text, numbers, bools and members of enums.

The content of a dict is an ``Items`` whose names stand for the keys, in their order: text that is
an identifier as it is, other text in quotes, numbers and bools as Python shows them, members as
``module:Enum.NAME``. Keys that are equal are one key, under the name of the first: ``1``, ``True``
and a member of an IntEnum.
"""

from __future__ import annotations

import cmath
from ast import literal_eval
from collections.abc import Callable, Iterable, Mapping

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import EnumMember
from mooncake_transpiler.frontend.lower.failure import unset_names
from mooncake_transpiler.frontend.lower.instance import record_rows
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import replacing
from mooncake_transpiler.frontend.lower.scalar import enums
from mooncake_transpiler.frontend.lower.scalar.scalars import constant
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import Elements, Items, Operand, Static
from mooncake_transpiler.frontend.lower.state.syntax import Hint

NONE = "None"  # what None is called as a key


def mapping(ctx: Context, node: cst.CSTNode, ref: Ref) -> dict[str, Operand]:
    held = containers.content(ctx, node, ref)
    assert held.names is not None
    return dict(zip(held.names, held.items, strict=True))


def name_of(ctx: Context, node: cst.CSTNode, key: Operand) -> str:
    """The name of ``key`` in a dict's content."""
    match key:
        case Static(value=str(text)):
            return text if _is_bare(text) else repr(text)
        case Static(value=None):
            return NONE
        case Static(value=EnumMember(cls=cls, name=name)):
            return f"{cls.qualname}.{name}"
        case ir.Const(value=bool() | int() | float() as number) if number == number:
            return repr(number)
        case Items(is_list=False, names=None, once=None, items=items) if items and all(
            map(_is_plain, items)
        ):
            return f"({', '.join(_inner_name(ctx, node, item) for item in items)},)"
        case _:
            message = f"the keys of a dict must be known ahead of time, got {describe(key)}"
            help_ = "use text or constant integers as keys, or arrays and integers"
            raise ctx.unroll(node, "MK333", message, help_)


def _inner_name(ctx: Context, node: cst.CSTNode, item: Operand) -> str:
    """The name of ``item`` in that of a tuple: a literal, bytes for the member of an enum."""
    name = name_of(ctx, node, item)
    if isinstance(item, Static) and isinstance(item.value, EnumMember):
        return repr(name.encode())
    return name if name[0] in "'\"" or not _is_bare(name) else repr(name)


def _is_plain(item: Operand) -> bool:
    """True for what a tuple as a key may hold: text, numbers and members that are known."""
    match item:
        case Static(value=EnumMember(cls=cls)):
            return {"__eq__", "__hash__"}.isdisjoint(cls.methods)
        case Static(value=value):
            return isinstance(value, str)
        case _:
            pass
    return isinstance(item, ir.Const) and cmath.isfinite(item.value)


def _is_bare(text: str) -> bool:
    """True if text stands for itself among the names."""
    return text.isidentifier() and text not in ("True", "False", "inf", NONE)


def key_called(ctx: Context, name: str) -> Operand:
    """The key that ``name`` stands for."""
    if _is_bare(name):
        return Static(name)
    if name[0] in "'\"" or name == NONE:
        return Static(literal_eval(name))
    if name[0] == "(":
        return Items(tuple(_inner_key(ctx, one) for one in literal_eval(name)))
    if ":" in name:
        module, _, path = name.partition(":")
        cls, _, member = path.rpartition(".")
        return Static(EnumMember(ctx.source.classes[module, cls], member))
    return constant(float(name) if name.endswith("inf") else literal_eval(name))


def _inner_key(ctx: Context, item: str | bytes | bool | float) -> Operand:
    match item:
        case bytes():
            return key_called(ctx, item.decode())
        case str():
            return Static(item)
        case _:
            return constant(item)


def value_of(ctx: Context, node: cst.CSTNode, name: str) -> object:
    """The value by which the key called ``name`` is compared."""
    key = key_called(ctx, name)
    match key:
        case Static(value=EnumMember(cls=cls)) if not {"__eq__", "__hash__"}.isdisjoint(
            cls.methods
        ):
            message = f"which keys {describe(key)} is equal to is not known ahead of time"
            raise ctx.refuse(node, "MK333", message)
        case _:
            return enums.python(ctx, node, key)


def place(ctx: Context, node: cst.CSTNode, held: Mapping[str, Operand], name: str) -> str:
    """The name in ``held`` of the key that is equal to that of ``name``; else ``name``."""
    if name in held or all(map(_is_bare, (name, *held))):
        return name
    value = value_of(ctx, node, name)
    return next((other for other in held if value_of(ctx, node, other) == value), name)


class Index:
    """The keys of a dict that is being made: each one's name, by what it is compared by."""

    def __init__(self, ctx: Context, node: cst.CSTNode, held: Iterable[str] = ()) -> None:
        self._ctx = ctx
        self._names = {value_of(ctx, node, name): name for name in held}

    def place(self, node: cst.CSTNode, name: str) -> str:
        """The name of the key that is equal to that of ``name``; else ``name``, from now on."""
        return self._names.setdefault(value_of(self._ctx, node, name), name)


def merged(
    ctx: Context, node: cst.CSTNode, held: Mapping[str, Operand], more: Mapping[str, Operand]
) -> dict[str, Operand]:
    """``held | more``."""
    found, index = dict(held), Index(ctx, node, held)
    for name, value in more.items():
        found[index.place(node, name)] = value
    return found


def keys(ctx: Context, node: cst.CSTNode, ref: Ref) -> tuple[Operand, ...]:
    return tuple(key_called(ctx, name) for name in mapping(ctx, node, ref))


def item(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand) -> Operand:
    """``ref[key]``."""
    held = mapping(ctx, node, ref)
    return held[_present(ctx, node, held, key)]


def has(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand) -> bool:
    held = mapping(ctx, node, ref)
    return place(ctx, node, held, name_of(ctx, node, key)) in held


def _present(ctx: Context, node: cst.CSTNode, held: Mapping[str, Operand], key: Operand) -> str:
    """The name in ``held`` of ``key``, which must be there."""
    name = place(ctx, node, held, name_of(ctx, node, key))
    if name not in held:
        raise missing(ctx, node, name, held)
    return name


def missing(ctx: Context, node: cst.CSTNode, name: str, held: Mapping[str, Operand]) -> Exception:
    unset_names.where_caught(ctx, node, "KeyError", f"there is no key {name}")
    known = ", ".join(map(_shown, held)) or "none"
    message = f"this dict has no key {_shown(name)} here; its keys are: {known}"
    return ctx.refuse(node, "MK333", message)


def _shown(name: str) -> str:
    """``name`` as messages have it."""
    if name[0] != "(":
        return name
    items = literal_eval(name)
    return f"({', '.join(one.decode() if isinstance(one, bytes) else repr(one) for one in items)})"


def write(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand, value: Operand) -> None:
    """``ref[key] = value``."""
    held = mapping(ctx, node, ref)
    held[place(ctx, node, held, name_of(ctx, node, key))] = value
    replacing.replaced(ctx, node, ref, replacing.dict_content(held))


def remove(ctx: Context, node: cst.CSTNode, ref: Ref, key: Operand) -> Operand:
    """``del ref[key]``; the value that it had."""
    held = mapping(ctx, node, ref)
    value = held.pop(_present(ctx, node, held, key))
    replacing.replaced(ctx, node, ref, replacing.dict_content(held))
    return value


def clear(ctx: Context, node: cst.CSTNode, ref: Ref) -> None:
    replacing.replaced(ctx, node, ref, replacing.dict_content({}))


def joined(ctx: Context, node: cst.CSTNode, left: Ref, right: Ref) -> Operand:
    """``left | right``."""
    held = merged(ctx, node, mapping(ctx, node, left), mapping(ctx, node, right))
    return record_rows.new(ctx, node, held)


def shown(
    ctx: Context, node: cst.CSTNode, held: Callable[[], dict[str, Operand]], what: str
) -> Elements:
    """``d.keys()``, ``d.values()``, ``d.items()``: what is ``held`` when they are looked at."""
    names = tuple(held())

    def entry(k: ir.Atom, hint: Hint) -> Operand:
        assert isinstance(k, ir.Const)
        assert isinstance(k.value, int)
        unchanged()
        name = names[k.value]
        value = held()[name]
        both = {"keys": key_called(ctx, name), "values": value}
        return both[what] if what in both else Items((key_called(ctx, name), value))

    def unchanged() -> None:
        if tuple(held()) != names:
            message = "the keys of this dict change while a loop runs over it"
            raise ctx.refuse(node, "MK332", message, "loop over a copy: list(d)")

    return Elements(ir.int_const(len(names)), entry, len(names), unchanged)
