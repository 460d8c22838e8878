"""The documentation: its code runs, its tables are complete, its links lead somewhere."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from mooncake_transpiler.cli import COMMANDS
from mooncake_transpiler.config import FUNCTION_KEYS, KEYS
from mooncake_transpiler.diagnostic.codes import CODES
from mooncake_transpiler.frontend.text.directives import DIRECTIVES
from mooncake_transpiler.modes import MODES
from typer.main import get_command

from docs.build import MARK, PAGES, TABLES
from tests.docs.blocks import blocks

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FILES = [*sorted(DOCS.rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
WITH_CODE = [file for file in FILES if any(blocks(file.read_text("utf-8")))]
LINK = re.compile(r"(?<!!)\[[^\]]+\]\((?P<target>[^)#\s]+)")


def name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", WITH_CODE, ids=name)
def test_blocks_run(page: Path, tmp_path: Path) -> None:
    """In plain Python, each page in a process and a folder of its own."""
    paths = [ROOT, ROOT / "transpiler", ROOT / "rules", ROOT / "runtime"]
    env = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(map(str, paths))}
    command = [sys.executable, "-m", "tests.docs.run", str(page)]
    run = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    if "SKIPPED" in run.stdout:
        pytest.skip(run.stdout.strip())


@pytest.mark.parametrize("page", FILES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for match in LINK.finditer(page.read_text("utf-8")):
        target = match["target"]
        made = page.parent == DOCS and target in PAGES
        made = made or target.removeprefix("../") in PAGES
        made = made or target.removeprefix("docs/") in PAGES
        assert made or (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES)
def test_links_of_made_pages_lead_to_pages(page: str) -> None:
    prose = re.sub(r"`[^`]*`", "", PAGES[page]())
    targets = {match["target"] for match in LINK.finditer(prose)}
    targets = {t for t in targets if not t.startswith("https:")}
    assert all(t in PAGES or (DOCS / t).is_file() for t in targets), targets


def test_configuration_is_complete() -> None:
    text = (DOCS / "configuration.md").read_text("utf-8")
    named = set(re.findall(r"^\| `([\w-]+)`", text, re.MULTILINE))
    assert named >= {*KEYS, *FUNCTION_KEYS, *MODES, *DIRECTIVES}
    assert named <= {*KEYS, *FUNCTION_KEYS, *MODES, *DIRECTIVES, "MOONCAKE_CACHE_DIR"}


def test_command_is_complete() -> None:
    """Each command and each option has a row, and each row is one of them."""
    text = (DOCS / "command.md").read_text("utf-8")
    rows = set(re.findall(r"^\| `(--[\w-]+)", text, re.MULTILINE))
    from mooncake_transpiler.cli import app

    options: set[str] = set()
    for command in get_command(app).commands.values():  # type: ignore[attr-defined]
        options |= {o for p in command.params for o in p.opts if o.startswith("--")}
    assert options <= rows | {"--install-completion", "--show-completion"}
    assert all(f"`mooncake-transpile {c}" in text for c in COMMANDS if c != "transpile")


def test_all_codes_are_in_the_index() -> None:
    text = PAGES["errors.md"]()
    assert all(f"{{ #{number.lower()} }}" in text for number in CODES)


@pytest.mark.parametrize("table", TABLES)
def test_tables_have_rows_and_a_place(table: str) -> None:
    assert TABLES[table]().count("\n|") > 3
    marks = {m["name"] for file in FILES for m in MARK.finditer(file.read_text("utf-8"))}
    assert table in marks


def test_site_is_built(tmp_path: Path) -> None:
    if importlib.util.find_spec("material") is None:
        pytest.skip("mkdocs-material is not installed: pip install -e '.[docs]'")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path)]
    run = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    assert (tmp_path / "errors" / "index.html").is_file()
