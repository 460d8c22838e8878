"""What a run would do to OUT, and doing it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mooncake_transpiler.diagnostics import Diagnostic, Place
from mooncake_transpiler.output.digests import text_digest
from mooncake_transpiler.output.manifest import NAME, Manifest, read_manifest
from mooncake_transpiler.output.sources import VENDORED
from mooncake_transpiler.output.states import Layout, State
from mooncake_transpiler.output.writing import write_all

CODES: Mapping[State, str] = {
    State.STALE: "MK501",
    State.MISSING: "MK502",
    State.EDITED: "MK503",
    State.FOREIGN: "MK504",
    State.ORPHANED: "MK505",
}
CANNOT_WRITE = "MK506"


@dataclass(frozen=True, slots=True)
class Change:
    """One file to be written, or removed where ``content`` is None."""

    file: Path
    content: bytes | None
    state: State  # of what is there now
    source: str  # path of the module that it is made from, relative to SRC


Group = tuple[Change, ...]  # the files of one module: all are changed or none


def refusals(group: Group) -> list[Diagnostic]:
    """Why ``group`` must not be applied unless it is forced."""
    return [
        _diagnostic(change, f"{change.file} is {change.state.value}; it is left as it is", FORCE)
        for change in group
        if change.state.is_protected
    ]


FORCE = "move what you want to keep elsewhere, or give --force to replace the file"
RERUN = "run mooncake-transpile without --check to bring it up to date"


def out_of_date(group: Group) -> list[Diagnostic]:
    """What ``--check`` says about ``group``."""
    found = []
    for change in group:
        message = f"{change.file} is {change.state.value}"
        if change.state is State.ORPHANED and VENDORED in change.file.parts:
            message += f": nothing needs {change.source} any more"
        elif change.state is State.ORPHANED:
            message += f": {change.source} has nothing to differentiate any more"
        elif change.state in (State.STALE, State.MISSING):
            message += f": it is to be made from {change.source}"
        help_ = FORCE if change.state.is_protected else RERUN
        found.append(_diagnostic(change, message, help_))
    return found


def _diagnostic(change: Change, message: str, help_: str) -> Diagnostic:
    return Diagnostic(CODES[change.state], message, Place(str(change.file), 1, 1, 1), help_)


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
    try:
        write_all({c.file: c.content for c in group if c.content is not None})
        for change in group:
            if change.content is None:
                change.file.unlink(missing_ok=True)
    except OSError as error:
        return _cannot_write(error, group[0].file)
    return None


def _cannot_write(error: OSError, file: Path) -> Diagnostic:
    place = Place(str(error.filename2 or error.filename or file), 1, 1, 1)
    return Diagnostic(CANNOT_WRITE, f"cannot write: {error.strerror}", place)


def record_copies(
    layout: Layout, copied: Mapping[str, bytes], removed: Iterable[str]
) -> Diagnostic | None:
    """Bring the record of copies in OUT up to date; a diagnostic if the file system refuses."""
    if layout.in_place:
        return None
    old = read_manifest(layout.out)
    gone = set(removed)
    kept = {path: hash_ for path, hash_ in old.copies.items() if path not in gone}
    new = Manifest(kept | {path: text_digest(text) for path, text in copied.items()})
    try:
        if new != old:
            write_all({layout.out / NAME: new.render()})
    except OSError as error:
        return _cannot_write(error, layout.out / NAME)
    return None
