"""Programs about Python's own objects: modules in ``python/``, whose functions are the programs.

A program is right, or it is refused with the code that a comment above it names: ``# refused:
MK343``. Numbers of other parameters than floats are drawn by annotation.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Refusal, compiled, gradient_body, module
from tests.programs.inputs import arguments

FOLDER = Path(__file__).parent / "python"
THEMES = sorted(file.stem for file in FOLDER.glob("*.py"))
MARK = re.compile(r"# refused: (MK\d{3})$")


@dataclass(frozen=True, slots=True)
class Program:
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
def programs(theme: str) -> tuple[Program, ...]:
    lines = text(theme).splitlines()
    found = []
    for stmt in ast.parse(text(theme)).body:
        if isinstance(stmt, ast.FunctionDef) and not stmt.name.startswith("_"):
            mark = MARK.match(lines[stmt.lineno - 2])
            found.append(Program(theme, stmt.name, mark[1] if mark else None))
    return tuple(found)


def only(theme: str, names: Sequence[str]) -> str:
    """The module without the programs that are not among ``names``."""
    lines = text(theme).splitlines()
    others = {p.name for p in programs(theme)} - set(names)
    for stmt in ast.parse(text(theme)).body:
        if isinstance(stmt, ast.FunctionDef) and stmt.name in others:
            assert stmt.end_lineno is not None
            lines[stmt.lineno - 1 : stmt.end_lineno] = [""] * (stmt.end_lineno - stmt.lineno + 1)
    return "\n".join(lines)


def codes(program: Program) -> set[str]:
    """The codes that ``program`` is refused with."""
    (product,) = compiled({f"{program.theme}.py": only(program.theme, [program.name])}).values()
    try:
        gradient_body(product)
    except Refusal as refusal:
        return {diagnostic.code for diagnostic in refusal.diagnostics}
    return set()


@cache
def primal(theme: str) -> ModuleType:
    made = sys.modules[theme] = ModuleType(theme)
    exec(compile(text(theme), f"<{theme}>", "exec", dont_inherit=True), made.__dict__)
    return made


@cache
def gradient(theme: str, jit: bool, names: tuple[str, ...]) -> ModuleType:
    (product,) = compiled({f"{theme}.py": only(theme, names)}).values()
    return module(gradient_body(product), f"{theme}_grad", jit=jit)


def accepted(theme: str) -> tuple[str, ...]:
    return tuple(p.name for p in programs(theme) if p.code is None)


def check(program: Program, *, jit: bool = False) -> None:
    """Value, arguments afterwards, gradient, forward mode against the program itself, twice."""
    function: Callable[..., object] = getattr(primal(program.theme), program.name)
    given = arguments(function, program.theme)
    others = tuple(1.1 - x if isinstance(x, float) else x for x in given)
    generated = gradient(program.theme, jit, accepted(program.theme))
    for args in (given, others):
        check_gradients(function, generated, args)
