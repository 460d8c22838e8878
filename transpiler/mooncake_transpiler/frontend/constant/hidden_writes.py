"""Writes that reach names and classes by other ways than their names: nobody can tell to which.

    globals()["K"] = 5.0          C.__mro__[0].k = 5.0          f.__code__ = g.__code__
    exec("K = 5.0")               setattr(sys.modules[__name__], "K", 5.0)

A module with one of these, at its top or in a function, may change all of its names, and attributes
of all classes near it. What other modules do to its names in such a way is not looked for.
"""

from __future__ import annotations

from functools import lru_cache

import libcst as cst

from mooncake_transpiler.frontend.constant.writes import run_on_import
from mooncake_transpiler.frontend.entities import Module
from mooncake_transpiler.frontend.text.trees import dotted, is_name, walk
from mooncake_transpiler.output.outline import MUTATING

# Calls and attributes that lead to the names of a module, or to classes that they don't name.
_CALLS = frozenset({"globals", "locals", "vars", "__import__"})
_ATTRIBUTES = frozenset({
    "__globals__", "__dict__", "__mro__", "__base__", "__bases__", "__subclasses__", "f_globals",
    "f_locals", "get_objects", "import_module",
})  # fmt: skip
_PARTS_OF_FUNCTIONS = frozenset({"__code__", "__defaults__", "__kwdefaults__", "__bases__"})
_SETTING = frozenset({"setattr", "delattr", "setitem", "delitem", "__setattr__", "__delattr__"})
_BY_TEXT = frozenset({"exec", "eval"})


@lru_cache(maxsize=1024)
def hidden_write(module: Module) -> cst.CSTNode | None:
    """The first such write of ``module``; None if there is none."""
    nodes = (node for stmt in run_on_import(module.tree.body) for node in walk(stmt))
    return next((node for node in nodes if _is_hidden(node)), None)


def _is_hidden(node: cst.CSTNode) -> bool:
    match node:
        case (
            cst.AssignTarget(target=target)
            | cst.AugAssign(target=target)
            | cst.AnnAssign(target=target)
            | cst.Del(target=target)
            | cst.For(target=target)
            | cst.CompFor(target=target)
        ):
            return any(_is_hidden_target(part) for part in walk(target))
        case cst.Call(func=func, args=args):
            return _is_hidden_call(func, [arg.value for arg in args])
        case _:
            return False


def _is_hidden_target(target: cst.CSTNode) -> bool:
    match target:
        case cst.Attribute(value=value, attr=attr):
            return attr.value in _PARTS_OF_FUNCTIONS or _leads_anywhere(value)
        case cst.Subscript(value=value):
            return _leads_anywhere(value)
        case _:
            return False


def _is_hidden_call(func: cst.BaseExpression, args: list[cst.BaseExpression]) -> bool:
    match func:
        case cst.Name(value=name) if name in _BY_TEXT:  # with names of its own it leaves others be
            return len(args) == 1 or _leads_anywhere(args[1])
        case cst.Attribute(value=value, attr=attr) if attr.value in MUTATING:
            return _leads_anywhere(value)
        case cst.Name() | cst.Attribute():
            name = (dotted(func) or ("",))[-1]
            return name in _SETTING and any(map(_leads_anywhere, args))
        case _:
            return False


def _leads_anywhere(node: cst.CSTNode) -> bool:
    """True if ``node`` takes a way to names or classes that its text does not tell."""
    return any(map(_is_way, walk(node)))


def _is_way(node: cst.CSTNode) -> bool:
    match node:
        case cst.Call(func=cst.Name(value=name), args=args):
            return name in _CALLS and not any(_is_self(arg.value) for arg in args)
        case cst.Attribute(value=value, attr=attr) if attr.value in _ATTRIBUTES:
            return not _is_self(value)
        case cst.Attribute():
            return dotted(node) == ("sys", "modules")
        case _:
            return False


def _is_self(node: cst.CSTNode) -> bool:
    return is_name(node, "self")
