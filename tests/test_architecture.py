"""The shape of the code: imports go one way, files stay short."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "mooncake_runtime": ROOT / "runtime",
    "mooncake_rules": ROOT / "rules",
    "mooncake_transpiler": ROOT / "transpiler",
}
# What each package may import of the others and of what is installed.
BELOW: dict[str, frozenset[str]] = {
    "mooncake_runtime": frozenset({"numpy", "numba", "llvmlite"}),
    "mooncake_rules": frozenset({"mooncake_runtime", "numpy"}),
    "mooncake_transpiler": frozenset(
        {"mooncake_rules", "mooncake_runtime", "numpy", "numba", "libcst", "rich", "typer"}
    ),
}
# Inside the transpiler: a part imports parts of lower levels only, and none of its own level.
LEVELS = (
    ("version", "diagnostics"),
    ("types",),
    ("borders",),
    ("ir",),
    ("printer", "builder", "analysis"),
    ("verifier",),
    ("frontend", "passes", "ad", "emit"),
    ("pipeline",),
    ("verify",),
    ("cli",),
)
LEVEL_OF = {part: level for level, parts in enumerate(LEVELS) for part in parts}
LONGEST = 400  # lines of a file


def files(package: str) -> Iterator[Path]:
    yield from sorted((PACKAGES[package] / package).rglob("*.py"))


def imported(file: Path) -> Iterator[str]:
    """The dotted names that ``file`` imports; for ``from a import b`` both ``a`` and ``a.b``."""
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield module
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.ImportFrom():
                raise AssertionError(f"{file}: a relative import")
            case _:
                pass


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_one_way(package: str) -> None:
    allowed = BELOW[package] | sys.stdlib_module_names | {package}
    for file in files(package):
        found = {name.partition(".")[0] for name in imported(file)}
        assert found <= allowed, f"{file.relative_to(ROOT)} imports {sorted(found - allowed)}"


def part_of(dotted: str) -> str | None:
    """The part of the transpiler that a name belongs to."""
    package, _, rest = dotted.partition(".")
    return rest.partition(".")[0] if package == "mooncake_transpiler" and rest else None


def test_parts_of_the_transpiler_import_one_way() -> None:
    package = PACKAGES["mooncake_transpiler"] / "mooncake_transpiler"
    for file in files("mooncake_transpiler"):
        own = file.relative_to(package).parts[0].removesuffix(".py")
        for part in set(map(part_of, imported(file))):
            if part in LEVEL_OF and own in LEVEL_OF and part != own:
                message = f"{file.relative_to(ROOT)} imports {part}"
                assert LEVEL_OF[part] < LEVEL_OF[own], message


def test_the_command_is_imported_by_its_start_alone() -> None:
    found = [
        file.name
        for package in PACKAGES
        for file in files(package)
        if "mooncake_transpiler.cli" in set(imported(file))
    ]
    assert found == ["__main__.py"]


def test_sources_are_run_by_one_command_only() -> None:
    """Modules that import the user's code are loaded where ``verify`` is called, only there."""
    package = PACKAGES["mooncake_transpiler"] / "mooncake_transpiler"
    for file in files("mooncake_transpiler"):
        if file.relative_to(package).parts[0] != "verify" and "verify" in file.read_text():
            body = ast.parse(file.read_text()).body
            found = {name for stmt in body for name in _imported_by(stmt)}
            assert not any(name.startswith("mooncake_transpiler.verify") for name in found), file
    importers = {
        file.name
        for file in files("mooncake_transpiler")
        if file.relative_to(package).parts[0] != "verify"
        and any(part_of(name) == "verify" for name in imported(file))
    }
    assert importers == {"cli.py"}


def _imported_by(stmt: ast.stmt) -> Iterator[str]:
    match stmt:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=str(module)):
            yield module
        case _:
            pass


@pytest.mark.parametrize("package", PACKAGES)
def test_files_are_short(package: str) -> None:
    lengths = {str(f.relative_to(ROOT)): len(f.read_text().splitlines()) for f in files(package)}
    assert {name: n for name, n in lengths.items() if n >= LONGEST} == {}
