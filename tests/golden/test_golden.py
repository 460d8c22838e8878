"""Committed text: the normal form, gradient modules (which are also run), and error messages."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from mooncake_runtime.testing import check_gradients
from mooncake_transpiler import cli
from mooncake_transpiler.output.inputs import find_inputs
from mooncake_transpiler.run.pipeline import print_stages

from tests.conftest import Golden
from tests.golden.inputs import ARGUMENTS
from tests.helpers.transpile import gradient_text, module

HERE = Path(__file__).parent
EXPECTED = HERE / "expected"
MODULES = sorted((HERE / "modules").glob("*.py"))
ERRORS = sorted((HERE / "errors").glob("*.txt"))
STAGES = ("lower", "simplify")


def stem(file: Path) -> str:
    return file.stem


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("file", MODULES, ids=stem)
def test_normal_form(file: Path, stage: str, golden: Golden) -> None:
    texts, *problems = print_stages(find_inputs(file), frozenset({stage}))
    assert not any(problems)
    golden(EXPECTED / f"{file.stem}.{stage}.txt", "\n".join(texts))


@pytest.mark.parametrize("file", MODULES, ids=stem)
def test_gradient_module(file: Path, golden: Golden) -> None:
    golden(EXPECTED / f"{file.stem}_grad.txt", gradient_text(file.read_text()))


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "jitted"])
@pytest.mark.parametrize("file", MODULES, ids=stem)
def test_gradients(file: Path, jit: bool) -> None:
    generated = module((EXPECTED / f"{file.stem}_grad.txt").read_text(), "golden_grad", jit=jit)
    primal = module(file.read_text(), "golden")
    for name, args in ARGUMENTS[file.stem].items():
        check_gradients(getattr(primal, name), generated, args)


@pytest.mark.parametrize("file", ERRORS, ids=stem)
def test_errors(
    file: Path,
    golden: Golden,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    source = Path(shutil.copy(file, tmp_path / f"{file.stem}.py"))
    monkeypatch.chdir(tmp_path)  # so that paths in messages are short
    assert cli.run([source.name, "out"]) == cli.Exit.ERRORS
    golden(EXPECTED / f"{file.stem}.errors.txt", "".join(capfd.readouterr()))
    assert not Path("out").exists()
