"""Writing files so that a reader sees the old ones or the new ones, never half of one."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":  # where two runs at once are not kept apart
    import fcntl

SUFFIX = ".mooncake.tmp"  # of files on their way


def write_all(files: Mapping[Path, bytes]) -> None:
    """Write ``files``, all or none of them: each is complete before the first is moved in place."""
    staged: dict[Path, Path] = {}
    try:
        for file, content in files.items():
            staged[file] = _stage(file, content)
        for file, temporary in staged.items():
            temporary.replace(file)
    finally:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """A lock on ``folder``, for which other runs wait, where the file system has locks."""
    handle = None
    with suppress(OSError):
        if sys.platform != "win32":
            handle = os.open(folder, os.O_RDONLY)
            fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def remove_leftovers(folders: Iterable[Path]) -> None:
    """Remove what runs that were killed have left in ``folders``."""
    for folder in folders:
        for temporary in folder.glob(f".*{SUFFIX}"):
            with suppress(OSError):
                temporary.unlink()


def _stage(file: Path, content: bytes) -> Path:
    """Write ``content`` beside ``file``, down to the disk: a crash after the move loses nothing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".", suffix=SUFFIX, dir=file.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(_mode(file))
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _mode(file: Path) -> int:
    """The permissions that ``file`` has, or those that a new file gets here."""
    if file.exists():
        return file.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
