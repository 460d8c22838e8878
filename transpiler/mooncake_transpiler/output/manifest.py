"""The record in OUT of the modules that were copied there.

A copy is verbatim, so nothing in it tells it from a file of the user's. The record does: a file
that is listed with a hash that it has may be replaced or removed, any other may not. It is written
before the copies, with the hashes of the old ones and of the new: a run that is killed in between
leaves nothing that the next one does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath

from mooncake_transpiler.config import ConfigError
from mooncake_transpiler.output.digests import text_digest

NAME = ".mooncake-transpile"
TITLE = "# The modules that mooncake-transpile copied here, to tell them from other files."


@dataclass(frozen=True, slots=True)
class Manifest:
    """Hashes of copied modules, by path relative to OUT: of what is there, or is on its way."""

    copies: dict[str, frozenset[str]] = field(default_factory=dict)

    def has(self, path: str, content: bytes) -> bool:
        """True if ``content`` is what was copied to ``path``."""
        return text_digest(content) in self.copies.get(path, frozenset())

    def with_copies(self, copied: Mapping[str, bytes], *, before: bool = False) -> Manifest:
        """The record after ``copied`` is written; ``before`` that, either content may be there."""
        new = {path: frozenset({text_digest(content)}) for path, content in copied.items()}
        if before:
            new = {
                path: hashes | self.copies.get(path, frozenset()) for path, hashes in new.items()
            }
        return Manifest(self.copies | new)

    def without(self, paths: Iterable[str]) -> Manifest:
        """The record when nothing was copied to ``paths``."""
        gone = set(paths)
        return Manifest({path: hashes for path, hashes in self.copies.items() if path not in gone})

    def render(self) -> bytes:
        rows = (
            (path, hash_) for path in sorted(self.copies) for hash_ in sorted(self.copies[path])
        )
        return "\n".join([TITLE, *(f"{hash_}  {path}" for path, hash_ in rows), ""]).encode()


def read_manifest(out: Path) -> Manifest:
    """The record in ``out``; empty where there is none. It may name nothing outside ``out``."""
    file = out / NAME
    if not file.is_file():
        return Manifest()
    copies: dict[str, frozenset[str]] = {}
    for line in file.read_text("utf-8", "replace").splitlines():
        hash_, found, path = line.partition("  ")
        if line.startswith("#") or not found:
            continue
        if not _is_below(path):
            raise ConfigError(
                f"{file} names {path!r}, which is not a path in {out}: remove the line"
            )
        copies[path] = copies.get(path, frozenset()) | {hash_}
    return Manifest(copies)


def _is_below(path: str) -> bool:
    """True if ``path`` leads down from its start on every system."""
    parts = PurePosixPath(path).parts
    return (
        bool(parts)
        and ".." not in parts
        and "\\" not in path
        and not (path.startswith("/") or PureWindowsPath(path).anchor)
    )
