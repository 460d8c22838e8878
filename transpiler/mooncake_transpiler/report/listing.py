"""The text of the source: functions as sections, and where the statement of each line begins."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mooncake_transpiler.report.findings import Section, SourceLine, Spot


@dataclass(slots=True)
class Listing:
    """A module of the source: its text, and its functions, nested ones with those around them."""

    path: str
    text: str
    tree: ast.Module = field(init=False)
    lines: list[str] = field(init=False)
    starts: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.tree = ast.parse(self.text)
        self.lines = self.text.splitlines()
        self.starts = _starts(self.tree)

    def functions(self) -> list[ast.FunctionDef]:
        """The functions and methods, in their order."""
        found = []
        for node in self.tree.body:
            inner = node.body if isinstance(node, ast.ClassDef) else [node]
            found += [item for item in inner if isinstance(item, ast.FunctionDef)]
        return found

    def function(self, line: int) -> ast.FunctionDef | None:
        """The function that ``line`` stands in."""
        return next((f for f in self.functions() if _first(f) <= line <= _last(f)), None)

    def section(self, func: ast.FunctionDef, tags: Mapping[Spot, tuple[str, ...]]) -> Section:
        """The text of ``func``, with the tags of its lines."""
        numbers = range(_first(func), _last(func) + 1)
        lines = (self._line(number, tags) for number in numbers)
        return Section(self.path, func.name, tuple(lines))

    def _line(self, number: int, tags: Mapping[Spot, tuple[str, ...]]) -> SourceLine:
        start = self.starts.get(number, number)
        own = tags.get((self.path, start), ()) if start == number else ()
        return SourceLine(number, start, self.lines[number - 1], own)


def _first(func: ast.FunctionDef) -> int:
    return min([func.lineno, *(node.lineno for node in func.decorator_list)])


def _last(func: ast.FunctionDef) -> int:
    return func.end_lineno or func.lineno


def _starts(tree: ast.Module) -> dict[int, int]:
    """The first line of the innermost statement that each line belongs to."""
    found: dict[int, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            inner = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno
            for line in range(node.lineno, max(inner or 0, node.lineno) + 1):
                found[line] = max(found.get(line, 0), node.lineno)
    return found


def sections(
    own: Spot, spots: Iterable[Spot], listings: Mapping[str, Listing],
    tags: Mapping[Spot, tuple[str, ...]],
) -> list[tuple[Listing, ast.FunctionDef, Section]]:  # fmt: skip
    """The function at ``own``, then those of other ``spots``, each once."""
    found: dict[tuple[str, int], tuple[Listing, ast.FunctionDef, Section]] = {}
    for path, line in (own, *sorted(spots)):
        listing = listings.get(path)
        func = listing.function(line) if listing else None
        if listing and func and (path, func.lineno) not in found:
            found[path, func.lineno] = listing, func, listing.section(func, tags)
    return list(found.values())
