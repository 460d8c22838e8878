"""Writing files so that a reader sees the old ones or the new ones, never half of one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path


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


def _stage(file: Path, content: bytes) -> Path:
    """Write ``content`` beside ``file``."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".tmp", dir=file.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
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
