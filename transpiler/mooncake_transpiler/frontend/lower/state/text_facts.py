"""Facts about text that is not known ahead of time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Turned:
    """A fact about text: these methods make ``text`` of it, or (unless it ``holds``) do not."""

    methods: tuple[str, ...]
    text: str
    holds: bool
