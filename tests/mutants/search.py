"""Mutants of the catalogue, transpiled: each gives a module, or a diagnostic with a code."""

from __future__ import annotations

import ast
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from random import Random
from types import FrameType

from mooncake_transpiler.compilation import Crashed

from tests.helpers.transpile import compiled
from tests.mutants.changes import mutant
from tests.programs.catalogue import CASES, programs

SECONDS = 30.0  # of the processor, for one program


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
    """A program of the catalogue, with what its module has for it alone."""
    theme, _, name = Random(seed).choice(programs()).partition(".")
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
    return " ".join(sorted({d.code for d in result.diagnostics})) or "taken", None


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
