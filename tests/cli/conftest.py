"""A small tree of modules, and the command run on it in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from mooncake_transpiler import cli
from mooncake_transpiler.run import build

from tests.cli.fake import FakeCompiler

Run = Callable[..., int]

SQUARE = """\
def scale(x: float) -> float:
    return 2.0 * x


def square(x: float) -> float:
    return scale(x) * x
"""

LOSS = """\
from pkg.helper import cube


def loss(x: float, y: float) -> float:
    return cube(x) * y
"""

HELPER = """\
def cube(x):
    return x * x * x
"""


@pytest.fixture
def src(tmp_path: Path) -> Path:
    root = tmp_path / "src"
    write(root / "square.py", SQUARE)
    write(root / "pkg/__init__.py", "")
    write(root / "pkg/helper.py", HELPER)
    write(root / "pkg/loss.py", LOSS)
    return root


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def run() -> Run:
    """Runs the command; the arguments may be paths."""

    def run(*argv: object) -> int:
        return cli.run([str(arg) for arg in argv])

    return run


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> FakeCompiler:
    fake = FakeCompiler()
    monkeypatch.setattr(build, "compiler", lambda: fake)
    return fake


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def tree(root: Path) -> dict[str, str]:
    """All files under ``root`` with their text."""
    files = (file for file in sorted(root.rglob("*")) if file.is_file())
    return {file.relative_to(root).as_posix(): file.read_text() for file in files}
