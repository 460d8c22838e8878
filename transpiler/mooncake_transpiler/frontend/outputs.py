"""Parameters that a function gives its results in: it returns None and writes to them.

``out[i] = x[i]``, ``out[:] = x``, ``out += x`` and ``out.fill(0.0)`` are the ways that the text
shows; where lowering finds another, the function is refused (MK237).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import libcst as cst

from mooncake_transpiler.frontend.trees import own_nodes, walk

_METHODS = frozenset({"fill", "sort", "partition", "put", "itemset"})


def returns_nothing(node: cst.FunctionDef) -> bool:
    """True if no ``return`` or ``yield`` of ``node`` itself gives a value."""
    return not any(
        isinstance(one, cst.Yield) or (isinstance(one, cst.Return) and one.value is not None)
        for one in own_nodes(node.body)[0]
    )


def written_parameters(node: cst.FunctionDef, arrays: Collection[str]) -> tuple[str, ...]:
    """The parameters among ``arrays`` that ``node`` is seen to write to, in their order."""
    found = {name for one in walk(node.body) for name in _written(one)}
    return tuple(name for name in arrays if name in found)


def _written(node: cst.CSTNode) -> Iterator[str]:
    match node:
        case cst.AssignTarget(target=target):
            yield from _stored(target)
        case cst.AugAssign(target=cst.Name(value=name)):
            yield name
        case cst.AugAssign(target=target):
            yield from _stored(target)
        case cst.Call(func=cst.Attribute(value=cst.Name(value=name), attr=attr)):
            if attr.value in _METHODS:
                yield name
        case cst.Arg(keyword=cst.Name(value="out"), value=cst.Name(value=name)):
            yield name
        case _:
            pass


def _stored(target: cst.BaseExpression) -> Iterator[str]:
    """The variables whose items an assignment stores."""
    match target:
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for element in elements:
                yield from _stored(element.value)
        case cst.Subscript(value=cst.Name(value=name)):
            yield name
        case cst.Subscript(value=value):
            yield from _stored(value)
        case _:
            pass
