"""Dependencies between modules, and how a module imports them."""

from __future__ import annotations

from pathlib import Path

import pytest
from mooncake_transpiler.config import Config
from mooncake_transpiler.output.neighbours import import_names
from mooncake_transpiler.output.outline import outline
from mooncake_transpiler.output.sources import find_sources

from tests.cli.conftest import write


@pytest.mark.parametrize(
    ("text", "package", "expected"),
    [
        ("import a.b", "", {"a", "a.b"}),
        ("from a import b", "", {"a", "a.b"}),
        ("from . import b", "p.q", {"p", "p.q", "p.q.b"}),
        ("from ..c import b", "p.q", {"p", "p.c", "p.c.b"}),
        ("from . import b", "", {"__init__", "b"}),
        ("def f():\n    import late", "", {"late"}),
    ],
)
def test_imports(text: str, package: str, expected: set[str]) -> None:
    assert set(outline(text.encode(), package).imports or ()) == expected


@pytest.mark.parametrize("content", [b"def f(:", b"\xff", b"\0", b"(" * 10_000])
def test_what_cannot_be_parsed_may_be_anything(content: bytes) -> None:
    seen = outline(content, "")
    assert seen.imports is None
    assert seen.may_differentiate


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x: float) -> float: ...", True),
        ("def f(x: int, y: float) -> float: ...", True),
        ("def f(x, y: int) -> float: ...", True),
        ("def f(x: int) -> int: ...", False),
        ("def f(x): ...", False),
        ("def f() -> float: ...", False),
        ("def _f(x: float) -> float: ...", False),
        ("x: float = 1.0", False),
    ],
)
def test_candidates(text: str, expected: bool) -> None:
    assert outline(text.encode(), "").may_differentiate is expected


def test_cycles_and_packages(tmp_path: Path) -> None:
    write(tmp_path / "p/__init__.py", "from p.a import f\n")
    write(tmp_path / "p/a.py", "from . import b\n")
    write(tmp_path / "p/b.py", "import p.a, flat\n")
    write(tmp_path / "flat.py", "import numpy\n")
    sources = find_sources(tmp_path, Config())
    assert [file.name for file in sources.closure("p.a")] == ["flat", "p", "p.a", "p.b"]
    assert [file.name for file in sources.closure("flat")] == ["flat"]


def test_neighbours_are_imported_as_the_source_does(tmp_path: Path) -> None:
    for path in ("p/__init__.py", "p/a.py", "p/q/__init__.py", "p/q/b.py", "flat.py", "other.py"):
        write(tmp_path / path, "")
    sources = find_sources(tmp_path, Config())
    assert import_names("p.q.b", sources) == {
        "flat": "flat",
        "other": "other",
        "p": "..",
        "p.a": "..a",
        "p.q": ".",
        "p.q.b": ".b",
    }
    assert import_names("flat", sources)["other"] == "other"
    assert import_names("p", sources)["p.a"] == ".a"
    inner = find_sources(tmp_path / "p", Config())
    assert import_names("a", inner)["q.b"] == ".q.b"
    assert import_names("q.b", inner)["a"] == "..a"


def test_a_package_may_import_itself_by_name(tmp_path: Path) -> None:
    write(tmp_path / "p/__init__.py", "")
    write(tmp_path / "p/a.py", "from p.b import f\n")
    write(tmp_path / "p/b.py", "import p\n")
    write(tmp_path / "p/c.py", "")
    sources = find_sources(tmp_path / "p", Config())
    assert [file.name for file in sources.closure("a")] == ["__init__", "a", "b"]


def test_the_top_package_imports_its_modules(tmp_path: Path) -> None:
    write(tmp_path / "p/__init__.py", "from .a import f\n")
    write(tmp_path / "p/a.py", "")
    sources = find_sources(tmp_path / "p", Config())
    assert [file.name for file in sources.closure("__init__")] == ["__init__", "a"]


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "p/a.py", "")
    (tmp_path / "p/again").symlink_to(tmp_path / "p")
    (tmp_path / "p/b.py").symlink_to(tmp_path / "p/a.py")
    assert set(find_sources(tmp_path, Config()).files) == {"p.a", "p.b"}
