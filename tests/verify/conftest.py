"""A program and its gradient module, which tests break on purpose."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from mooncake_transpiler import cli
from mooncake_transpiler.output import header

# Imported here so that the runtime is compiled, whatever is switched off later.
from tests.helpers import transpile  # noqa: F401

SOURCES = Path(__file__).parent / "sources"
Rows = dict[str, dict[str, object]]  # of the table, by function


@dataclass(frozen=True, slots=True)
class Sample:
    """SRC, and an OUT with the gradient modules as they should be."""

    src: Path
    out: Path

    def broken(self, folder: Path, function: str, old: str, new: str) -> Path:
        """A copy of OUT with ``new`` for ``old`` in one function, signed as if it were ours."""
        out = folder / "broken"
        shutil.copytree(self.out, out, ignore=shutil.ignore_patterns("__pycache__"))
        file = out / "sample_grad.py"
        found = header.read(file)
        assert found is not None
        body = found.body
        match = re.search(rf"^def {function}\(.*?(?=^(?:def|@|class) |\Z)", body, re.M | re.S)
        assert match is not None, function
        assert old in match.group(), f"{old} is not in {match.group()}"
        body = body[: match.start()] + match.group().replace(old, new) + body[match.end() :]
        file.write_text(header.render(header.with_body(found.header, body), body))
        return out


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    folder = tmp_path_factory.mktemp("sample")
    src = folder / "src"
    shutil.copytree(SOURCES, src, ignore=shutil.ignore_patterns("__pycache__"))
    assert cli.run([str(src), str(folder / "out")]) == 0
    return Sample(src, folder / "out")


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled, which takes seconds."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


@pytest.fixture
def table(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, Rows]]:
    """Runs ``verify``: the exit code and the rows of its table."""

    def run(*argv: object) -> tuple[int, Rows]:
        code = cli.run(["verify", *map(str, argv), "--output-format", "json"])
        rows = json.loads(capsys.readouterr().out)
        return code, {row["function"]: row for row in rows}

    return run
