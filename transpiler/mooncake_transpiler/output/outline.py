"""Outlines of modules, imports and definitions: enough to tell if a module must be read at all."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

PLAIN = frozenset({"int", "bool", "str", "bytes", "None"})  # annotations that carry no floats

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class ModuleOutline:
    """Imports and definitions of a module; ``None`` where this Python can't parse it."""

    imports: frozenset[str] | None  # dotted names that may be modules of the program
    functions: frozenset[str] | None
    may_differentiate: bool  # some function may get derivatives


def outline(content: bytes, package: str) -> ModuleOutline:
    """The outline of a module in ``package`` (empty at the top level)."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ModuleOutline(None, None, True)
    functions = [stmt for stmt in tree.body if isinstance(stmt, Function)]
    return ModuleOutline(
        imports=frozenset(_imports(tree, package)),
        functions=frozenset(function.name for function in functions),
        may_differentiate=any(map(_may_differentiate, functions)),
    )


def _imports(tree: ast.Module, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    yield from _prefixes(alias.name)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = _absolute(module or "", level, package)
                yield from _prefixes(base) if base else ["__init__"]
                yield from (f"{base}.{alias.name}".strip(".") for alias in names)
            case _:
                pass


def _absolute(module: str, level: int, package: str) -> str:
    """The absolute name of what ``level`` dots and ``module`` stand for in ``package``."""
    if level == 0:
        return module
    parts = package.split(".") if package else []
    kept = parts[: len(parts) - (level - 1)]
    return ".".join([*kept, *filter(None, [module])])


def _prefixes(name: str) -> Iterator[str]:
    """``a``, ``a.b`` and ``a.b.c`` for ``a.b.c``: importing a module runs its packages, too."""
    parts = name.split(".")
    yield from (".".join(parts[: n + 1]) for n in range(len(parts)) if parts[0])


def _may_differentiate(function: Function) -> bool:
    """True if ``function`` is public and annotated (or half so), and may take floats."""
    arguments = function.args
    params = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    notes = [param.annotation for param in params]
    if function.name.startswith("_") or not any([function.returns, *notes]):
        return False
    return any(note is None or ast.unparse(note) not in PLAIN for note in notes)
