"""Programs about Python's own objects: modules in ``python/``, whose public functions they are.

A program is right, or it is refused with the code in the comment above it: ``# refused: MK343``.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.conformance.harness import Program
from tests.programs.inputs import arguments
from tests.property.reference import reference

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


def alone(program: Written) -> Program:
    """The module with no other program in it, at two points."""
    lines = text(program.theme).splitlines()
    others = {other.name for other in programs(program.theme)} - {program.name}
    for stmt in ast.parse(text(program.theme)).body:
        if isinstance(stmt, ast.FunctionDef) and stmt.name in others:
            assert stmt.end_lineno is not None
            lines[stmt.lineno - 1 : stmt.end_lineno] = [""] * (stmt.end_lineno - stmt.lineno + 1)
    source = "\n".join(lines)
    first = arguments(getattr(reference(source), program.name), program.theme)
    second = tuple(1.1 - x if isinstance(x, float) else x for x in first)
    return Program(source, (first, second), program.name)
