"""Keys of dicts that annotations leave open, by what a function does with its parameters.

``params["k1"]`` says that there is such a key, ``params.get("k1", 1.0)`` and ``"k1" in params``
that there may be one. Calls of functions of the program are followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

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
            yield from keys(resolver, home, callee, inner, (*around, name)).items()


def _is(node: cst.BaseExpression, names: Set[str]) -> bool:
    return isinstance(node, cst.Name) and node.value in names
