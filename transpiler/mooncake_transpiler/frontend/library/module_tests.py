"""Tests of the array library: ``xp is np`` for ``xp = cp.get_array_module(x)``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.name.resolve import Resolver
from mooncake_transpiler.frontend.text.trees import walk
from mooncake_transpiler.types import ArrayLibrary

MODULES = frozenset({"numpy", "scipy"})


@dataclass(frozen=True, slots=True)
class ModuleTest:
    """A test that names a module, and what runs for the arrays of each library only."""

    named: cst.CSTNode
    branches: tuple[tuple[ArrayLibrary, cst.CSTNode], ...]


def module_tests(resolver: Resolver, module: str, node: cst.CSTNode) -> Iterator[ModuleTest]:
    """The tests of modules that decide between branches within ``node``."""
    for part in walk(node):
        if not isinstance(part, cst.If | cst.IfExp):
            continue
        match part.test:
            case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator, right)]):
                for named in (left, right):
                    library = _library(resolver, module, named)
                    if library is not None and type(operator) in (*_SAME, *_DIFFERENT):
                        yield _tested(part, named, library, type(operator) in _SAME)
            case _:
                pass


_SAME = (cst.Is, cst.Equal)
_DIFFERENT = (cst.IsNot, cst.NotEqual)


def _tested(
    part: cst.If | cst.IfExp, named: cst.CSTNode, library: ArrayLibrary, is_same: bool
) -> ModuleTest:
    (other,) = (one for one in ArrayLibrary if one is not library)
    libraries = (library, other) if is_same else (other, library)
    pairs = zip(libraries, (part.body, part.orelse), strict=True)
    return ModuleTest(named, tuple((of, branch) for of, branch in pairs if branch is not None))


def _library(resolver: Resolver, module: str, node: cst.CSTNode) -> ArrayLibrary | None:
    match resolver.lookup(module, node):
        case External(qualname=qualname, library=library) if qualname in MODULES:
            return library
        case _:
            return None
