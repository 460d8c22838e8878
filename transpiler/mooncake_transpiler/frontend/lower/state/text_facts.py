"""Text that is not known ahead of time: as a number, and facts about it."""

from __future__ import annotations

from dataclasses import dataclass

from mooncake_transpiler import ir


@dataclass(frozen=True, slots=True)
class RunText:
    """Text that the run tells, by its number; it has a type that says so (``Held.TEXT``)."""

    number: ir.Atom


@dataclass(frozen=True, slots=True)
class Turned:
    """A fact about text: these methods make ``text`` of it, or (unless it ``holds``) do not."""

    methods: tuple[str, ...]
    text: str
    holds: bool
