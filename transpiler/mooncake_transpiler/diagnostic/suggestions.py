"""Names that were probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def closest(word: str, known: Iterable[str]) -> str | None:
    """The one of ``known`` that is spelt most like ``word``; None if none is like it."""
    by_lower = {name.lower(): name for name in sorted(known, reverse=True)}
    if word.lower() in by_lower:
        return by_lower[word.lower()]
    found = get_close_matches(word.lower(), by_lower, n=1, cutoff=0.65)
    return by_lower[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``": did you mean 'wrt'?"``, or nothing where no name is close."""
    found = closest(word, known)
    return f": did you mean {found!r}?" if found else ""
