"""The command `report`: the page, the text, and what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mooncake_transpiler import cli

from tests.report.programs import WAVE

TEXT = """\
program:damped  emitted, with respect to x  (program.py:10)
  parallel:    no: on one core; any number of threads may call it at once
  verified:    agrees at 3 points: at most 2.0e-16 (limit 1e-12), the gradient

  program.py, damped
     10  def damped(x: float) -> float:
     11      return math.exp(-x * x)     saves 8

  the tape: 16 bytes
    x: float64          8  an argument, one number
      needed by: return (t1 * -x - t1 * x,)
    exp_saved: float64  8  computing exp again takes longer than reading it
      needed by: t1 = y_bar * exp_saved

  rules behind calls
    math.exp  x_bar += f_bar * (f)  [mooncake_rules/elementary.py]
"""


@pytest.fixture
def src(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/program.py").write_text(WAVE)
    return tmp_path / "src"


def test_text(src: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {
        "function": "program:damped", "verdict": "agrees", "points": 3,
        "worst": {"check": "the gradient", "error": 2e-16, "limit": 1e-12},
    }  # fmt: skip
    (tmp_path / "found.json").write_text(json.dumps([row]))
    argv = ["report", str(src), "--text", "damped", "--verified", str(tmp_path / "found.json")]
    assert cli.run(argv) == 0
    assert capsys.readouterr().out == TEXT


def test_page(src: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.html"
    assert cli.run(["report", str(src), "-o", str(file)]) == 0
    assert file.read_text("utf-8").startswith("<!doctype html>")
    assert capsys.readouterr().err == f"wrote {file}\n"
    assert sorted(path.name for path in src.iterdir()) == ["program.py"]


def test_errors_and_the_rest(src: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = "\n\ndef wrong(x: float) -> float:\n    x += missing\n    return x\n"
    (src / "program.py").write_text(WAVE + wrong)
    assert cli.run(["report", str(src), "--text", "wave"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("program:wave  emitted")
    assert "program.py:26" in out
    assert cli.run(["report", str(src), "--text", "wrong"]) == 1
    assert capsys.readouterr().out.startswith("program:wrong  error")


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("--text", "wve", "there is no function 'wve' here: did you mean 'wave'?"),
        ("--text", "other:wave", "there is no function 'other:wave' here"),
    ],
)
def test_names_that_are_not_there(
    option: str, text: str, message: str, src: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["report", str(src), option, text]) == 2
    assert message in capsys.readouterr().err


def test_a_file_without_verdicts(
    src: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "found.json").write_text('[{"code": "MK501"}]')
    argv = ["report", str(src), "--text", "wave", "--verified", str(tmp_path / "found.json")]
    assert cli.run(argv) == 2
    assert "holds no verdicts" in capsys.readouterr().err
