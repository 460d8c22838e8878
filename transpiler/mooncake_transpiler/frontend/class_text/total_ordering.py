"""The comparisons that ``functools.total_ordering`` makes of the one that a class defines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import libcst as cst

from mooncake_transpiler.frontend.text.trees import statements

# The first that a class defines is the one that Python makes the others of.
_MADE: Mapping[str, Mapping[str, str]] = {
    "__lt__": {
        "__gt__": "not self.__lt__(other) and self != other",
        "__le__": "self.__lt__(other) or self == other",
        "__ge__": "not self.__lt__(other)",
    },
    "__le__": {
        "__ge__": "not self.__le__(other) or self == other",
        "__lt__": "self.__le__(other) and self != other",
        "__gt__": "not self.__le__(other)",
    },
    "__gt__": {
        "__lt__": "not self.__gt__(other) and self != other",
        "__ge__": "self.__gt__(other) or self == other",
        "__le__": "not self.__gt__(other)",
    },
    "__ge__": {
        "__le__": "not self.__ge__(other) or self == other",
        "__gt__": "self.__ge__(other) and self != other",
        "__lt__": "not self.__ge__(other)",
    },
}


def names(node: cst.ClassDef) -> frozenset[str]:
    """The comparisons that the text of a class defines."""
    methods = {one.name.value for one in statements(node.body) if isinstance(one, cst.FunctionDef)}
    return frozenset(methods & _MADE.keys())


def made(node: cst.ClassDef) -> Sequence[cst.FunctionDef]:
    """The methods that are added to the class."""
    own = names(node)
    first = next(name for name in _MADE if name in own)
    return [one for one in _methods(first) if one.name.value not in own]


@cache
def _methods(first: str) -> Sequence[cst.FunctionDef]:
    texts = [
        f"def {name}(self, other):\n    return {text}\n" for name, text in _MADE[first].items()
    ]
    body = cst.parse_module("".join(texts)).body
    return [stmt for stmt in body if isinstance(stmt, cst.FunctionDef)]
