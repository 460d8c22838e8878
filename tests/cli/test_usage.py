"""The command line: arguments, options and their errors."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from mooncake_transpiler.diagnostic.codes import CODES as EXPLAINED
from mooncake_transpiler.failures import TOO_DEEP
from mooncake_transpiler.output.changes import CANNOT_WRITE, CODES
from mooncake_transpiler.version import VERSION

from tests.cli.conftest import Run, write
from tests.cli.fake import FakeCompiler

ROOT = Path(__file__).parents[2]


def test_version(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == 0
    assert capsys.readouterr().out.strip() == VERSION
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project.get("version", VERSION) == VERSION


@pytest.mark.parametrize("argv", [["--help"], [], ["list", "--help"], ["transpile", "--help"]])
def test_help(argv: list[str], run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*argv) == 0
    assert "SRC" in capsys.readouterr().out


def test_wrong_arguments(run: Run, src: Path, out: Path, compiler: FakeCompiler) -> None:
    assert run(src) == 2
    assert run(src / "nowhere", out) == 2
    assert run(src, src / "square.py") == 2
    assert run(src, out, "--no-such-option") == 2
    assert run(src, out, "-j", "0") == 2
    assert not out.exists()


def test_options_may_come_first(run: Run, src: Path, out: Path, compiler: FakeCompiler) -> None:
    assert run("--check", src, out) == 3
    assert run("-v", src, out) == 0


def test_verbose_names_each_file(
    run: Run, src: Path, out: Path, compiler: FakeCompiler, capsys: pytest.CaptureFixture[str]
) -> None:
    run(src, out, "-v")
    assert f"written: {out / 'square_grad.py'}" in capsys.readouterr().err
    run(src, out, "-v")
    err = capsys.readouterr().err
    assert "unchanged: square.py" in err
    assert "4 modules up to date" in err


def test_explain(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("explain", "mk502") == 0
    assert capsys.readouterr().out.startswith("MK502: ")
    assert run("explain", "MK999") == 2


@pytest.mark.parametrize("code", [*CODES.values(), CANNOT_WRITE, TOO_DEEP])
def test_every_code_is_explained(code: str) -> None:
    assert code in EXPLAINED


@pytest.mark.parametrize("name", ["full", "concise", "json", "github"])
def test_output_formats(name: str, run: Run, src: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(src / "bad.py", "def f(x: float) -> float:\n    return nothing(x)\n")
    assert run(src, src, "--check", "--output-format", name) == 1
    out = capsys.readouterr().out
    assert "MK210" in out
    if name == "json":
        assert {row["code"] for row in json.loads(out)} == {"MK210", "MK502"}


def test_json_of_nothing_is_an_empty_list(
    run: Run, src: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(src, out, "--output-format", "json") == 0
    assert json.loads(capsys.readouterr().out) == []
