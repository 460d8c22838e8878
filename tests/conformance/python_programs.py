"""Programs about Python's own objects: modules in ``python/``, whose public functions they are.

A program is right, or it is refused with the code in the comment above it: ``# refused: MK343``.
The right ones of a theme are transpiled together, each other one alone.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

from mooncake_runtime.tangents import Tree
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Refusal, compiled, gradient_body, module
from tests.programs.inputs import arguments

FOLDER = Path(__file__).parent / "python"
THEMES = sorted(file.stem for file in FOLDER.glob("*.py"))
MARK = re.compile(r"# refused: (MK\d{3})$")


@dataclass(frozen=True, slots=True)
class Written:
    """A function of a theme; ``code``: how it is refused, if it is."""

    theme: str
    name: str
    code: str | None

    def __str__(self) -> str:
        return f"{self.theme}.{self.name}"


@cache
def text(theme: str) -> str:
    return (FOLDER / f"{theme}.py").read_text()


@cache
def programs(theme: str) -> tuple[Written, ...]:
    lines = text(theme).splitlines()
    found = []
    for stmt in ast.parse(text(theme)).body:
        if isinstance(stmt, ast.FunctionDef) and not stmt.name.startswith("_"):
            mark = MARK.match(lines[stmt.lineno - 2])
            found.append(Written(theme, stmt.name, mark[1] if mark else None))
    return tuple(found)


def accepted(theme: str) -> list[Written]:
    return [program for program in programs(theme) if program.code is None]


def gradients(theme: str, names: Collection[str]) -> str:
    """The gradient module of the theme with no other programs than ``names``."""
    lines = text(theme).splitlines()
    others = {program.name for program in programs(theme)} - {*names}
    for stmt in ast.parse(text(theme)).body:
        if isinstance(stmt, ast.FunctionDef) and stmt.name in others:
            assert stmt.end_lineno is not None
            lines[stmt.lineno - 1 : stmt.end_lineno] = [""] * (stmt.end_lineno - stmt.lineno + 1)
    (product,) = compiled({f"{theme}.py": "\n".join(lines)}).values()
    return gradient_body(product)


def codes(program: Written) -> set[str]:
    """The codes that ``program`` is refused with."""
    try:
        gradients(program.theme, [program.name])
    except Refusal as refusal:
        return {diagnostic.code for diagnostic in refusal.diagnostics}
    return set()


@cache
def primal(theme: str) -> ModuleType:
    return module(text(theme), theme)


@cache
def _accepted_gradients(theme: str) -> str:
    return gradients(theme, {program.name for program in accepted(theme)})


@cache
def gradient(theme: str, jit: bool) -> ModuleType:
    primal(theme)  # which is imported
    return module(_accepted_gradients(theme), f"{theme}_grad", jit=jit)


def check(program: Written, generated: ModuleType) -> None:
    """The value and all derivatives in ``generated`` at two points, against the program itself."""
    function: Callable[..., Tree] = getattr(primal(program.theme), program.name)
    first = arguments(function, program.theme)
    second = tuple(1.1 - x if isinstance(x, float) else x for x in first)
    for args in (first, second):
        check_gradients(function, generated, args)


def forget() -> None:
    """Let other modules have the names of the themes again."""
    for theme in THEMES:
        sys.modules.pop(theme, None)
        sys.modules.pop(f"{theme}_grad", None)
