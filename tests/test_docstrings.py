"""The form of docstrings, and READMEs that name the files of their folders."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TRANSPILER = ROOT / "transpiler" / "mooncake_transpiler"
PACKAGES = (ROOT / "rules" / "mooncake_rules", ROOT / "runtime" / "mooncake_runtime", TRANSPILER)
# A first line says what a thing is or returns: "True if known", not "Whether it is known".
INDIRECT = re.compile(r"(Whether|What|How|Where|Which|That|Those|Who)\b")
NAMED = re.compile(r"(?<![\w/.])[\w/]+\.py\b")


def first_lines(file: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield getattr(node, "lineno", 1), text.splitlines()[0]


@pytest.mark.parametrize("top", ["rules", "runtime", "tests", "transpiler"])
def test_docstrings_say_what_a_thing_is(top: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}: {text}"
        for file in sorted((ROOT / top).rglob("*.py"))
        for line, text in first_lines(file)
        if INDIRECT.match(text)
    ]
    assert found == []


def covered(folder: Path) -> Iterator[str]:
    """The modules under ``folder`` that its README has to name, without those of other READMEs."""
    for path in sorted(folder.iterdir()):
        if path.suffix == ".py" and path.name != "__init__.py":
            yield path.name
        elif path.is_dir() and not (path / "README.md").exists():
            yield from (f"{path.name}/{name}" for name in covered(path))


def described(readme: Path) -> Path:
    """The folder that ``readme`` is about: its own, or the package beside it."""
    return next((p for p in PACKAGES if p.parent == readme.parent), readme.parent)


READMES = sorted(
    readme
    for package in PACKAGES
    for readme in (package.parent / "README.md", *package.rglob("README.md"))
)


@pytest.mark.parametrize("readme", READMES, ids=lambda path: str(path.relative_to(ROOT)))
def test_readmes_name_the_files_of_their_folder(readme: Path) -> None:
    folder = described(readme)
    files, named = set(covered(folder)), set(NAMED.findall(readme.read_text()))
    assert files - named == set(), "not named"
    # Files of other folders are named from the root, the top of a package or their parent folder.
    places = (ROOT, *PACKAGES, folder, folder.parent)
    absent = {name for name in named - files if not any((p / name).exists() for p in places)}
    assert absent == set(), "named, but not there"
