"""A program and its gradient module, which tests break on purpose."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from mooncake_transpiler import cli
from mooncake_transpiler.output import header

SOURCES = Path(__file__).parent / "sources"
# The gradient module of the sample as it once was: what is emitted today may look different, and
# what is to be broken in it must be found.
FROZEN = Path(__file__).parent / "sample_grad.txt"
Rows = dict[str, dict[str, object]]  # of the table, by function


@dataclass(frozen=True, slots=True)
class Sample:
    """SRC, and an OUT with the gradient modules as they should be."""

    src: Path
    out: Path

    def broken(self, out: Path, *changes: tuple[str, str, str], more: str = "") -> Path:
        """A copy of OUT, signed as if it were ours, but for ``changes`` and what comes at the end.

        A change is a generated function, what is in it, and what is put there instead.
        """
        shutil.copytree(self.out, out, ignore=shutil.ignore_patterns("__pycache__"))
        file = out / "sample_grad.py"
        found = header.read(file)
        assert found is not None
        body = found.body + more
        for function, old, new in changes:
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
    file = folder / "out/sample_grad.py"
    found = header.read(file)
    assert found is not None
    body = FROZEN.read_text()
    file.write_text(header.render(header.with_body(found.header, body), body))
    return Sample(src, folder / "out")


def command(*argv: object, jit: bool = False) -> subprocess.CompletedProcess[str]:
    """``verify`` in a process of its own, without numba unless ``jit``."""
    env = os.environ | {"NUMBA_DISABLE_JIT": "0" if jit else "1"}
    program = [sys.executable, "-m", "mooncake_transpiler.cli", "verify", *map(str, argv)]
    return subprocess.run(program, env=env, capture_output=True, text=True, check=False)


def table(*argv: object, jit: bool = False) -> tuple[int, Rows]:
    """The exit code of ``verify`` and the rows of its table."""
    done = command(*argv, "--output-format", "json", jit=jit)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.returncode, {row["function"]: row for row in json.loads(done.stdout)}
