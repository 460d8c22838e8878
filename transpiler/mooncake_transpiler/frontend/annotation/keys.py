"""Keys of dicts that annotations leave open, by what a function does with its parameters.

``params["k1"]`` says that there is such a key, ``params.get("k1", 1.0)`` and ``"k1" in params``
that there may be one. A loop over the dict, or a key that is no text, says that there may be any.
Calls of functions of the program are followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

import libcst as cst

from mooncake_transpiler.frontend.name.bindings import FunctionBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.text.trees import positional, walk

Keys = dict[str, bool]  # in the order in which they occur; true for those that may be missing

MAX_CALLS = 8  # how deep parameters are followed into functions that are called


def keys(
    resolver: Resolver, module: str, node: cst.FunctionDef, param: str, around: tuple[str, ...] = ()
) -> Keys | None:
    """The keys by which ``node`` looks up its parameter ``param``; ``around`` call it.

    None if it looks through that, whatever keys there are.
    """
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
        uses = [_looked_up(one, names)]
        if isinstance(one, cst.Call):
            callees = _callees(resolver, module, one, names, around)
            uses += [keys(resolver, *callee) for callee in callees]
        for known in uses:
            if known is None:
                return None
            for key, optional in known.items():
                found[key] = found.get(key, False) or optional or one in caught
    return found


def _looked_up(node: cst.CSTNode, names: Set[str]) -> Keys | None:
    """The keys by which ``node`` itself looks up the parameter with these ``names``; None: any."""
    match node:
        case (
            cst.AssignTarget(target=cst.Subscript(value=of))
            | cst.AugAssign(target=cst.Subscript(value=of))
            | cst.Del(target=cst.Subscript(value=of))
            | cst.For(iter=of)
            | cst.CompFor(iter=of)
        ) if _is(of, names):
            return None
        case cst.Subscript(value=of, slice=[cst.SubscriptElement(slice=cst.Index(value=key))]) if (
            _is(of, names)
        ):
            return _key(key, False)
        case cst.Call(func=cst.Attribute(value=of, attr=cst.Name(value=method)), args=args) if _is(
            of, names
        ):
            if method == "get":
                return _key(args[0].value, True) if args else {}
            return None if method in _LOOKING_THROUGH else {}
        case cst.Call(func=cst.Name(value=name), args=[cst.Arg(value=of), *_]) if _is(of, names):
            return None if name in _THROUGH else {}
        case cst.Comparison(
            left=key,
            comparisons=[cst.ComparisonTarget(operator=cst.In() | cst.NotIn(), comparator=of)],
        ) if _is(of, names):
            return _key(key, True)
        case _:
            return {}


def _key(node: cst.BaseExpression, optional: bool) -> Keys | None:
    """The key that ``node`` is, if it is text; None if only the run tells it."""
    if not isinstance(node, cst.SimpleString):
        return None
    return {node.evaluated_value: optional} if isinstance(node.evaluated_value, str) else {}


# Functions that look at all keys, or values, of a dict.
_THROUGH = frozenset({
    "all", "any", "dict", "enumerate", "len", "list", "max", "min", "set", "sorted", "sum", "tuple",
})  # fmt: skip
_LOOKING_THROUGH = frozenset(
    {"copy", "items", "keys", "pop", "popitem", "setdefault", "update", "values"}
)  # methods that do


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
