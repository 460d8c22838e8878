"""Lists and dicts, as far as everything else has to know them.

Either is an object that can be changed (``Ref``) with one variable, its content: an ``Items`` with
an operand per item. A dict has its keys as names. The items of a list that is only known by its
length at run time (``rows``) are in arrays; its content has the class ``ROWS``.

A list display is an ``Items`` with ``is_list`` until it is bound to something: ``owned`` then gives
it an identity.
"""

from __future__ import annotations

from typing import TypeGuard

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, ClassKind, External
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.frame import OBJECT, hint_of
from mooncake_transpiler.frontend.lower.operands import (
    Bound,
    Conflict,
    Items,
    Operand,
    Ref,
    Static,
)


def _built_in(name: str) -> ClassDecl:
    node = cst.ClassDef(cst.Name(name), cst.IndentedBlock([]))
    return ClassDecl("builtins", name, node, ClassKind.PLAIN)


LIST, DICT = _built_in("list"), _built_in("dict")
ROWS = "%rows"

METHODS = {
    "list": frozenset({
        "append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse",
        "sort",
    }),
    "tuple": frozenset({"count", "index"}),
    "dict": frozenset({
        "clear", "copy", "get", "items", "keys", "pop", "setdefault", "update", "values",
    }),
}  # fmt: skip


def is_list(operand: Operand | None) -> TypeGuard[Ref]:
    return isinstance(operand, Ref) and operand.cls is LIST


def is_dict(operand: Operand | None) -> TypeGuard[Ref]:
    return isinstance(operand, Ref) and operand.cls is DICT


def is_container(operand: Operand | None) -> TypeGuard[Ref]:
    return is_list(operand) or is_dict(operand)


def variable(ref: Ref) -> str:
    """The variable that holds the content of a list or dict."""
    return f"{ref.key}.items:{ref.hint}"


def owned(ctx: Context, content: Items, hint: str = "") -> Ref:
    """A new list or dict with this content."""
    ctx.temporaries += 1
    cls = LIST if content.is_list else DICT
    ref = Ref(f"{OBJECT}{ctx.temporaries}", cls, hint_of(hint))
    ctx.frame.bind(variable(ref), content)
    return ref


def content(ctx: Context, node: cst.CSTNode, ref: Ref) -> Items:
    """What ``ref`` holds now."""
    name = variable(ref)
    found = ctx.frame.values.get(name)
    if isinstance(found, Items) and ctx.frame.is_bound(name):
        return found
    reason = found.reason if isinstance(found, Conflict) else "it is not made on every path"
    what = "length of this list is" if is_list(ref) else "keys of this dict are"
    help_ = "let all paths leave it as long as it was: begin with [0.0] * n"
    raise ctx.unroll(node, "MK330", f"the {what} not known ahead of time: {reason}", help_)


def length(ctx: Context, node: cst.CSTNode, ref: Ref) -> ir.Atom:
    held = content(ctx, node, ref)
    if held.cls != ROWS:
        return ir.int_const(len(held.items))
    count = held.items[0]
    assert isinstance(count, ir.Value | ir.Const | ir.Undef)
    return count


def method(base: Operand, name: str) -> Operand | None:
    """``base.name`` of a list, dict or tuple."""
    match base:
        case Ref(cls=cls) if cls in (LIST, DICT):
            kind = cls.name
        case Items(names=None):
            kind = "list" if base.is_list else "tuple"
        case _:
            return None
    known = name in METHODS[kind]
    return Bound(Static(External(f"builtins.{kind}.{name}")), (base,)) if known else None
