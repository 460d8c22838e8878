"""Blocks of random statements, of the kinds that a program is made of."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from tests.property.expressions import Expressions

Lines = list[str]
DEPTH = 3  # of blocks in blocks


@dataclass(frozen=True, slots=True)
class Place:
    """The context of a statement; ``size``: the number of statements that a block may have."""

    size: int
    depth: int = 0
    looping: bool = False


class Writer(Expressions):
    """Draws statements of the kinds ``simple`` and ``compound``; every run of them ends."""

    def __init__(
        self, random: Random, size: int, simple: tuple[Simple, ...], compound: tuple[Simple, ...]
    ) -> None:
        super().__init__(random)
        self.place = Place(size)
        self.simple, self.compound = simple, compound
        self.count = 0

    @property
    def straight(self) -> bool:
        """True if each statement here runs once."""
        return self.place.depth == 0

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def body(self, *, looping: bool = False, small: bool = False) -> Lines:
        """An indented block; what is bound in it is forgotten. ``looping``: of a loop."""
        with self.scope(), self._inside(looping or self.place.looping, small):
            return indented(self.statements())

    @contextmanager
    def _inside(self, looping: bool, small: bool) -> Iterator[None]:
        outer = self.place
        self.place = Place(1 if small else max(1, outer.size - 1), outer.depth + 1, looping)
        yield
        self.place = outer

    def statements(self, least: int = 1) -> Lines:
        lines: Lines = []
        for _ in range(self.random.randint(least, max(least, self.place.size))):
            lines += self.statement()
        return lines

    def statement(self) -> Lines:
        place = self.place
        if place.depth < DEPTH and self.chance(0.32):
            return self.choice(self.compound)(self)
        if place.looping and self.chance(0.1):
            return [f"if {self.condition()}:", f"    {self.choice(('break', 'continue'))}"]
        if place.depth and self.chance(0.04):
            return [f"if {self.condition()}:", f"    return {self.number(1)}"]
        return self.choice(self.simple)(self)

    def function(self, head: str, parameters: tuple[str, ...]) -> Lines:
        """A nested function with a float result; it may rebind what it sees."""
        outside = self.names.simple()
        with self.scope():
            self.names.floats += parameters
            with self._inside(looping=False, small=True):
                body = [*self.statements(), f"return {self.bounded(1)}"]
        rebound = sorted((assigned(body) & outside) - {*parameters})
        rebinds = [f"nonlocal {', '.join(rebound)}"] if rebound else []
        return [head, *indented([*rebinds, *body])]


Simple = Callable[[Writer], Lines]


def assigned(lines: Lines) -> set[str]:
    """The names that statements bind, those of nested functions' bodies left out."""
    found: set[str] = set()
    pending: list[ast.AST] = [ast.parse("def f():\n" + "\n".join(indented(lines)))]
    pending = list(ast.iter_child_nodes(pending[0].body[0]))  # type: ignore[attr-defined]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        pending += ast.iter_child_nodes(node)
    return found


def indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]
