"""Names that are Python's numbers wherever they are bound: nothing changes these in place."""

from __future__ import annotations

from collections import defaultdict

import libcst as cst

from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.resolve import Resolver
from mooncake_transpiler.frontend.trees import target_names, walk

_TYPES = frozenset(("builtins.int", "builtins.float", "builtins.bool"))


def plain_numbers(resolver: Resolver, module: str, function: cst.FunctionDef) -> set[str]:
    """The names in ``function`` that are bound to literals, sizes and what is computed of them.

    Parameters are if they are annotated as such.
    """
    bound: defaultdict[str, list[cst.BaseExpression]] = defaultdict(list)
    others: set[str] = set()
    for part in walk(function):
        match part:
            case cst.Param(name=name, annotation=note):
                of = None if note is None else resolver.lookup(module, note.annotation)
                if isinstance(of, External) and of.qualname in _TYPES:
                    bound[name.value]
                else:
                    others.add(name.value)
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=str(to)))]):
                bound[to].append(part.value)
            case cst.AugAssign(target=cst.Name(value=str(to)), value=value):
                bound[to].append(value)
            case cst.AnnAssign(target=target):
                others.update(name.value for name in target_names(target))
            case cst.Assign(targets=targets):
                others.update(n.value for t in targets for n in target_names(t.target))
            case cst.For(target=target) | cst.CompFor(target=target):
                others.update(name.value for name in target_names(target))
            case cst.NamedExpr(target=target) | cst.AsName(name=target):
                others.update(name.value for name in target_names(target))
            case _:
                pass
    found = bound.keys() - others
    while wrong := {n for n in found if not all(_is_plain(value, found) for value in bound[n])}:
        found -= wrong
    return found


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
