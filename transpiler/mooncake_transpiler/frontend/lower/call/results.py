"""The result of a function, converted to its declared type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import EnumMember
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.call.result_types import records_needed
from mooncake_transpiler.frontend.lower.container import listed, lists, searched
from mooncake_transpiler.frontend.lower.failure import failing, optional
from mooncake_transpiler.frontend.lower.instance import record_rows
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.scalar import run_texts, told_values
from mooncake_transpiler.frontend.lower.scalar.scalars import convert, is_scalar
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import as_annotated, describe, type_of
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Bound,
    Choice,
    Closure,
    Either,
    Items,
    Maybe,
    Operand,
    Static,
    Told,
)
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.frontend.lower.state.tabled import is_row
from mooncake_transpiler.types import (
    NONE,
    Array,
    ClassRef,
    List,
    ListKind,
    NoneType,
    OneOf,
    Opaque,
    Scalar,
    Selector,
    Tuple,
    Type,
)

NOT_THERE = "the result is None"
AS_RETURNED = "annotate it as what is returned, or return what is annotated"


def convert_result(ctx: Context, node: cst.CSTNode, value: Operand) -> Operand:
    declared = ctx.frame.result
    if declared is None:
        return delayed.settle(ctx, _array_if_annotated(ctx, node, value))
    return convert_to(ctx, node, value, declared, "the result")


def _array_if_annotated(ctx: Context, node: cst.CSTNode, value: Operand) -> Operand:
    """``value``; the array that it must be where a result without a rank may be a number.

    So is ``sum(p.mass * p.pos for p in bodies)``, which is 0 for an empty list. Where parameters of
    another rank may give arrays alone, it is refused, so that these are tried.
    """
    decl = ctx.frame.decl
    if ctx.callers or decl is None or not (decl.infers_result and decl.is_public):
        return value
    if any(param.is_inferred for param in decl.params):
        return value
    match value:
        case Either(second=ir.Value(type=Array() as type_)):
            return _alone(ctx, node, value, type_, "the result")
        case _:
            return value


def convert_to(ctx: Context, node: cst.CSTNode, value: Operand, type_: Type, what: str) -> Operand:
    """``value`` as a ``type_``: numbers are converted, everything else must fit."""
    if isinstance(value, Maybe) and (type_of(value) == type_ or _may_be_none(type_)):
        return _there_to(ctx, node, value, type_, what)
    value = _alone(ctx, node, optional.present(ctx, node, value, f"{what} is None"), type_, what)
    if _is_row_of_dict(ctx, value, type_):
        return value
    if isinstance(type_, List):
        return _listed_to(ctx, node, value, type_, what)
    match type_:
        case Scalar(is_text=True) if run_texts.is_text(value):
            return run_texts.key(ctx, value)
        case Scalar(is_text=False):
            return convert(ctx, node, value, type_, what)
        case Tuple() if type_.is_record and containers.is_dict(value):
            return value
        case Tuple() if isinstance(value, Ref) or is_row(value):
            if _is_instance(ctx, value, type_):
                return value
        case Tuple() if isinstance(value, Items):
            alike = value.of == type_.of if type_.is_object else not value.is_list
            if alike and len(type_.items) == len(value.items):
                return _items_to(ctx, node, value, type_, what)
        case NoneType() if value == NOTHING:
            return NOTHING
        case Opaque():
            return value
        case OneOf(options=options) if isinstance(value, Told):
            sides = told_values.known(ctx, value)
            if all(any(fits(ctx, side, option) for option in options) for side in sides):
                return value
        case OneOf(options=options):
            for option in options:
                if fits(ctx, value, option):
                    return convert_to(ctx, node, value, option, what)
        case Selector() if _is_selected(value, type_):
            return value
        case _ if type_of(value) == type_:
            return delayed.settle(ctx, value)
    raise _other(ctx, node, value, type_, what)


def there(ctx: Context, node: cst.CSTNode, value: Operand, type_: Type | None) -> Operand:
    """``value``, a result that must not be None, as a ``type_`` if that is known."""
    value = optional.present(ctx, node, value, NOT_THERE)
    return value if type_ is None else convert_to(ctx, node, value, type_, "the result")


def _may_be_none(type_: Type) -> bool:
    return isinstance(type_, OneOf) and NONE in type_.options


def _there_to(ctx: Context, node: cst.CSTNode, value: Maybe, type_: Type, what: str) -> Operand:
    """``value``, which may be None, as a ``type_`` that may be, too."""
    if not isinstance(type_, OneOf):
        return value
    return replace(value, value=convert_to(ctx, node, value.value, type_, what))


def _is_row_of_dict(ctx: Context, value: Operand, type_: Type) -> bool:
    """True for a dict that a list holds, where the ``type_`` is that of dicts."""
    match type_:
        case List(kind=ListKind.DICT) | Tuple(is_record=True):
            return is_row(value) and record_rows.class_of(ctx, value) is not None
        case _:
            return False


def _listed_to(ctx: Context, node: cst.CSTNode, value: Operand, type_: List, what: str) -> Operand:
    """``value`` as a list, tuple or dict of the ``type_``."""
    if type_.kind is ListKind.DICT and containers.is_dict(value):
        return searched.searchable(ctx, node, value)
    if is_listed(value, type_):
        return delayed.settle(ctx, value)
    raise _other(ctx, node, value, type_, what)


def _other(ctx: Context, node: cst.CSTNode, value: Operand, type_: Type, what: str) -> Refused:
    """The refusal of a ``value`` that is no ``type_``."""
    found = "a list" if isinstance(value, Items) and value.is_list else describe(value)
    return ctx.refuse(
        node, "MK213", f"{what} must be {as_annotated(type_)}, got {found}", AS_RETURNED
    )


def _alone(ctx: Context, node: cst.CSTNode, value: Operand, type_: Type, what: str) -> Operand:
    """``value``; of a number or an array the array, where the run must show that it is one."""
    if not isinstance(value, Either) or type_of(value.second) != type_:
        return value
    text = f"{what} is {describe(value.first)}, not {type_}"
    failing.require(ctx, node, ctx.builder.not_(value.is_first), text, "TypeError")
    return value.second


def _is_instance(ctx: Context, value: Operand, type_: Tuple) -> bool:
    """True if ``value`` is an object of the class that ``type_`` names, or of a derived one."""
    cls, of = objects.declared(ctx, value), type_.of
    return cls is not None and of is not None and cls.is_a(ctx.source.classes[of.module, of.name])


def _items_to(ctx: Context, node: cst.CSTNode, value: Items, type_: Tuple, what: str) -> Items:
    """``value`` with each item converted to its type."""
    labels = type_.names or [f"{what}, item {k}" for k in range(len(type_.items))]
    given = zip(value.items, type_.items, labels, strict=True)
    items = tuple(convert_to(ctx, node, item, wanted, label) for item, wanted, label in given)
    return Items(items, type_.names, type_.cls, type_.of)


def fits(ctx: Context, value: Operand, option: Type) -> bool:
    """True if ``value`` is of the alternative ``option``."""
    match option:
        case Selector():
            return _is_selected(value, option)
        case NoneType():
            return value == NOTHING
        case Scalar(is_text=is_text):
            return run_texts.is_text(value) if is_text else is_scalar(value)
        case Tuple(of=of) if of is not None:
            cls = ctx.source.classes[of.module, of.name]
            mine = objects.declared(ctx, value)
            return mine is not None and mine.is_a(cls)
        case Tuple(items=items):
            return isinstance(value, Items) and len(value.items) == len(items)
        case List():
            return is_listed(value, option)
        case _:
            return type_of(value) == option


def is_listed(value: Operand, type_: List) -> bool:
    """True for a list, or a tuple, where ``type_`` is the type of such."""
    if type_.kind is ListKind.DICT:
        return containers.is_dict(value) or (
            isinstance(value, Items) and value.cls == Held.SEARCHED
        )
    wanted = tuple if type_.kind is ListKind.TUPLE else list
    return lists.kind(value) is wanted


def _is_selected(value: Operand, of: Selector) -> bool:
    match value:
        case Static(value=str() as text):
            return of.of is None and text == of.value
        case Static(value=EnumMember(cls=cls, name=name)) if of.of is not None:
            return (cls.module, cls.name, name) == (of.of.module, of.of.name, of.value)
        case _:
            return False


def closed(ctx: Context, node: cst.CSTNode, value: Operand, type_: Type) -> Operand:
    """``value`` with the number of the alternative for what is one of several."""
    match type_, value:
        case OneOf(options=options), _:
            for k, option in enumerate(options):
                if fits(ctx, value, option):
                    return ir.int_const(k)
            message = f"the result must be one of {type_}, got {describe(value)}"
            raise ctx.refuse(node, "MK213", message)
        case List(item=List(kind=ListKind.DICT)), Items(cls=Held.ROWS, items=(Items() as row,)) if (
            cls := record_rows.class_of(ctx, row)
        ):
            raise records_needed(ctx, type_, cls)
        case List(), _:
            return listed.closed(ctx, node, value, type_)
        case Tuple(of=ClassRef() as declared), Items(of=ClassRef() as of) if of != declared:
            own = ctx.source.classes[of.module, of.name].annotation
            return value if own is None else closed(ctx, node, value, own.type)
        case Scalar(is_text=True), _ if run_texts.is_text(value):
            return run_texts.key(ctx, value)
        case Scalar(is_text=False), _ if type_of(value) is not None:
            return convert(ctx, node, value, type_, "a number in the result")
        case Array(), _ if type_of(value) not in (type_, None):
            message = f"an array in the result must be {type_}, got {describe(value)}"
            raise ctx.refuse(node, "MK213", message, AS_RETURNED)
        case Scalar() | Array(), Items() | Static() | Closure() | Bound() | Choice():
            message = f"the result must be {type_}, got {describe(value)}"
            raise ctx.refuse(node, "MK213", message, AS_RETURNED)
        case Tuple(is_record=True), Items(names=keys) if keys is not None:
            return _closed_record(ctx, node, value, keys, type_)
        case Tuple(items=types), Items(items=items) if len(types) == len(items):
            pairs = zip(items, types, strict=True)
            return replace(value, items=tuple(closed(ctx, node, v, t) for v, t in pairs))
        case _:
            return value


def _closed_record(
    ctx: Context, node: cst.CSTNode, value: Items, keys: Sequence[str], type_: Tuple
) -> Items:
    """A dict that is declared with the keys of ``type_``; they may stand in any order."""
    types = dict(zip(type_.names or (), type_.items, strict=True))
    if set(keys) != set(types):
        message = f"the keys of the result must be {', '.join(types)}, got {', '.join(keys)}"
        raise ctx.refuse(node, "MK213", message, AS_RETURNED)
    pairs = zip(keys, value.items, strict=True)
    return replace(value, items=tuple(closed(ctx, node, item, types[key]) for key, item in pairs))
