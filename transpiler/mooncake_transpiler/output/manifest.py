"""The record in OUT of the modules that were copied there.

A copy is verbatim, so nothing in it tells it from a file of the user's. The record does: a file
that is listed with the hash that it has may be replaced or removed, any other may not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from mooncake_transpiler.output.digests import text_digest

NAME = ".mooncake-transpile"
TITLE = "# The modules that mooncake-transpile copied here, to tell them from other files."


@dataclass(frozen=True, slots=True)
class Manifest:
    """Hashes of copied modules, by path relative to OUT."""

    copies: dict[str, str] = field(default_factory=dict)

    def has(self, path: str, content: bytes) -> bool:
        """Whether ``content`` is what was copied to ``path``."""
        return self.copies.get(path) == text_digest(content)

    def render(self) -> bytes:
        lines = [f"{self.copies[path]}  {path}" for path in sorted(self.copies)]
        return "\n".join([TITLE, *lines, ""]).encode()


def read_manifest(out: Path) -> Manifest:
    """The record in ``out``; empty where there is none."""
    file = out / NAME
    if not file.is_file():
        return Manifest()
    lines = file.read_text("utf-8", "replace").splitlines()
    entries = (line.split("  ", 1) for line in lines if not line.startswith("#"))
    return Manifest({entry[1]: entry[0] for entry in entries if len(entry) == 2})
