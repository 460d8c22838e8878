"""Diagnostics of differentiation: they point at a statement of the user's."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Place, Refused


def refused(code: str, message: str, origin: ir.Origin | None, help_: str) -> Refused:
    """A diagnostic at ``origin``, if there is one."""
    place = Place("", 1, 1, 1) if origin is None else origin.place
    return Refused(Diagnostic(code, message, place, help_))
