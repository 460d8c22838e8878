"""Source text to gradient modules, without the command and without files that stay."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType

# Imported here so that they are compiled, whatever is switched off later.
from mooncake_runtime import (  # noqa: F401
    kernels,
    memory,
    reshaping,
    scalar_kernels,
    shadows,
    stacks,
    telling,
)
from mooncake_transpiler.compilation import CompiledModule, Crashed
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.output.inputs import find_inputs
from mooncake_transpiler.run.pipeline import compile_modules, generate
from mooncake_transpiler.run.reading import CompilationUnit, read_program

Modules = tuple[ModuleType, ModuleType]  # a program as plain Python, and its gradient module
KERNELS = [getattr(scalar_kernels, name) for name in dir(scalar_kernels)]


class Refusal(Exception):
    """The source has errors."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("; ".join(f"{d.code} {d.place.line}: {d.message}" for d in diagnostics))
        self.diagnostics = diagnostics


def compiled(sources: Mapping[str, str], jobs: int = 1) -> dict[str, CompiledModule]:
    """The compiled modules, given by path (``pkg/m.py``); by dotted name."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in sources.items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        inputs = find_inputs(Path(folder))
        names = list(inputs.sources.files)
        results, diagnostics = compile_modules(names, inputs, jobs, lambda *_: None)
    for name, result in results.items():
        path = inputs.sources.files[name].path
        own = [d for d in diagnostics if d.place.path == path]
        results[name] = replace(result, diagnostics=(*own, *result.diagnostics))
    return results


def compilation_unit(source: str) -> CompilationUnit:
    """A module before it is differentiated: its functions in normal form."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "program.py").write_text(source)
        reading = read_program(find_inputs(Path(folder)), generate)
    assert not reading.diagnostics, reading.diagnostics
    unit = reading.unit("program")
    assert unit is not None
    return unit


def gradient_body(result: CompiledModule) -> str:
    """The text of a gradient module; what went wrong is raised."""
    if result.crash:
        raise Crashed(result.crash)
    if result.diagnostics:
        raise Refusal(result.diagnostics)
    assert result.body is not None, "there is nothing to differentiate"
    return result.body


def gradient_text(source: str) -> str:
    """The text of the gradient module of a module."""
    return gradient_body(compiled({"program.py": source})["program"])


def refusals(source: str) -> Sequence[Diagnostic]:
    """The errors in a module, which must have some."""
    try:
        gradient_text(source)
    except Refusal as refused:
        return refused.diagnostics
    raise AssertionError("nothing is refused")


def function_text(text: str, name: str) -> str:
    """The public function ``name`` of a gradient module, without its decorator and name."""
    return text.partition(f"def {name}(")[2].partition("\n@entry")[0]


def module(text: str, name: str, *, jit: bool = False) -> ModuleType:
    """A module with the given text, in plain Python unless ``jit``."""
    made = sys.modules[name] = ModuleType(name)  # numba looks there for recursive functions
    with switched(jit):
        exec(compile(text, f"<{name}>", "exec", dont_inherit=True), made.__dict__)
    return made


def transpiled(source: str, *, jit: bool = False) -> Modules:
    """A module as plain Python, and its gradient module."""
    return module(source, "program"), module(gradient_text(source), "program_grad", jit=jit)


@contextmanager
def switched(jit: bool) -> Iterator[None]:
    """Compile what is decorated here, or leave it plain."""
    before = os.environ.get("NUMBA_DISABLE_JIT")
    os.environ["NUMBA_DISABLE_JIT"] = "0" if jit else "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["NUMBA_DISABLE_JIT"]
        else:
            os.environ["NUMBA_DISABLE_JIT"] = before


@contextmanager
def importable(folder: Path) -> Iterator[None]:
    """Let modules in ``folder`` be imported, whatever is called like them; then forget them."""
    names = {file.stem for file in folder.iterdir()}
    others = {name: sys.modules.pop(name) for name in names & set(sys.modules)}
    known = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - known:
            file = getattr(sys.modules[name], "__file__", None)
            if file and Path(file).is_relative_to(folder):
                del sys.modules[name]
        sys.modules |= others
