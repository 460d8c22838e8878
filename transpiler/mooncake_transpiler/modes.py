"""The kinds of derivatives that can be asked for, in directives and in ``pyproject.toml``."""

from __future__ import annotations

from mooncake_transpiler.diagnostic.suggestions import did_you_mean

MODES = ("reverse", "forward", "hvp", "hessian", "jacobian")
MAX_ORDER = 6  # of derivatives of derivatives: each makes the one before several times longer
DEFAULT_MODES = ("reverse", "forward")  # what is emitted if none are asked for

KNOWN = f"{', '.join(MODES)}, and up to {MAX_ORDER} of the first two with -over- between them"


def is_mode(name: str) -> bool:
    """True if ``name`` is a mode, or a composition of modes."""
    return name in MODES or is_composition(name)


def is_composition(name: str) -> bool:
    """True if ``name`` asks for derivatives of derivatives: ``reverse-over-reverse``."""
    parts = name.split("-over-")
    return 1 < len(parts) <= MAX_ORDER and all(part in DEFAULT_MODES for part in parts)


def unknown_mode(name: str) -> str:
    """The message about a mode that there is not."""
    return f"unknown mode {name!r}{did_you_mean(name, MODES) or f'; known: {KNOWN}'}"
