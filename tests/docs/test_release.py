"""The files of a release."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from mooncake_transpiler.version import VERSION

ROOT = Path(__file__).parents[2]
DOC = f"mooncake_transpile-{VERSION}.data/data/share/doc/mooncake-transpile/"


def test_version_is_the_same_everywhere() -> None:
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"\n## {VERSION}" in (ROOT / "CHANGELOG.md").read_text()


def test_who_made_it_is_the_same_everywhere() -> None:
    (author,) = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["authors"]
    assert f"\n  - name: {author['name']}\n" in (ROOT / "CITATION.cff").read_text()


@pytest.mark.parametrize("name", ["SECURITY.md", "CONTRIBUTING.md"])
def test_one_screen(name: str) -> None:
    assert len((ROOT / name).read_text().splitlines()) <= 60


def test_readme_is_a_screen_and_a_half() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 100


def test_readme_has_two_commands() -> None:
    """The two that ``.ci/run`` executes."""
    assert len(re.findall(r"^```sh$", (ROOT / "README.md").read_text(), re.MULTILINE)) == 2


def test_the_wheel_carries_what_the_readme_refers_to(tmp_path: Path) -> None:
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling is not installed: pip install hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"mooncake_transpiler/diagnostic/codes.md", "mooncake_runtime/LICENSE"} <= names
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text()):
        assert DOC + target in names
    for page in (ROOT / "docs").rglob("*.md"):
        assert DOC + page.relative_to(ROOT).as_posix() in names
