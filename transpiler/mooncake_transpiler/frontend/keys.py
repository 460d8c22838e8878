"""Keys of dicts that annotations leave open, by what a function does with its parameters.

``params["k1"]`` says that there is such a key, ``params.get("k1", 1.0)`` and ``"k1" in params``
that there may be one. A loop over the dict, or a key that is no text, says that there may be any.
Calls of functions of the program are followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

import libcst as cst

from mooncake_transpiler.frontend.bindings import FunctionBinding
from mooncake_transpiler.frontend.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.trees import positional, walk

Keys = dict[str, bool]  # in the order in which they occur; true for those that may be missing

MAX_CALLS = 8  # how deep parameters are followed into functions that are called


def keys(
    resolver: Resolver, module: str, node: cst.FunctionDef, param: str, around: tuple[str, ...] = ()
) -> Keys:
    """The keys by which ``node`` looks up its parameter ``param``; ``around`` call it."""
    caught = {
        inner
        for one in walk(node.body)
        if isinstance(one, cst.Try) and one.handlers
        for inner in walk(one.body)
    }
    found: Keys = {}
    names = {param}
    for one in walk(node.body):
        match one:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=alias))]):
                names |= {alias} if _is(one.value, names) else set()
            case _:
                pass
        for key, optional in _looked_up(one, names):
            _note(found, key, optional or one in caught)
        if isinstance(one, cst.Call):
            for key, optional in _passed_on(resolver, module, one, names, around):
                _note(found, key, optional or one in caught)
    return found


def may_be_any(
    resolver: Resolver, module: str, node: cst.FunctionDef, param: str, around: tuple[str, ...] = ()
) -> bool:
    """True if ``node`` looks through its parameter ``param``, whatever keys that has."""
    names = {param}
    for one in walk(node.body):
        match one:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=alias))]):
                names |= {alias} if _is(one.value, names) else set()
            case (
                cst.AssignTarget(target=cst.Subscript(value=of))
                | cst.AugAssign(target=cst.Subscript(value=of))
                | cst.Del(target=cst.Subscript(value=of))
            ) if _is(of, names):
                return True
            case cst.For(iter=of) | cst.CompFor(iter=of) if _is(of, names):
                return True
            case cst.Subscript(
                value=cst.Name() as of, slice=[cst.SubscriptElement(slice=cst.Index(value=key))]
            ) if _is(of, names) and not isinstance(key, cst.SimpleString):
                return True
            case cst.Call(func=cst.Attribute(value=cst.Name() as of, attr=cst.Name(value=method))):
                if _is(of, names) and _looks_through(method, one.args):
                    return True
            case cst.Call(func=cst.Name(value=name), args=[cst.Arg(value=of), *_]):
                if name in _THROUGH and _is(of, names):
                    return True
            case cst.Comparison(
                left=key, comparisons=[cst.ComparisonTarget(operator=operator, comparator=of)]
            ) if isinstance(operator, cst.In | cst.NotIn) and _is(of, names):
                if not isinstance(key, cst.SimpleString):
                    return True
            case _:
                pass
        if isinstance(one, cst.Call):
            for home, callee, inner, inside in _callees(resolver, module, one, names, around):
                if may_be_any(resolver, home, callee, inner, inside):
                    return True
    return False


# Functions that look at all keys, or values, of a dict.
_THROUGH = frozenset({
    "all", "any", "dict", "enumerate", "len", "list", "max", "min", "set", "sorted", "sum", "tuple",
})  # fmt: skip


def _looks_through(method: str, args: Sequence[cst.Arg]) -> bool:
    if method == "get":
        return bool(args) and not isinstance(args[0].value, cst.SimpleString)
    return method in ("copy", "items", "keys", "pop", "popitem", "setdefault", "update", "values")


def _note(found: Keys, key: str, optional: bool) -> None:
    found[key] = found.get(key, False) or optional


def _looked_up(node: cst.CSTNode, names: Set[str]) -> Iterator[tuple[str, bool]]:
    """The keys by which ``node`` itself looks up the parameter with these ``names``."""
    match node:
        case cst.Subscript(
            value=cst.Name() as of,
            slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))],
        ) if _is(of, names):
            yield from _text(key, False)
        case cst.Call(
            func=cst.Attribute(value=cst.Name() as of, attr=cst.Name(value="get")),
            args=[cst.Arg(value=cst.SimpleString() as key), *_],
        ) if _is(of, names):
            yield from _text(key, True)
        case cst.Comparison(
            left=cst.SimpleString() as key,
            comparisons=[
                cst.ComparisonTarget(operator=cst.In() | cst.NotIn(), comparator=cst.Name() as of)
            ],
        ) if _is(of, names):
            yield from _text(key, True)
        case _:
            return


def _text(node: cst.SimpleString, optional: bool) -> Iterator[tuple[str, bool]]:
    if isinstance(node.evaluated_value, str):
        yield node.evaluated_value, optional


def _passed_on(
    resolver: Resolver, module: str, node: cst.Call, names: Set[str], around: tuple[str, ...]
) -> Iterator[tuple[str, bool]]:
    """The keys by which the function that ``node`` calls looks up an argument."""
    for home, callee, inner, inside in _callees(resolver, module, node, names, around):
        yield from keys(resolver, home, callee, inner, inside).items()


def _callees(
    resolver: Resolver, module: str, node: cst.Call, names: Set[str], around: tuple[str, ...]
) -> Iterator[tuple[str, cst.FunctionDef, str, tuple[str, ...]]]:
    """The function that ``node`` calls, with its module, and the parameters that get the dict."""
    at = [k for k, arg in enumerate(node.args) if not arg.star and _is(arg.value, names)]
    if not at or not isinstance(node.func, cst.Name | cst.Attribute):
        return
    match resolver.lookup(module, node.func):
        case BoundName(module=home, binding=FunctionBinding(node=callee)):
            pass
        case _:
            return
    name = f"{home}:{callee.name.value}"
    if name in around or len(around) == MAX_CALLS:
        return
    params = [p.name.value for p in positional(callee.params)]
    for k in at:
        keyword = node.args[k].keyword
        inner = keyword.value if keyword else params[k] if k < len(params) else None
        if inner is not None:
            yield home, callee, inner, (*around, name)


def _is(node: cst.BaseExpression, names: Set[str]) -> bool:
    return isinstance(node, cst.Name) and node.value in names
