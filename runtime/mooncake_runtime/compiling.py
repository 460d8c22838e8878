"""numba's compiler, with a cache on disk that several processes can fill at the same time."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from glob import escape
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any


def numba() -> Any:
    """numba, imported where it is needed; it carries no types."""
    return import_module("numba")


def jit_enabled() -> bool:
    """True if functions are compiled: numba can be imported and is not switched off."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return False
    try:
        return not numba().config.DISABLE_JIT
    except ImportError:
        return False


def compiled(function: Callable[..., object], *, cache: bool = True, **options: object) -> Any:
    """numba's dispatcher of ``function``, cached on disk if some cache directory is writable.

    Code that is cached finds the module of its function by its name, so that must be known.
    """
    options["error_model"] = "numpy"
    cache = cache and function.__module__ in sys.modules
    try:
        dispatcher = numba().njit(cache=cache, **options)(function)
    except RuntimeError:  # no cache directory is writable
        return numba().njit(**options)(function)
    if cache:
        cached = dispatcher._cache
        package = function.__module__.rpartition(".")[0]
        if package:
            cached._cache_file = _apart(cached._cache_file, package)
        if numba().config.BOUNDSCHECK:
            cached._cache_file = _apart(cached._cache_file, "boundscheck")
        _name_by_content(cached._cache_file)
    return dispatcher


def _apart(file: Any, name: str) -> Any:
    """The cache ``file`` for code that is compiled another way, which numba's keys do not tell.

    A module may be imported by itself and as part of a package; its code finds its classes by the
    name of the module as it was when it was compiled.
    """
    base = file._index_name.removesuffix(".nbi")
    return type(file)(file._cache_path, f"{base}.{name}", file._source_stamp)


def _name_by_content(file: Any) -> None:
    """Let a signature's code lie in a file that is named after the signature and the source.

    numba counts (``f.1.nbc``, ``f.2.nbc``): two processes that compile different signatures at the
    same time take the same number, and from then on one of them is answered with the code of the
    other (numba issue 4807). What is named by its content can be written by anybody, at any time.
    """

    def save(key: object, data: object) -> None:
        known = file._load_index()
        if not known:
            _remove_code(file)
        name = file._data_name(_digest(file._source_stamp, key))
        file._save_data(name, data)  # first, so that the index names nothing that is not there
        file._save_index({**known, key: name})

    file.save = save


def _digest(*content: object) -> int:
    return int.from_bytes(sha256(repr(content).encode()).digest()[:8], "big")


def _remove_code(file: Any) -> None:
    """Remove what was compiled from another text; whoever misses it compiles again."""
    base = file._index_name.removesuffix("nbi")
    for old in Path(file._cache_path).glob(escape(base) + "*.nbc"):
        with suppress(OSError):
            old.unlink()
