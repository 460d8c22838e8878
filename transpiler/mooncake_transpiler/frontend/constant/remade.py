"""Values at module level that are made again where they are used: functions, lists, dicts, objects.

Python makes them once. That is the same if making them depends on nothing that changes, and does
nothing but make them; what must not be changed later is refused where something would change it.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mooncake_transpiler.frontend.class_text.classes import is_exception
from mooncake_transpiler.frontend.constant import pure
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.name.bindings import (
    ClassBinding,
    FunctionBinding,
    UnknownBinding,
    ValueBinding,
)
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.text.trees import children

_MAKERS = frozenset(
    {"functools.partial", "functools.wraps", "logging.getLogger", "numba.jit", "numba.njit",
     "numba.stencil",
     "operator.attrgetter", "operator.itemgetter", "operator.methodcaller", "typing.NamedTuple",
     "builtins.set", "builtins.frozenset",
     "dataclasses.dataclass", "dataclasses.field", "dataclasses.replace"}
)  # fmt: skip
_TESTS = frozenset(
    f"builtins.{name}" for name in ("callable", "getattr", "hasattr", "isinstance", "issubclass")
)
_DISPLAYS = (
    cst.Call, cst.Dict, cst.DictComp, cst.IfExp, cst.Lambda, cst.List, cst.ListComp, cst.Set,
    cst.SetComp, cst.Tuple,
)  # fmt: skip


def may_be_made_again(resolver: Resolver, module: str, expr: cst.BaseExpression) -> bool:
    """True if each use of a name may make anew what ``expr`` makes."""
    if isinstance(expr, cst.Subscript | cst.BinaryOperation):
        parts = (expr.value,) if isinstance(expr, cst.Subscript) else (expr.left, expr.right)
        if not any(_is_value(resolver, module, part) for part in parts):
            return False
    elif not isinstance(expr, _DISPLAYS):
        return False
    return _is_pure(resolver, module, expr, set())


def does_nothing_else(resolver: Resolver, module: str, node: cst.CSTNode) -> bool:
    """True if all that runs when ``node`` does is known, and changes nothing but what it names."""
    return _is_pure(resolver, module, node, set())


def _is_value(resolver: Resolver, module: str, node: cst.BaseExpression) -> bool:
    found = resolver.lookup(module, node)
    is_value = isinstance(found, BoundName) and isinstance(found.binding, ValueBinding)
    return is_value or isinstance(node, _DISPLAYS)


def _is_pure(
    resolver: Resolver, module: str, node: cst.CSTNode, seen: set[tuple[str, str]]
) -> bool:
    """True if all that runs when ``node`` does is known, and changes nothing."""
    for part in _run(node):
        match part:
            case cst.Nonlocal() | cst.Global() | cst.Await() | cst.Yield() | cst.NamedExpr():
                return False
            case cst.Call(func=func) if not _may_call(resolver, module, func, seen):
                return False
            case _:
                pass
    return True


def _run(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The parts of ``node`` but not what a ``lambda`` in it does."""
    yield node
    if not isinstance(node, cst.Lambda):
        for child in children(node):
            if not isinstance(child, cst.Annotation):
                yield from _run(child)


def _may_call(
    resolver: Resolver, module: str, func: cst.BaseExpression, seen: set[tuple[str, str]]
) -> bool:
    match resolver.lookup(module, func):
        case External(qualname=qualname):
            return (
                qualname in _MAKERS
                or pure.is_pure(qualname)
                or (qualname in _TESTS or is_exception(qualname))
            )
        case BoundName(module=home, name=name, binding=binding):
            if (home, name) in seen:
                return True
            seen.add((home, name))
            match binding:
                case FunctionBinding(node=node):
                    return _is_pure(resolver, home, node.body, seen)
                case ClassBinding(node=cls):
                    return _is_pure(resolver, home, cls, seen)
                case ValueBinding(expr=expr):
                    inner = expr.body if isinstance(expr, cst.Lambda) else expr
                    return _is_pure(resolver, home, inner, seen)
                case UnknownBinding():
                    return False
        case None:
            # A local function of one that is looked through, a method, or `make(2)(3)`.
            return isinstance(func, cst.Name | cst.Call | cst.Attribute)
        case _:
            return False
