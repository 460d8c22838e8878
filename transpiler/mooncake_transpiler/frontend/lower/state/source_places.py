"""Places of nodes of the syntax tree in the source."""

from __future__ import annotations

from functools import lru_cache

import libcst as cst

from mooncake_transpiler.diagnostics import Place
from mooncake_transpiler.frontend.entities import FunctionDecl, Module, Source


def place_in(module: Module, node: cst.CSTNode) -> Place | None:
    span = module.positions.get(node)
    if span is None:
        return None
    start, end = span.start, span.end
    last = end.column if end.line == start.line else len(_raw_line(module, start.line))
    return Place(module.path, start.line, start.column + 1, max(last, start.column + 1) + 1)


def source_line(module: Module, number: int) -> str:
    return _raw_line(module, number).strip()


def _raw_line(module: Module, number: int) -> str:
    lines = _lines(module.text)
    return lines[number - 1] if 0 < number <= len(lines) else ""


@lru_cache(maxsize=4)
def _lines(text: str) -> list[str]:
    return text.split("\n")


def place_of(source: Source, decl: FunctionDecl) -> Place:
    """The place of the name of ``decl``."""
    module = source.modules[decl.module]
    return place_in(module, decl.node.name) or Place(decl.module, 1, 1, 1)
