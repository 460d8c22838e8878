"""Formatters, linters and type checkers find nothing in generated modules."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mooncake_transpiler.output.inputs import find_inputs
from mooncake_transpiler.run.pipeline import compile_modules

ROOT = Path(__file__).parents[2]
FOLDERS = ("examples/programs", "bench/programs")
MESSAGE = re.compile(r' *"\w+: [\w.]+ must have the shape of [\w.]+",')  # formatters split no text


@pytest.fixture(scope="module", params=FOLDERS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gradient modules of a folder of programs, with what they import."""
    source = ROOT / request.param
    made = tmp_path_factory.mktemp("generated")
    inputs = find_inputs(source)
    names = list(inputs.sources.files)
    results, diagnostics = compile_modules(names, inputs, 1, lambda *_: None)
    assert not diagnostics
    for name, result in results.items():
        path = Path(inputs.sources.files[name].path)
        (made / path.parent).mkdir(exist_ok=True)
        shutil.copy(source / path, made / path.parent)
        if result.body is not None:
            (made / path.with_name(f"{path.stem}_grad.py")).write_text(result.body)
    return made


def output(folder: Path, tool: str, *args: str) -> str:
    files = sorted(map(str, folder.rglob("*_grad.py")))
    assert files
    paths = os.pathsep.join([str(folder), str(ROOT / "runtime")])
    done = subprocess.run(
        [sys.executable, "-m", tool, *args, *files],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=os.environ | {"MYPYPATH": paths},
    )
    return done.stdout + done.stderr if done.returncode else ""


def test_formatter(folder: Path) -> None:
    assert not output(folder, "ruff", "format", "--isolated", "--diff")


def test_linter(folder: Path) -> None:
    assert not output(folder, "ruff", "check", "--isolated")


def test_type_checker(folder: Path) -> None:
    assert not output(folder, "mypy", "--config-file=", "--explicit-package-bases")


def test_width(folder: Path) -> None:
    """Only what quotes the user's names may be wider."""
    lines = [line for file in folder.rglob("*_grad.py") for line in file.read_text().splitlines()]
    assert [line for line in lines if len(line) > 88 and not MESSAGE.fullmatch(line)] == []
