"""Mutants of the catalogue and the examples, transpiled and verified.

Each gives a module or a diagnostic with a code. The derivatives of those that are taken, and first
of all their values, are those of the mutant run as plain Python.
"""

from __future__ import annotations

import ast
import io
import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from types import FrameType

from mooncake_transpiler import cli
from mooncake_transpiler.compilation import Crashed

from tests.helpers.transpile import compiled
from tests.mutants.changes import mutant
from tests.programs.catalogue import CASES, programs

FAILURES = ("crash", "slow", "differs")
SECONDS = 20.0  # of the processor, for one program
EXAMPLES = Path(__file__).parents[2] / "examples/programs"


class TooSlow(BaseException):
    """Nothing that is caught on the way."""


@dataclass(frozen=True, slots=True)
class Failure:
    seed: int
    source: str
    why: str

    def __str__(self) -> str:
        return f"# seed {self.seed}: {self.why}\n{self.source}"


@cache
def _files() -> dict[str, str]:
    """The modules that programs of the catalogue import."""
    used = [*(CASES / "package").rglob("*.py")]
    used += [CASES / f"{name}.py" for name in ("helpers", "kinds", "places")]
    return {file.relative_to(CASES).as_posix(): file.read_text() for file in used}


@cache
def _tree(theme: str) -> ast.Module:
    return ast.parse((CASES / f"{theme}.py").read_text())


def origin(seed: int) -> str:
    """A program of the catalogue, with what its module has for it alone; or an example."""
    random = Random(seed)
    if random.random() < 0.1:
        return random.choice(_examples())
    theme, _, name = random.choice(programs()).partition(".")
    tree = _tree(theme)
    defined = {s.name: s for s in tree.body if isinstance(s, ast.FunctionDef | ast.ClassDef)}
    pending, kept = [name], set[str]()
    while pending:
        one = pending.pop()
        if one in defined and one not in kept:
            kept.add(one)
            pending += [node.id for node in ast.walk(defined[one]) if isinstance(node, ast.Name)]
    stmts = [s for s in tree.body if getattr(s, "name", None) not in defined.keys() - kept]
    return ast.unparse(ast.Module(stmts, []))


@cache
def _examples() -> list[str]:
    """Small examples that need no other module."""
    texts = [file.read_text() for file in sorted(EXAMPLES.glob("*.py")) if "_grad" not in file.stem]
    return [text for text in texts if len(text) < 4000]


def examine(seed: int) -> tuple[str, Failure | None]:
    """The codes that a mutant is refused with, and what is wrong with that if anything."""
    try:
        source = mutant(origin(seed), seed)
    except (SyntaxError, ValueError):
        return "no program", None  # such a tree has no text
    try:
        with _limited():
            result = compiled({**_files(), "program.py": source})["program"]
    except TooSlow:
        return "slow", Failure(seed, source, f"takes more than {SECONDS:.0f} s")
    except Crashed as crashed:
        return "crash", Failure(seed, source, str(crashed.crash.error))
    if result.crashes:
        return "crash", Failure(seed, source, str(result.crashes[0].error))
    codes = " ".join(sorted({d.code for d in result.diagnostics}))
    try:
        with _limited():
            return (codes, None) if codes else _verified(seed, source)
    except TooSlow:  # one that runs for long in Python does so here
        return "taken and not verified in time", None


def _verified(seed: int, source: str) -> tuple[str, Failure | None]:
    """The outcome of ``mooncake-transpile verify`` for a mutant that is taken."""
    with tempfile.TemporaryDirectory() as folder:
        used = {path: text for path, text in _files().items() if path[:5] in source}
        for path, text in {**used, "program.py": source}.items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        said, only = io.StringIO(), ["--only", "program"]
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            cli.run([folder, folder, *only])
            with redirect_stdout(said):
                status = cli.run(
                    ["verify", folder, folder, *only, "--points", "1", "--output-format", "json"]
                )
        if status != 0 and not _runs(folder):
            return "no program", None
    if status == 0:
        return "taken", None
    rows = json.loads(said.getvalue())
    wrong = [row for row in rows if row.get("verdict") == "differs"]
    if not wrong and status == 1:
        return "taken and not verified", None
    return "differs", Failure(seed, source, json.dumps(wrong or rows, indent=2))


def _runs(folder: str) -> bool:
    """Plain Python imports the mutant in ``folder``."""
    command = [sys.executable, "-c", "import program"]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, check=False, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


@contextmanager
def _limited() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
