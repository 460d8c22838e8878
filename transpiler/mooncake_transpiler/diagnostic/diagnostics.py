"""Errors in the user's source: a code, a place, a message and a way out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Start = tuple[str, int, int]  # of a place: its file, line and column


@dataclass(frozen=True, slots=True)
class Place:
    """A span of one line of a user's file; lines and columns count from 1."""

    path: str
    line: int
    col: int
    end_col: int

    @property
    def start(self) -> Start:
        return self.path, self.line, self.col


@dataclass(frozen=True, slots=True)
class Diagnostic:
    code: str  # "MK204", explained in codes.md
    message: str
    place: Place
    help: str | None = None


class Refused(Exception):
    """Raised where processing of one function (or module) can't go on; at which ``statement``."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(f"{diagnostic.code}: {diagnostic.message}")
        self.diagnostic = diagnostic
        self.statement: object = None


class TooMuch(Exception):
    """Raised where something is larger than what is worked with; who knows the place says so."""


TOO_LARGE = "MK191"
TOO_LARGE_HELP = "use arrays and loops, or split it into several functions"


def by_place(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """In the order of the user's files, each once."""
    return sorted(
        dict.fromkeys(diagnostics),
        key=lambda d: (d.place.path, d.place.line, d.place.col, d.code, d.message),
    )


def merge(first: Iterable[Diagnostic], later: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Both, but from ``later`` only what concerns lines that ``first`` has nothing to say on.

    A later step often stumbles over what an earlier one has reported already.
    """
    known = by_place(first)
    lines = {(d.place.path, d.place.line) for d in known}
    return by_place([*known, *(d for d in later if (d.place.path, d.place.line) not in lines)])
