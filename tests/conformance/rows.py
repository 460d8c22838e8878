"""Many small programs about one thing: rows, judged alone or many in one function, a table.

A row that has no number at one of the points, or raises there, is always judged alone.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from mooncake_runtime.tangents import Tree

from tests.conformance.harness import Outcome, Program, outcomes
from tests.conformance.inputs import HEADER
from tests.helpers.transpile import module
from tests.property.primal import Discarded, discarding

Point = Mapping[str, Tree]  # arguments by their names
NAME = re.compile(r"\b[a-z]\w*\b")


@dataclass(frozen=True, slots=True)
class Row:
    """Statements and then a number; ``{t}`` is a name of their own."""

    key: str  # what it is about, as people read it
    result: str
    before: tuple[str, ...] = ()

    def lines(self, name: str) -> list[str]:
        return [line.replace("{t}", name) for line in self.before]

    def number(self, name: str) -> str:
        return self.result.replace("{t}", name)


@dataclass(frozen=True, slots=True)
class Subject:
    """The context of rows: parameters with their annotations, and the points of evaluation."""

    parameters: Mapping[str, str]
    points: tuple[Point, ...]

    def alone(self, row: Row) -> Program:
        """A program of one row."""
        return self._program([*row.lines("t"), f"return {row.number('t')}"], "float")

    def table(self, rows: Sequence[Row]) -> Program:
        """A program of many rows: its result has their numbers."""
        lines = [f"out = np.zeros({len(rows)})"]
        for at, row in enumerate(rows):
            lines += [*row.lines(f"t{at}"), f"out[{at}] = {row.number(f't{at}')}"]
        return self._program([*lines, "return out"], 'Annotated[NDArray[np.float64], "l"]')

    def numbers(self, row: Row) -> list[Tree]:
        """The results of the row in plain Python at each point: a number or an exception."""
        program = self.alone(row)
        f = module(program.source, "program").f
        found: list[Tree] = []
        for point in program.points:
            try:
                with discarding():
                    found.append(f(*_copied(point)))
            except Discarded as failed:
                found.append(failed.__cause__)
        return found

    def row_at(self, program: Program, rows: Sequence[Row], line: int) -> int | None:
        """The number of the row of a table that a line belongs to; None if it belongs to none."""
        last = program.source.split("\n").index("    return out") + 1
        for at in range(len(rows) - 1, -1, -1):
            last -= len(rows[at].before) + 1
            if line > last - 1:
                return at if line < last + len(rows[at].before) + 1 else None
        return None

    def is_error(self, row: Row) -> bool:
        """True if the row is a TypeError at all points, in Python itself."""
        return all(isinstance(number, TypeError) for number in self.numbers(row))

    def _program(self, lines: Sequence[str], result: str) -> Program:
        used = {name for line in lines for name in NAME.findall(line)}
        names = [name for name in self.parameters if name in used]
        head = ", ".join(f"{name}: {self.parameters[name]}" for name in names)
        body = "\n".join(f"    {line}" for line in lines)
        points = tuple(tuple(point[name] for name in names) for point in self.points)
        return Program(f"{HEADER}\n\ndef f({head}) -> {result}:\n{body}\n", points)


def _copied(point: int | tuple[Tree, ...]) -> list[Tree]:
    assert isinstance(point, tuple)
    return [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in point]


@dataclass(frozen=True)
class Theme:
    """Rows about one thing; ``every``: also those that Python can make nothing of."""

    name: str
    subject: Subject
    every: tuple[Row, ...]

    @cached_property
    def rows(self) -> list[Row]:
        """All that mean something in Python, and some that do not."""
        return [r for r in self.every if self.chosen(r, 32) or not self.subject.is_error(r)]

    def chosen(self, row: Row, part: int) -> bool:
        """One row in ``part``, the same ones always."""
        return zlib.crc32(f"{self.name}: {row.key}".encode()) % part == 0

    def outcomes(
        self, refused: Container[str] = (), *, part: int = 1, jit: bool = False
    ) -> dict[str, Outcome]:
        """The outcomes of the rows by their keys.

        Those that are known to be refused, and those that have no number somewhere, are judged
        alone: one in ``part``, the latter also in a table, at points where they have one.
        """
        found: dict[str, Outcome] = {}
        known = [row for row in self.rows if row.key in refused]
        numbers = {row.key: self.subject.numbers(row) for row in self.rows}
        for table, points in self._tables([row for row in self.rows if row not in known], numbers):
            found |= self._together(table, points, jit)
        wild = [row for row in self.rows if row.key in numbers and not is_tame(numbers[row.key])]
        rest = [row for row in self.rows if row.key not in found and row not in known]
        some = [row for row in (*known, *wild) if self.chosen(row, part) and row not in rest]
        alone = [row for row in (*rest, *some) if not found.get(row.key, FINE).is_wrong]
        judged = outcomes([self.subject.alone(row) for row in alone], jit=jit)
        return found | {row.key: outcome for row, outcome in zip(alone, judged, strict=True)}

    def _tables(
        self, rows: Sequence[Row], numbers: Mapping[str, Sequence[Tree]]
    ) -> Iterator[tuple[list[Row], slice]]:
        """Rows with numbers at all points, and those with some at the first two only."""
        tame = [row for row in rows if is_tame(numbers[row.key])]
        yield tame, slice(None)
        yield [r for r in rows if r not in tame and is_tame(numbers[r.key][:2])], slice(2)

    def _together(self, rows: list[Row], points: slice, jit: bool) -> dict[str, Outcome]:
        """The outcomes of rows in a table, without those that are better judged alone."""
        refused: dict[str, Outcome] = {}
        while rows:
            program = self.subject.table(rows)
            program = replace(program, points=program.points[points])
            outcome = next(outcomes([program], jit=jit))
            if outcome.is_wrong:
                return refused
            if not outcome.is_refusal:
                return refused | {row.key: outcome for row in rows}
            at = self.subject.row_at(program, rows, outcome.line)
            if at is None:
                return refused
            refused[rows[at].key] = outcome
            rows = [*rows[:at], *rows[at + 1 :]]
        return refused


FINE = Outcome("fine")


def is_tame(numbers: Sequence[Tree]) -> bool:
    """True if all are finite numbers."""
    return all(np.isscalar(n) and bool(np.isfinite(n)) for n in numbers)
