"""Names that are Python's numbers wherever they are bound: nothing changes these in place."""

from __future__ import annotations

from collections import defaultdict

import libcst as cst

from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.name.resolve import Resolver
from mooncake_transpiler.frontend.text.trees import bindings, walk

_TYPES = tuple(External(f"builtins.{name}") for name in ("int", "float", "bool"))


def plain_numbers(resolver: Resolver, module: str, function: cst.FunctionDef) -> set[str]:
    """The names in ``function`` that are bound to literals, sizes and what is computed of them.

    Parameters are if they are annotated as such.
    """
    bound: defaultdict[str, list[cst.BaseExpression]] = defaultdict(list)
    others: set[str] = set()
    for one in bindings(walk(function)):
        match one.node, one.target:
            case cst.Param(annotation=cst.Annotation() as note), cst.Name(value=to) if (
                resolver.lookup(module, note.annotation) in _TYPES
            ):
                bound[to]
            case cst.Assign(value=value) | cst.AugAssign(value=value), cst.Name(value=to):
                bound[to].append(value)
            case _:
                others.update(one.names)
    found = bound.keys() - others
    while wrong := {n for n in found if not all(_is_plain(value, found) for value in bound[n])}:
        found -= wrong
    return found


def with_axes(function: cst.FunctionDef) -> set[str]:
    """The parameters of ``function`` that are annotated with names of axes, and not bound again."""
    found: set[str] = set()
    others: set[str] = set()
    for one in bindings(walk(function)):
        match one.node:
            case cst.Param(annotation=cst.Annotation(annotation=cst.Subscript(slice=items))) if (
                _names_axes(items[-1])
            ):
                found.update(one.names)
            case cst.AugAssign():
                pass
            case _:
                others.update(one.names)
    return found - others


def _names_axes(item: cst.SubscriptElement) -> bool:
    match item.slice:
        case cst.Index(value=cst.SimpleString(evaluated_value=str(text))):
            return bool(text.strip()) and not text.startswith(("*", "..."))
        case _:
            return False


def _is_plain(value: cst.BaseExpression, names: set[str]) -> bool:
    match value:
        case cst.Integer() | cst.Float() | cst.Call(func=cst.Name(value="len")):
            return True
        case cst.Name(value=str(name)):
            return name in names or name in ("True", "False")
        case cst.UnaryOperation(expression=inner):
            return _is_plain(inner, names)
        case cst.BinaryOperation(left=left, right=right):
            return _is_plain(left, names) and _is_plain(right, names)
        case _:
            return False
