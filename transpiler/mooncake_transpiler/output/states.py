"""States of the files in OUT, compared with the sources that they are made from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from mooncake_transpiler.output.header import Header, is_marked, read
from mooncake_transpiler.output.manifest import Manifest, read_manifest
from mooncake_transpiler.output.sources import SourceFile, Sources


class FileState(Enum):
    FRESH = "up to date"
    STALE = "stale"
    MISSING = "missing"
    EDITED = "edited by hand"
    FOREIGN = "not a file of ours"
    ORPHANED = "orphaned"

    @property
    def is_protected(self) -> bool:
        """True if the file holds somebody's work and is replaced on demand only."""
        return self in (FileState.EDITED, FileState.FOREIGN)


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of files: ``a/b.py`` and ``a/b_grad.py`` under ``out`` for ``a/b.py``."""

    out: Path
    in_place: bool

    def copy(self, path: str) -> Path | None:
        return None if self.in_place else self.out / path

    def gradient(self, path: str) -> Path:
        return self.out / f"{path.removesuffix('.py')}_grad.py"

    def holds(self, file: Path) -> bool:
        """True if ``file`` is in OUT, and no link to a folder is on the way to it."""
        if not file.is_relative_to(self.out):
            return False
        folders = [folder for folder in file.parents if folder.is_relative_to(self.out)]
        return not any(folder.is_symlink() for folder in folders if folder != self.out)


def gradient_state(file: Path, expected: Header) -> FileState:
    """The state of a gradient module; the body hash in ``expected`` is not looked at."""
    if not _exists(file):
        return FileState.MISSING
    found = read(file)
    if found is None:
        return FileState.FOREIGN
    if not found.is_intact:
        return FileState.EDITED
    fresh = found.header.same_inputs(expected) and found.header.tool == expected.tool
    return FileState.FRESH if fresh else FileState.STALE


def copy_state(file: Path, source: SourceFile, manifest: Manifest) -> FileState:
    """The state of the copy of a module."""
    if not _exists(file):
        return FileState.MISSING
    try:
        content = file.read_bytes()
    except OSError:
        return FileState.FOREIGN
    if content == source.content:
        return FileState.FRESH
    if manifest.has(source.path, content):
        return FileState.STALE
    return FileState.EDITED if source.path in manifest.copies else FileState.FOREIGN


def _exists(file: Path) -> bool:
    """True if there is such a file; a name that is too long names none."""
    try:
        return file.exists()
    except OSError:
        return False


@dataclass(frozen=True, slots=True)
class Orphan:
    """A file of ours whose source is gone."""

    file: Path
    path: str  # relative to OUT
    is_intact: bool


def find_orphans(sources: Sources, layout: Layout) -> list[Orphan]:
    """The files of an earlier run without a source; none if a single module is compiled."""
    if sources.is_single or not layout.out.is_dir():
        return []
    known = sources.paths | {file.path for file in sources.generated.values()}
    package = "".join(f"{part}/" for part in sources.package.split(".") if part)
    manifest = Manifest() if layout.in_place else read_manifest(layout.out)
    return [*_copies(layout, manifest, known), *_gradients(layout, manifest, known, package)]


def _copies(layout: Layout, manifest: Manifest, known: frozenset[str]) -> Iterator[Orphan]:
    for path in sorted(set(manifest.copies) - known):
        file = layout.out / path
        if file.is_file():
            yield Orphan(file, path, manifest.has(path, file.read_bytes()))


def _gradients(
    layout: Layout, manifest: Manifest, known: frozenset[str], package: str
) -> Iterator[Orphan]:
    for file in _marked_files(layout.out):
        path = file.relative_to(layout.out).as_posix()
        source = f"{path.removesuffix('_grad.py')}.py"
        # With a source of its own beside it, it belongs to somebody else's run.
        if source in known or (source not in manifest.copies and (layout.out / source).exists()):
            continue
        found = read(file)
        if found is not None and found.header.module == package + source:
            yield Orphan(file, path, found.is_intact)


def _marked_files(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__pycache__")))
        for name in sorted(files):
            file = Path(parent, name)
            if name.endswith("_grad.py") and not name.startswith(".") and is_marked(file):
                yield file
