"""What is wrong with the user's source: a code, a place, a message and a way out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A span of one line of a user's file; lines and columns count from 1."""

    path: str
    line: int
    col: int
    end_col: int


@dataclass(frozen=True, slots=True)
class Diagnostic:
    code: str  # "MK204", documented in codes.py
    message: str
    place: Place
    help: str | None = None


class Refused(Exception):
    """Raised where processing of one function (or module) can't go on."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(f"{diagnostic.code}: {diagnostic.message}")
        self.diagnostic = diagnostic
