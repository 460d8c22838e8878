"""The cache of compiled code: right whoever fills it, and no larger than it must be."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime import jit_enabled

pytestmark = pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled")

SOURCE = """
from mooncake_runtime import inner

@inner
def f(x, a=FACTOR):
    return x[0] * a
"""
ONES = np.ones(3)


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    write(tmp_path, 2.0)
    return tmp_path


def write(directory: Path, factor: float) -> None:
    (directory / "cached_here.py").write_text(SOURCE.replace("FACTOR", str(factor)))


def as_another_process() -> ModuleType:
    sys.modules.pop("cached_here", None)
    importlib.invalidate_caches()
    return importlib.import_module("cached_here")


def test_two_processes_that_compile_at_the_same_time(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = as_another_process(), as_another_process()
    one, other = first.f._cache._cache_file, second.f._cache._cache_file
    save_data = one._save_data

    def save_after_the_other(name: str, data: object) -> None:
        assert second.f(ONES, 5.0) == 5.0
        save_data(name, data)

    monkeypatch.setattr(other, "_load_index", dict)  # what it read before the first has written
    monkeypatch.setattr(one, "_save_data", save_after_the_other)
    assert first.f(ONES) == 2.0
    for _ in range(2):  # what is in the cache, and what is found there after that
        third = as_another_process()
        assert third.f(ONES) == 2.0
        assert third.f(ONES, 5.0) == 5.0


def test_code_of_another_text_is_removed(directory: Path) -> None:
    for factor in (2.0, 3.0, 4.0):
        write(directory, factor)
        f = as_another_process().f
        assert f(ONES) == factor
        cache = Path(f._cache.cache_path)  # NUMBA_CACHE_DIR may say where
        assert len(list(cache.glob("*.nbc"))) == 1


def test_code_with_bounds_checks_is_apart(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with ``NUMBA_BOUNDSCHECK=1``, which numba's cache does not see."""
    assert as_another_process().f(ONES) == 2.0
    with monkeypatch.context() as patch:
        patch.setattr("numba.core.config.BOUNDSCHECK", 1)
        checked = as_another_process()
        with pytest.raises(IndexError):
            checked.f(np.zeros(0))
        assert as_another_process().f(ONES) == 2.0
    assert not as_another_process().f._cache._cache_file._index_name.endswith("boundscheck.nbi")


WITH_A_CLASS = """
from typing import NamedTuple
from mooncake_runtime import inner

class Pair(NamedTuple):
    first: float
    second: float

@inner
def f(pair):
    return pair.first * pair.second
"""
IMPORTED = """
import sys
from importlib import import_module
sys.path.insert(0, sys.argv[1])
module = import_module(sys.argv[2])
assert module.f(module.Pair(2.0, 3.0)) == 6.0
assert sum(module.f.stats.cache_hits.values()) == int(sys.argv[3])
"""


def test_module_that_is_imported_by_itself_and_in_a_package(tmp_path: Path) -> None:
    """Its classes are found by the name of the module, which is in the cached code."""
    package = tmp_path / "in_a_package"
    package.mkdir()
    (package / "cached_class.py").write_text(WITH_A_CLASS)
    ways = [(package, "cached_class"), (tmp_path, "in_a_package.cached_class")]
    for hits in ("0", "1"):
        for folder, name in ways:
            words = [sys.executable, "-c", IMPORTED, str(folder), name, hits]
            subprocess.run(words, check=True, cwd=tmp_path)
