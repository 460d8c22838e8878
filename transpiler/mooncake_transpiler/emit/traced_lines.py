"""Lines that know which statements of the normal form they write."""

from __future__ import annotations

from collections.abc import Iterable

from mooncake_transpiler import ir


class Line(str):
    """A line of a function, and the statements that it writes: its own first, folded ones after."""

    __slots__ = ("stmts",)
    stmts: tuple[ir.Stmt, ...]

    def __new__(cls, text: str, stmts: Iterable[ir.Stmt] = ()) -> Line:
        line = super().__new__(cls, text)
        line.stmts = tuple(dict.fromkeys(stmts))
        return line


def statements(*lines: str) -> Iterable[ir.Stmt]:
    """The statements that ``lines`` write."""
    return (stmt for line in lines if isinstance(line, Line) for stmt in line.stmts)


def rewritten(text: str, *lines: str) -> Line:
    """``text``, which stands for ``lines``."""
    return Line(text, statements(*lines))
