"""The result of a function, converted to its declared type."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostics import Refused
from mooncake_transpiler.frontend.differentiated_functions import SKIP_HELP
from mooncake_transpiler.frontend.entities import EnumMember, FunctionDecl
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.container import dicts, listed, lists, searched
from mooncake_transpiler.frontend.lower.failure import failing, optional
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.row import growable
from mooncake_transpiler.frontend.lower.scalar import run_texts, told_values
from mooncake_transpiler.frontend.lower.scalar.scalars import convert, is_scalar
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import RUN_TEXT, describe, type_of
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Bound,
    Choice,
    Closure,
    Either,
    Items,
    Maybe,
    Operand,
    Passed,
    Static,
    Told,
)
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.frontend.lower.state.tabled import is_row
from mooncake_transpiler.types import (
    ANY_DICT,
    FLOAT,
    INT,
    NONE,
    TEXT,
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
    parts,
    record,
)

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
    if isinstance(value, Maybe) and isinstance(type_, OneOf) and NONE in type_.options:
        return replace(value, value=convert_to(ctx, node, value.value, type_, what))
    value = _alone(ctx, node, optional.present(ctx, node, value, f"{what} is None"), type_, what)
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
    return ctx.refuse(node, "MK213", f"{what} must be {type_}, got {found}", AS_RETURNED)


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


def record_type(ctx: Context, node: cst.CSTNode, value: Operand) -> Type:
    """The type of a dict that is a result, with the keys that it has."""
    match value:
        case Items(items=items, names=names, of=None) if names is not None:
            types = [record_type(ctx, node, item) for item in items]
            return record(types, [_text_key(ctx, node, name) for name in names], (), ANY_DICT)
        case Static(value=str() | None):
            return result_type(ctx, node, value, Opaque("str"))
        case Items(is_list=True) | Items(of=ClassRef()):
            found = None
        case _:
            found = type_of(value)
    if found is None or isinstance(value, Maybe | Either | Told):
        message = f"{describe(value)} in a dict that is a result needs an annotation"
        raise ctx.refuse(node, "MK204", message, "name what the dict holds in a TypedDict")
    return found


def _text_key(ctx: Context, node: cst.CSTNode, name: str) -> str:
    match dicts.key_called(ctx, name):
        case Static(value=str(text)):
            return text
        case _:
            message = f"the keys of a dict that is a result must be text, got {name}"
            raise ctx.refuse(node, "MK204", message)


class ResultNeeded(Exception):
    """The result of a function, which has no annotation, must be lowered as one of ``type``."""

    def __init__(self, type_: Type) -> None:
        super().__init__()
        self.type = type_


def unfit(ctx: Context, decl: FunctionDecl, value: Operand, got: str) -> ResultNeeded | Refused:
    """The exception for a result that the annotation leaves open, and that is more than numbers."""
    found, node = with_lists(value), decl.node.name
    is_listed = found is not None and any(isinstance(part, List) for part in parts(found))
    is_dict = isinstance(found, List) and found.kind is ListKind.DICT
    if found is not None and is_listed and is_dict == decl.gives_dict:
        return ResultNeeded(found)
    if decl.node.returns is None:
        message = f"the result of {decl.name} has no annotation, and is {describe(value)}"
        return ctx.refuse(node, "MK220", message, f"annotate it: dict, a class; {SKIP_HELP}")
    wanted = "a dict with floats in it" if decl.gives_dict else "an array of floats"
    return ctx.refuse(node, "MK213", f"the result of {decl.name} must be {wanted}, got {got}")


def with_lists(value: Operand) -> Type | None:
    """The type of a result with lists in it, as its annotation would say; None if none can."""
    match value:
        case Items(cls=Held.ROWS, items=(held,), is_list=is_list):
            item = None if is_row(held) else growable.item_type(held)
            kind = ListKind.LIST if is_list else ListKind.TUPLE
            return None if item is None else List(_at_border(item), kind=kind)
        case Items(cls=Held.SEARCHED, items=(pairs,)):
            listed_ = with_lists(pairs)
            return replace(listed_, kind=ListKind.DICT) if isinstance(listed_, List) else None
        case Items(is_list=True, items=items):
            kinds = list(dict.fromkeys(map(with_lists, items)))
            if len(kinds) > 1 and set(kinds) <= {INT, FLOAT}:
                return List(FLOAT)
            return List(kinds[0]) if len(kinds) == 1 and kinds[0] is not None else None
        case Items(items=items, names=None):
            parts = tuple(part for one in items if (part := with_lists(one)) is not None)
            return Tuple(parts) if len(parts) == len(items) else None
        case _:
            return type_of(value)


def _at_border(item: Type) -> Type:
    """The type of items of a list as Python has them: texts, where these are numbers inside."""
    if item == RUN_TEXT:
        return TEXT
    if isinstance(item, Tuple) and item.cls == Held.ROWS:
        return List(_at_border(_of_row(item.items[0])))
    return (
        replace(item, items=tuple(map(_at_border, item.items))) if isinstance(item, Tuple) else item
    )


def _of_row(row: Type) -> Type:
    """The type of the items of a list that is an item of another one."""
    if isinstance(row, Tuple):
        return replace(row, items=tuple(map(_of_row, row.items)))
    assert isinstance(row, Array)
    return Scalar(row.dtype)


def result_type(ctx: Context, node: cst.CSTNode, value: Operand, declared: Type) -> Type:
    """``declared`` as that of ``value``: an object may be of a derived class.

    What compiled code does not see is taken from where it stands in the parameters.
    """
    match declared, value:
        case Opaque(spelled=spelled), Passed(path=path, methods=()):
            return Opaque(spelled, path)
        case Opaque(spelled=spelled), Static(value=str() | None as text):
            return Opaque(spelled, "None" if text is None else json.dumps(text, ensure_ascii=False))
        case Opaque(), ir.Undef():
            return declared
        case List(item=item), _ if any(isinstance(part, Opaque) for part in parts(item)):
            message = f"a {declared} can't be a result: some fields carry no numbers"
            raise ctx.refuse(node, "MK363", message, "return the numbers alone")
        case Opaque(), _:
            message = f"what is in a field of type {declared} of the result can't be told"
            help_ = "take it from a parameter, as it is"
            raise ctx.refuse(node, "MK363", message, help_)
        case Tuple(is_record=True, items=types, names=names), Items(items=items, names=keys):
            assert names is not None
            assert keys is not None
            of_key = dict(zip(names, types, strict=True))
            pairs = zip(items, (of_key[key] for key in keys), strict=True)
            inner = tuple(result_type(ctx, node, v, t) for v, t in pairs)
            return replace(declared, items=inner, names=keys)
        case Tuple(items=types), Items(items=items, of=of) if of is not None:
            known = ctx.source.classes[of.module, of.name].annotation
            own = known.type if known is not None and of != declared.of else declared
            types = own.items if isinstance(own, Tuple) else types
            pairs = zip(items, types, strict=True)
            inner = tuple(result_type(ctx, node, v, t) for v, t in pairs)
            return replace(own if isinstance(own, Tuple) else declared, items=inner)
        case Tuple(items=types), Items(items=items) if len(types) == len(items):
            pairs = zip(items, types, strict=True)
            inner = tuple(result_type(ctx, node, v, t) for v, t in pairs)
            return replace(declared, items=inner)
        case _:
            return declared


def closed(ctx: Context, node: cst.CSTNode, value: Operand, type_: Type) -> Operand:
    """``value`` with the number of the alternative for what is one of several."""
    match type_, value:
        case OneOf(options=options), _:
            for k, option in enumerate(options):
                if fits(ctx, value, option):
                    return ir.int_const(k)
            message = f"the result must be one of {type_}, got {describe(value)}"
            raise ctx.refuse(node, "MK213", message)
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
