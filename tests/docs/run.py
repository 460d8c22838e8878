"""Runs the blocks of one page in the present folder: ``python -m tests.docs.run PAGE``.

Blocks that need a package which is not installed are named and left out.
"""

from __future__ import annotations

import doctest
import io
import re
import runpy
import shlex
import sys
import tomllib
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from mooncake_transpiler import cli

from tests.docs.blocks import Block, blocks, holds

OPTIONAL = frozenset(
    {"cupy", "jax", "matplotlib", "pymc", "pytensor", "scipy", "torch"}
)  # packages of extras, and others
ELSEWHERE = frozenset(
    {"compute-sanitizer", "coverage", "git", "pip", "pre-commit", "pytest", "twine"}
)  # not run here
MODULES = ("build", "bench")  # nor are these
PLAIN = "numba is missing or switched off: nothing is compiled\n"  # as pages are run here
LOOSE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Checker(doctest.OutputChecker):
    """Takes NumPy's floats, which plain Python computes with, for the floats of compiled code."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        bare = re.sub(r"np\.float64\(([^()]*)\)", r"\1", got)
        return super().check_output(want, bare, optionflags)


class Wrong(Exception):
    """A page says what is not so."""


def run_page(page: Path) -> None:
    text = page.read_text("utf-8")
    namespace: dict[str, object] = {"__name__": "__page__"}
    sys.path.insert(0, str(Path.cwd()))
    for block in blocks(text):
        is_run = block.kind == "python" and not block.title
        if is_run and "import cupy" in block.text and not has_gpu():
            print(f"SKIPPED {page.name}:{block.line}: needs cupy, and a GPU")
            continue
        try:
            run(block, namespace, page)
        except ModuleNotFoundError as error:
            if error.name not in OPTIONAL:
                raise
            print(f"SKIPPED {page.name}:{block.line}: needs {error.name}")


def has_gpu() -> bool:
    """True if CuPy is installed and finds a GPU."""
    return find_spec("cupy") is not None and bool(import_module("cupy").is_available())


def run(block: Block, namespace: dict[str, object], page: Path) -> None:
    where = f"{page.name}:{block.line}"
    match block.kind:
        case _ if block.is_excerpt:
            if not holds(Path(block.file).read_text("utf-8"), block.text):
                raise Wrong(f"{where}: {block.file} has no such lines:\n{block.text}")
        case _ if block.title:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(block.text, "utf-8")
            forget_modules()
        case "python":
            code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
            exec(code, namespace)
        case "pycon":
            test = doctest.DocTestParser().get_doctest(block.text, namespace, where, str(page), 0)
            result = io.StringIO()
            doctest.DocTestRunner(Checker(), optionflags=LOOSE).run(
                test, out=result.write, clear_globs=False
            )
            namespace |= test.globs
            if result.getvalue():
                raise Wrong(result.getvalue())
        case "console":
            run_console(block, where)
        case "toml":
            tomllib.loads(block.text)
        case "sh" | "text" | "yaml" | "json":
            pass
        case kind:
            raise Wrong(f"{where}: nothing is known about blocks of {kind}")


def run_console(block: Block, where: str) -> None:
    """Run each command; lines that follow it are what it prints, if there are any."""
    for part in f"\n{block.text}".split("\n$ ")[1:]:
        command, _, shown = part.replace("\\\n", " ").partition("\n")
        words = shlex.split(command, comments=True)
        if words[0] in ELSEWHERE or (words[:2] == ["python", "-m"] and words[2] in MODULES):
            continue
        printed = output(words, where)
        forget_modules()
        if shown.strip():
            wanted, got = shown.strip() + "\n", printed.strip() + "\n"
            if not Checker().check_output(wanted, got, LOOSE):
                raise Wrong(f"{where}: {command}\nprints\n{got}\nand not\n{wanted}")


def output(words: list[str], where: str) -> str:
    """The output of a command, on both streams."""
    stream = io.StringIO()
    stderr, sys.stderr = sys.stderr, stream
    try:
        with redirect_stdout(stream):
            if words[0] == "mooncake-transpile":
                cli.run(words[1:])
            elif words[0] == "python" and words[1].endswith(".py"):
                runpy.run_path(words[1], run_name="__main__")
            else:
                raise Wrong(f"{where}: it is not known how to run {words[0]}")
    finally:
        sys.stderr = stderr
    return stream.getvalue().replace(PLAIN, "")


def forget_modules() -> None:
    """Import what stands in this folder anew."""
    here = Path.cwd()
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and Path(file).is_relative_to(here):
            del sys.modules[name]


if __name__ == "__main__":
    run_page(Path(sys.argv[1]))
