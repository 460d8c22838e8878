"""Dimensions as jaxtyping writes them: ``"n m"``, ``"3 n+1"``, ``"_"``."""

from __future__ import annotations

import ast

from mooncake_transpiler.frontend.entities import Dim

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv)


def parse_dims(text: str) -> tuple[Dim, ...]:
    """The dimensions in ``text``; ``ValueError`` says what can't be understood."""
    return tuple(map(_dim, text.split()))


def _dim(word: str) -> Dim:
    if word == "..." or word.startswith("*"):
        raise ValueError(f"the dimension {word!r} leaves the rank open")
    if word.startswith("_"):
        return None
    name, eq, size = word.partition("=")  # "rows=3": the name only explains
    if eq and name.isidentifier():
        word = size
    if word.isdecimal():
        return int(word)
    try:
        tree = ast.parse(word, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if tree is None or not _is_arithmetic(tree):
        raise ValueError(f"{word!r} is not a dimension: use a name, a number or e.g. n+1")
    return word


def _is_arithmetic(tree: ast.expr) -> bool:
    match tree:
        case ast.Name():
            return True
        case ast.Constant(value=value):
            return type(value) is int
        case ast.BinOp(left=left, op=op, right=right):
            return isinstance(op, _ARITHMETIC) and _is_arithmetic(left) and _is_arithmetic(right)
        case _:
            return False
