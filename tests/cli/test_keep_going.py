"""``--keep-going``: an error in one function stops no other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from mooncake_transpiler.ad.subject import Derived, Subject
from mooncake_transpiler.frontend.lower import bodies
from mooncake_transpiler.run import pipeline

from tests.cli.conftest import Run, write

MODULE = """\
def _broken(x):
    return unknown(x)


def right(x: float) -> float:
    return x * x


def wrong(x: float) -> float:
    return undefined + x


def calls_wrong(x: float) -> float:
    return _broken(x) * right(x)


def also_right(x: float) -> float:
    return right(x) + 1.0


def no_type(x: float, y: set[float]) -> float:
    return 1.0
"""
MENDED = "def right(x: float) -> float:\n    return x * x\n"


@pytest.fixture
def module(tmp_path: Path) -> Path:
    write(tmp_path / "src/module.py", MODULE)
    return tmp_path / "src"


def emitted(out: Path) -> list[str]:
    text = (out / "module_grad.py").read_text()
    names = ("right", "also_right", "wrong", "calls_wrong", "no_type")
    return [name for name in names if f"def {name}_grad(" in text]


def test_what_is_right_is_emitted(
    run: Run, module: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(module, out) == 1
    assert not (out / "module_grad.py").exists()
    capsys.readouterr()
    assert run(module, out, "--keep-going") == 1
    assert emitted(out) == ["right", "also_right"]
    said = capsys.readouterr().out
    assert all(f"module.py:{line}:" in said for line in (2, 10, 21)), said


def test_each_run_reports_what_is_left_out(run: Run, module: Path, out: Path) -> None:
    run(module, out, "--keep-going")
    before = (out / "module_grad.py").read_bytes()
    assert run(module, out, "--keep-going", "--check") == 1
    assert run(module, out, "--check") == 1
    assert run(module, out) == 1
    assert run(module, out, "--keep-going") == 1
    assert (out / "module_grad.py").read_bytes() == before
    write(module / "module.py", MENDED)
    assert run(module, out) == 0
    assert run(module, out, "--keep-going", "--check") == 0
    assert emitted(out) == ["right"]


def test_key_in_pyproject(run: Run, module: Path, out: Path) -> None:
    write(module / "pyproject.toml", "[tool.mooncake-transpile]\nkeep-going = true\n")
    assert run(module, out) == 1
    assert emitted(out) == ["right", "also_right"]


def test_nothing_that_is_right(run: Run, tmp_path: Path, out: Path) -> None:
    write(tmp_path / "src/module.py", "def f(x: float) -> float:\n    return y\n")
    assert run(tmp_path / "src", out, "--keep-going") == 1
    assert not (out / "module_grad.py").exists()


WRITES = """\
import numpy as np
from numpy.typing import NDArray

def wrong(x: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    if n == 0:
        return x
    x[0] *= 2.0
    y = wrong(x, n - 1)
    return wrong(y, n - 1)

def right(x: float) -> float:
    return x * x
"""


def test_what_only_a_later_pass_refuses(run: Run, tmp_path: Path, out: Path) -> None:
    write(tmp_path / "src/module.py", WRITES)
    assert run(tmp_path / "src", out, "--keep-going") == 1
    assert "wrong_" not in (out / "module_grad.py").read_text()
    assert emitted(out) == ["right"]


def let_wrong_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the function ``wrong`` be an internal error."""
    lowered = bodies.FunctionLowering.run

    def fails(self: bodies.FunctionLowering) -> object:
        assert self.decl.name != "wrong", "oops"
        return lowered(self)

    monkeypatch.setattr(bodies.FunctionLowering, "run", fails)


def test_internal_errors_of_reading(
    run: Run, module: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_wrong_crash(monkeypatch)
    assert run(module, out, "--keep-going") == 70
    assert emitted(out) == ["right", "also_right"]


def test_functions_are_listed_beside_internal_errors(
    run: Run, module: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    let_wrong_crash(monkeypatch)
    assert run("list", module) == 70
    lines = capsys.readouterr().out.splitlines()
    states = {line.split()[0]: line.split()[1:] for line in lines if line.startswith("module:")}
    assert states["module:right"][0] == "emitted"
    assert states["module:wrong"][:3] == ["error", "internal", "error:"]


def test_internal_errors_of_differentiation(
    run: Run, module: Path, out: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    derivatives = pipeline.derivatives

    def fails(subject: Subject, modes: Sequence[str], *, checks: bool) -> Iterator[Derived]:
        assert subject.func.name != "module:right", "oops"
        return derivatives(subject, modes, checks=checks)

    monkeypatch.setattr(pipeline, "derivatives", fails)
    assert run(module, out, "--keep-going") == 70
    assert emitted(out) == ["also_right"]
    assert "module:right (module.py:5)" in capsys.readouterr().err
