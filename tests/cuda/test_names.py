"""Generated modules and the runtime call what CuPy has; `cupy_names.txt` has its names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import mooncake_runtime
import pytest

from tests.cuda import standin

FILES = sorted(Path(str(mooncake_runtime.__file__)).parent.glob("device*.py"))
SUBMODULES = ("cuda", "fft", "lib", "linalg", "typing")  # of which the list has parts


def _names() -> dict[str, set[str]]:
    """The names of CuPy's modules and arrays."""
    found: dict[str, set[str]] = {}
    module = ""
    for line in Path(__file__).with_name("cupy_names.txt").read_text().splitlines()[1:]:
        if line.startswith("["):
            module = line.strip("[]")
        else:
            found.setdefault(module, set()).update(line.split())
    return found


NAMES = _names()


def _called(text: str, spelling: str) -> Iterator[tuple[str, str]]:
    """The module and the name in each ``cp.name`` and ``cp.linalg.name`` of ``text``."""
    for found in re.finditer(rf"\b{spelling}\.(\w+)(?:\.(\w+))?", text):
        if found[1] not in SUBMODULES:
            yield "cupy", found[1]
        elif f"cupy.{found[1]}" in NAMES and found[2]:
            yield f"cupy.{found[1]}", found[2]


def test_generated_modules_call_what_is_there(emitted: str) -> None:
    missing = {(m, name) for m, name in _called(emitted, "cp") if name not in NAMES[m]}
    assert not missing


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_runtime_calls_what_is_there(file: Path) -> None:
    text = file.read_text()
    missing = {(m, name) for m, name in _called(text, "cupy") if name not in NAMES[m]}
    assert not missing
    for name in re.findall(r'import_module\("cupyx\.scipy\.linalg"\)\.(\w+)', text):
        assert name in NAMES["cupyx.scipy.linalg"]


def test_the_standin_has_nothing_else() -> None:
    for name, module in standin.modules().items():
        public = {n for n in vars(module) if not n.startswith("_")}.difference(SUBMODULES)
        assert public <= NAMES.get(name, public), name
    array = {name for name in vars(standin.ndarray) if not name.startswith("_")} - {"held"}
    assert array <= NAMES["cupy.ndarray"]


def test_what_cupy_lacks_is_an_error() -> None:
    cupy = standin.modules()["cupy"]
    for name in ("block", "vecdot", "einsum_path"):
        assert name not in NAMES["cupy"]
        with pytest.raises(AttributeError):
            getattr(cupy, name)
