"""The types of results that annotations leave open, as the results themselves tell them."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.declaration.differentiated_functions import SKIP_HELP
from mooncake_transpiler.frontend.entities import ClassDecl, FunctionDecl, Source
from mooncake_transpiler.frontend.lower.call import recursion, settled_flags
from mooncake_transpiler.frontend.lower.container import dicts
from mooncake_transpiler.frontend.lower.row import growable
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import RESULT
from mooncake_transpiler.frontend.lower.state.leaves import RUN_TEXT, describe, type_of, undefined
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Conflict,
    Either,
    Items,
    Maybe,
    Operand,
    Passed,
    Static,
    Told,
)
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.frontend.lower.state.tabled import Anew, is_row
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
    Opaque,
    Scalar,
    Tuple,
    Type,
    parts,
    record,
)


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


def may_be_none(source: Source, decl: FunctionDecl) -> bool:
    """True if the result of a public function has an open type that says so."""
    returns = decl.node.returns
    if returns is None or not (decl.infers_result and decl.is_public):
        return False
    if recursion.is_recursive(source, decl):
        return False
    said = cst.Module([]).code_for_node(returns.annotation)
    return re.search(r"\b(None|Optional)\b", said) is not None


def on_all_paths(ctx: Context, decl: FunctionDecl, declared: Type | None) -> Operand:
    """The result of the function, all paths taken together."""
    frame, node = ctx.frame, decl.node.name
    value = frame.values.get(RESULT)
    if frame.reachable and (value not in (None, NOTHING) or declared not in (None, NONE)):
        message = f"{decl.name} may end without returning a value"
        raise ctx.refuse(node, "MK215", message, "return a value on every path")
    if isinstance(value, Conflict):
        raise settled_flags.differing(ctx, node, value, f" of {decl.name}")
    if value is None:
        # The end is out of reach after a raise, or after a loop that never ends.
        never = frame.raised or not frame.reachable
        return undefined(declared or NONE) if never else NOTHING
    return value


def dict_type(ctx: Context, node: cst.CSTNode, value: Operand) -> Type:
    """The type of a dict that is a result; one that holds lists is lowered as of that type."""
    found = _record_type(ctx, node, value)
    if any(isinstance(part, List) for part in parts(found)):
        raise ctx.learnt.give(found)
    return found


def _record_type(ctx: Context, node: cst.CSTNode, value: Operand) -> Type:
    """The type of a dict that is a result, with the keys that it has."""
    match value:
        case Items(items=items, names=names, of=None) if names is not None:
            types = [_record_type(ctx, node, item) for item in items]
            return record(types, [_text_key(ctx, node, name) for name in names], (), ANY_DICT)
        case Static(value=str() | None):
            return result_type(ctx, node, value, Opaque("str"))
        case Items(cls=Held.ROWS) | Items(is_list=True):
            found = with_lists(value)
        case Items(of=ClassRef()):
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


def unfit(ctx: Context, decl: FunctionDecl, value: Operand, got: str) -> Anew | Refused:
    """The exception for a result that the annotation leaves open, and that is more than numbers."""
    found, node = with_lists(value), decl.node.name
    is_listed = found is not None and any(isinstance(part, List) for part in parts(found))
    is_dict = isinstance(found, List) and found.kind is ListKind.DICT
    if found is not None and is_listed and is_dict == decl.gives_dict:
        return ctx.learnt.give(found)
    if decl.node.returns is None:
        message = f"the result of {decl.name} has no annotation, and is {describe(value)}"
        return ctx.refuse(node, "MK220", message, f"annotate it: dict, a class; {SKIP_HELP}")
    wanted = "a dict with floats in it" if decl.gives_dict else "an array of floats"
    return ctx.refuse(node, "MK213", f"the result of {decl.name} must be {wanted}, got {got}")


def records_needed(ctx: Context, type_: List, cls: ClassDecl) -> Anew:
    """The result whose part, declared as ``type_``, is a list of dicts of the record class."""
    columns = ctx.heap.plan.columns[cls]
    item = record([_at_border(one) for one in columns.values()], tuple(columns), (), ANY_DICT)

    def with_keys(part: Type) -> Type:
        if part == type_:
            return List(item)
        if isinstance(part, Tuple):
            return replace(part, items=tuple(map(with_keys, part.items)))
        return part

    assert ctx.frame.result is not None
    return ctx.learnt.give(with_keys(ctx.frame.result))


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
    if isinstance(item, Tuple) and item.cls == Held.SEARCHED:
        pairs = _at_border(item.items[0])
        return replace(pairs, kind=ListKind.DICT) if isinstance(pairs, List) else item
    return (
        replace(item, items=tuple(map(_at_border, item.items))) if isinstance(item, Tuple) else item
    )


def _of_row(row: Type) -> Type:
    """The type of the items of a list that is an item of another one."""
    if isinstance(row, Tuple):
        return replace(row, items=tuple(map(_of_row, row.items)))
    assert isinstance(row, Array)
    return Scalar(row.dtype)
