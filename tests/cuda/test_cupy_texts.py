"""Kernels as CuPy itself makes them, with all that it puts around their text, compile.

That needs CuPy and NVRTC (extras ``cuda13`` and ``test-cuda``), and no GPU.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import pytest

from tests.cuda.test_nvrtc import ARCHITECTURES, _ptx, nvrtc  # noqa: F401

HEADERS = ("complex", "carray", "atomics")
AT_ONCE = 60
EVERY = 9  # of the kernels, without --whole-grid

pytestmark = pytest.mark.skipif(find_spec("cupy") is None, reason="CuPy is not installed")


@pytest.fixture(scope="module")
def found(emitted: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The kernels of the programs as CuPy makes them, in a process without the stand-in."""
    file = tmp_path_factory.mktemp("texts") / "made.py"
    file.write_text(emitted)
    command = [sys.executable, "-m", "tests.cuda.cupy_texts", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def test_all_names_are_there(found: dict[str, Any]) -> None:
    assert found["lacking"] == []
    assert len(found["sources"]) > 1000


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_sources_compile(
    found: dict[str, Any],
    nvrtc: ctypes.CDLL,  # noqa: F811
    architecture: str,
    pytestconfig: pytest.Config,
) -> None:
    sources: list[str] = found["sources"]
    if not pytestconfig.getoption("--whole-grid"):
        sources = sources[ARCHITECTURES.index(architecture) :: EVERY]
    head = "".join(f"#include <cupy/{name}.cuh>\n" for name in HEADERS)
    for start in range(0, len(sources), AT_ONCE):
        part = sources[start : start + AT_ONCE]
        text = "".join(f"namespace kernel{k} {{\n{one}\n}}\n" for k, one in enumerate(part))
        assert _ptx(nvrtc, head + text, architecture)
