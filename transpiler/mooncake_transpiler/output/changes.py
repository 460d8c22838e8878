"""The changes of a run to OUT, and how they are made."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Place
from mooncake_transpiler.output.manifest import NAME, Manifest
from mooncake_transpiler.output.sources import VENDORED
from mooncake_transpiler.output.states import FileState, Layout
from mooncake_transpiler.output.writing import write_all

CODES: Mapping[FileState, str] = {
    FileState.STALE: "MK501",
    FileState.MISSING: "MK502",
    FileState.EDITED: "MK503",
    FileState.FOREIGN: "MK504",
    FileState.ORPHANED: "MK505",
}
CANNOT_WRITE = "MK506"
OUTSIDE = "MK507"


@dataclass(frozen=True, slots=True)
class Change:
    """One file to be written, or removed where ``content`` is None."""

    file: Path
    content: bytes | None
    state: FileState  # of what is there now
    source: str  # path of the module that it is made from, relative to SRC


Group = tuple[Change, ...]  # the files of one module: all are changed or none


def refusals(group: Group, layout: Layout, *, force: bool) -> list[Diagnostic]:
    """Reasons not to apply ``group``: work of others, unless forced, and places outside OUT."""
    protected = [change for change in group if change.state.is_protected and not force]
    elsewhere = [change for change in group if not layout.holds(change.file)]
    return [
        _diagnostic(change, f"{change.file} is {change.state.value}; it is left as it is", FORCE)
        for change in protected
    ] + [
        Diagnostic(OUTSIDE, f"{change.file} is not in {layout.out}", _place(change.file), MOVE)
        for change in elsewhere
    ]


MOVE = "a link to a folder is on the way there; put a folder in its place, or choose another OUT"
FORCE = "move what you want to keep elsewhere, or give --force to replace the file"
RERUN = "`mooncake-transpile SRC OUT` brings it up to date"


def out_of_date(group: Group) -> list[Diagnostic]:
    """The diagnostics of ``--check`` about ``group``."""
    found = []
    for change in group:
        message = f"{change.file} is {change.state.value}"
        if change.state is FileState.ORPHANED and VENDORED in change.file.parts:
            message += f": nothing needs {change.source} any more"
        elif change.state is FileState.ORPHANED:
            message += f": {change.source} has nothing to differentiate any more"
        elif change.state in (FileState.STALE, FileState.MISSING):
            message += f": it is to be made from {change.source}"
        help_ = FORCE if change.state.is_protected else RERUN
        found.append(_diagnostic(change, message, help_))
    return found


def _diagnostic(change: Change, message: str, help_: str) -> Diagnostic:
    return Diagnostic(CODES[change.state], message, _place(change.file), help_)


def _place(file: Path) -> Place:
    return Place(str(file), 1, 1, 1)


def diff(change: Change) -> str:
    """The unified diff of ``change``."""
    before = _lines(change.file.read_bytes() if change.file.is_file() else b"")
    after = _lines(change.content or b"")
    name = change.file.as_posix()
    return "".join(_ended(difflib.unified_diff(before, after, name, name)))


def _lines(content: bytes) -> list[str]:
    return content.decode("utf-8", "replace").splitlines(keepends=True)


def _ended(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def apply(group: Group) -> Diagnostic | None:
    """Change the files of one module; a diagnostic if the file system refuses."""
    if not group:
        return None
    try:
        write_all({c.file: c.content for c in group if c.content is not None})
        for change in group:
            if change.content is None:
                change.file.unlink(missing_ok=True)
    except OSError as error:
        return _cannot_write(error, group[0].file)
    return None


def _cannot_write(error: OSError, file: Path) -> Diagnostic:
    return Diagnostic(CANNOT_WRITE, f"cannot write: {error.strerror}", _place(file))


def record(layout: Layout, old: Manifest, new: Manifest) -> Diagnostic | None:
    """Write the record of copies in OUT; a diagnostic if the file system refuses."""
    try:
        if new != old:
            write_all({layout.out / NAME: new.render()})
    except OSError as error:
        return _cannot_write(error, layout.out / NAME)
    return None
