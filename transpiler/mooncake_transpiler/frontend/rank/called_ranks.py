"""Ranks of arrays that a module hands its functions where it runs: ``if __name__ == "__main__":``.

def loss(w, X, y): ...               w and y: 1 axis, X: 2 axes

def main() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    print(loss(np.zeros(3), X, X @ np.ones(3)))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from mooncake_transpiler.frontend.rank.rank_tables import ELEMENTWISE, LIKE
from mooncake_transpiler.frontend.text.trees import (
    assigned,
    parameters,
    positional,
    statements,
    walk,
)

_OF_A_SHAPE = frozenset({"zeros", "ones", "empty", "full", "random", "standard_normal"})
_OF_SIZES = frozenset({"randn", "rand"})
_VECTORS = frozenset({"linspace", "arange", "logspace", "geomspace"})
_KEEPING = frozenset(name.removeprefix("numpy.") for name in ELEMENTWISE | LIKE)


def called_with(tree: cst.Module) -> dict[cst.CSTNode, dict[str, int]]:
    """The ranks of parameters of the functions of a module, where all its calls have the same.

    These calls are its own statements' and those of functions without parameters.
    """
    top = list(statements(tree))
    functions = {one.name.value: one for one in top if isinstance(one, cst.FunctionDef)}
    own = [one for one in top if not isinstance(one, cst.FunctionDef | cst.ClassDef)]
    scopes: list[Sequence[cst.CSTNode]] = [
        own,
        *([one.body] for one in functions.values() if not parameters(one.params)),
    ]
    each = [[node for stmt in scope for node in walk(stmt)] for scope in scopes]
    shared = _bound(each[0], {})
    found: dict[str, dict[str, set[int | None]]] = {}
    for nodes in each:
        ranks = _bound(nodes, shared)
        for node in nodes:
            match node:
                case cst.Call(func=cst.Name(value=name)) if name in functions:
                    params = [param.name.value for param in positional(functions[name].params)]
                    for param, value in assigned(params, node.args):
                        found.setdefault(name, {}).setdefault(param, set()).add(_rank(value, ranks))
                case _:
                    pass
    return {
        functions[name]: {param: rank for param, ranks in given.items() for rank in _only(ranks)}
        for name, given in found.items()
    }


def _only(ranks: set[int | None]) -> Iterator[int]:
    known = ranks - {None}
    if len(known) == 1:
        yield from (rank for rank in known if rank)


def _bound(nodes: Sequence[cst.CSTNode], around: Mapping[str, int | None]) -> dict[str, int | None]:
    """The ranks of names that ``nodes`` bind once."""
    found = dict(around)
    own: set[str] = set()
    for node in nodes:
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value):
                found[name] = None if name in own else _rank(value, found)
                own.add(name)
            case _:
                pass
    return found


def _rank(node: cst.BaseExpression, names: Mapping[str, int | None]) -> int | None:
    """The number of axes of ``node``, 0 for a number; None if it is not seen."""
    match node:
        case cst.Name(value=name):
            return names.get(name)
        case cst.Integer() | cst.Float():
            return 0
        case (
            cst.UnaryOperation(expression=inner)
            | cst.Attribute(value=inner, attr=cst.Name(value="T"))
        ):
            return _rank(inner, names)
        case cst.BinaryOperation(left=left, right=right, operator=operator):
            one, other = _rank(left, names), _rank(right, names)
            if one is None or other is None:
                return None
            is_product = isinstance(operator, cst.MatrixMultiply)
            return one + other - 2 if is_product and max(one, other) < 3 else max(one, other)
        case cst.Call(func=cst.Attribute(value=of, attr=cst.Name(value=name)), args=args):
            return _made(name, of, args, names)
        case _:
            return None


def _made(
    name: str, of: cst.BaseExpression, args: Sequence[cst.Arg], names: Mapping[str, int | None]
) -> int | None:
    """The rank of what the function or method ``name`` of ``of`` makes."""
    size = next((arg.value for arg in args if arg.keyword and arg.keyword.value == "size"), None)
    values = [arg.value for arg in args if arg.keyword is None]
    if size is not None or (name in _OF_A_SHAPE and values):
        return _length(values[0] if size is None else size)
    if name in _VECTORS:
        return 1
    if name in ("eye", "identity"):
        return 2
    if name in _OF_SIZES:
        return len(values)
    if name == "reshape":
        return _length(values[0]) if len(values) == 1 else len(values)
    if name in ("copy", "astype"):
        return _rank(of, names)
    if name in ("array", "asarray") and values:
        return _depth(values[0], names)
    return _rank(values[0], names) if name in _KEEPING and len(values) == 1 else None


def _length(shape: cst.BaseExpression) -> int | None:
    match shape:
        case cst.Tuple(elements=elements):
            return len(elements)
        case cst.Integer() | cst.Call(func=cst.Name(value="len")):
            return 1
        case cst.Name(value=name):
            return None if "shape" in name or "size" in name else 1
        case _:
            return None


def _depth(items: cst.BaseExpression, names: Mapping[str, int | None]) -> int | None:
    """The rank of an array of ``items``, by the first one."""
    if not isinstance(items, cst.List | cst.Tuple) or not items.elements:
        return _rank(items, names)
    first = items.elements[0].value
    inner = _depth(first, names) if isinstance(first, cst.List | cst.Tuple) else _rank(first, names)
    return None if inner is None else inner + 1
