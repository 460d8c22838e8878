"""The form of docstrings: first lines say what a thing is or returns."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TRANSPILER = ROOT / "transpiler" / "mooncake_transpiler"
# A first line says what a thing is or returns: "True if known", not "Whether it is known".
INDIRECT = re.compile(r"(Whether|What|How|Where|Which|That|Those|Who)\b")
PENDING = tuple(
    TRANSPILER / name for name in ("ad", "analysis", "emit", "frontend/lower", "passes")
)


def first_lines(file: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield getattr(node, "lineno", 1), text.splitlines()[0]


@pytest.mark.parametrize("top", ["rules", "runtime", "tests", "transpiler"])
def test_docstrings_say_what_a_thing_is(top: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}: {text}"
        for file in sorted((ROOT / top).rglob("*.py"))
        if not any(file.is_relative_to(folder) for folder in PENDING)
        for line, text in first_lines(file)
        if INDIRECT.match(text)
    ]
    assert found == []
